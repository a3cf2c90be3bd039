"""Simulations in memory."""

from __future__ import annotations

import os
import pickle
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gritstone import _core
from gritstone._scene import Scene
from gritstone._table import Table

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

#: First bytes of a saved simulation, with the version of its layout.
_MAGIC = b"gritstone simulation 1\n"


class Status(NamedTuple):
    """How a simulation goes."""

    dimension: int
    step: int
    time: float
    time_step: float
    last_step: int
    grains: int
    contacts: int
    unresolved: int
    largest_overlap: float
    left: int
    energy_error: float


class Simulation:
    """A simulation in memory, with the same bits as ``gritstone run`` has for the same scene.

    Steps are made without the GIL. Nothing is written unless asked for. A simulation that is stepping
    refuses calls from other threads with a RuntimeError.

    Parameters
    ----------
    scene : Scene, str, path or mapping
        A scene, or what a `Scene` is made from.
    threads : int
        How many threads; 0 is one for each core. The result does not depend on it.

    Examples
    --------
    >>> scene = gritstone.Scene({
    ...     "dimension": 3,
    ...     "gravity": [0, 0, -9.81],
    ...     "time": {"end": "0.2 s", "step": "20 us"},
    ...     "contact": {"law": "linear"},
    ...     "materials": {"glass": {"density": 2500, "kn": "10 kN/m", "restitution": 0.8, "friction": 0.3}},
    ...     "shapes": {"bead": {"shape": "sphere", "radius": "5 mm"}},
    ...     "grains": [{"from": "points", "shape": "bead", "material": "glass", "at": [[0, 0, 0.05]]}],
    ...     "walls": {
    ...         "floor": {"kind": "plane", "normal": [0, 0, 1], "point": [0, 0, 0], "material": "glass"}
    ...     },
    ... })
    >>> sim = gritstone.Simulation(scene)
    >>> sim.run(until=0.05)
    >>> fallen = 0.05 - sim.grains.position[0, 2]
    >>> round(float(fallen) / (0.5 * 9.81 * sim.time**2), 9)
    1.0
    """

    def __init__(
        self, scene: Scene | str | os.PathLike[str] | Mapping[str, Any], *, threads: int = 0
    ) -> None:
        if not 0 <= threads <= 1024:
            raise ValueError(f"threads is {threads}, but must lie in [0, 1024]")
        self.scene = scene if isinstance(scene, Scene) else Scene(scene)
        self._threads = threads
        self._core = _core.Simulation(self.scene._core, threads)

    def step(self, n: int = 1) -> None:
        """Make `n` steps, beyond the scene's end if need be."""
        if n < 0:
            raise ValueError(f"n is {n}, but must not be negative")
        self._core.advance(n, False)

    def run(
        self,
        until: float | None = None,
        *,
        callback: Callable[[Simulation], object] | None = None,
        every: int = 100,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: bool | None = None,
    ) -> None:
        """Run to a time, or to the end of the scene.

        Parameters
        ----------
        until : float, optional
            Time (s) to stop at; default: where the scene ends.
        callback : callable, optional
            Called with the simulation every `every` steps. It may read and change it; where it
            returns False, the run ends.
        every : int
            Steps between calls.
        checkpoint : path, optional
            Where to save the simulation when Ctrl-C stops it or it fails.
        progress : bool, optional
            Whether to show a line of progress on stderr; default: on a terminal.
        """
        if every < 1:
            raise ValueError(f"every is {every}, but must be at least 1")
        last = self.status.last_step if until is None else self._core.step_at(until)
        shown = _Progress(last) if (sys.stderr.isatty() if progress is None else progress) else None
        piece = every if callback is not None else 1 << 62
        try:
            while (step := self.status.step) < last:
                chunk = min(last - step, piece - step % piece, shown.piece if shown else 1 << 62)
                ended = self._core.advance(chunk, until is None)
                if shown:
                    shown.show(self.status)
                due = callback is not None and self.status.step % every == 0
                if due and callback is not None and callback(self) is False:
                    break
                if ended:
                    break
        except BaseException:
            if checkpoint is not None:
                self.save(checkpoint)
            raise
        finally:
            if shown:
                shown.close()

    @property
    def status(self) -> Status:
        """How it goes."""
        return Status(**self._core.status())

    @property
    def time(self) -> float:
        """Simulated time (s)."""
        return self.status.time

    @property
    def energies(self) -> dict[str, float]:
        """Where the energy is (J)."""
        return self._core.energies()

    @property
    def grains(self) -> Table:
        """A copy of the grains' states, in order of their ids."""
        return Table(self._core.grains())

    @property
    def contacts(self) -> Table:
        """A copy of the contacts; `b` is the index of a wall where `with_wall`."""
        return Table(self._core.contacts())

    @property
    def walls(self) -> Table:
        """A copy of the walls' states: force and torque are those of the grains on them."""
        return Table(self._core.walls())

    @property
    def probes(self) -> dict[str, Table]:
        """What the scene's probes have measured so far."""
        return {name: Table(columns) for name, columns in self._core.probes().items()}

    def notes(self) -> list[str]:
        """Return what has happened since this was asked last, a line each."""
        return self._core.notes()

    def move_wall(self, name: str, velocity: ArrayLike, spin: ArrayLike | None = None) -> None:
        """Give a wall a velocity (m/s), and an angular velocity (rad/s) about its origin."""
        plane = self.status.dimension == 2
        none: Any = 0.0 if plane else np.zeros(3)
        self._core.move_wall(name, velocity, none if spin is None else spin)

    def remove_wall(self, name: str) -> None:
        """Take a wall away."""
        self._core.remove_wall(name)

    def remove(self, ids: ArrayLike) -> int:
        """Remove grains by their ids, and return how many there were."""
        given = np.atleast_1d(np.asarray(ids))
        if given.size and given.dtype.kind not in "iu":
            raise TypeError(f"ids has the dtype {given.dtype}, but must hold integers")
        return self._core.remove([int(i) for i in given])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the simulation to a file, from which `load` goes on with the same bits."""
        target = Path(path)
        aside = target.with_name(target.name + ".tmp")
        aside.write_bytes(_MAGIC + pickle.dumps(self))
        aside.replace(target)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Simulation:
        """Read a simulation that `save` has written.

        The file is a pickle: load only files that you trust.
        """
        content = Path(path).read_bytes()
        if not content.startswith(_MAGIC):
            raise ValueError(f"{os.fspath(path)} is no saved simulation of this version")
        return pickle.loads(content[len(_MAGIC) :])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle scene and state."""
        return _restored, (self.scene, self._threads, self._core.save())

    def __repr__(self) -> str:
        """Tell how far it is."""
        status = self.status
        return f"<Simulation at {status.time:.6g} s: {status.grains} grains, {status.contacts} contacts>"


def _restored(scene: Scene, threads: int, state: bytes) -> Simulation:
    simulation = Simulation.__new__(Simulation)
    simulation.scene, simulation._threads = scene, threads
    simulation._core = _core.Simulation.restore(scene._core, threads, state)
    return simulation


class _Progress:
    """A line of progress; notebooks show it, too."""

    def __init__(self, last: int) -> None:
        self.last, self.piece, self.shown = last, 10, 0.0

    def show(self, status: Status) -> None:
        now = time.monotonic()
        if now - self.shown < 0.2:
            self.piece = min(2 * self.piece, 10_000)
            return
        self.piece, self.shown = max(self.piece // 2, 1), now
        share = status.step / max(self.last, 1)
        bar = "#" * int(30 * share)
        sys.stderr.write(
            f"\r[{bar:30}] {100 * share:3.0f} %  {status.time:.4g} s, {status.contacts} contacts "
        )
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\n")

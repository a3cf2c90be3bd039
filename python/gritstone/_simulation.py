"""Simulations in memory."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gritstone import _core
from gritstone._progress import Progress, can_show
from gritstone._readout import Readout
from gritstone._scene import Scene
from gritstone._table import whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

#: First bytes of a saved simulation, with the version of its layout.
_MAGIC = b"gritstone simulation 4\n"

#: Bytes of the checksum behind them.
_CHECKSUM = 16


#: Takes a simulation, and returns forces on its grains, or forces and torques, or sets them itself.
Coupling = Callable[["Simulation"], Any]


class Simulation(Readout):
    """A simulation in memory, with the same bits as ``gritstone run`` has for the same scene.

    Steps are made without the GIL. Nothing is written to files by default. A simulation that is stepping
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

    The examples of the methods have this scene in a file:

    >>> gritstone.Simulation("beads.toml", threads=1)
    <Simulation at 0 s: 1 grains, 0 contacts>
    """

    def __init__(
        self, scene: Scene | str | os.PathLike[str] | Mapping[str, Any], *, threads: int = 0
    ) -> None:
        if whole(threads, "threads", 0) > 1024:
            raise ValueError(f"threads is {threads}, but must lie in [0, 1024]")
        self.scene: Scene = scene if isinstance(scene, Scene) else Scene(scene)
        self._threads = threads
        self._core = _core.Simulation(self.scene._core, threads)
        self._forces: tuple[Any, Any, Any] | None = None
        self._coupling: tuple[Coupling, int] | None = None

    def step(self, n: int = 1) -> None:
        """Make `n` steps, beyond the scene's end if need be.

        Parameters
        ----------
        n : int
            How many; 0 does nothing.

        Examples
        --------
        >>> sim = gritstone.Simulation("beads.toml")
        >>> sim.step(100)
        >>> sim.status.step, round(sim.time, 12)
        (100, 0.002)
        """
        if whole(n, "n", 0) >= 1 << 62:
            raise ValueError(f"n is {n}, but must lie in [0, 2⁶²)")
        self._advance(n, False)

    def _advance(self, steps: int, to_end: bool) -> bool:
        """Make steps, and ask for forces where they are due; whether the scene has ended."""
        last = self._core.step + steps
        while (step := self._core.step) < last:
            piece = last - step
            if self._coupling is not None:
                function, every = self._coupling
                if step % every == 0:
                    given = function(self)
                    if given is not None:
                        self._act(given if isinstance(given, tuple) else (given,))
                piece = min(piece, every - step % every)
            if self._core.advance(piece, to_end):
                return True
        return False

    def _act(self, given: tuple[Any, ...]) -> None:
        """Set the forces that a coupling has returned."""
        if not 1 <= len(given) <= 2:
            raise TypeError(
                f"a coupling returned {len(given)} things, but must return forces, or forces and torques"
            )
        self.set_forces(*given)

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
            Whether to show a bar of progress; default: on a terminal and in a notebook.

        Raises
        ------
        RunError
            A grain became unstable or left where it must not.
        KeyboardInterrupt
            After Ctrl-C, between two steps.

        Examples
        --------
        >>> sim = gritstone.Simulation("beads.toml")
        >>> heights = []
        >>> sim.run(until=0.01, callback=lambda now: heights.append(now.grains.position[0, 2]), every=100)
        >>> len(heights), heights[0] > heights[-1]
        (5, np.True_)
        """
        every = whole(every, "every", 1)
        if callback is not None and not callable(callback):
            raise TypeError(f"callback must be callable, not a {type(callback).__name__}")
        last = self.status.last_step if until is None else self._core.step_at(until)
        shown = Progress(last) if (can_show() if progress is None else progress) else None
        piece = every if callback is not None else 1 << 62
        try:
            while (step := self._core.step) < last:
                chunk = min(last - step, piece - step % piece, shown.piece if shown else 1 << 62)
                ended = self._advance(chunk, until is None)
                if shown and shown.is_due():
                    self._tell(shown)
                due = callback is not None and self._core.step % every == 0
                if due and callback is not None and callback(self) is False:
                    break
                if ended:
                    break
            if shown:
                self._tell(shown)
        except BaseException:
            if checkpoint is not None:
                self.save(checkpoint)
            raise
        finally:
            if shown:
                shown.close()

    def _tell(self, shown: Progress) -> None:
        status = self.status
        shown.show(status.step, f"{status.time:.4g} s, {status.contacts} contacts")

    def set_velocities(
        self, velocity: ArrayLike, spin: ArrayLike | None = None, *, ids: ArrayLike | None = None
    ) -> int:
        """Give grains velocities (m/s) and angular velocities (rad/s), and return how many took them.

        Parameters
        ----------
        velocity : array_like, (n, d)
            A row for each grain, in the order of `grains`, or of `ids`.
        spin : array_like, (n, 3) or (n,), optional
            In the plane a number for each grain; default: none turns.
        ids : array_like of int, (n,), optional
            Which grains; default: all. Frozen grains stay at rest.

        Returns
        -------
        int

        Examples
        --------
        >>> sim = gritstone.Simulation("beads.toml")
        >>> sim.set_velocities([[0, 0, -1]])
        1
        """
        named, rows, spins = self._rows(velocity, spin, ids)
        return self._core.set_velocities(named, rows, spins)

    def set_forces(
        self, force: ArrayLike | None, torque: ArrayLike | None = None, *, ids: ArrayLike | None = None
    ) -> None:
        """Have forces act on grains from the next step on, until they are set again.

        Parameters
        ----------
        force : array_like, (n, d), or None
            Forces at the centres of mass (N), a row for each grain in the order of `grains`, or of `ids`;
            None for none. Other grains, and those that come later, have none.
        torque : array_like, (n, 3) or (n,), optional
            Torques about the centres of mass (N m).
        ids : array_like of int, (n,), optional
            Which grains; default: all.

        Examples
        --------
        >>> sim = gritstone.Simulation("beads.toml")
        >>> sim.set_forces([[0.001, 0, 0]])
        >>> sim.step(100)
        >>> sim.energies["external_work"] > 0
        True
        """
        plane = self._core.dimension == 2
        if force is None:
            named, rows, torques = (np.zeros(0, int), np.zeros((0, 2 if plane else 3)), _none(0, plane))
        else:
            named, rows, torques = self._rows(force, torque, ids)
        self._core.set_forces(named, rows, torques)
        # Kept as copies: they are part of what is saved, and the caller's arrays may change.
        self._forces = None if force is None else (np.array(named), np.array(rows), np.array(torques))

    def couple(self, function: Coupling | None, *, every: int = 1) -> None:
        """Ask a function for the forces on the grains, every `every` steps.

        Parameters
        ----------
        function : callable or None
            Called with the simulation; returns forces, or forces and torques, as `set_forces` takes them,
            or sets them itself and returns None. None instead of a function ends the coupling and its
            forces.
        every : int
            Steps between calls; forces stay as they are in between.

        Examples
        --------
        Air that slows the grains down:

        >>> sim = gritstone.Simulation("beads.toml")
        >>> sim.couple(lambda now: -1e-3 * now.grains.velocity, every=10)
        >>> sim.step(100)
        >>> sim.energies["external_work"] < 0
        True

        The same by a view, which is faster where there are many grains; its rows are in another order:

        >>> def drag(now):
        ...     with now.view() as view:
        ...         now.set_forces(-1e-3 * view.velocity, ids=view.id)
        >>> sim.couple(drag)
        """
        every = whole(every, "every", 1)
        if function is not None and not callable(function):
            raise TypeError(f"function must be callable, not a {type(function).__name__}")
        self._coupling = None if function is None else (function, every)
        if function is None:
            self.set_forces(None)

    def set(self, values: Mapping[str, Any]) -> None:
        """Change parameters of materials between steps, by the keys of the scene.

        Parameters
        ----------
        values : mapping
            Such as ``{"materials.glass.friction": 0.1}``. Densities cannot be changed, nor
            anything else of the scene.

        Examples
        --------
        >>> sim = gritstone.Simulation("beads.toml")
        >>> sim.set({"materials.glass.friction": 0.1, "materials.glass.restitution": 0.5})
        """
        if not isinstance(values, Mapping):
            raise TypeError(f"values are by key, not in a {type(values).__name__}")
        for key in values:
            if not str(key).startswith("materials."):
                raise ValueError(f"{key} cannot be changed in a simulation, only keys of materials can")
        changed = self.scene.set(values)
        self._core.set_materials(changed._core)
        self.scene = changed

    def _rows(self, rows: ArrayLike, turns: ArrayLike | None, ids: ArrayLike | None) -> tuple[Any, Any, Any]:
        named = np.atleast_1d(np.asarray(self._core.ids() if ids is None else ids))
        return named, rows, _none(len(named), self._core.dimension == 2) if turns is None else turns

    def move_wall(self, name: str, velocity: ArrayLike, spin: ArrayLike | None = None) -> None:
        """Give a wall a velocity, which it keeps until it is given another.

        Parameters
        ----------
        name : str
            The wall's name; those of a box are ``box.x-low`` and so on, as `walls` has them.
        velocity : array_like, (d,)
            Velocity (m/s).
        spin : array_like, (3,), or float in the plane, optional
            Angular velocity (rad/s) about the wall's origin; default: none.

        Raises
        ------
        KeyError
            There is no such wall.
        ValueError
            The wall has a motion in the scene, or forces move it.

        Examples
        --------
        >>> sim = gritstone.Simulation("beads.toml")
        >>> sim.move_wall("floor", [0, 0, 0.1])
        >>> sim.step(100)
        >>> round(sim.walls.position[0, 2], 12)
        np.float64(0.0002)
        """
        none: Any = 0.0 if self._core.dimension == 2 else np.zeros(3)
        self._core.move_wall(name, velocity, none if spin is None else spin)

    def remove_wall(self, name: str) -> None:
        """Take a wall away.

        Parameters
        ----------
        name : str
            The wall's name.
        """
        self._core.remove_wall(name)

    def remove(self, ids: ArrayLike) -> int:
        """Remove grains, and return how many there were.

        Parameters
        ----------
        ids : array_like of int
            Ids of grains; those that are not there are passed over.

        Returns
        -------
        int
        """
        return self._core.remove(np.atleast_1d(np.asarray(ids)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the simulation to a file, from which `load` continues with the same bits.

        Parameters
        ----------
        path : path
            The file, which is replaced at once or not at all.

        Examples
        --------
        >>> sim = gritstone.Simulation("beads.toml")
        >>> sim.run(until=0.01)
        >>> sim.save("half.sim")
        >>> gritstone.Simulation.load("half.sim").time == sim.time
        True
        """
        content = pickle.dumps(self)
        _core.replace(path, _MAGIC + _checksum(content) + content)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Simulation:
        """Read a simulation that `save` has written.

        A coupling is not saved, its last forces are. The file is a pickle: load only files that you trust.

        Parameters
        ----------
        path : path
            What `save` has written.

        Returns
        -------
        Simulation

        Raises
        ------
        ValueError
            The file was written by something else or by another version, or is damaged.
        """
        content = Path(path).read_bytes()
        if not content.startswith(_MAGIC):
            raise ValueError(f"{os.fspath(path)} is no saved simulation of this version")
        told, saved = content[len(_MAGIC) :][:_CHECKSUM], content[len(_MAGIC) + _CHECKSUM :]
        if told != _checksum(saved):
            raise ValueError(f"{os.fspath(path)} is damaged: its checksum is another")
        return pickle.loads(saved)

    def write_checkpoint(self, folder: str | os.PathLike[str]) -> None:
        """Write a checkpoint into a folder, from which the grains of another scene continue.

        They keep their velocities and the history of their contacts: ``{"from": "run", "folder": folder}``
        is a group of grains.
        """
        self._core.write_checkpoint(self.scene._core, folder)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle scene and state."""
        return _restored, (self.scene, self._threads, self._core.save(), self._forces)

    def __repr__(self) -> str:
        """Tell how far it is."""
        status = self.status
        return f"<Simulation at {status.time:.6g} s: {status.grains} grains, {status.contacts} contacts>"


def _checksum(content: bytes) -> bytes:
    import hashlib

    return hashlib.blake2b(content, digest_size=_CHECKSUM).digest()


def _none(count: int, plane: bool) -> Any:
    """Return spins or torques of no size."""
    return np.zeros(count) if plane else np.zeros((count, 3))


def _restored(scene: Scene, threads: int, state: bytes, forces: tuple[Any, Any, Any] | None) -> Simulation:
    simulation = Simulation.__new__(Simulation)
    simulation.scene, simulation._threads = scene, threads
    simulation._core = _core.Simulation.restore(scene._core, threads, state)
    simulation._coupling, simulation._forces = None, forces
    if forces is not None:
        simulation._core.set_forces(*forces)
    return simulation

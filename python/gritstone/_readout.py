"""Numbers, columns and pictures of a simulation."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gritstone import _core
from gritstone._picture import Page, Picture, draw, show
from gritstone._run import Frames
from gritstone._table import Table
from gritstone._view import View

if TYPE_CHECKING:
    from gritstone._scene import Scene


class Status(NamedTuple):
    """How a simulation goes.

    Attributes
    ----------
    dimension : int
        2 or 3.
    step : int
        Steps made since the start.
    time, time_step : float
        Simulated time, and that of one step (s).
    last_step : int
        The step at which the scene ends.
    grains, contacts : int
        How many there are; contacts with walls are among them.
    unresolved : int
        Contacts that could not be certified, summed over all steps.
    largest_overlap : float
        Of the last step, as a fraction of the smaller grain's size.
    left : int
        Grains that left the domain and were removed.
    energy_error : float
        What the balance of energies has lost or gained, as a fraction of the energy exchanged.
    """

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


class Readout:
    """Numbers, columns and pictures of a simulation, between steps."""

    scene: Scene
    _core: _core.Simulation

    @property
    def status(self) -> Status:
        """How it goes; energies are summed over all grains for it."""
        return Status(**self._core.status())

    @property
    def time(self) -> float:
        """Simulated time (s)."""
        return self._core.step * self._time_step

    @cached_property
    def _time_step(self) -> float:
        # The status counts energies over all grains: too much to ask for the time.
        return self.status.time_step

    @property
    def energies(self) -> dict[str, float]:
        """Where the energy is now (J), by name; what is lost or done counts from the start.

        Returns
        -------
        dict of float
            ``translation``, ``rotation``, ``potential``, ``elastic``, ``dissipated``, ``wall_work``,
            ``external_work``, ``taken_out`` (of grains that were removed), and ``balance``, which stays
            the same but for the errors of integration.
        """
        return self._core.energies()

    @property
    def grains(self) -> Table:
        """A copy of the grains' states, in order of their ids.

        Returns
        -------
        Table
            ``id``, ``shape``, ``material`` (indices), ``coordination``, ``position``, ``rotation``
            (quaternions, in the plane angles), ``velocity``, ``spin``, ``frozen`` and ``force``, the sum of
            contact and external forces (N).

        Examples
        --------
        >>> gritstone.Simulation("beads.toml").grains.position
        array([[0.  , 0.  , 0.01]])
        """
        return Table(self._core.grains())

    @property
    def contacts(self) -> Table:
        """A copy of the contacts.

        Returns
        -------
        Table
            ``a`` and ``b``, the ids of the grains, but ``b`` is the index of a wall where ``with_wall``;
            ``point``; ``normal``, from a to b; ``force``, on b (N); and ``depth``, the overlap (m).
        """
        return Table(self._core.contacts())

    @property
    def walls(self) -> Table:
        """A copy of the walls' states.

        Returns
        -------
        Table
            ``name``, ``present``, ``position``, ``rotation``, and ``force`` and ``torque`` of the grains on
            each (N, N m).
        """
        return Table(self._core.walls())

    @property
    def probes(self) -> dict[str, Table]:
        """What the scene's probes have measured so far, a `Table` for each by its name."""
        return {name: Table(columns) for name, columns in self._core.probes().items()}

    @property
    def summary(self) -> dict[str, Any]:
        """The content of ``summary.json`` at this time, without files and run times."""
        return json.loads(self._core.summary())

    def notes(self) -> list[str]:
        """Return what has happened since this was asked last, a line each.

        Returns
        -------
        list of str
        """
        return self._core.notes()

    def view(self, *, write: bool = False) -> View:
        """Look at the grains in the engine's memory, without a copy, inside of a ``with`` block.

        The view ends where the block is left, and where the simulation steps or changes: its columns then
        raise `ViewError`. What is written is taken over when the block is left: neighbours and forces are
        found anew, and the energy that this takes is booked as taken out. Where an exception leaves
        the block, or something was written that is no finite number (ValueError), the simulation is as it
        was before.

        Parameters
        ----------
        write : bool
            Whether positions, rotations, velocities and angular momenta can be written. The simulation does
            not step or save until such a block is left.

        Returns
        -------
        View

        Examples
        --------
        >>> sim = gritstone.Simulation("beads.toml")
        >>> with sim.view() as view:
        ...     highest = view.position[:, 2].max()
        >>> with sim.view(write=True) as view:
        ...     view.velocity[:] = [0, 0, -1]
        >>> sim.grains.velocity
        array([[ 0.,  0., -1.]])
        """
        return View(self._core, write)

    @contextmanager
    def _frame(self) -> Iterator[Path]:
        """Write the present state into a folder as a run's last frame."""
        with tempfile.TemporaryDirectory(prefix="gritstone-") as folder:
            self._core.write_frame(self.scene._core, Path(folder) / "trajectory.grit")
            yield Path(folder)

    def snapshot(
        self, *, view: str = "iso", color: str | None = None, size: int | tuple[int, int] = 1200
    ) -> Picture:
        """Draw the grains as they are now.

        Parameters
        ----------
        view : str
            View direction: ``iso``, ``x``, ``y`` or ``z``.
        color : str, optional
            Coloured quantity: ``speed``, ``size``, ``shape``, ``material``, ``coordination`` or ``force``.
        size : int or tuple of int
            Pixels across, or across and down.

        Returns
        -------
        Picture

        Examples
        --------
        >>> gritstone.Simulation("beads.toml").snapshot(size=(320, 240))
        <Picture of 320 x 240 pixels>
        """
        with self._frame() as folder:
            return draw(folder, None, view, color, size)

    def show(self, *, height: int = 600) -> Page:
        """Return the viewer with the grains as they are now, which a notebook shows.

        Parameters
        ----------
        height : int
            Pixels down in a notebook.

        Returns
        -------
        Page
        """
        with self._frame() as folder:
            return show(folder, 1, height)

    def plot(self, *, ax: Any = None, view: str = "iso", color: str | None = None) -> Any:
        """Draw the grains as they are now on axes; see `snapshot`. Needs Matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; default: a new figure.
        view, color : str, optional
            As of `snapshot`.

        Returns
        -------
        matplotlib.axes.Axes
        """
        return self.snapshot(view=view, color=color).plot(ax)

    def to_pyvista(self) -> Any:
        """Return the grains' true surfaces, with their columns as data of cells. Needs PyVista.

        Returns
        -------
        pyvista.PolyData
        """
        with self._frame() as folder:
            return Frames(_core.Trajectory(folder / "trajectory.grit"))[0].to_pyvista()

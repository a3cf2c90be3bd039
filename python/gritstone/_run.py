"""Reading runs: the folders that ``gritstone run`` writes."""

from __future__ import annotations

import csv
import json
import operator
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import numpy as np

from gritstone import _core
from gritstone._picture import Page, Picture, draw, show, surfaces
from gritstone._table import Table


class Frame:
    """A frame of a run; columns are read when they are first used.

    Attributes
    ----------
    step : int
        Steps made since the start.
    time : float
        Simulated time (s).
    """

    def __init__(self, trajectory: _core.Trajectory, number: int, step: int, time: float) -> None:
        self._trajectory, self._number = trajectory, number
        self.step: int = step
        self.time: float = time

    @cached_property
    def _columns(self) -> dict[str, Any]:
        return self._trajectory.frame(self._number)

    @property
    def grains(self) -> Table:
        """States of the grains."""
        return Table(self._columns["grains"])

    @property
    def walls(self) -> Table:
        """Positions of the walls and forces on them."""
        return Table(self._columns["walls"])

    @property
    def contacts(self) -> Table | None:
        """The contacts, where the run has written them."""
        return Table(self._columns["contacts"]) if "contacts" in self._columns else None

    def to_pyvista(self) -> Any:
        """Return the grains' true surfaces, with their columns as data of cells. Needs PyVista.

        Returns
        -------
        pyvista.PolyData
        """
        return surfaces(json.loads(self._trajectory.description), self.grains)

    def __repr__(self) -> str:
        """Tell when it was."""
        return f"<Frame {self._number} at {self.time:.6g} s>"


class Frames:
    """The frames of a run, by number; negative numbers count from the end."""

    def __init__(self, trajectory: _core.Trajectory) -> None:
        self._trajectory = trajectory
        self._moments = trajectory.moments()

    @property
    def time(self) -> Any:
        """Times of all frames (s)."""
        return self._moments["time"]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._moments["time"])

    @overload
    def __getitem__(self, number: int) -> Frame: ...
    @overload
    def __getitem__(self, number: slice) -> list[Frame]: ...
    def __getitem__(self, number: int | slice) -> Frame | list[Frame]:
        """Return a frame, or those of a slice."""
        count = len(self)
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(count))]
        number = operator.index(number)
        if not -count <= number < count:
            raise IndexError(f"there is no frame {number}; there are {count}")
        number %= count
        return Frame(
            self._trajectory, number, int(self._moments["step"][number]), float(self._moments["time"][number])
        )

    def __iter__(self) -> Iterator[Frame]:
        """Go through all frames."""
        return (self[i] for i in range(len(self)))

    def to_table(self) -> Table:
        """Return the grains of all frames, one below the other, with the frame's ``step`` and ``time``.

        Returns
        -------
        Table

        Examples
        --------
        >>> table = gritstone.open("beads-out").frames.to_table()
        >>> list(table)[:3], table.rows
        (['step', 'time', 'id'], 101)
        """
        tables = [(frame, frame.grains) for frame in self]
        columns: dict[str, Any] = {}
        for name in ("step", "time"):
            parts = [np.full(table.rows, getattr(frame, name)) for frame, table in tables]
            columns[name] = np.concatenate(parts or [np.zeros(0)])
        for name in tables[0][1] if tables else ():
            columns[name] = np.concatenate([table[name] for _, table in tables])
        return Table(columns)

    def to_pandas(self) -> Any:
        """Return the grains of all frames, as `to_table` does. Needs pandas.

        Returns
        -------
        pandas.DataFrame
        """
        return self.to_table().to_pandas()

    def to_polars(self) -> Any:
        """Return the grains of all frames, as `to_table` does. Needs Polars.

        Returns
        -------
        polars.DataFrame
        """
        return self.to_table().to_polars()

    def to_xarray(self) -> Any:
        """Return all frames over ``time`` and ``id``; grains that a frame lacks are NaN there. Needs xarray.

        Returns
        -------
        xarray.Dataset
        """
        import xarray

        tables = [frame.grains for frame in self]
        ids = np.unique(np.concatenate([table["id"] for table in tables] or [np.zeros(0, dtype=int)]))
        data: dict[str, Any] = {}
        for name in (name for name in (tables[0] if tables else ()) if name != "id"):
            shape = tables[0][name].shape[1:]
            values = np.full((len(tables), len(ids), *shape), np.nan)
            for i, table in enumerate(tables):
                values[i, np.searchsorted(ids, table["id"])] = table[name]
            axis = () if not shape else (("quaternion",) if shape[0] == 4 else ("axis",))
            data[name] = (("time", "id", *axis), values)
        return xarray.Dataset(data, coords={"time": self.time, "id": ids})


class Run:
    """A run in a folder, finished, going on or cut off.

    Parameters
    ----------
    folder : path
        What ``gritstone run`` has written.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder: Path = Path(folder)
        if not (self.folder / "scene.toml").is_file():
            raise FileNotFoundError(f"{self.folder} holds no run: there is no scene.toml")

    @property
    def frames(self) -> Frames:
        """The frames that there are now; ask again while the run is going on."""
        return Frames(_core.Trajectory(self._file("trajectory.grit")))

    def _file(self, name: str) -> Path:
        path = self.folder / name
        if not path.is_file():
            why = "the run has just begun or was cut off, or its scene does not ask for it"
            raise FileNotFoundError(f"{self.folder} has no {name}: {why}")
        return path

    @property
    def energies(self) -> Table:
        """Energies, contacts and overlaps over time."""
        return _read_table(self._file("energies.csv"))

    @property
    def walls(self) -> Table:
        """Forces, torques and work of walls and tools over time."""
        return _read_table(self._file("walls.csv"))

    @property
    def probes(self) -> dict[str, Table]:
        """What the scene's probes have measured, by name."""
        return {path.stem: _read_table(path) for path in sorted((self.folder / "probes").glob("*.csv"))}

    @property
    def final(self) -> Table:
        """Where every grain is at the end."""
        return _read_table(self._file("final.csv"))

    @property
    def summary(self) -> dict[str, Any] | None:
        """How it went; None while it has not ended."""
        path = self.folder / "summary.json"
        if not path.is_file():
            return None
        try:
            return json.loads(_read_text(path))
        except json.JSONDecodeError as error:
            raise ValueError(f"{path} is damaged: {error}") from None

    def snapshot(
        self,
        time: float | None = None,
        *,
        view: str = "iso",
        color: str | None = None,
        size: int | tuple[int, int] = 1200,
    ) -> Picture:
        """Draw a frame of the run, as ``gritstone snapshot`` does.

        Parameters
        ----------
        time : float, optional
            The frame nearest to it (s) is drawn; default: the last.
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
        >>> gritstone.open("beads-out").snapshot(0.05, size=300).size[0]
        300
        """
        return draw(self.folder, time, view, color, size)

    def show(self, *, every: int = 1, height: int = 600) -> Page:
        """Return the viewer with the run inside, which a notebook shows.

        Parameters
        ----------
        every : int
            Take only every so many frames, and the last.
        height : int
            Pixels down in a notebook.

        Returns
        -------
        Page
        """
        return show(self.folder, every, height)

    def plot(self, *columns: str, ax: Any = None) -> Any:
        """Plot columns of `energies` over time. Needs Matplotlib.

        Parameters
        ----------
        *columns : str
            Names of columns; default: the energies.
        ax : matplotlib.axes.Axes, optional
            Where to draw; default: a new figure.

        Returns
        -------
        matplotlib.axes.Axes
        """
        shown = columns or ("translation", "rotation", "potential", "elastic", "dissipated")
        return self.energies.plot("time", *shown, ax=ax)

    def __repr__(self) -> str:
        """Tell the folder."""
        return f"<Run in {self.folder}>"


def open_run(folder: str | os.PathLike[str]) -> Run:
    """Open the folder of a run, which may be going on or have been cut off.

    Parameters
    ----------
    folder : path
        What ``gritstone run`` has written.

    Returns
    -------
    Run

    Raises
    ------
    FileNotFoundError
        The folder holds no run.

    Examples
    --------
    After ``gritstone run beads.toml``:

    >>> run = gritstone.open("beads-out")
    >>> run.summary["grains"], len(run.frames)
    (1, 101)
    >>> run.frames[-1].grains.position.shape
    (1, 3)
    """
    return Run(folder)


def _read_table(path: Path) -> Table:
    """Read a table of numbers; a last line that is not whole yet is left out."""
    text = _read_text(path)
    whole = text[: text.rfind("\n") + 1]
    lines = csv.reader(line for line in whole.splitlines() if not line.startswith("#"))
    try:
        head = [name.split(" [")[0].strip() for name in next(lines, [])]
        rows = [row for row in lines if row]
    except csv.Error as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    if wrong := [row for row in rows if len(row) != len(head)]:
        raise ValueError(f"{path} is damaged: {wrong[0]} has not the {len(head)} columns of its head")
    return Table({name: _column([row[i] for row in rows]) for i, name in enumerate(head)})


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is damaged: {error}") from None


def _column(fields: list[str]) -> Any:
    """Read a column as numbers, or as texts where it holds some."""
    try:
        return np.array([float(field) if field else np.nan for field in fields])
    except ValueError:
        return np.array(fields)

"""Reading runs: the folders that ``gritstone run`` writes."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gritstone import _core
from gritstone._table import Table


class Frame:
    """A moment of a run; columns are read when they are asked for.

    Attributes
    ----------
    step : int
        Steps made since the start.
    time : float
        Simulated time (s).
    """

    def __init__(self, trajectory: _core.Trajectory, number: int, step: int, time: float) -> None:
        self._trajectory, self._number = trajectory, number
        self.step, self.time = step, time

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

    def __getitem__(self, number: int) -> Frame:
        """Return a frame."""
        count = len(self)
        if not -count <= number < count:
            raise IndexError(f"there is no frame {number}; there are {count}")
        number %= count
        return Frame(
            self._trajectory, number, int(self._moments["step"][number]), float(self._moments["time"][number])
        )

    def __iter__(self) -> Iterator[Frame]:
        """Go through all frames."""
        return (self[i] for i in range(len(self)))


class Run:
    """A run in a folder, finished, going on or cut off.

    Parameters
    ----------
    folder : path
        What ``gritstone run`` has written.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        if not (self.folder / "scene.toml").is_file():
            raise FileNotFoundError(f"{self.folder} holds no run: there is no scene.toml")

    @property
    def frames(self) -> Frames:
        """The frames that there are now; ask again while the run is going on."""
        return Frames(_core.Trajectory(self.folder / "trajectory.grit"))

    @property
    def energies(self) -> Table:
        """Energies, contacts and overlaps over time."""
        return _read_table(self.folder / "energies.csv")

    @property
    def walls(self) -> Table:
        """Forces, torques and work of walls and tools over time."""
        return _read_table(self.folder / "walls.csv")

    @property
    def probes(self) -> dict[str, Table]:
        """What the scene's probes have measured, by name."""
        return {path.stem: _read_table(path) for path in sorted((self.folder / "probes").glob("*.csv"))}

    @property
    def final(self) -> Table:
        """Where every grain is at the end."""
        return _read_table(self.folder / "final.csv")

    @property
    def summary(self) -> dict[str, Any] | None:
        """How it went; None while it has not ended."""
        path = self.folder / "summary.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None

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
    """
    return Run(folder)


def _read_table(path: Path) -> Table:
    """Read a table of numbers; a last line that is not whole yet is left out."""
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    lines = csv.reader(line for line in whole.splitlines() if not line.startswith("#"))
    head = [name.split(" [")[0].strip() for name in next(lines, [])]
    rows = [row for row in lines if len(row) == len(head)]
    return Table({name: _column([row[i] for row in rows]) for i, name in enumerate(head)})


def _column(fields: list[str]) -> Any:
    """Read a column as numbers, or as texts where it holds some."""
    try:
        return np.array([float(field) if field else np.nan for field in fields])
    except ValueError:
        return np.array(fields)

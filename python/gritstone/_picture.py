"""Pictures, pages and surfaces of runs and simulations."""

from __future__ import annotations

import html
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gritstone import _core
from gritstone._table import whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from gritstone._table import Table

#: Least and most pixels of a side.
_SIDES = (64, 8192)


class Picture:
    """A picture, which notebooks show.

    Attributes
    ----------
    png : bytes
        The picture in the PNG format.
    """

    def __init__(self, png: bytes) -> None:
        self.png: bytes = png

    def _repr_png_(self) -> bytes:
        return self.png

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return int.from_bytes(self.png[16:20], "big"), int.from_bytes(self.png[20:24], "big")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a PNG file.

        Parameters
        ----------
        path : path
            Where to.
        """
        Path(path).write_bytes(self.png)

    def plot(self, ax: Any = None) -> Any:
        """Draw it on axes. Needs Matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; default: a new figure.

        Returns
        -------
        matplotlib.axes.Axes
        """
        from matplotlib import image, pyplot

        ax = pyplot.subplots()[1] if ax is None else ax
        ax.imshow(image.imread(io.BytesIO(self.png), format="png"))
        ax.set_axis_off()
        return ax

    def __repr__(self) -> str:
        """Tell its size."""
        return f"<Picture of {self.size[0]} x {self.size[1]} pixels>"


class Page:
    """The viewer with a run inside, which notebooks show and any browser opens.

    Attributes
    ----------
    html : str
        The page, complete in itself.
    """

    def __init__(self, html: str, height: int) -> None:
        self.html: str = html
        self._height = height

    def _repr_html_(self) -> str:
        inside = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{inside}" style="width:100%;height:{self._height}px;border:0"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page as a file.

        Parameters
        ----------
        path : path
            Where to.
        """
        Path(path).write_text(self.html, encoding="utf-8")

    def __repr__(self) -> str:
        """Tell its size."""
        return f"<Page of {len(self.html) / 1e6:.1f} MB; save(path) writes it for a browser>"


def draw(
    folder: str | os.PathLike[str],
    time: float | None,
    view: str,
    color: str | None,
    size: int | tuple[int, int],
) -> Picture:
    """Draw a frame of the run in a folder."""
    sides = size if isinstance(size, tuple | list) else (size,)
    if not 1 <= len(sides) <= 2:
        raise TypeError(f"size is {size!r}, but must be pixels across, or a pair across and down")
    for side in sides:
        whole(side, "size", *_SIDES)
    width, height = sides[0], sides[1] if len(sides) == 2 else None
    return Picture(_core.draw(folder, time, view, color, width, height))


def show(folder: str | os.PathLike[str], every: int, height: int) -> Page:
    """Make a page of the run in a folder."""
    height = whole(height, "height", 1)
    if whole(every, "every", 1) >= 1 << 32:
        raise ValueError(f"every is {every}, but must be less than 2³²")
    return Page(_core.page(folder, every), height)


def _turned(quaternion: Any, vectors: Any) -> Any:
    """Turn vectors, (..., 3), by quaternions (w, x, y, z), (..., 4)."""
    w, axis = quaternion[..., :1], quaternion[..., 1:]
    twice = 2.0 * np.cross(axis, vectors)
    return vectors + w * twice + np.cross(axis, twice)


def _in_space(values: Any, count: int) -> NDArray[np.float64]:
    """Return rows of two or three numbers as vectors of space."""
    rows = np.asarray(values, dtype=float).reshape(-1, count)
    return np.pad(rows, ((0, 0), (0, 3 - count)))


def _piece(entry: Mapping[str, Any], prototypes: list[Any], dimension: int) -> tuple[Any, list[Any]]:
    """Return points about the centre of mass, and faces, of one piece of a shape."""
    level = prototypes[entry["prototype"]]["levels"][-1]
    points = _in_space(level["points"], dimension)
    scale = np.ones(3)
    scale[:dimension] = entry["scale"][:dimension]
    turn = np.array(entry.get("rotation") or [1.0, 0.0, 0.0, 0.0], dtype=float)
    turn = turn if turn.shape == (4,) else np.array([1.0, 0.0, 0.0, 0.0])
    place = [np.zeros(3), np.zeros(3)]
    for vector, name in zip(place, ("position", "centroid"), strict=True):
        given = entry.get(name) or []
        vector[: len(given)] = given
    placed = _turned(turn, points * scale - place[1]) + place[0]
    if dimension == 2:
        return placed, [np.arange(len(points))]
    return placed, list(np.asarray(level["faces"]).reshape(-1, 3))


def surfaces(description: Mapping[str, Any], grains: Table) -> Any:
    """Return the surfaces of grains as a ``pyvista.PolyData``, with their columns as data of cells."""
    import pyvista

    dimension = description["dimension"]
    positions = _in_space(grains["position"], dimension)
    turns = grains["rotation"]
    if dimension == 2:
        half = 0.5 * np.asarray(turns)
        turns = np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], axis=1)
    points: list[Any] = [np.zeros((0, 3))]
    faces: list[Any] = [np.zeros(0, dtype=int)]
    rows: list[Any] = [np.zeros(0, dtype=int)]
    start = 0
    for index, shape in enumerate(description["shapes"]):
        of = np.flatnonzero(grains["shape"] == index)
        for entry in (shape.get("parts") or [shape]) if len(of) else []:
            local, sides = _piece(entry, description["prototypes"], dimension)
            points.append((_turned(turns[of, None], local[None]) + positions[of, None]).reshape(-1, 3))
            corners = np.stack(sides)
            all_corners = corners[None] + start + len(local) * np.arange(len(of))[:, None, None]
            counted = np.concatenate([np.full((*all_corners.shape[:2], 1), corners.shape[1]), all_corners], 2)
            faces.append(counted.ravel())
            rows.append(np.repeat(of, len(corners)))
            start += len(local) * len(of)
    mesh = pyvista.PolyData(np.concatenate(points), faces=np.concatenate(faces))
    row = np.concatenate(rows)
    for name in grains:
        mesh.cell_data[name] = grains[name][row]
    return mesh

"""Tables of columns."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_AXES = ("x", "y", "z")
_QUATERNION = ("w", "x", "y", "z")


def whole(value: Any, name: str, least: int, most: int | None = None) -> int:
    """Return a whole number of a range that an argument must be."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not a {type(value).__name__}") from None
    if number < least or (most is not None and number > most):
        allowed = f"be at least {least}" if most is None else f"lie in [{least}, {most}]"
        raise ValueError(f"{name} is {number}, but must {allowed}")
    return number


class Table(Mapping[str, "NDArray[Any]"]):
    """Columns by name, all of one length.

    Columns are also attributes: ``table.time`` is ``table["time"]``.

    Parameters
    ----------
    columns : mapping of array_like
        Columns by name.

    Examples
    --------
    >>> import numpy as np
    >>> table = gritstone.Table({"time": np.array([0.0, 0.5]), "velocity": np.zeros((2, 3))})
    >>> len(table.time), list(table)
    (2, ['time', 'velocity'])
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._columns = {name: np.asarray(column) for name, column in columns.items()}
        if len({len(column) for column in self._columns.values()}) > 1:
            told = ", ".join(f"{name} {len(column)}" for name, column in self._columns.items())
            raise ValueError(f"columns have different numbers of rows: {told}")

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column."""
        try:
            return self._columns[name]
        except KeyError:
            known = ", ".join(self._columns)
            raise KeyError(f"there is no column {name!r}; there are {known}") from None

    def __getattr__(self, name: str) -> NDArray[Any]:
        """Return a column."""
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._columns[name]
        except KeyError:
            raise AttributeError(f"there is no column {name!r}; there are {', '.join(self)}") from None

    def __iter__(self) -> Iterator[str]:
        """Go through the names of columns."""
        return iter(self._columns)

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._columns.values()), ()))

    def __repr__(self) -> str:
        """Tell columns and rows."""
        return f"<Table of {self.rows} rows: {', '.join(self._columns)}>"

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return columns with one number per row: ``velocity`` becomes ``velocity_x`` and so on.

        Returns
        -------
        dict of ndarray
        """
        flat: dict[str, NDArray[Any]] = {}
        for name, column in self._columns.items():
            if column.ndim == 1:
                flat[name] = column
            else:
                words = _QUATERNION if column.shape[1] == 4 else _AXES
                flat |= {f"{name}_{word}": column[:, i] for i, word in enumerate(words[: column.shape[1]])}
        return flat

    def plot(self, x: str, *columns: str, ax: Any = None) -> Any:
        """Plot columns over another. Needs Matplotlib.

        Parameters
        ----------
        x : str
            The column over which to plot.
        *columns : str
            The columns to plot.
        ax : matplotlib.axes.Axes, optional
            Where to draw; default: a new figure.

        Returns
        -------
        matplotlib.axes.Axes
        """
        from matplotlib import pyplot

        ax = pyplot.subplots()[1] if ax is None else ax
        for name in columns:
            ax.plot(self[x], self[name], label=name)
        ax.set_xlabel(x)
        ax.legend()
        return ax

    def to_pandas(self) -> Any:
        """Return the columns, one number in each; see `flat`. Needs pandas.

        Returns
        -------
        pandas.DataFrame
        """
        import pandas

        return pandas.DataFrame(self.flat())

    def to_polars(self) -> Any:
        """Return the columns, one number in each; see `flat`. Needs Polars.

        Returns
        -------
        polars.DataFrame
        """
        import polars

        return polars.DataFrame(self.flat())

    def to_xarray(self) -> Any:
        """Return the columns over the dimensions ``row``, ``axis`` and ``quaternion``. Needs xarray.

        Returns
        -------
        xarray.Dataset
        """
        import xarray

        def dims(column: NDArray[Any]) -> tuple[str, ...]:
            if column.ndim == 1:
                return ("row",)
            return ("row", "quaternion" if column.shape[1] == 4 else "axis")

        return xarray.Dataset({name: (dims(column), column) for name, column in self._columns.items()})

"""Views of the engine's memory, without a copy."""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from gritstone._core import ViewError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gritstone import _core

_OVER = "the view has ended: its block was left, or the simulation has changed since"
_CLOSED = "the view is not open: it is used in a block, `with sim.view() as view:`"
_READ_ONLY = (
    "the column is read-only: position, rotation, velocity and angular momentum can be written, "
    "in a block of sim.view(write=True)"
)


class _Place:
    """What NumPy makes an array of: an address, and who keeps the memory there."""

    __slots__ = ("__array_interface__", "memory")

    def __init__(self, memory: _core.Memory, interface: dict[str, Any]) -> None:
        self.memory = memory
        self.__array_interface__ = interface


class Column(NDArrayOperatorsMixin):
    """A quantity of all grains, where the engine has it; to be used as an array.

    It raises `ViewError` as soon as its view has ended. ``numpy.asarray`` gives a plain array without a copy;
    one that is kept longer than the view has the numbers of the moment when the view ended.
    """

    __slots__ = ("__weakref__", "_kept", "_view")

    def __init__(self, view: View, array: Any) -> None:
        self._view, self._kept = view, array
        view._columns[id(self)] = self

    def _array(self) -> Any:
        self._view._check()
        return self._kept

    def _wrapped(self, result: Any) -> Any:
        shared = isinstance(result, np.ndarray) and result.base is not None
        return Column(self._view, result) if shared else result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return a plain array of the same memory."""
        array = self._array()
        if copy:
            return np.array(array, dtype=dtype)
        # NumPy before 2.0 knows no copies that are made only where they must be.
        same = np.asarray(array, dtype=dtype)
        if copy is False and same is not array:
            raise ValueError(f"a column of {array.dtype} cannot be an array of {same.dtype} without a copy")
        return same

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Compute with the numbers."""
        given = [x._array() if isinstance(x, Column) else x for x in inputs]
        if out := options.get("out"):
            options["out"] = tuple(x._array() if isinstance(x, Column) else x for x in out)
            getattr(ufunc, method)(*given, **options)
            return out[0] if len(out) == 1 else out
        return getattr(ufunc, method)(*given, **options)

    def __getitem__(self, index: Any) -> Any:
        """Return some of the numbers; slices stay views."""
        index = np.asarray(index) if isinstance(index, Column) else index
        return self._wrapped(self._array()[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        """Write into the engine's memory, where the view was asked for that."""
        array = self._array()
        if not array.flags.writeable:
            raise ValueError(_READ_ONLY)
        index = np.asarray(index) if isinstance(index, Column) else index
        array[index] = np.asarray(value) if isinstance(value, Column) else value

    def __len__(self) -> int:
        """Return the number of grains."""
        return len(self._array())

    def __bool__(self) -> bool:
        """Tell what NumPy tells of an array: nothing where there are several numbers."""
        return bool(self._array())

    def __contains__(self, number: Any) -> bool:
        """Tell whether a number is among them."""
        return number in self._array()

    def __iter__(self) -> Iterator[Any]:
        """Go through the grains."""
        return (self[i] for i in range(len(self)))

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the array, such as ``shape`` or ``mean``."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self._wrapped(getattr(self._array(), name))

    def __repr__(self) -> str:
        """Show the numbers."""
        return repr(self._kept) if self._view._is_open() else "<Column of a view that has ended>"


class View:
    """The grains' columns in the engine's memory, inside of a ``with`` block; see `Simulation.view`.

    Attributes
    ----------
    id, shape, material : Column of int, (n,)
        Ids of the grains in the order in which they are stored, which steps may change; indices of shapes and
        materials.
    mass : Column, (n,)
        Masses (kg), infinite for frozen grains.
    position : Column, (n, d)
        Centres of mass (m). Can be written.
    rotation_xyzw : Column, (n, 4)
        Quaternions as they are stored, ``(x, y, z, w)``. Can be written. In the plane:
        ``rotation``, angles, (n,).
    velocity : Column, (n, d)
        Velocities (m/s). Can be written.
    angular_momentum : Column, (n, 3) or (n,)
        About the centre of mass in the axes of the world (kg m²/s). Can be written.
    force, torque : Column
        Sums of contact and external forces and of their torques (N, N m), without gravity.
    """

    def __init__(self, core: _core.Simulation, write: bool) -> None:
        self._core, self._write = core, write
        self._memory: _core.Memory | None = None
        self._columns: weakref.WeakValueDictionary[int, Column] = weakref.WeakValueDictionary()
        self._arrays: dict[str, Any] = {}
        self._token, self._was_open = 0, False

    def __enter__(self) -> View:
        """Open the view."""
        if self._memory is not None:
            raise ViewError("the view is open already")
        self._token, self._memory, count, places = self._core.open_view(self._write)
        self._was_open = True
        for name, address, stride, width, dtype, read_only in places:
            real = np.dtype(dtype)
            interface = {
                "version": 3,
                "data": (address, read_only),
                "typestr": real.str,
                "shape": (count,) if width == 1 else (count, width),
                "strides": (stride,) if width == 1 else (stride, real.itemsize),
            }
            self._arrays[name] = np.asarray(_Place(self._memory, interface))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the view; what was written is taken over, unless an exception leaves the block."""
        for column in list(self._columns.values()):
            column._kept = None
        self._arrays.clear()
        self._memory = None
        try:
            self._core.close_view(self._token, kind is None)
        except RuntimeError:
            # Another thread steps, which has ended a view that only reads.
            # One that writes would have stopped it.
            if self._write:
                raise

    def _is_open(self) -> bool:
        return self._memory is not None and self._memory.valid

    def _check(self) -> None:
        if not self._is_open():
            raise ViewError(_OVER if self._was_open else _CLOSED)

    def __getattr__(self, name: str) -> Column:
        """Return a column."""
        if name.startswith("_"):
            raise AttributeError(name)
        self._check()
        try:
            return Column(self, self._arrays[name])
        except KeyError:
            known = ", ".join(self._arrays)
            raise AttributeError(f"there is no column {name!r}; there are {known}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        """Write a whole column: ``view.velocity = 0``."""
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        elif not (isinstance(value, Column) and value._kept is self._arrays.get(name)):
            getattr(self, name)[...] = value

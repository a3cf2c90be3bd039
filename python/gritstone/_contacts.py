"""Contacts of pairs of shapes, one or millions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from gritstone import _core
from gritstone._core import Shape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Verdict(IntEnum):
    """What a pair came to.

    Attributes
    ----------
    APART
        The bodies do not touch.
    CONTACT
        They touch or overlap.
    UNRESOLVED
        The method could not certify its answer; the best estimate is given.
    REFUSED
        The method does not take these shapes.
    """

    APART = 0
    CONTACT = 1
    UNRESOLVED = 2
    REFUSED = 3


class Contact(NamedTuple):
    """The contact of one pair.

    Attributes
    ----------
    gap : float
        Signed distance, negative where the bodies overlap.
    lower, upper : float
        Proven bounds of it.
    normal : ndarray, (d,)
        Unit vector from a to b.
    point_a, point_b : ndarray, (d,)
        The nearest points, or the deepest ones; ``point_b - point_a = gap * normal``.
    verdict : Verdict
        What the pair came to.
    iterations : int
        In the method's own counting.
    certified : bool
        Whether the bounds agree within the certificate's tolerance.
    """

    gap: float
    lower: float
    upper: float
    normal: NDArray[np.float64]
    point_a: NDArray[np.float64]
    point_b: NDArray[np.float64]
    verdict: Verdict
    iterations: int
    certified: bool


@dataclass(frozen=True)
class Contacts:
    """Contacts of many pairs, a column for each quantity, in the order of the pairs.

    Attributes
    ----------
    gap : ndarray of float64, (n,)
        Signed distance, negative where bodies overlap.
    lower, upper : ndarray of float64, (n,)
        Proven bounds of it.
    normal : ndarray of float64, (n, d)
        Unit vectors from a to b.
    point_a, point_b : ndarray of float64, (n, d)
        The nearest points, or the deepest ones; ``point_b - point_a = gap * normal``.
    verdict : ndarray of uint8, (n,)
        A `Verdict` for each pair.
    iterations : ndarray of uint32, (n,)
        In the method's own counting.
    certified : ndarray of bool, (n,)
        Whether the bounds agree within the certificate's tolerance.
    """

    gap: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    normal: NDArray[np.float64]
    point_a: NDArray[np.float64]
    point_b: NDArray[np.float64]
    verdict: NDArray[np.uint8]
    iterations: NDArray[np.uint32]
    certified: NDArray[np.bool_]

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.gap)

    def __repr__(self) -> str:
        """Tell how many there are and how many touch."""
        touching = int((self.verdict == Verdict.CONTACT).sum())
        return f"<Contacts of {len(self)} pairs: {touching} touch, {int(self.certified.sum())} certified>"

    @overload
    def __getitem__(self, index: int) -> Contact: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any]) -> Contacts: ...
    def __getitem__(self, index: Any) -> Contact | Contacts:
        """Return the contact of one pair, or those of a slice, a mask or an array of indices."""
        if isinstance(index, slice | np.ndarray | list):
            return Contacts(**{field.name: getattr(self, field.name)[index] for field in fields(self)})
        return Contact(
            gap=float(self.gap[index]),
            lower=float(self.lower[index]),
            upper=float(self.upper[index]),
            normal=self.normal[index],
            point_a=self.point_a[index],
            point_b=self.point_b[index],
            verdict=Verdict(int(self.verdict[index])),
            iterations=int(self.iterations[index]),
            certified=bool(self.certified[index]),
        )


def contacts(
    shapes: Shape | Sequence[Shape],
    positions: ArrayLike,
    rotations: ArrayLike | None,
    pairs: ArrayLike,
    method: str = "auto",
    *,
    shape_indices: ArrayLike | None = None,
    detect_only: bool = False,
) -> Contacts:
    """Find the contacts of many pairs of bodies, on all cores.

    Parameters
    ----------
    shapes : Shape or sequence of Shape
        One shape for all bodies, one for each of them, or any number with `shape_indices`.
    positions : array_like, (n, d)
        Where the shapes' own origins are.
    rotations : array_like or None
        In space quaternions ``(w, x, y, z)``, (n, 4), of any length but zero; in the plane angles in
        radians, (n,). None where no body is turned.
    pairs : array_like of int, (m, 2)
        Indices of bodies.
    method : str
        A name that `methods` lists.
    shape_indices : array_like of int, (n,), optional
        The index of each body's shape.
    detect_only : bool
        Stop at the first separating plane of bodies that are apart; `gap` is then a lower bound.

    Returns
    -------
    Contacts

    Raises
    ------
    ValueError
        An array has the wrong shape or length, holds numbers that are not finite, an index points at
        nothing, or there is no such method.
    TypeError
        An array does not hold numbers, or the method does not take any of the pairs of shapes.

    Examples
    --------
    >>> import numpy as np
    >>> ball = gritstone.Sphere(1.0)
    >>> found = gritstone.contacts(ball, [[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], None, [[0, 1], [1, 2]])
    >>> found.gap
    array([-0.5,  5.5])
    >>> found.certified.all()
    np.True_
    """
    listed = [shapes] if isinstance(shapes, Shape) else list(shapes)
    if wrong := [shape for shape in listed if not isinstance(shape, Shape)]:
        raise TypeError(f"shapes must hold a Shape or several, not a {type(wrong[0]).__name__}")
    columns = _core.contacts(listed, positions, rotations, pairs, shape_indices, method, detect_only)
    refusal = columns.pop("refusal")
    if refusal is not None and (columns["verdict"] == Verdict.REFUSED).all():
        raise TypeError(refusal)
    return Contacts(**columns)


def distance(
    a: Shape,
    b: Shape,
    *,
    position_a: ArrayLike | None = None,
    position_b: ArrayLike | None = None,
    rotation_a: ArrayLike | None = None,
    rotation_b: ArrayLike | None = None,
    method: str = "auto",
) -> Contact:
    """Find the signed distance of two shapes, with proven bounds.

    Parameters
    ----------
    a, b : Shape
        The shapes, of the same dimension.
    position_a, position_b : array_like, optional
        Where their own origins are; default: the origin.
    rotation_a, rotation_b : array_like, optional
        Quaternions ``(w, x, y, z)``, in the plane angles in radians; default: not turned.
    method : str
        A name that `methods` lists.

    Returns
    -------
    Contact

    Examples
    --------
    >>> a = gritstone.Ellipsoid((1, 2, 3))
    >>> contact = gritstone.distance(a, gritstone.Sphere(0.5), position_b=(2, 0, 0))
    >>> round(contact.gap, 12), contact.certified
    (0.5, True)
    """
    for name, shape in (("a", a), ("b", b)):
        if not isinstance(shape, Shape):
            raise TypeError(f"{name} must be a shape, not a {type(shape).__name__}")
    dimension = a.dimension
    none = (1.0, 0.0, 0.0, 0.0) if dimension == 3 else 0.0
    positions = [np.zeros(dimension) if x is None else np.asarray(x) for x in (position_a, position_b)]
    rotations = [np.asarray(none if x is None else x) for x in (rotation_a, rotation_b)]
    for name, position in zip(("position_a", "position_b"), positions, strict=True):
        if position.shape != (dimension,):
            raise ValueError(f"{name} has the shape {position.shape}, but must have ({dimension},)")
    for name, rotation in zip(("rotation_a", "rotation_b"), rotations, strict=True):
        wanted = (4,) if dimension == 3 else ()
        if rotation.shape != wanted:
            raise ValueError(f"{name} has the shape {rotation.shape}, but must have {wanted}")
    return contacts([a, b], positions, rotations, [[0, 1]], method, shape_indices=[0, 1])[0]


class Method(NamedTuple):
    """What a contact method says of itself.

    Attributes
    ----------
    name : str
        Its name.
    source : str
        Where it was published.
    shapes : str
        What it takes.
    guarantee : str
        What can be relied on.
    """

    name: str
    source: str
    shapes: str
    guarantee: str


def methods(dimension: int = 3) -> list[Method]:
    """List every contact method, the default first.

    Parameters
    ----------
    dimension : int
        3 for space, 2 for the plane.

    Returns
    -------
    list of Method

    Examples
    --------
    >>> gritstone.methods()[0].name
    'auto'
    """
    return [Method(*card) for card in _core.methods(dimension)]

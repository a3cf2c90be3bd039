"""Shapes against closed forms."""

import pickle

import numpy as np
import pytest

import gritstone as gs

BOX = [[x, y, z] for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)]
SPACE = [
    gs.Sphere(0.5),
    gs.Ellipsoid((1, 2, 3)),
    gs.Superellipsoid((1, 2, 3), (0.5, 1.2)),
    gs.Superellipsoid((1, 2, 3), blockiness=(4, 4)),
    gs.Superquadric((1, 2, 3), (2, 3, 4)),
    gs.Polyhedron(BOX),
    gs.Cylinder(1, 2),
    gs.Capsule(1, 2),
    gs.Triangle([[0, 0, 0], [1, 0, 0], [0, 1, 0]]),
    gs.HalfSpace((0, 0, 1), 0),
]
PLANE = [
    gs.Circle(0.5),
    gs.Ellipse((1, 2)),
    gs.Superellipse((1, 2), 4),
    gs.Polygon([[0, 0], [1, 0], [0, 1]]),
    gs.Segment([[0, 0], [1, 0]]),
    gs.HalfPlane((0, 1), 0),
]


@pytest.mark.parametrize("shape", SPACE + PLANE, ids=lambda shape: type(shape).__name__)
def test_repr_equality_and_pickle_agree(shape):
    again = eval(repr(shape), vars(gs))
    assert again == shape and hash(again) == hash(shape)
    assert pickle.loads(pickle.dumps(shape)) == shape
    assert shape != "shape" and shape != gs.Sphere(99)


@pytest.mark.parametrize(
    ("shape", "volume"),
    [
        (gs.Sphere(2), 4 / 3 * np.pi * 8),
        (gs.Ellipsoid((1, 2, 3)), 4 / 3 * np.pi * 6),
        (gs.Superellipsoid((1, 2, 3), (1, 1)), 4 / 3 * np.pi * 6),
        (gs.Polyhedron(BOX), 48),
        (gs.Cylinder(1, 2), 4 * np.pi),
        (gs.Capsule(1, 2), 4 * np.pi + 4 / 3 * np.pi),
        (gs.Circle(2), 4 * np.pi),
        (gs.Ellipse((1, 2)), 2 * np.pi),
        (gs.Polygon([[0, 0], [1, 0], [0, 1]]), 0.5),
    ],
)
def test_volumes(shape, volume):
    assert shape.volume == pytest.approx(volume, rel=1e-12)


def test_inertia_of_an_ellipsoid_and_a_disc():
    a, b, c = 1.0, 2.0, 3.0
    shape = gs.Ellipsoid((a, b, c))
    expected = shape.volume / 5 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    assert shape.inertia == pytest.approx(np.diag(expected), rel=1e-12)
    assert gs.Circle(2.0).inertia == pytest.approx(np.pi * 2.0**4 / 2, rel=1e-12)


def test_support_of_an_ellipsoid():
    radii = np.array([1.0, 2.0, 3.0])
    n = np.random.default_rng(1).normal(size=(100, 3))
    expected = radii**2 * n / np.linalg.norm(radii * n, axis=1)[:, None]
    shape = gs.Ellipsoid(radii)
    np.testing.assert_allclose(shape.support(n), expected, rtol=1e-12, atol=1e-15)
    assert shape.support(n[0]).shape == (3,)


@pytest.mark.parametrize("shape", SPACE[:8], ids=lambda shape: type(shape).__name__)
def test_meshes_are_closed_and_nearly_fill_the_volume(shape):
    vertices, faces = shape.mesh(16)
    corners = vertices[faces]
    inside = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert 0.95 * shape.volume < inside <= shape.volume * (1 + 1e-12)


def test_vertices_are_moved_to_the_centre_of_mass():
    moved = gs.Polyhedron(np.add(BOX, [10, 0, 0]))
    np.testing.assert_allclose(moved.origin, [10, 0, 0], atol=1e-14)
    assert moved.volume == pytest.approx(48)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: gs.Sphere(-1), ValueError, "radius is -1.0, but must be positive"),
        (lambda: gs.Sphere("1"), TypeError, "radius must be a number"),
        (lambda: gs.Sphere(float("nan")), ValueError, "radius is NaN"),
        (lambda: gs.Sphere(diameter=1), TypeError, "diameter"),
        (lambda: gs.Ellipsoid((1, 2)), ValueError, r"radii has the shape \(2,\), but must have \(3,\)"),
        (lambda: gs.Ellipsoid("abc"), TypeError, "radii has the dtype"),
        (lambda: gs.Superellipsoid((1, 1, 1), (2.4, 1)), ValueError, r"2\.4, but must lie in \(0, 2\)"),
        (lambda: gs.Superellipsoid((1, 1, 1)), ValueError, "exponents or blockiness"),
        (lambda: gs.Polyhedron([[0, 0, 0]]), ValueError, "vertices has 1 different points"),
        (lambda: gs.Polyhedron([[0, 0, np.inf]] * 4), ValueError, r"vertices\[0, 2\] is inf"),
        (lambda: gs.HalfSpace((0, 0, 0), 1), ValueError, "must have a direction"),
        (lambda: gs.HalfSpace((0, 0, 1), 0).volume, TypeError, "half-space has no volume"),
        (lambda: gs.HalfPlane((0, 1), 0).volume, TypeError, "half-plane has no volume"),
        (lambda: gs.HalfSpace((0, 0, 1), 0).mesh(), TypeError, "has no end"),
        (lambda: gs.Sphere(1).mesh(0), ValueError, r"detail is 0, but must lie in \[1, 256\]"),
        (lambda: gs.Sphere(1).support([0, 0, 0]), ValueError, "row of zeros"),
        (lambda: gs.Sphere(1).support([1, 0]), ValueError, r"directions has the shape \(2,\)"),
    ],
)
def test_what_is_wrong_is_told(make, error, message):
    with pytest.raises(error, match=message):
        make()

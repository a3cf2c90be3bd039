"""Contacts on arrays."""

import json
import subprocess
import sys

import numpy as np
import pytest

import gritstone as gs

GRAIN = gs.Superellipsoid((1, 2, 3), (0.5, 1.2))


def cloud(count, seed=1):
    rng = np.random.default_rng(seed)
    positions = rng.uniform(-3, 3, (count, 3))
    quaternions = rng.normal(size=(count, 4))
    pairs = rng.integers(0, count, (count, 2))
    return positions, quaternions, pairs[pairs[:, 0] != pairs[:, 1]]


def test_spheres_against_the_closed_form():
    positions, _, pairs = cloud(1000)
    radii = np.linspace(0.1, 1, 10)
    of = np.arange(1000) % 10
    found = gs.contacts([gs.Sphere(r) for r in radii], positions, None, pairs, shape_indices=of)
    way = positions[pairs[:, 1]] - positions[pairs[:, 0]]
    expected = np.linalg.norm(way, axis=1) - radii[of[pairs[:, 0]]] - radii[of[pairs[:, 1]]]
    np.testing.assert_allclose(found.gap, expected, rtol=1e-12, atol=1e-14)
    assert found.certified.all()
    np.testing.assert_array_equal(found.verdict == gs.Verdict.CONTACT, found.gap <= 0)


def test_points_and_normals_fit_together():
    positions, quaternions, pairs = cloud(500)
    found = gs.contacts(GRAIN, positions, quaternions, pairs)
    sure = found.certified
    assert sure.mean() > 0.99
    assert (found.lower[sure] <= found.gap[sure] + 1e-9).all()
    between = found.point_b - found.point_a
    np.testing.assert_allclose(between[sure], (found.gap[:, None] * found.normal)[sure], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1, rtol=1e-12)


def test_answers_are_those_of_the_command_line():
    positions, quaternions, pairs = cloud(50)
    found = gs.contacts(GRAIN, positions, quaternions, pairs)

    def told(i):
        return {
            "shape": "superellipsoid",
            "radii": [1, 2, 3],
            "exponents": [0.5, 1.2],
            "center": positions[i].tolist(),
            "quaternion": quaternions[i].tolist(),
        }

    lines = "".join(json.dumps({"id": 0, "a": told(a), "b": told(b)}) + "\n" for a, b in pairs)
    command = [sys.executable, "-m", "gritstone", "contact", "-"]
    out = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
    answers = [json.loads(line) for line in out.splitlines()]
    # The reader of lines normalises quaternions twice, so that the last bits differ: relative to the grains' size of 3.
    close = {"rtol": 0, "atol": 3e-13}
    np.testing.assert_allclose(found.gap, [answer["distance"] for answer in answers], **close)
    np.testing.assert_array_equal(found.certified, [answer["certified"] for answer in answers])


@pytest.mark.parametrize("method", [method.name for method in gs.methods(3)])
def test_every_method_comes_near_to_auto_on_shapes_apart(method):
    boxes = gs.Polyhedron([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    ellipsoids = gs.Ellipsoid((1, 0.8, 0.9))
    taken = 0
    for shape in (boxes, ellipsoids):
        try:
            contact = gs.distance(shape, shape, position_b=(2.5, 0.1, 0.2), method=method)
        except TypeError as error:
            assert f"method {method} does not take" in str(error)
            continue
        taken += 1
        auto = gs.distance(shape, shape, position_b=(2.5, 0.1, 0.2))
        # The common plane is tilted in steps of 0.01° about two axes at last: for each body of this size, its gap may be
        # narrower by √2·sin of that tilt. No method may tell more than the distance.
        tilt = np.sqrt(2) * np.radians(0.01) if method == "common-plane" else 0.0
        narrower = 2 * np.sqrt(2) * np.sin(tilt) + 1e-6 * auto.gap
        assert auto.gap - narrower < contact.gap <= auto.gap * (1 + 1e-9)
    assert taken > 0


def test_the_plane():
    found = gs.contacts(gs.Ellipse((2, 1)), [[0, 0], [3.5, 0]], [0.0, np.pi / 2], [[0, 1]])
    assert found.gap[0] == pytest.approx(0.5, rel=1e-12)
    assert found.normal.shape == (1, 2)
    assert gs.distance(gs.Circle(1), gs.Circle(1), position_b=(3, 4)).gap == pytest.approx(3)


def test_some_of_the_contacts():
    positions, quaternions, pairs = cloud(50)
    found = gs.contacts(GRAIN, positions, quaternions, pairs)
    touching = found[found.verdict == gs.Verdict.CONTACT]
    assert 0 < len(touching) < len(found) and (touching.gap <= 0).all()
    assert len(found[3:7]) == 4 and found[3:7][0].gap == found[3].gap
    with pytest.raises(TypeError, match="a must be a shape, not a str"):
        gs.distance("sphere", GRAIN)


def test_no_pairs():
    found = gs.contacts(gs.Sphere(1), np.zeros((2, 3)), None, np.zeros((0, 2), dtype=int))
    assert len(found) == 0 and found.normal.shape == (0, 3)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"positions": np.zeros((2, 2))},
            ValueError,
            r"positions has the shape \(2, 2\), but must have \(n, 3\)",
        ),
        (
            {"positions": [[0, 0, np.nan], [0, 0, 1]]},
            ValueError,
            r"positions\[0, 2\] is NaN, but must be finite",
        ),
        ({"positions": [["a", "b", "c"]] * 2}, TypeError, "positions has the dtype"),
        ({"positions": np.zeros((2, 3), dtype=complex)}, TypeError, "complex128"),
        ({"rotations": np.zeros((2, 4))}, ValueError, r"quaternions\[0\] has length zero"),
        ({"rotations": np.ones((3, 4))}, ValueError, "quaternions has 3 rows, but must have 2"),
        ({"pairs": [[0, 2]]}, ValueError, r"pairs\[0\] has the index 2, but must be below 2"),
        ({"pairs": [[0, -1]]}, ValueError, r"pairs\[0\] is \[0, -1\]"),
        ({"pairs": [[0.0, 1.0]]}, TypeError, "pairs has the dtype float64"),
        ({"pairs": [0, 1]}, ValueError, "pairs has the shape"),
        ({"method": "magic"}, ValueError, 'there is no method "magic"'),
        ({"method": "shortest-link"}, TypeError, "does not take superellipsoid"),
        ({"shapes": []}, ValueError, "shapes is empty"),
        ({"shapes": [GRAIN, gs.Circle(1)]}, TypeError, "plane and of space"),
        ({"shapes": [GRAIN] * 3}, ValueError, "there are 3 shapes and 2 positions"),
        ({"shapes": ["sphere", GRAIN]}, TypeError, "Shape"),
        ({"shape_indices": [0, 7]}, ValueError, "shape_indices"),
        ({"speed": 3}, TypeError, "speed"),
    ],
)
def test_what_is_wrong_is_told(change, error, message):
    given = {"shapes": GRAIN, "positions": [[0, 0, 0], [2, 0, 0]], "rotations": None, "pairs": [[0, 1]]}
    with pytest.raises(error, match=message):
        gs.contacts(**(given | change))

"""Pictures, pages and surfaces."""

import numpy as np
import pytest

import gritstone as gs


@pytest.fixture
def sim(beads):
    sim = gs.Simulation(beads)
    sim.step(200)
    return sim


def test_a_simulation_is_drawn(sim, tmp_path):
    picture = sim.snapshot(view="x", color="speed", size=(320, 240))
    assert picture.size == (320, 240) and picture._repr_png_().startswith(b"\x89PNG")
    picture.save(tmp_path / "now.png")
    assert (tmp_path / "now.png").read_bytes() == picture.png
    before = picture.png
    sim.step(500)
    assert sim.snapshot(view="x", color="speed", size=(320, 240)).png != before


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"view": "up"}, 'view is "up", but must be iso, x, y or z'),
        ({"color": "taste"}, 'color is "taste", but must be one of speed'),
        ({"size": 3}, r"size is 3, but must lie in \[64, 8192\]"),
        ({"size": (100, -1)}, "size is -1"),
    ],
)
def test_what_is_wrong_is_told(sim, asked, message):
    with pytest.raises(ValueError, match=message):
        sim.snapshot(**asked)


def test_the_page_is_whole_and_fits_into_a_notebook(sim, tmp_path):
    page = sim.show(height=300)
    assert page.html.lstrip().lower().startswith("<!doctype html>") and "run-trajectory" in page.html
    shown = page._repr_html_()
    assert shown.startswith('<iframe srcdoc="') and "height:300px" in shown and "<script" not in shown
    page.save(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == page.html


def test_plots(sim):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert len(sim.plot().images) == 1


def test_surfaces_are_the_shapes(sim):
    pytest.importorskip("pyvista")
    mesh = sim.to_pyvista()
    grains, radii = sim.grains, np.array([5e-3, 4e-3, 3e-3])
    assert set(mesh.cell_data["id"]) == set(grains.id)
    corners = mesh.regular_faces
    for row, name in enumerate(grains.id):
        points = mesh.points[np.unique(corners[mesh.cell_data["id"] == name])]
        w, axis = grains.rotation[row, 0], -grains.rotation[row, 1:]
        local = points - grains.position[row]
        twice = 2 * np.cross(axis, local)
        local = local + w * twice + np.cross(axis, twice)
        # Points lie on the ellipsoid, as near as a frame tells positions (1/8192 of the size) and rotations (docs/trajectory.md).
        np.testing.assert_allclose(np.square(local / radii).sum(axis=1), 1, atol=5e-3)
        assert len(points) > 50


def test_surfaces_in_the_plane():
    pytest.importorskip("pyvista")
    from test_view import free_fall

    sim = gs.Simulation(
        free_fall(
            dimension=2,
            gravity=[0, 0],
            shapes={"ball": {"shape": "ellipse", "semi_axes": ["5 mm", "2 mm"]}},
            grains=[{"from": "points", "shape": "ball", "material": "glass", "at": [[0, 0], [0.1, 0]]}],
        )
    )
    with sim.view(write=True) as view:
        view.rotation[:] = np.pi / 2
    mesh = sim.to_pyvista()
    assert mesh.n_cells == 2
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    np.testing.assert_allclose([low[0], high[0], low[1], high[1]], [-2e-3, 0.102, -5e-3, 5e-3], atol=1e-4)
    assert (mesh.points[:, 2] == 0).all()

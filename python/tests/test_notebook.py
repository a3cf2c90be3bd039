"""A notebook as Jupyter runs it: the bar of progress, the viewer, pictures, tables."""

import json

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What the cells show."""
    from conftest import BEADS

    home = tmp_path_factory.mktemp("notebook")
    (home / "beads.toml").write_text(BEADS)
    cells = [
        "import gritstone\nsim = gritstone.Simulation('beads.toml', threads=1)\nsim.run()",
        "sim.show(height=321)",
        "sim.snapshot(size=200)",
        "sim",
        # A function of a notebook cannot be imported by other processes.
        "def contacts(sim):\n    return {'contacts': sim.status.contacts}\n"
        "table = gritstone.sweep('beads.toml', {'time.end': ['25 ms', '30 ms']}, measure=contacts)\n"
        "print(list(table.error))",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(home)}}).execute()
    return [cell["outputs"] for cell in notebook["cells"]]


def test_a_run_has_one_bar_that_ends_full(outputs):
    (bar,) = [output for output in outputs[0] if "text/html" in output.get("data", {})]
    assert bar["data"]["text/html"].startswith('<progress value="1.0000">')


def test_the_viewer_is_inside(outputs):
    (page,) = outputs[1]
    html = page["data"]["text/html"]
    assert html.startswith('<iframe srcdoc="') and "height:321px" in html
    # The run is in it, so that the notebook shows it later and elsewhere, and what is saved with it is plain JSON.
    assert "run-trajectory" in html and json.dumps(html)


def test_a_snapshot_is_a_picture(outputs):
    (picture,) = outputs[2]
    assert picture["data"]["image/png"].startswith("iVBORw0KGgo")


def test_objects_tell_what_they_are(outputs):
    (told,) = outputs[3]
    assert told["data"]["text/plain"].startswith("<Simulation at 0.05 s: 27 grains")


def test_a_sweep_measures_by_a_function_of_the_notebook(outputs):
    texts = "".join(output.get("text", "") for output in outputs[4])
    assert "['', '']" in texts

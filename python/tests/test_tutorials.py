"""Tutorials run as they are."""

import runpy
from pathlib import Path

import pytest

TUTORIALS = sorted((Path(__file__).parents[1] / "tutorials").glob("*.py"))
NEEDS = {"read_a_run": ["pandas", "pyvista"], "calibrate_friction": ["scipy"]}


def test_there_are_tutorials():
    assert len(TUTORIALS) == 8


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_tutorials_are_notebooks(path):
    cells = path.read_text(encoding="utf-8").split("# %%")
    assert len(cells) > 3
    for cell in cells[1:]:
        # The title of a cell follows the mark.
        compile("#" + cell, path.name, "exec")


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_tutorials_run(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    for package in NEEDS.get(path.stem, []):
        pytest.importorskip(package)
    runpy.run_path(str(path), run_name="tutorial")

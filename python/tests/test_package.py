"""The package as a whole: what it needs, how long it takes to import, its examples and its program."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import gritstone

MODULES = sorted(path.stem for path in Path(gritstone.__file__).parent.glob("_*.py") if "__" not in path.stem)


def test_examples_of_shapes():
    runner = doctest.DocTestRunner()
    shapes = [
        value for value in vars(gritstone).values() if isinstance(value, type) and issubclass(value, gritstone.Shape)
    ]
    assert len(shapes) == 16
    for shape in shapes:
        members = [shape] + [vars(shape)[name] for name in ("support", "mesh") if name in vars(shape)]
        for member in members:
            parser, globs = doctest.DocTestParser(), {"gritstone": gritstone}
            found = parser.get_doctest(member.__doc__, globs, f"{shape.__name__}.{member.__name__}", None, None)
            assert found.examples or member is gritstone.Shape, member
            runner.run(found)
    assert runner.failures == 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name, documented, monkeypatch):
    if name == "_calibration":
        pytest.importorskip("scipy")
    monkeypatch.chdir(documented)
    module = importlib.import_module(f"gritstone.{name}")
    tested = doctest.testmod(module, extraglobs={"gritstone": gritstone})
    assert tested.failed == 0


def test_everything_public_has_a_docstring():
    for name in gritstone.__all__:
        if name != "__version__":
            assert getattr(gritstone, name).__doc__, name


def test_import_needs_numpy_alone():
    code = "import sys, gritstone; print(' '.join(sorted({name.split('.')[0] for name in sys.modules})))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "numpy" in loaded
    assert not {"pandas", "polars", "xarray", "pyvista", "matplotlib", "scipy", "dask"} & set(loaded)


def test_the_program():
    def run(*arguments):
        command = [sys.executable, "-m", "gritstone", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    version = run("--version")
    assert version.returncode == 0 and re.fullmatch(
        rf"gritstone {re.escape(gritstone.__version__)}\n", version.stdout
    )
    assert run("no-such-command").returncode == 2
    missing = run("check", "no-such-file.toml")
    assert missing.returncode == 2 and "no-such-file.toml" in missing.stderr



def test_the_scenes_side_by_side_are_the_same():
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    toml = re.search(r"```toml\n(dimension.*?)```", text, re.DOTALL)
    of_dict = re.search(r"(scene = gritstone\.Scene\(.*?\n\}\))", text, re.DOTALL)
    of_builder = re.search(r"(scene = gritstone\.SceneBuilder\(.*?\n\))\n```", text, re.DOTALL)
    assert toml and of_dict and of_builder
    for python in (of_dict, of_builder):
        built: dict = {"gritstone": gritstone}
        exec(python[1], built)
        scene = gritstone.Simulation(built["scene"]).scene
        assert gritstone.Scene(toml[1]).to_toml() == scene.to_toml()


@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "python/README.md"])
def test_examples_of_documents_run_as_printed(name, documented, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    if name.startswith("docs"):
        for package in ("pandas", "xarray", "pyvista", "matplotlib"):
            pytest.importorskip(package)
        importlib.import_module("matplotlib").use("Agg")
    monkeypatch.chdir(documented)
    names: dict = {"__name__": "example"}
    for block in blocks:
        exec(compile(block, name, "exec"), names)

"""The package as a whole: what it needs, how long it takes to import, its examples and its program."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gritstone

MODULES = ["_contacts", "_picture", "_scene", "_table", "_simulation", "_run", "_sweep"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name):
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


ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "python/README.md"])
def test_examples_of_documents_run_as_printed(name):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, name, "exec"), {"__name__": "example"})

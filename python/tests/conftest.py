import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BEADS = textwrap.dedent("""
    dimension = 3
    gravity = [0, 0, "-9.81 m/s^2"]

    [time]
    end = "0.05 s"
    step = "20 us"

    [contact]
    law = "linear"

    [materials.glass]
    density = 2500
    kn = "10 kN/m"
    restitution = 0.5
    friction = 0.4

    [shapes.bead]
    shape = "ellipsoid"
    radii = ["5 mm", "4 mm", "3 mm"]

    [[grains]]
    from = "lattice"
    shape = "bead"
    material = "glass"
    count = [3, 3, 3]
    spacing = ["11 mm", "11 mm", "11 mm"]
    origin = ["-11 mm", "-11 mm", "6 mm"]
    orientation = "random"
    velocity = [0, 0, "-0.5 m/s"]

    [walls.floor]
    kind = "plane"
    normal = [0, 0, 1]
    point = [0, 0, 0]
    material = "glass"

    [walls.lid]
    kind = "plane"
    normal = [0, 0, -1]
    point = [0, 0, "20 cm"]
    material = "glass"

    [[events]]
    at = "0.02 s"
    remove_walls = ["lid"]

    [output]
    every = "5 ms"
    energies = "1 ms"
    checkpoint = "20 ms"
""")


@pytest.fixture
def beads() -> str:
    return BEADS


@pytest.fixture(scope="session")
def documented(tmp_path_factory):
    """Make the folder that the examples of documents and docstrings stand in: beads.toml, and what was run from it."""
    home = tmp_path_factory.mktemp("documented")
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    (home / "beads.toml").write_text(re.search(r"```toml\n(dimension.*?)```", text, re.DOTALL)[1])
    command = [sys.executable, "-m", "gritstone", "run", "beads.toml"]
    subprocess.run(command, cwd=home, capture_output=True, check=True)
    return home

import textwrap

import pytest

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

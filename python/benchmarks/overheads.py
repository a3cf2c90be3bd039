"""What Python costs: contacts of arrays against the same call from Rust, callbacks, views, the import, the wheel.

    cargo xtask wheel && pip install target/wheels/*.whl
    cargo build --release --package gritstone-contact --example columns
    python python/benchmarks/overheads.py target/release/examples/columns target/wheels/*.whl

Ratios are of medians over runs that take turns, so that a busy machine disturbs both alike.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import gritstone

PAIRS, ROUNDS = 1_000_000, 5


def contacts(program):
    """Pairs of superellipsoids, most of which touch: through NumPy, and by the program that reads the same numbers."""
    rng = np.random.default_rng(1)
    shape = gritstone.Superellipsoid((1.0, 0.8, 0.6), (0.6, 0.8))
    positions = rng.uniform(-1, 1, (PAIRS, 3)) * 14
    near = positions + rng.normal(size=(PAIRS, 3)) * 0.8
    positions = np.concatenate([positions, near])
    quaternions = rng.normal(size=(2 * PAIRS, 4))
    pairs = np.stack([np.arange(PAIRS), np.arange(PAIRS) + PAIRS], axis=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.bin"
        path.write_bytes(positions.tobytes() + quaternions.tobytes())
        command = [program, str(path), str(PAIRS), "1.0", "0.8", "0.6", "0.6", "0.8"]
        ours, theirs = [], []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            found = gritstone.contacts(shape, positions, quaternions, pairs)
            ours.append(time.perf_counter() - start)
            seconds, touching = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            theirs.append(float(seconds))
            assert int(touching) == (found.verdict == gritstone.Verdict.CONTACT).sum()
    python, rust = statistics.median(ours), statistics.median(theirs)
    print(f"{PAIRS} pairs of superellipsoids, {int(touching)} touch, {found.certified.mean():.6f} certified:")
    print(f"  NumPy {python:.3f} s, Rust {rust:.3f} s, ratio {python / rust:.3f}")


def bed():
    """Return 4 000 ellipsoids that have settled in a box."""
    sim = gritstone.Simulation({
        "dimension": 3,
        "gravity": [0, 0, -9.81],
        "time": {"end": "10 s", "fraction": 0.05},
        "contact": {"law": "linear"},
        "materials": {"glass": {"density": 2500, "kn": "10 kN/m", "restitution": 0.3, "friction": 0.4}},
        "shapes": {"bead": {"shape": "ellipsoid", "radii": ["5 mm", "4.5 mm", "4 mm"]}},
        "grains": [
            {
                "from": "lattice",
                "shape": "bead",
                "material": "glass",
                "count": [20, 20, 10],
                "spacing": ["10.5 mm"] * 3,
                "origin": ["6 mm"] * 3,
                "orientation": "random",
            }
        ],
        "walls": {
            "box": {
                "kind": "box", "low": [0, 0, 0], "high": ["212 mm", "212 mm", "1 m"], "open": ["z-high"], "material": "glass",
            }
        },
    })  # fmt: skip
    sim.step(3000)
    return sim


def callbacks(sim):
    """Steps with a callback every 100 against steps without."""
    plain, called = [], []

    def look(now):
        return now.status.contacts > 0

    for _ in range(3 * ROUNDS):
        for times, callback in ((plain, None), (called, look)):
            until = sim.status.step + 200
            start = time.perf_counter()
            sim.run(until=until * sim.status.time_step, callback=callback, every=100, progress=False)
            times.append(time.perf_counter() - start)
            assert sim.status.step == until
    print(f"{sim.status.grains} grains, {sim.status.contacts} contacts, 100 steps: {statistics.median(plain) / 2:.4f} s")
    print(f"  a callback every 100 steps: {100 * (statistics.median(called) / statistics.median(plain) - 1):+.2f} %")
    start = time.perf_counter()
    for _ in range(1000):
        look(sim)
    print(f"  the callback alone: {1e3 * (time.perf_counter() - start):.2f} us")


def views(sim):
    """A view is at the engine's address, however many grains there are."""
    start = time.perf_counter()
    for _ in range(1000):
        with sim.view() as view:
            at = np.asarray(view.position).__array_interface__["data"][0]
    taken = time.perf_counter() - start
    assert at == sim._core.address()
    print(f"a view: at the engine's address {at:#x}, {1e3 * taken:.1f} us")


def imports():
    """The time that an import takes in a new process, NumPy included and alone."""
    code = "import time; a = time.perf_counter(); import {}; print(time.perf_counter() - a)"
    for name in ("numpy", "gritstone"):
        command = [sys.executable, "-c", code.format(name)]
        times = [float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(20)]
        print(f"import {name}: {statistics.median(times):.3f} s")


def main():
    imports()
    sim = bed()
    views(sim)
    callbacks(sim)
    contacts(sys.argv[1])
    for wheel in sys.argv[2:]:
        print(f"{Path(wheel).name}: {Path(wheel).stat().st_size / 1e6:.1f} MB")


main()

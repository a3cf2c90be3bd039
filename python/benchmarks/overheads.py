"""What Python costs: contacts of arrays against the same call from Rust, callbacks, views, the import, the wheel.

    cargo xtask wheel && pip install target/wheels/*.whl
    cargo build --release --package gritstone-contact --example columns
    python python/benchmarks/overheads.py --rust target/release/examples/columns target/wheels/*.whl

Without --rust, contacts are not compared with Rust. Ratios are of medians over runs that take turns, so that a busy machine disturbs both
alike; other times are of the processor.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import gritstone

PAIRS = 1_000_000


def contacts(program, rounds):
    """Pairs of superellipsoids, most of which touch: through NumPy, and by the program that reads the same numbers.

    As many pairs of spheres are solved in next to no time: what they take bounds what the arrays cost.
    """
    rng = np.random.default_rng(1)
    shape = gritstone.Superellipsoid((1.0, 0.8, 0.6), (0.6, 0.8))
    positions = rng.uniform(-1, 1, (PAIRS, 3)) * 14
    near = positions + rng.normal(size=(PAIRS, 3)) * 0.8
    positions = np.concatenate([positions, near])
    quaternions = rng.normal(size=(2 * PAIRS, 4))
    pairs = np.stack([np.arange(PAIRS), np.arange(PAIRS) + PAIRS], axis=1)

    def through_numpy(of):
        start = time.perf_counter()
        found = gritstone.contacts(of, positions, quaternions, pairs)
        return time.perf_counter() - start, found

    ours, spheres, theirs = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.bin"
        path.write_bytes(positions.tobytes() + quaternions.tobytes())
        command = [program, str(path), str(PAIRS), "1.0", "0.8", "0.6", "0.6", "0.8"]
        for number in range(rounds):
            seconds, found = through_numpy(shape)
            touching = int((found.verdict == gritstone.Verdict.CONTACT).sum())
            if number == 0:
                print(f"{PAIRS} pairs of superellipsoids, {touching} touch, {found.certified.mean():.6f} certified:")
            ours.append(seconds)
            spheres.append(through_numpy(gritstone.Sphere(0.8))[0])
            if program:
                told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
                theirs.append(float(told[0]))
                assert int(told[1]) == touching
    python, most = statistics.median(ours), statistics.median(spheres)
    print(f"  NumPy {python:.3f} s; of that the arrays take less than spheres do, {most:.3f} s: {100 * most / python:.1f} %")
    if program:
        rust = statistics.median(theirs)
        print(f"  Rust {rust:.3f} s, ratio {python / rust:.3f}")


def bed():
    """Return 4 000 ellipsoids of which each touches its neighbours."""
    walls = {"kind": "box", "low": [0, 0, 0], "high": ["212 mm", "212 mm", "1 m"], "open": ["z-high"], "material": "glass"}
    sim = gritstone.Simulation(
        {
            "dimension": 3,
            "gravity": [0, 0, -9.81],
            "time": {"end": "10 s", "fraction": 0.05},
            "contact": {"law": "linear"},
            "materials": {"glass": {"density": 2500, "kn": "10 kN/m", "restitution": 0.3, "friction": 0.4}},
            "shapes": {"bead": {"shape": "ellipsoid", "radii": ["5 mm", "5 mm", "4.999 mm"]}},
            "grains": [
                {
                    "from": "lattice",
                    "shape": "bead",
                    "material": "glass",
                    "count": [20, 20, 10],
                    "spacing": ["9.98 mm"] * 3,
                    "origin": ["6 mm"] * 3,
                }
            ],
            "walls": {"box": walls},
        },
        threads=1,
    )
    sim.step(5)
    return sim


def steps_of(sim, count, **how):
    """Return the processor time of some steps: by `run` with a callback, or by `step`."""
    start = time.process_time()
    if how:
        now = sim.status
        sim.run(until=(now.step + count - 0.5) * now.time_step, progress=False, **how)
    else:
        sim.step(count)
    return time.process_time() - start


def callbacks(sim):
    """What callbacks cost: runs with and without them take turns, on one thread."""

    def look(now):
        return now.status.contacts > 0

    plain, called = [], []
    for _ in range(60):
        plain.append(steps_of(sim, 100))
        called.append(steps_of(sim, 100, callback=look, every=100))
    start = time.process_time()
    for _ in range(200):
        look(sim)
        sim.step(0)
    alone = (time.process_time() - start) / 200
    steps, more = statistics.median(plain), statistics.median(called) / statistics.median(plain) - 1
    print(f"{sim.status.grains} grains, {sim.status.contacts} contacts: 100 steps {1e3 * steps:.1f} ms of one thread")
    print(f"  with a callback every 100 steps that asks for the status: {100 * more:+.2f} % in turns;")
    print(f"  the call by itself {1e3 * alone:.3f} ms, {100 * alone / steps:.2f} %")


def couplings(sim):
    """What forces cost that Python gives anew in each step, by columns that are copied and by a view."""

    def copied(now):
        return -1e-4 * now.grains.velocity

    def viewed(now):
        with now.view() as view:
            now.set_forces(-1e-4 * view.velocity, ids=view.id)

    plain = statistics.median(steps_of(sim, 100) for _ in range(10))
    for function in (copied, viewed):
        sim.couple(function, every=1)
        coupled = statistics.median(steps_of(sim, 100) for _ in range(10))
        sim.couple(None)
        print(f"  with forces from Python in every step, {function.__name__}: {coupled / plain:.2f} times the time")


def views(sim):
    """A view is at the engine's address, however many grains there are."""
    at, start = 0, time.process_time()
    for _ in range(1000):
        with sim.view() as view:
            at = np.asarray(view.position).__array_interface__["data"][0]
    taken = time.process_time() - start
    assert at == sim._core.address()
    print(f"a view: at the engine's address {at:#x}, {1e3 * taken:.1f} us")


def imports():
    """The processor time that an import takes in a new process, NumPy included and alone."""
    code = "import time; a = time.process_time(); import {}; print(time.process_time() - a)"
    for name in ("numpy", "gritstone"):
        command = [sys.executable, "-c", code.format(name)]
        times = [float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(20)]
        print(f"import {name}: {statistics.median(times):.3f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rust", help="the example `columns`, built for release")
    parser.add_argument("--rounds", type=int, default=3, help="times that the pairs are solved")
    parser.add_argument("wheels", nargs="*", type=Path)
    given = parser.parse_args()
    imports()
    sim = bed()
    views(sim)
    callbacks(sim)
    couplings(sim)
    contacts(given.rust, given.rounds)
    for wheel in given.wheels:
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")


main()

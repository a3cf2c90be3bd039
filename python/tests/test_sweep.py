"""Sweeps and calibration."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gritstone as gs

# A block that slides down a slope of 30°: gravity is turned instead of the plane.
SLOPE = {
    "dimension": 3,
    "gravity": [9.81 * 0.5, 0, -9.81 * 0.75**0.5],
    "time": {"end": "50 ms", "step": "20 us"},
    "contact": {"law": "linear"},
    "materials": {"stone": {"density": 2500, "kn": "100 kN/m", "restitution": 0.1, "friction": 0.2}},
    "shapes": {"plate": {"shape": "cylinder", "radius": "2 cm", "half_height": "2 mm"}},
    "grains": [{"from": "points", "shape": "plate", "material": "stone", "at": [[0, 0, 0.002]]}],
    "walls": {"slope": {"kind": "plane", "normal": [0, 0, 1], "point": [0, 0, 0], "material": "stone"}},
}
FRICTION = "materials.stone.friction"


def speed(sim):
    return {"speed": sim.grains.velocity[0, 0]}


def sliding(friction):
    """Speed after 50 ms of Coulomb friction on the slope."""
    return 9.81 * 0.05 * (0.5 - friction * 0.75**0.5)


def test_a_sweep_is_a_table_and_failures_are_rows(tmp_path):
    values, results = [0.1, 0.3, -1.0], tmp_path / "results.jsonl"
    with ThreadPoolExecutor(2) as executor:
        table = gs.sweep(SLOPE, {FRICTION: values}, measure=speed, executor=executor, results=results)
    np.testing.assert_array_equal(table[FRICTION], values)
    np.testing.assert_allclose(table.speed[:2], [sliding(0.1), sliding(0.3)], rtol=0.02)
    assert np.isnan(table.speed[2]) and "SceneError" in table.error[2] and table.error[0] == ""
    assert len(results.read_text().splitlines()) == 3


def test_a_sweep_goes_on_where_it_stopped(tmp_path):
    results = tmp_path / "results.jsonl"
    row = {"values": {FRICTION: 0.1}, "measured": {"speed": 42.0}, "error": ""}
    results.write_text(json.dumps(row) + '\n{"values": {"mater')
    with ThreadPoolExecutor(1) as executor:
        table = gs.sweep(SLOPE, {FRICTION: [0.1, 0.2]}, measure=speed, executor=executor, results=results)
    assert table.speed[0] == 42.0 and table.speed[1] == pytest.approx(sliding(0.2), rel=0.02)


def test_processes_are_the_default():
    table = gs.sweep(SLOPE, {FRICTION: [0.2]}, measure=speed)
    assert table.error[0] == "" and table.speed[0] == pytest.approx(sliding(0.2), rel=0.02)


def test_dask():
    distributed = pytest.importorskip("distributed")
    with distributed.Client(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as client:
        table = gs.sweep(SLOPE, {FRICTION: [0.1, 0.2]}, measure=speed, executor=client.get_executor())
    np.testing.assert_allclose(table.speed, [sliding(0.1), sliding(0.2)], rtol=0.02)


def test_calibration_recovers_a_friction():
    pytest.importorskip("scipy")
    found = gs.calibrate(
        SLOPE, {FRICTION: (0.05, 0.5)}, {"speed": sliding(0.35)}, measure=speed, tolerance=1e-3
    )
    assert found.values[FRICTION] == pytest.approx(0.35, rel=0.02)
    with pytest.raises(ValueError, match="must be finite and not zero"):
        gs.calibrate(SLOPE, {FRICTION: (0.05, 0.5)}, {"speed": 0.0}, measure=speed)

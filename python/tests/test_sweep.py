"""Sweeps and calibration."""

import json
import operator
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
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
    given = {"measure": speed, "results": results}
    with ThreadPoolExecutor(1) as executor:
        gs.sweep(SLOPE, {FRICTION: [0.1]}, executor=executor, **given)
        (row,) = map(json.loads, results.read_text().splitlines())
        row["measured"] = {"speed": 42.0}
        results.write_text(json.dumps(row) + '\n{"key": "0123", "values": {"mater')
        for _ in range(2):
            table = gs.sweep(SLOPE, {FRICTION: [0.1, 0.2]}, executor=executor, **given)
            assert table.speed[0] == 42.0 and table.speed[1] == pytest.approx(sliding(0.2), rel=0.02)
        assert len(results.read_text().splitlines()) == 3
        # A changed scene has other cases.
        changed = gs.Scene(SLOPE).set({"time.end": "40 ms"})
        assert gs.sweep(changed, {FRICTION: [0.1]}, executor=executor, **given).speed[0] < sliding(0.1)


def test_a_sweep_of_the_program_goes_on_in_python_and_back(tmp_path):
    gs_toml, names = gs.Scene(SLOPE).to_toml(), ["energies.translation", "contacts"]
    (tmp_path / "slope.toml").write_text(gs_toml)
    sweep = tmp_path / "sweep.toml"
    head = f'scene = "slope.toml"\nresults = "results.jsonl"\nmeasure = {json.dumps(names)}\n[parameters]\n'
    sweep.write_text(head + f'"{FRICTION}" = [0.1]\n')

    def program():
        command = [sys.executable, "-m", "gritstone", "sweep", str(sweep), "--json"]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    (first,) = program()
    sweep.write_text(head + f'"{FRICTION}" = [0.1, 0.2]\n')
    table = gs.sweep(sweep)
    lines = (tmp_path / "results.jsonl").read_text().splitlines()
    assert len(lines) == 2 and json.loads(lines[0]) == first
    assert table["energies.translation"][0] == first["measured"]["energies.translation"]
    # Both find all cases done, and a case has the same bits whoever ran it.
    assert [row["measured"] for row in program()] == [json.loads(line)["measured"] for line in lines]
    alone = gs.sweep(SLOPE, {FRICTION: [0.2]}, measure=names)
    assert alone["energies.translation"][0] == table["energies.translation"][1]
    assert len((tmp_path / "results.jsonl").read_text().splitlines()) == 2


def test_processes_are_the_default():
    table = gs.sweep(SLOPE, {FRICTION: [0.2]}, measure=operator.methodcaller("__len__"))
    assert "AttributeError" in table.error[0]
    table = gs.sweep(SLOPE, {FRICTION: [0.2], "time.end": ["50 ms"]}, measure=speed)
    assert table.error[0] == "" and table.speed[0] == pytest.approx(sliding(0.2), rel=0.02)
    assert list(table["time.end"]) == ["50 ms"]


def end_with_a_crash(sim):
    if sim.energies["translation"] < 5e-5:
        os._exit(7)
    return {"process": os.getpid()}


def test_a_process_that_crashes_is_a_row_and_the_others_go_on():
    values = [0.05, 0.1, 0.5, 0.15]
    table = gs.sweep(SLOPE, {FRICTION: values}, measure=end_with_a_crash)
    assert [bool(error) for error in table.error] == [False, False, True, False]
    assert "ended with the code 7" in table.error[2] and os.getpid() not in table.process


SCRIPT = """
import gritstone
table = gritstone.sweep({scene!r}, {{{key!r}: [0.1, 0.2]}}, measure=["contacts"])
print(list(table.contacts))

def speed(sim):
    return {{"speed": sim.grains.velocity[0, 0]}}

table = gritstone.sweep({scene!r}, {{{key!r}: [0.1, 0.2]}}, measure=speed)
print(list(table.error), table.speed[0] > table.speed[1])
"""


def test_a_script_and_a_notebook_need_no_main_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(scene=SLOPE, key=FRICTION))
    for command, text in (([str(script)], None), (["-"], script.read_text())):
        done = subprocess.run(
            [sys.executable, *command], input=text, capture_output=True, text=True, check=True
        )
        assert done.stdout == "[np.float64(1.0), np.float64(1.0)]\n['', ''] True\n"


def test_an_interrupt_keeps_what_is_done(tmp_path):
    long = gs.Scene(SLOPE).set({"time.end": "1000 s", "time.step": "20 us"}).to_toml()
    script, results = tmp_path / "script.py", tmp_path / "results.jsonl"
    script.write_text(
        f"import gritstone\ngritstone.sweep({long!r}, {{'time.end': ['1 ms', '1000 s']}}, "
        f"measure=['time'], results={str(results)!r})"
    )
    process = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if results.exists() and results.read_text().count("\n") == 1:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in told and process.returncode != 0
    (row,) = map(json.loads, results.read_text().splitlines())
    assert row["values"] == {"time.end": "1 ms"} and row["measured"]["time"] == pytest.approx(1e-3)


def test_dask():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            given = {"measure": ["energies.translation"], "executor": client.get_executor()}
            table = gs.sweep(SLOPE, {FRICTION: [0.1, 0.2, -1.0]}, **given)
    mass = 2500 * gs.Cylinder(0.02, 0.002).volume
    speeds = np.sqrt(2 * table["energies.translation"][:2] / mass)
    np.testing.assert_allclose(speeds, [sliding(0.1), sliding(0.2)], rtol=0.02)
    assert table.error[2].startswith("SceneError")


def test_submitit(tmp_path):
    submitit = pytest.importorskip("submitit")
    executor = submitit.LocalExecutor(folder=tmp_path)
    table = gs.sweep(SLOPE, {FRICTION: [0.1, 0.2]}, measure=["energies.translation"], executor=executor)
    assert list(table.error) == ["", ""]
    assert table["energies.translation"][0] > table["energies.translation"][1]


MPI = """
import json
from mpi4py.futures import MPIPoolExecutor
import gritstone

if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        table = gritstone.sweep({scene!r}, {{{key!r}: [0.1, 0.2, -1.0]}}, measure={names!r}, executor=executor)
    print(json.dumps([table[{names!r}[0]].tolist(), table.error.tolist()]))
"""


def test_mpi(tmp_path):
    pytest.importorskip("mpi4py")
    # The one that was installed with Python's packages, else that of the system.
    mpiexec = shutil.which("mpiexec", path=os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]]))
    if mpiexec is None:
        pytest.skip("there is no mpiexec")
    script = tmp_path / "friction.py"
    script.write_text(MPI.format(scene=SLOPE, key=FRICTION, names=["energies.translation"]))
    command = [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    energies, errors = json.loads(done.stdout)
    speeds = np.sqrt(2 * np.array(energies[:2]) / (2500 * gs.Cylinder(0.02, 0.002).volume))
    np.testing.assert_allclose(speeds, [sliding(0.1), sliding(0.2)], rtol=0.02)
    assert errors[:2] == ["", ""] and errors[2].startswith("SceneError")


class Jobs:
    """An executor that hands out jobs of its own, as cluster packages do."""

    class Job:
        def __init__(self, call):
            self.asked, self.call = 0, call

        def done(self):
            self.asked += 1
            return self.asked > 2

        def result(self):
            return self.call()

    def submit(self, function, *arguments):
        return self.Job(lambda: function(*arguments))


def test_jobs_that_are_no_futures():
    table = gs.sweep(SLOPE, {FRICTION: [0.1, 0.2]}, measure=speed, executor=Jobs())
    np.testing.assert_allclose(table.speed, [sliding(0.1), sliding(0.2)], rtol=0.02)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"parameters": {FRICTION: 0.3}}, TypeError, "must have a list of values"),
        ({"parameters": {FRICTION: "abc"}}, TypeError, "must have a list of values"),
        ({"parameters": {FRICTION: []}}, ValueError, "has no values"),
        ({"parameters": {FRICTION: [np.nan]}}, ValueError, "has a NaN"),
        ({"parameters": {FRICTION: [None]}}, ValueError, "null, which a scene cannot have"),
        ({"parameters": {FRICTION: [object()]}}, TypeError, "cannot hold a object"),
        ({"parameters": {FRICTION: [-1.0]}}, gs.SceneError, "friction is -1.0"),
        ({"parameters": {"materials.stone.frictoin": [0.3]}}, gs.SceneError, "did you mean"),
        ({"parameters": None}, TypeError, "parameters is missing"),
        ({"measure": None}, TypeError, "measure is missing"),
        ({"measure": "contacts"}, TypeError, "measure must be a function, or a list"),
        ({"measure": [3]}, TypeError, "measure must be a function, or a list"),
        ({"executor": 3}, TypeError, "executor must have a method submit"),
        ({"results": "no-such-folder/results.jsonl"}, OSError, "cannot write no-such-folder"),
    ],
)
def test_what_is_wrong_is_told(given, error, message):
    with pytest.raises(error, match=message):
        gs.sweep(SLOPE, **({"parameters": {FRICTION: [0.2]}, "measure": speed} | given))


def test_what_a_measure_does_wrong_is_a_row():
    for measure, message in (
        (lambda sim: 3.0, "returned a float"),
        (lambda sim: {"x": "much"}, "could not convert"),
        (["probes.slope.angle"], "probes has no such key"),
        (["energies"], "is a table: add one of balance"),
    ):
        table = gs.sweep(SLOPE, {FRICTION: [0.2]}, measure=measure)
        assert message in table.error[0]


def test_calibration_recovers_a_friction():
    pytest.importorskip("scipy")
    given = {"measure": speed, "tolerance": 1e-3}
    found = gs.calibrate(SLOPE, {FRICTION: (0.05, 0.5)}, {"speed": sliding(0.35)}, **given)
    assert found.values[FRICTION] == pytest.approx(0.35, rel=0.02)
    for target, message in (
        ({"speed": 0.0}, "must be finite and not zero"),
        ({}, "target is empty"),
        ({"sped": 1.0}, "what was measured has speed"),
    ):
        with pytest.raises(ValueError, match=message):
            gs.calibrate(SLOPE, {FRICTION: (0.05, 0.5)}, target, **given)
    for bounds in ((0.5, 0.05), (0.1,), (0.1, np.nan)):
        with pytest.raises(ValueError, match="must have a lower and an upper bound"):
            gs.calibrate(SLOPE, {FRICTION: bounds}, {"speed": 1.0}, **given)


def test_calibration_of_two_parameters():
    pytest.importorskip("scipy")

    def two(sim):
        return {"speed": sim.grains.velocity[0, 0], "fallen": sim.time}

    found = gs.calibrate(
        SLOPE,
        {FRICTION: (0.05, 0.5), "time.end": (0.02, 0.08)},
        {"speed": sliding(0.3) * 0.06 / 0.05, "fallen": 0.06},
        measure=two,
        tolerance=1e-2,
        max_runs=80,
    )
    assert found.values[FRICTION] == pytest.approx(0.3, rel=0.05) and found.runs < 80
    assert found.values["time.end"] == pytest.approx(0.06, rel=0.02)

"""What bad luck and unkind callers do: odd arrays, processes that are forked off, damaged files, functions that raise."""

import os
import pickle
import signal
import sys
import threading
import time

import numpy as np
import pytest

import gritstone as gs

BALL = gs.Sphere(1.0)
POSITIONS = np.array([[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], dtype=float)
PAIRS = np.array([[0, 1], [1, 2]])


class Own(np.ndarray):
    """An array of a class of its own."""


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize(
    "given",
    [
        lambda array: array.astype(array.dtype.newbyteorder(">")),
        np.asfortranarray,
        lambda array: np.repeat(array, 2, axis=0)[::2],
        lambda array: array[:, ::-1].copy()[:, ::-1],
        read_only,
        np.matrix,
        lambda array: array.view(Own),
        np.ma.array,
        lambda array: array.astype("f4" if array.dtype.kind == "f" else "u1"),
        lambda array: array.tolist(),
    ],
)
def test_arrays_of_every_layout_say_the_same(given):
    expected = gs.contacts(BALL, POSITIONS, None, PAIRS)
    found = gs.contacts(BALL, given(POSITIONS), None, given(PAIRS))
    np.testing.assert_array_equal(found.gap, expected.gap)
    np.testing.assert_array_equal(found.point_b, expected.point_b)


def test_what_a_mask_hides_is_not_taken_for_numbers():
    with pytest.raises(ValueError, match="positions has masked entries"):
        gs.contacts(BALL, np.ma.array(POSITIONS, mask=POSITIONS > 5), None, PAIRS)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: BALL.mesh(-1), ValueError, r"detail is -1, but must lie in \[1, 256\]"),
        (lambda: BALL.mesh(2**70), ValueError, "detail is 1180591620717411303424"),
        (lambda: BALL.mesh(2.5), TypeError, "detail must be a whole number, not a float"),
        (lambda: gs.methods(-1), ValueError, r"dimension is -1, but must lie in \[2, 3\]"),
        (lambda: gs.contacts(gs.Circle(1), np.zeros((2, 2)), np.zeros((2, 1)), [[0, 1]]), ValueError, r"\(2, 1\)"),
        (lambda: gs.Scene({"dimension": 10**5000}), ValueError, "cannot be used: Exceeds the limit"),
        (lambda: gs.Scene({"title": {(1, 2): 3}}), TypeError, "keys of a scene are texts, not a tuple"),
    ],
)
def test_what_is_wrong_is_told(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda sim: sim.snapshot(size=np.int64(10)), ValueError, "size is 10"),
        (lambda sim: sim.snapshot(size=100.5), TypeError, "size must be a whole number"),
        (lambda sim: sim.show(height=-1), ValueError, "height is -1"),
        (lambda sim: sim.set("friction"), TypeError, "values are by key"),
        (lambda sim: sim.scene.set([1]), TypeError, "values are by key"),
    ],
)
def test_what_is_wrong_with_a_call_is_told(beads, call, error, message):
    with pytest.raises(error, match=message):
        call(gs.Simulation(beads))


def test_an_array_that_steps_the_simulation_is_refused(beads):
    class Stepping:
        def __init__(self, sim):
            self.sim = sim

        def __array__(self, dtype=None, copy=None):
            self.sim.step()
            return np.zeros((27, 3))

    sim = gs.Simulation(beads)
    for call in (sim.set_velocities, sim.set_forces):
        with pytest.raises(RuntimeError, match="borrowed"):
            call(Stepping(sim))
    sim.step()


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda now: now.step(), RecursionError, "recursion"),
        (lambda now: (1, 2, 3), TypeError, "a coupling returned 3 things"),
        (lambda now: "gravity", TypeError, "force has the dtype"),
        (lambda now: 1 / 0, ZeroDivisionError, "zero"),
    ],
)
def test_a_coupling_that_fails_leaves_the_simulation_as_it_was(beads, function, error, message):
    sim, plain = gs.Simulation(beads), gs.Simulation(beads)
    sim.couple(function)
    with pytest.raises(error, match=message):
        sim.step(3)
    sim.couple(None)
    for one in (sim, plain):
        one.step(10)
    np.testing.assert_array_equal(sim.grains.position, plain.grains.position)


def test_a_callback_may_step_and_run_the_simulation(beads):
    sim, plain = gs.Simulation(beads), gs.Simulation(beads)
    sim.run(until=0.01, callback=lambda now: (now.step(), now.run(until=now.time + 1e-4)), every=10)
    plain.step(sim.status.step)
    np.testing.assert_array_equal(sim.grains.position, plain.grains.position)


def test_leaving_a_view_while_another_thread_steps_is_no_error(beads):
    sim, stepping = gs.Simulation(beads, threads=1), threading.Event()

    def work():
        stepping.set()
        sim.step(50_000)

    worker = threading.Thread(target=work)
    with sim.view() as view:
        kept = np.asarray(view.position)
        before = kept.copy()
        worker.start()
        stepping.wait()
        time.sleep(0.02)
        with pytest.raises(gs.ViewError):
            view.position.sum()
    assert worker.is_alive(), "the steps take longer than the view"
    worker.join()
    np.testing.assert_array_equal(kept, before)


def test_nothing_is_drawn_while_a_view_writes(beads):
    sim = gs.Simulation(beads)
    with sim.view(write=True), pytest.raises(gs.ViewError, match="leave its block first"):
        sim.snapshot(size=100)
    assert sim.snapshot(size=100).size[0] == 100


def test_columns_ask_numpy_what_they_are(beads):
    with gs.Simulation(beads).view() as view:
        with pytest.raises(ValueError, match="ambiguous"):
            bool(view.mass)
        assert view.mass[0] in view.mass and -1.0 not in view.mass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked off here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("threads", [0, 2])
def test_a_simulation_goes_on_in_a_process_that_is_forked_off(beads, threads, tmp_path):
    sim = gs.Simulation(beads, threads=threads)
    sim.step(100)
    child = os.fork()
    if child == 0:
        # Threads of the parent are not here: one who waits for them waits for ever.
        signal.alarm(60)
        code = 1
        try:
            sim.step(100)
            with sim.view(write=True) as view:
                view.velocity[:] = 0
            gs.contacts(BALL, POSITIONS, None, PAIRS)
            pickle.loads(pickle.dumps(sim)).step(2)
            sim.save(tmp_path / "child.sim")
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    sim.step(100)
    np.testing.assert_array_equal(gs.Simulation.load(tmp_path / "child.sim").grains.position, sim.grains.position)


def test_damaged_saves_are_told(beads, tmp_path):
    sim, path = gs.Simulation(beads), tmp_path / "now.sim"
    sim.save(path)
    whole, rng = path.read_bytes(), np.random.default_rng(3)
    for _ in range(50):
        damaged = bytearray(whole)
        damaged[rng.integers(len(whole))] ^= 1 << rng.integers(8)
        path.write_bytes(damaged[: rng.integers(1, len(whole))] if rng.random() < 0.3 else damaged)
        with pytest.raises(ValueError, match=r"is damaged: its checksum|is no saved simulation"):
            gs.Simulation.load(path)


def test_damaged_states_crash_nothing(beads):
    scene = gs.Scene(beads)
    sim = gs.Simulation(scene)
    sim.step(1500)
    whole, rng, ends = sim._core.save(), np.random.default_rng(5), set()
    for _ in range(300):
        damaged = bytearray(whole)
        for at in rng.integers(len(whole), size=rng.integers(1, 4)):
            damaged[at] = rng.integers(256)
        try:
            gs._core.Simulation.restore(scene._core, 1, bytes(damaged)).advance(3, False)
            ends.add("stepped")
        except (ValueError, gs.RunError) as error:
            ends.add(type(error).__name__)
    assert "stepped" in ends and "ValueError" in ends


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="there are no links here")
def test_a_save_does_not_write_through_a_link(beads, tmp_path):
    victim, path = tmp_path / "victim", tmp_path / "now.sim"
    victim.write_text("precious")
    (tmp_path / "now.sim.tmp").symlink_to(victim)
    sim = gs.Simulation(beads)
    sim.save(path)
    assert victim.read_text() == "precious" and gs.Simulation.load(path).time == sim.time
    with pytest.raises(OSError, match="nowhere"):
        sim.save(tmp_path / "nowhere" / "now.sim")


def test_damaged_tables_of_a_run_name_the_file(tmp_path):
    (tmp_path / "scene.toml").write_text("")
    run, table, summary = gs.open(tmp_path), tmp_path / "energies.csv", tmp_path / "summary.json"
    for damaged in (b"step,time\n1,0.5\n2\n3,1.5\n", b"step,time\n1,\xff\n"):
        table.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"energies\.csv is damaged"):
            _ = run.energies
    # A last line that is not whole yet is not damage.
    table.write_bytes(b"step,time\n1,0.5\n2,")
    assert list(run.energies.time) == [0.5]
    summary.write_bytes(b'{"grains": ')
    with pytest.raises(ValueError, match=r"summary\.json is damaged"):
        _ = run.summary


def test_a_measure_that_exits_is_a_row(beads, monkeypatch):
    def leave(sim):
        sys.exit(3)

    # As in a script or a notebook, where cases run in threads.
    monkeypatch.setattr(leave, "__module__", "__main__")
    table = gs.sweep(beads, {"time.end": ["21 ms", "22 ms"]}, measure=leave)
    assert [error.startswith("SystemExit") for error in table.error] == [True, True]

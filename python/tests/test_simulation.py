"""Simulations: the same bits as the program, in any pieces; errors; saving; callbacks; threads."""

import pickle
import signal
import subprocess
import sys
import threading
import time
import tomllib

import numpy as np
import pytest

import gritstone as gs


def states(sim):
    grains = sim.grains
    return np.concatenate([grains.position, grains.rotation, grains.velocity, grains.spin], axis=1)


@pytest.fixture
def run_folder(beads, tmp_path):
    """What the program makes of the scene."""
    scene = tmp_path / "beads.toml"
    scene.write_text(beads)
    command = [sys.executable, "-m", "gritstone", "run", str(scene), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return tmp_path / "out"


def of_program(folder):
    final = gs.open(folder).final
    names = ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"]
    return np.stack([final[name] for name in names], axis=1)


def test_same_bits_as_the_program_in_any_pieces(beads, run_folder):
    expected = of_program(run_folder)
    whole = gs.Simulation(beads, threads=1)
    whole.run()
    np.testing.assert_array_equal(states(whole), expected)
    pieces = gs.Simulation(beads, threads=2)
    pieces.step(1)
    pieces.step(998)
    pieces = pickle.loads(pickle.dumps(pieces))
    pieces.run(until=0.03)
    pieces.run()
    np.testing.assert_array_equal(states(pieces), expected)
    assert [note.split(": ", 1)[1] for note in whole.notes()] == ["1 wall removed: lid"]


@pytest.mark.parametrize("name", ["shear-cell-2d", "biaxial", "triaxial", "polyhedra-drop"])
def test_same_bits_as_the_program_with_cells_servos_and_inlets(name, tmp_path):
    steps, scene = 120, f"{name}.toml"
    for command in (["new", name], ["run", scene, "--steps", str(steps), "--out", "out"]):
        program = [sys.executable, "-m", "gritstone", *command]
        subprocess.run(program, cwd=tmp_path, capture_output=True, check=True)
    sim = gs.Simulation(tmp_path / scene, threads=2)
    sim.step(7)
    half = 49.5 * sim.status.time_step
    sim.run(until=half, callback=lambda now: now.grains.position.sum(), every=5)
    sim = pickle.loads(pickle.dumps(sim))
    sim.step(steps - sim.status.step)
    final, grains = gs.open(tmp_path / "out").final, sim.grains
    names = ["x", "y", "z", "vx", "vy", "vz"] if sim.status.dimension == 3 else ["x", "y", "vx", "vy"]
    expected = np.stack([final[column] for column in names], axis=1)
    np.testing.assert_array_equal(np.concatenate([grains.position, grains.velocity], axis=1), expected)


def test_the_bar_of_progress_ends_full(beads, capsys):
    sim = gs.Simulation(beads)
    sim.run(progress=True)
    shown = capsys.readouterr().err
    assert shown.split("\r")[-1].startswith(f"[{'#' * 30}] 100 %  0.05 s, ") and shown.endswith("\n")


def test_text_file_and_dict_are_the_same_scene(beads, tmp_path):
    path = tmp_path / "beads.toml"
    path.write_text(beads)
    texts = {gs.Scene(source).to_toml() for source in (beads, path, str(path), tomllib.loads(beads))}
    assert len(texts) == 1


def test_errors_name_line_or_key(beads):
    wrong = beads.replace('"10 kN/m"', '"10 kN"')
    with pytest.raises(gs.SceneError, match=r'scene:\d+: materials.glass.kn is "10 kN"'):
        gs.Scene(wrong)
    with pytest.raises(gs.SceneError, match=r'^materials.glass.kn is "10 kN", but must be a stiffness'):
        gs.Scene(tomllib.loads(wrong))
    with pytest.raises(gs.SceneError, match="did you mean"):
        gs.Scene(tomllib.loads(beads) | {"gravty": [0, 0, 1]})
    with pytest.raises(gs.SceneError, match="cannot be read"):
        gs.Scene("no-such-file.toml")
    with pytest.raises(TypeError, match="a scene cannot hold a object"):
        gs.Scene({"time": object()})
    with pytest.raises(TypeError, match="not a int"):
        gs.Scene(3)


def test_set_is_the_same_as_changing_the_text(beads):
    scene = gs.Scene(beads).set({"materials.glass.friction": np.float64(0.25), "time.end": "0.04 s"})
    changed = beads.replace("friction = 0.4", "friction = 0.25").replace('"0.05 s"', '"0.04 s"')
    assert "friction = 0.25" in scene.to_toml()
    assert scene.to_toml() == gs.Scene(changed).to_toml()
    with pytest.raises(gs.SceneError, match=r"materials\.glass\.friction"):
        gs.Scene(beads).set({"materials.glass.friction": -1})
    lists = gs.Scene(beads).set({"grains[0].count": [2, 2, 2], "gravity": np.array([0, 0, -1.62]), "title": "0.5"})
    assert "count = [2, 2, 2]" in lists.to_toml() and gs.Simulation(lists).status.grains == 8
    table = gs.Scene(beads).set({"stop": {"kinetic_energy": "1 uJ"}})
    assert "kinetic_energy" in table.to_toml()
    with pytest.raises(ValueError, match=r"materials\.glass\.friction cannot be null"):
        gs.Scene(beads).set({"materials.glass.friction": None})
    with pytest.raises(ValueError, match=r"friction has a NaN"):
        gs.Scene(beads).set({"materials.glass.friction": float("nan")})


def test_callbacks_see_every_so_many_steps_and_can_stop(beads):
    sim, seen = gs.Simulation(beads), []

    def look(now):
        seen.append(now.status.step)
        return len(seen) < 4

    sim.step(30)
    sim.run(callback=look, every=50)
    assert seen == [50, 100, 150, 200] and sim.status.step == 200
    assert sim.time == sim.status.time > 0
    plain = gs.Simulation(beads)
    plain.step(200)
    np.testing.assert_array_equal(states(sim), states(plain))


def test_action_is_reaction(beads):
    sim = gs.Simulation(beads)
    sim.run()
    grains, walls = sim.grains, sim.walls
    mass = 2500 * gs.Ellipsoid((5e-3, 4e-3, 3e-3)).volume
    weight = 9.81 * mass * len(grains.id)
    assert list(walls["name"]) == ["floor", "lid"] and list(walls.present) == [True, False]
    assert walls.force[0, 2] < -0.1 * weight
    np.testing.assert_allclose(grains.force.sum(axis=0), -walls.force[0], atol=1e-9 * weight)
    contacts = sim.contacts
    on_floor = contacts.with_wall & (contacts.b == 0)
    np.testing.assert_allclose(contacts.force[on_floor].sum(axis=0), walls.force[0], atol=1e-9 * weight)


def test_saved_simulations_go_on_with_the_same_bits(beads, tmp_path):
    sim = gs.Simulation(beads)
    sim.step(1500)
    sim.save(tmp_path / "half.sim")
    again = gs.Simulation.load(tmp_path / "half.sim")
    for one in (sim, again):
        one.run()
    np.testing.assert_array_equal(states(sim), states(again))
    (tmp_path / "other").write_bytes(b"something else")
    with pytest.raises(ValueError, match="is no saved simulation"):
        gs.Simulation.load(tmp_path / "other")


def test_an_interrupt_leaves_a_checkpoint(beads, tmp_path):
    sim = gs.Simulation(beads)

    def interrupt(now):
        if now.status.step == 700:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sim.run(callback=interrupt, every=100, checkpoint=tmp_path / "stopped.sim")
    again = gs.Simulation.load(tmp_path / "stopped.sim")
    assert again.status.step == 700


def test_ctrl_c_stops_with_a_checkpoint(beads, tmp_path):
    script, path = tmp_path / "script.py", tmp_path / "stopped.sim"
    (tmp_path / "beads.toml").write_text(beads.replace('end = "0.05 s"', 'end = "1000 s"'))
    script.write_text(
        "import gritstone\n"
        f"sim = gritstone.Simulation({str(tmp_path / 'beads.toml')!r}, threads=1)\n"
        "print('ready', flush=True)\n"
        f"sim.run(checkpoint={str(path)!r})\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode != 0 and told.rstrip().endswith("KeyboardInterrupt")
    stopped = gs.Simulation.load(path)
    assert stopped.status.step > 0
    plain = gs.Simulation(tmp_path / "beads.toml")
    plain.step(stopped.status.step)
    np.testing.assert_array_equal(states(stopped), states(plain))


def test_the_summary_is_that_of_the_program(beads, run_folder):
    sim = gs.Simulation(beads, threads=1)
    sim.run()
    summary, written = sim.summary, gs.open(run_folder).summary
    assert summary["contacts"] == sim.status.contacts and summary["energies"] == sim.energies
    assert {name: written[name] for name in summary} == summary


def test_walls_can_be_moved_and_grains_removed(beads):
    sim = gs.Simulation(beads)
    sim.move_wall("lid", [0, 0, -1.0])
    before = sim.walls.position[1, 2]
    sim.step(100)
    assert sim.walls.position[1, 2] - before == pytest.approx(-100 * 20e-6, rel=1e-9)
    assert sim.remove([1, 2, 10_000]) == 2 and sim.status.grains == 25
    sim.step(10)
    with pytest.raises(KeyError, match='there is no wall "roof"; there are floor, lid'):
        sim.move_wall("roof", [0, 0, 0])
    with pytest.raises(ValueError, match=r"velocity has the shape \(2,\)"):
        sim.move_wall("lid", [0, 0])
    with pytest.raises(TypeError, match="ids has the dtype float64"):
        sim.remove([0.5])


def test_a_wall_that_the_scene_moves_is_not_moved_otherwise(beads):
    lift = {"walls": "lid", "moves": [{"move": "translate", "velocity": [0, 0, "1 cm/s"]}]}
    sim = gs.Simulation(tomllib.loads(beads) | {"tools": {"lift": lift}})
    with pytest.raises(ValueError, match='wall "lid" has a motion in the scene'):
        sim.move_wall("lid", [0, 0, 0])
    before = sim.walls.position[1, 2]
    sim.step(100)
    assert sim.walls.position[1, 2] - before == pytest.approx(100 * 20e-6 * 0.01, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda sim: sim.step(-1), ValueError),
        (lambda sim: sim.run(every=0), ValueError),
        (lambda sim: sim.run(every=2.5, callback=print), TypeError),
        (lambda sim: sim.run(callback="print"), TypeError),
        (lambda sim: sim.step(1.5), TypeError),
        (lambda sim: sim.snapshot(size="big"), TypeError),
        (lambda sim: sim.snapshot(size=(100, 100, 100)), TypeError),
        (lambda sim: sim.run(until=-1.0), ValueError),
        (lambda sim: sim.run(until=float("nan")), ValueError),
        (lambda sim: sim.run(until="soon"), TypeError),
        (lambda sim: sim.grains.colour, AttributeError),
        (lambda sim: sim.grains["colour"], KeyError),
        (lambda sim: gs.Simulation(sim.scene, threads=-1), ValueError),
    ],
)
def test_what_is_wrong_is_told(beads, call, error):
    with pytest.raises(error):
        call(gs.Simulation(beads))


def test_other_threads_of_python_work_while_steps_are_made(beads):
    sim, ticks, stop = gs.Simulation(beads, threads=1), [], threading.Event()
    sim.run()

    def work():
        while not stop.wait(1e-3):
            ticks.append(sim_is_stepping)

    worker, sim_is_stepping = threading.Thread(target=work), False
    worker.start()
    sim_is_stepping = True
    # One call of the extension module.
    sim._core.advance(20_000, False)
    sim_is_stepping = False
    stop.set()
    worker.join()
    assert ticks.count(True) > 20


def test_threads_cannot_step_the_same_simulation_at_once(beads):
    sim, refused = gs.Simulation(beads), []

    def work():
        for _ in range(200):
            try:
                sim.step(3)
                _ = sim.grains.position
            except RuntimeError as error:
                refused.append(str(error))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sim.status.step % 3 == 0 and all("borrowed" in why for why in refused)


def test_grains_of_another_scene_go_on(beads, tmp_path):
    text = beads.split("[[events]]")[0]
    straight, first = gs.Simulation(text), gs.Simulation(text)
    straight.step(1500)
    first.step(1000)
    first.write_checkpoint(tmp_path / "first")
    before, behind = text.split("[[grains]]")[0], text[text.index("[walls.floor]") :]
    second = gs.Simulation(f'{before}[[grains]]\nfrom = "run"\nfolder = "{tmp_path / "first"}"\n{behind}')
    assert second.time == 0.0
    second.step(500)
    np.testing.assert_array_equal(states(second), states(straight))

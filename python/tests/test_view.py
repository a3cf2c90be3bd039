"""Views of the engine's memory, forces from arrays, and setters."""

import gc
import pickle
import sys
import weakref

import numpy as np
import pytest

import gritstone as gs


def free_fall(count=3, **changes):
    """Grains without gravity, far from each other."""
    scene = {
        "dimension": 3,
        "gravity": [0, 0, 0],
        "time": {"end": "10 ms", "step": "10 us"},
        "contact": {"law": "linear"},
        "materials": {"glass": {"density": 2500, "kn": "10 kN/m", "restitution": 0.5, "friction": 0.4}},
        "shapes": {"ball": {"shape": "sphere", "radius": "5 mm"}},
        "grains": [
            {"from": "points", "shape": "ball", "material": "glass", "at": [[0.1 * i, 0, 0.05] for i in range(count)]}
        ],
    }
    return scene | changes


MASS = 2500 * 4 / 3 * np.pi * 5e-3**3


def test_a_view_is_the_engines_memory(beads):
    sim = gs.Simulation(beads)
    sim.step(100)
    with sim.view() as view:
        position = np.asarray(view.position)
        assert position.__array_interface__["data"][0] == sim._core.address()
        assert not position.flags.owndata and not position.flags.writeable
        assert position.strides == (128, 8) and position.shape == (27, 3)
        order = np.argsort(view.id)
        grains = sim.grains
        np.testing.assert_array_equal(view.position[order], grains.position)
        np.testing.assert_array_equal(view.velocity[order], grains.velocity)
        np.testing.assert_array_equal(view.rotation_xyzw[order][:, [3, 0, 1, 2]], grains.rotation)
        assert (view.position + 1).mean() == pytest.approx(1 + grains.position.mean())
        with pytest.raises(ValueError, match="read-only"):
            view.position[0] = 1
        with pytest.raises(ValueError, match="read-only"):
            position[0] = 1
        with pytest.raises(AttributeError, match="there is no column 'colour'"):
            _ = view.colour


def test_a_view_ends_with_its_block_and_with_changes(beads):
    sim = gs.Simulation(beads)
    with sim.view() as view:
        kept, part = view.position, view.position[:, 2]
    for use in (lambda: kept[0], lambda: part + 1, lambda: len(kept), lambda: view.id, lambda: np.asarray(kept)):
        with pytest.raises(gs.ViewError, match="the view has ended"):
            use()
    with pytest.raises(gs.ViewError, match="is not open"):
        _ = sim.view().position
    changes = [lambda: sim.step(), lambda: sim.remove([1]), lambda: sim.remove_wall("lid")]
    for change in changes:
        with sim.view() as view:
            kept = view.position
            change()
            with pytest.raises(gs.ViewError):
                kept.sum()


def test_insertion_ends_a_view():
    region = {"kind": "box", "low": [0.3, 0, 0], "high": [0.4, 0.1, 0.1]}
    inlet = {"shape": "ball", "material": "glass", "region": region, "number_rate": "1000 1/s", "every": "1 ms"}
    sim = gs.Simulation(free_fall(inlets={"top": inlet}))
    with sim.view() as view:
        assert len(view.id) == 3
        sim.step(500)
        assert sim.status.grains > 3
        with pytest.raises(gs.ViewError):
            len(view.id)


def test_arrays_that_outlive_their_view_do_not_dangle(beads):
    sim = gs.Simulation(beads)
    with sim.view() as view:
        position = np.asarray(view.position)
        before = position.copy()
    sim.step(200)
    np.testing.assert_array_equal(position, before)
    assert position.__array_interface__["data"][0] != sim._core.address()
    gone = weakref.ref(sim)
    del sim, view
    gc.collect()
    assert gone() is None
    np.testing.assert_array_equal(position, before)


def test_what_is_written_is_taken_over():
    sim = gs.Simulation(free_fall())
    with sim.view(write=True) as view:
        assert np.asarray(view.velocity).flags.writeable
        view.velocity[:] = [1, 0, 0]
        view.velocity *= 2
        view.position[view.id == 1, 2] = 0.25
        for refused in (lambda: sim.step(), lambda: sim.save("x"), lambda: sim.view().__enter__(), lambda: sim.remove([0])):
            with pytest.raises(gs.ViewError, match="leave its block first"):
                refused()
    assert sim.energies["translation"] == pytest.approx(3 * 0.5 * MASS * 4, rel=1e-12)
    assert sim.energies["balance"] == pytest.approx(0, abs=1e-12 * MASS)
    sim.step(100)
    np.testing.assert_allclose(sim.grains.position[:, 0], [0.002, 0.102, 0.202], rtol=1e-12)
    assert sim.grains.position[0, 2] == 0.25


def test_grains_that_are_moved_meet():
    sim = gs.Simulation(free_fall())
    with sim.view(write=True) as view:
        view.position[:, 0] = np.asarray(view.id) * 0.009
    assert sim.status.contacts == 2
    # Linear law: kn times an overlap of 1 mm.
    assert sim.contacts.force[0, 0] == pytest.approx(10e3 * 1e-3, rel=1e-9)


def test_what_cannot_be_taken_over_leaves_all_as_it_was(beads):
    sim, plain = gs.Simulation(beads), gs.Simulation(beads)
    with pytest.raises(ValueError, match=r"velocity of grain \d+ was written, but must be finite"):
        with sim.view(write=True) as view:
            view.position[:] = 0
            view.velocity[3, 1] = np.nan
    with pytest.raises(ValueError, match="finite and not zero"), sim.view(write=True) as view:
        view.rotation_xyzw[5] = 0
    with pytest.raises(ZeroDivisionError), sim.view(write=True) as view:
        view.position[:] = 0
        _ = 1 / 0
    with sim.view(write=True):
        pass
    for one in (sim, plain):
        one.step(500)
    np.testing.assert_array_equal(sim.grains.position, plain.grains.position)
    np.testing.assert_array_equal(sim.grains.velocity, plain.grains.velocity)


def test_columns_that_cannot_be_written_say_which_can():
    with gs.Simulation(free_fall()).view(write=True) as view:
        for column in (view.id, view.mass, view.force):
            with pytest.raises(ValueError, match="position, rotation, velocity and angular momentum can be written"):
                column[0] = 1


def test_transposed_columns_end_with_their_view(beads):
    with gs.Simulation(beads).view() as view:
        turned = view.position.T
        assert turned.shape == (3, 27)
    with pytest.raises(gs.ViewError):
        turned.sum()


def test_a_view_that_is_never_left_does_not_keep_its_simulation(beads):
    sim = gs.Simulation(beads)
    view = sim.view()
    view.__enter__()
    core, position = sim._core, np.asarray(view.position)
    before = position.copy()
    del sim, view
    gc.collect()
    np.testing.assert_array_equal(position, before)
    held = sys.getrefcount(core)
    del position
    gc.collect()
    assert sys.getrefcount(core) == held - 1 == 2


def test_views_in_the_plane():
    sim = gs.Simulation(
        free_fall(
            dimension=2,
            gravity=[0, 0],
            shapes={"ball": {"shape": "circle", "radius": "5 mm"}},
            grains=[{"from": "points", "shape": "ball", "material": "glass", "at": [[0, 0], [0.1, 0]]}],
        )
    )
    with sim.view(write=True) as view:
        view.velocity[:, 1] = 3
        view.rotation[:] = 0.5
        view.angular_momentum[:] = np.asarray(view.mass) * 0.5 * 5e-3**2 * 7
    np.testing.assert_allclose(sim.grains.spin, [7, 7], rtol=1e-12)
    np.testing.assert_allclose(sim.grains.velocity, [[0, 3], [0, 3]])


def test_a_constant_force_accelerates():
    sim = gs.Simulation(free_fall())
    force = np.zeros((3, 3))
    force[1, 2] = MASS * 2.0
    sim.set_forces(force, np.zeros((3, 3)))
    sim.step(1)
    again = pickle.loads(pickle.dumps(sim))
    for one in (sim, again):
        one.step(999)
        # v = a t, less half a step: the force acts from the end of the first step on.
        np.testing.assert_allclose(one.grains.velocity[1, 2], 2.0 * 999.5 * 10e-6, rtol=1e-12)
        assert (one.grains.velocity[[0, 2]] == 0).all()
    np.testing.assert_array_equal(sim.grains.velocity, again.grains.velocity)
    work = 0.5 * MASS * sim.grains.velocity[1, 2] ** 2
    assert sim.energies["external_work"] == pytest.approx(work, rel=2e-3)
    sim.set_forces(None)
    sim.step(1)
    speed = sim.grains.velocity[1, 2]
    sim.step(10)
    assert sim.grains.velocity[1, 2] == speed


@pytest.mark.parametrize(("every", "calls"), [(1, 400), (7, 58), (100, 4)])
def test_a_coupling_is_asked_every_so_many_steps(every, calls):
    sim, seen, rate = gs.Simulation(free_fall()), [], 50.0
    sim.set_velocities([[1, 0, 0]] * 3)

    def drag(now):
        seen.append(now.status.step)
        return -rate * MASS * now.grains.velocity

    sim.couple(drag, every=every)
    sim.step(100)
    sim.run(until=0.004)
    assert len(seen) == calls and all(step % every == 0 for step in seen)
    # Stokes drag: exp(-rate t), to the order of the interval between calls.
    expected = np.exp(-rate * 0.004)
    assert sim.grains.velocity[0, 0] == pytest.approx(expected, rel=rate * every * 10e-6)
    sim.couple(None)
    sim.step(1)
    speed = sim.grains.velocity[0, 0]
    sim.step(5)
    assert sim.grains.velocity[0, 0] == speed


def test_a_coupling_can_set_forces_itself_by_a_view(beads):
    def by_table(now):
        return -1e-4 * now.grains.velocity

    def by_view(now):
        with now.view() as view:
            now.set_forces(-1e-4 * view.velocity, ids=view.id)

    one, other = gs.Simulation(beads), gs.Simulation(beads)
    for sim, function in ((one, by_table), (other, by_view)):
        sim.couple(function, every=3)
        sim.run()
    assert one.energies["external_work"] < 0
    np.testing.assert_array_equal(one.grains.position, other.grains.position)


def test_forces_find_their_grains_where_ids_have_gaps():
    sim = gs.Simulation(free_fall(6))
    sim.remove(sim.grains.id[[0, 2]])
    force = np.zeros((4, 3))
    force[:, 1] = MASS * np.arange(1, 5)
    sim.set_forces(force)
    sim.step(2)
    np.testing.assert_allclose(sim.grains.velocity[:, 1], np.arange(1, 5) * 1.5 * 10e-6, rtol=1e-12)
    # Of some, in any order; the step at whose beginning the others acted is made first.
    sim.set_forces(force[[3, 1]], ids=sim.grains.id[[3, 1]])
    sim.step()
    sim.set_velocities(np.zeros((4, 3)))
    sim.step(2)
    np.testing.assert_allclose(sim.grains.velocity[:, 1], [0, 2 * 2 * 10e-6, 0, 4 * 2 * 10e-6], rtol=1e-12)


def test_velocities_are_set_by_id():
    sim = gs.Simulation(free_fall())
    assert sim.set_velocities([[0, 0, 1], [0, 2, 0]], [[0, 0, 5], [0, 0, 0]], ids=[3, 1]) == 2
    np.testing.assert_array_equal(sim.grains.velocity, [[0, 2, 0], [0, 0, 0], [0, 0, 1]])
    assert sim.grains.spin[2, 2] == pytest.approx(5, rel=1e-14)
    assert sim.set_velocities(np.zeros((1, 3)), ids=[77]) == 0


def test_changed_materials_act_at_once(beads):
    sim = gs.Simulation(beads)
    sim.run(until=0.03)
    before, balance = sim.contacts.force, sim.energies["balance"]
    sim.set({"materials.glass.friction": 0.1, "materials.glass.kn": "20 kN/m"})
    assert sim.status.contacts == len(before) > 0
    after, normal = sim.contacts.force, sim.contacts.normal
    # Elastic parts double with the stiffness, and no contact has lost its force.
    assert (np.linalg.norm(after, axis=1) > 0).all() and normal.shape == after.shape
    assert np.linalg.norm(after, axis=1).sum() > 1.3 * np.linalg.norm(before, axis=1).sum()
    assert sim.energies["balance"] == pytest.approx(balance, rel=1e-12)


def test_materials_can_be_changed():
    slope = free_fall(
        1,
        gravity=[5, 0, -9.81],
        shapes={"ball": {"shape": "cylinder", "radius": "2 cm", "half_height": "2 mm"}},
        walls={"floor": {"kind": "plane", "normal": [0, 0, 1], "point": [0, 0, 0], "material": "glass"}},
        grains=[{"from": "points", "shape": "ball", "material": "glass", "at": [[0, 0, 0.002]]}],
    )
    sim = gs.Simulation(slope)
    sim.step(2000)
    sim.set({"materials.glass.friction": 0.0})
    again = pickle.loads(pickle.dumps(sim))
    for one in (sim, again):
        before = one.grains.velocity[0, 0]
        one.step(2000)
        assert one.grains.velocity[0, 0] - before == pytest.approx(5 * 2000 * 10e-6, rel=1e-2)
    np.testing.assert_array_equal(sim.grains.position, again.grains.position)
    with pytest.raises(ValueError, match="density cannot be changed"):
        sim.set({"materials.glass.density": 1})
    with pytest.raises(ValueError, match="only keys of materials"):
        sim.set({"time.end": 1})
    with pytest.raises(gs.SceneError, match="friction"):
        sim.set({"materials.glass.friction": -1})


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda sim: sim.set_forces(np.zeros((2, 3))), ValueError, "force has 2 rows, but must have 3"),
        (lambda sim: sim.set_forces(np.zeros((3, 2))), ValueError, r"force has the shape \(3, 2\)"),
        (lambda sim: sim.set_forces(np.full((3, 3), np.nan)), ValueError, r"force\[0, 0\] is NaN"),
        (lambda sim: sim.set_forces([["a"] * 3] * 3), TypeError, "force has the dtype"),
        (lambda sim: sim.set_forces(np.zeros((3, 3)), np.zeros((1, 3))), ValueError, "torque has 1 rows"),
        (lambda sim: sim.set_forces(np.zeros((2, 3)), ids=[0, 0]), ValueError, "ids has 0 twice"),
        (lambda sim: sim.set_forces(np.zeros((1, 3)), ids=[-1]), ValueError, "ids has -1"),
        (lambda sim: sim.set_forces(np.zeros((1, 3)), ids=[0.5]), TypeError, "ids has the dtype"),
        (lambda sim: sim.set_forces(np.zeros((4, 3)), np.zeros((4, 3)), ids=[[0, 1], [2, 3]]), ValueError, "ids has 2 axes"),
        (lambda sim: sim.remove([-1]), ValueError, "ids has -1"),
        (lambda sim: sim.remove([2**40]), ValueError, "ids has 1099511627776"),
        (lambda sim: sim.remove([0.5]), TypeError, "ids has the dtype float64"),
        (lambda sim: sim.step(2**70), ValueError, "n is"),
        (lambda sim: sim.set_velocities(np.full((3, 3), np.inf)), ValueError, r"velocity\[0, 0\] is inf"),
        (lambda sim: sim.set_velocities(velocities=[]), TypeError, "velocities"),
        (lambda sim: sim.couple(3), TypeError, "callable"),
        (lambda sim: sim.couple(print, every=0), ValueError, "every is 0"),
        (lambda sim: sim.view(True), TypeError, "positional"),
    ],
)
def test_what_is_wrong_is_told(call, error, message):
    with pytest.raises(error, match=message):
        call(gs.Simulation(free_fall()))

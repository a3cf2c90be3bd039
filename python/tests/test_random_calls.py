"""Ten thousand random calls from four threads: exceptions are fine, crashes are not."""

import pickle
import threading

import numpy as np

import gritstone as gs

CALLS = 10_000
THREADS = 4


def write(sim, rng):
    with sim.view(write=True) as view:
        view.velocity[:] = rng.normal(size=view.velocity.shape) * rng.choice([1e-3, np.nan], p=[0.8, 0.2])
        if rng.random() < 0.3:
            sim.step(1)


def keep(kept, sim):
    with sim.view() as view:
        kept.append(np.asarray(view.position))
        kept.append(view.force)
    del kept[:-20]


def change_inside(sim, rng):
    with sim.view() as view:
        column = view.velocity
        if rng.random() < 0.5:
            sim.step(1)
        return column @ np.eye(3)


def drag(now):
    with now.view() as view:
        now.set_forces(-1e-6 * view.velocity, ids=view.id)


def numbers(rng, *shape):
    """Numbers of any size and sign, some of them none."""
    given = rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4)
    return np.where(rng.random(shape) < 0.05, rng.choice([0.0, np.nan, np.inf, 1e300, 1e-300], shape), given)


def shape_of(rng):
    solids = [
        lambda: gs.Sphere(abs(numbers(rng, 1)[0])),
        lambda: gs.Ellipsoid(np.abs(numbers(rng, 3))),
        lambda: gs.Superellipsoid(np.abs(numbers(rng, 3)), rng.uniform(-0.1, 2.1, 2)),
        lambda: gs.Superquadric(np.abs(numbers(rng, 3)), rng.uniform(1.9, 9, 3)),
        lambda: gs.Cylinder(*np.abs(numbers(rng, 2))),
        lambda: gs.Capsule(*np.abs(numbers(rng, 2))),
        lambda: gs.Polyhedron(numbers(rng, rng.integers(1, 20), 3)),
        lambda: gs.Triangle(numbers(rng, 3, 3)),
        lambda: gs.HalfSpace(numbers(rng, 3), 1.0),
    ]
    return solids[rng.integers(len(solids))]()


def use_shapes(rng, methods):
    a, b = shape_of(rng), shape_of(rng)
    gs.distance(a, b, position_b=numbers(rng, 3), rotation_b=numbers(rng, 4), method=rng.choice(methods))
    for shape in (a, b):
        shape.support(numbers(rng, 2, 3))
        assert pickle.loads(pickle.dumps(shape)) == shape
        shape.mesh(int(rng.integers(0, 9)))


def calls_of(rng, kept):
    methods = [method.name for method in gs.methods()]
    return [
        lambda sim: sim.step(int(rng.integers(-1, 4))),
        lambda sim: sim.grains.position.sum(),
        lambda sim: (sim.contacts, sim.walls, sim.energies, sim.probes, sim.notes(), sim.summary, repr(sim)),
        lambda sim: sim.remove(rng.integers(-1, 400, 1)) if rng.random() < 0.05 else None,
        lambda sim: sim.move_wall("lid", 1e-3 * rng.normal(size=rng.integers(2, 4))),
        lambda sim: sim.set_forces(rng.normal(size=(rng.integers(0, 28), 3)) * 1e-6),
        lambda sim: sim.set_velocities(np.zeros((1, 3)), ids=rng.integers(0, 30, 1)),
        lambda sim: sim.set({"materials.glass.friction": rng.normal()}),
        lambda sim: write(sim, rng),
        lambda sim: keep(kept, sim),
        lambda sim: [np.asarray(array).sum() for array in kept],
        lambda sim: sim.view().__enter__().position.sum(),
        lambda sim: pickle.loads(pickle.dumps(sim)).step(2),
        lambda sim: sim.couple(lambda now: np.zeros((now.status.grains, 3)), every=2),
        lambda sim: sim.couple(None),
        lambda sim: gs.distance(gs.Sphere(rng.normal()), gs.Sphere(1), position_b=rng.normal(size=3)),
        lambda sim: gs.contacts(gs.Ellipsoid((1, 2, 3)), rng.normal(size=(9, 3)), None, rng.integers(-1, 9, (5, 2))),
        lambda sim: sim.run(until=sim.time + float(rng.normal()) * 1e-4),
        lambda sim: use_shapes(rng, methods),
        lambda sim: change_inside(sim, rng),
        lambda sim: sim.couple(drag, every=2),
        lambda sim: sim.remove_wall(rng.choice(["lid", "roof"])) if rng.random() < 0.05 else None,
        lambda sim: gs.Simulation(sim.scene.set({"grains[0].seed": int(rng.integers(9))})).step(2),
    ]


def test_random_calls_crash_nothing(beads):
    shared = [gs.Simulation(beads, threads=1) for _ in range(2)]
    done, fine, unexpected = [], set(), []

    def work(seed):
        rng, kept = np.random.default_rng(seed), []
        calls, own = calls_of(rng, kept), gs.Simulation(beads, threads=1)
        for _ in range(CALLS // THREADS):
            try:
                kind = rng.integers(len(calls))
                calls[kind]([*shared, own][rng.integers(3)])
                fine.add(int(kind))
            except (ValueError, KeyError, TypeError, RuntimeError):
                pass
            except BaseException as error:
                unexpected.append(error)
            done.append(1)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(THREADS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(done) == CALLS and not unexpected
    # Each kind of call does something now and then.
    assert fine == set(range(len(calls_of(None, []))))

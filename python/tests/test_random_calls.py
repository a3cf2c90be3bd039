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


def calls_of(rng, kept):
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

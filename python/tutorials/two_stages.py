"""Two stages: let grains settle, save them, and take the floor away from what was saved."""

# %%
import tempfile
from pathlib import Path

import numpy as np

import gritstone

scene = gritstone.Scene({
    "dimension": 3,
    "gravity": [0, 0, -9.81],
    "time": {"end": "0.1 s", "step": "20 us"},
    "contact": {"law": "linear"},
    "materials": {"glass": {"density": 2500, "kn": "10 kN/m", "restitution": 0.3, "friction": 0.5}},
    "shapes": {"bead": {"shape": "ellipsoid", "radii": ["5 mm", "4 mm", "3 mm"]}},
    "grains": [
        {
            "from": "lattice",
            "shape": "bead",
            "material": "glass",
            "count": [3, 3, 2],
            "spacing": ["11 mm", "11 mm", "11 mm"],
            "origin": [0, 0, "6 mm"],
            "orientation": "random",
        }
    ],
    "walls": {"floor": {"kind": "plane", "normal": [0, 0, 1], "point": [0, 0, 0], "material": "glass"}},
})

# %% The first stage.
sim = gritstone.Simulation(scene)
sim.run()
path = Path(tempfile.mkdtemp()) / "settled.sim"
sim.save(path)

# %% The second stage goes on with the same bits, in this program or in another.
second = gritstone.Simulation.load(path)
second.remove_wall("floor")
second.step(1)
before, start = second.grains.velocity[:, 2].mean(), second.time
second.step(500)
after, fallen_for = second.grains.velocity[:, 2].mean(), second.time - start

# %% Grains push each other, but together they fall freely.
print(second, after - before)
np.testing.assert_allclose(after - before, -9.81 * fallen_for, rtol=1e-9)

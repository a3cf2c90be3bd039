"""Coupling: grains that fall through air, with a drag from Python."""

# %%
import numpy as np

import gritstone

radius, density, rate = 5e-3, 2500.0, 20.0
mass = density * gritstone.Sphere(radius).volume
sim = gritstone.Simulation({
    "dimension": 3,
    "gravity": [0, 0, -9.81],
    "time": {"end": "0.2 s", "step": "20 us"},
    "contact": {"law": "linear"},
    "materials": {"glass": {"density": density, "kn": "10 kN/m", "restitution": 0.5, "friction": 0.4}},
    "shapes": {"ball": {"shape": "sphere", "radius": radius}},
    "grains": [{"from": "points", "shape": "ball", "material": "glass", "at": [[0, 0, 1], [0.1, 0, 1]]}],
})

# %% Air that rises on one side only: the drag goes with the difference of the velocities.
def drag(now):
    air = np.zeros((len(now.grains.id), 3))
    air[:, 2] = np.where(now.grains.position[:, 0] > 0.05, 0.3, 0.0)
    return rate * mass * (air - now.grains.velocity)


# %% The drag is asked for every ten steps and stays as it is in between.
sim.couple(drag, every=10)
sim.run()

# %% v = air - g / rate * (1 - exp(-rate t)) for the falling part, to the order of ten steps.
decay = np.exp(-rate * sim.time)
expected = (np.array([0.0, 0.3]) - 9.81 / rate) * (1 - decay)
print(sim.grains.velocity[:, 2], expected)
np.testing.assert_allclose(sim.grains.velocity[:, 2], expected, rtol=rate * 10 * 20e-6)

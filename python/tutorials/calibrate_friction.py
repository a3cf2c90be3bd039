"""Calibrate a friction: find the one with which a heap has the slope that was measured."""

# %%
import numpy as np

import gritstone

# The column that collapses is that of the tutorial on the angle of repose.
scene = gritstone.Scene("heap.toml")


def angle(sim):
    x, _, z = sim.grains.position.mean(axis=0)
    return {"angle": np.degrees(np.arctan2(z, x))}


# %% What would come from an experiment is made up here: the slope of stones with a friction of 0.12, which the calibration is
# not told, and which lie in another way.
stones = gritstone.Simulation(scene.set({"materials.stone.friction": 0.12, "grains[0].seed": 7}))
stones.run()
measured = angle(stones)
print(measured)

# %% Brent's method looks for the friction between two bounds whose slope comes nearest.
found = gritstone.calibrate(
    scene, {"materials.stone.friction": (0.03, 0.3)}, measured, measure=angle, max_runs=8, tolerance=0.03
)
print(found)
assert abs(found.values["materials.stone.friction"] - 0.12) < 0.03

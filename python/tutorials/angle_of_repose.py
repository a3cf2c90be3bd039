"""The angle of repose of ellipsoids against their friction: a sweep over columns that collapse."""

# %%
import numpy as np

import gritstone

# A column of 100 ellipsoids, which a gate lets go after 0.15 s: heap.toml, beside this file.
scene = gritstone.Scene("heap.toml")
print(scene.check())


# %% The slope of the triangle that has the heap's centre of mass: it takes all grains into account, where a line through
# the surface has the noise of a few. Of a triangle with height h and length l, the centre is at h / 3 and l / 3.
def angle(sim):
    x, _, z = sim.grains.position.mean(axis=0)
    return {"angle": np.degrees(np.arctan2(z, x))}


# %% A case for each core at a time. With `results="angles.jsonl"` a sweep goes on where it stopped.
table = gritstone.sweep(scene, {"materials.stone.friction": [0.05, 0.1, 0.2, 0.4]}, measure=angle)
for friction, found in zip(table["materials.stone.friction"], table.angle, strict=True):
    print(f"friction {friction:4}: {found:.1f} degrees")
assert (table.error == "").all() and (np.diff(table.angle) > 1).all()

# %% What a heap looks like: in a notebook, `sim.show()` turns it with the mouse.
sim = gritstone.Simulation(scene)
sim.run()
sim.snapshot(view="y", size=400)

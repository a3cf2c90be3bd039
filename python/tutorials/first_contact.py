"""First contact: two shapes, their distance, and how sure it is."""

# %%
import numpy as np

import gritstone

# A grain between an ellipsoid and a box, and a sphere.
grain = gritstone.Superellipsoid(radii=(1, 2, 3), exponents=(0.5, 1.2))
ball = gritstone.Sphere(0.5)
print(grain, grain.volume, ball.volume)

# %% The signed distance, with proven bounds. Along an axis it is known: 2 - 1 - 0.5.
contact = gritstone.distance(grain, ball, position_b=(2, 0, 0))
print(contact)
assert contact.certified and abs(contact.gap - 0.5) < 1e-9

# %% Many pairs at once: a row of balls, each touching the next with an overlap of 0.1.
positions = np.zeros((10, 3))
positions[:, 0] = 0.9 * np.arange(10)
pairs = np.stack([np.arange(9), np.arange(1, 10)], axis=1)
found = gritstone.contacts(ball, positions, None, pairs)
print(found, found.gap)
np.testing.assert_allclose(found.gap, -0.1, rtol=1e-12)

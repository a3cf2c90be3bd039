"""A triaxial test whose servo is written in Python: it holds the stress at the sides while the top comes down."""

# %%
import numpy as np

import gritstone

side, target, kn = 0.09, 5e3, 5e3
names = ["x-low", "x-high", "y-low", "y-high", "z-low", "z-high"]
inward = np.repeat(np.eye(3), 2, axis=0) * np.tile([1.0, -1.0], 3)[:, None]
walls = {
    name: {"kind": "plane", "normal": list(n), "point": list(side * (n < 0)), "material": "plate"}
    for name, n in zip(names, inward, strict=True)
}
sim = gritstone.Simulation({
    "dimension": 3,
    "gravity": [0, 0, 0],
    "time": {"end": "0.6 s", "fraction": 0.05},
    "contact": {"law": "linear"},
    "materials": {
        "stone": {"density": 2500, "kn": kn, "restitution": 0.2, "friction": 0.4},
        "plate": {"density": 2500, "kn": kn, "restitution": 0.2},
    },
    "shapes": {"grain": {"shape": "ellipsoid", "radii": ["6 mm", "5 mm", "4 mm"]}},
    "grains": [
        {
            "from": "lattice",
            "shape": "grain",
            "material": "stone",
            "count": [6, 6, 6],
            "spacing": ["14 mm", "14 mm", "14 mm"],
            "origin": ["10 mm", "10 mm", "10 mm"],
            "orientation": "random",
        }
    ],
    "walls": walls,
})


# %% A wall's stress is its force over its area; the sides follow from where the walls are.
class Box:
    def __init__(self):
        self.low, self.high = np.zeros(3), np.full(3, side)
        self.velocity, self.time = np.zeros(6), 0.0

    def look(self, now):
        """Return the stress on each wall, and the number of contacts of each."""
        moved = self.velocity * (now.time - self.time)
        self.low, self.high, self.time = self.low + moved[::2], self.high - moved[1::2], now.time
        edges = self.high - self.low
        area = np.repeat(edges.prod() / edges, 2)
        order = [list(now.walls["name"]).index(name) for name in names]
        outward = -(now.walls.force[order] * inward).sum(axis=1)
        contacts = now.contacts
        touching = np.bincount(contacts.b[contacts.with_wall], minlength=6)[order]
        return outward / area, area, touching

    def move(self, now, velocity):
        self.velocity = velocity
        for name, n, speed in zip(names, inward, velocity, strict=True):
            now.move_wall(name, speed * n)


# %% The servo: every ten steps each wall gets the velocity with which half of what is missing is made up for until the next
# time. A wall is as stiff as its contacts together; without contacts it comes in at its greatest speed.
box, every, fastest, strain_rate = Box(), 10, 0.3, 0.4
history = []


def servo(now, sheared=False):
    stress, area, touching = box.look(now)
    stiffness = kn * np.maximum(touching, 1) / area
    velocity = 0.5 * (target - stress) / (stiffness * every * now.status.time_step)
    velocity = np.clip(velocity, -fastest, fastest)
    if sheared:
        velocity[4:] = [0.0, strain_rate * (box.high - box.low)[2]]
        history.append([(box.high - box.low)[2], stress[:4].mean(), stress[4:].mean()])
    box.move(now, velocity)


# %% First the same stress on all sides, then the top comes down.
sim.run(until=0.25, callback=servo, every=every)
stress, *_ = box.look(sim)
print("isotropic:", stress)
np.testing.assert_allclose(stress, target, rtol=0.2)
sim.run(until=0.55, callback=lambda now: servo(now, sheared=True), every=every)

# %% The stress at the sides was held, and the grains bore more from above: the ratio is limited by their friction.
height, lateral, axial = np.array(history).T
strain = 1 - height / height[0]
late = strain > 0.05
ratio = axial[late].mean() / lateral[late].mean()
print(f"strain {strain[-1]:.3f}, stress at the sides {lateral[late].mean():.0f} Pa, ratio {ratio:.2f}")
np.testing.assert_allclose(lateral[late].mean(), target, rtol=0.1)
assert 1.5 < ratio < 5

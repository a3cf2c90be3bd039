"""Compare the methods of the literature on your own shapes: how near they come to the proven distance."""

# %%
import time

import numpy as np

import gritstone

# Your shape, and pairs of it at random places and turned at random.
shape = gritstone.Ellipsoid((1.0, 0.8, 0.6))
rng = np.random.default_rng(1)
count = 500
positions = np.concatenate([np.zeros((count, 3)), rng.uniform(-2, 2, (count, 3))])
quaternions = rng.normal(size=(2 * count, 4))
pairs = np.stack([np.arange(count), np.arange(count) + count], axis=1)

# %% The truth: bounds that are proven.
truth = gritstone.contacts(shape, positions, quaternions, pairs)
assert truth.certified.all()
apart = truth.gap > 0

# %% What each method tells, and how long it takes. Methods that do not take the shape say so.
for method in gritstone.methods():
    start = time.perf_counter()
    try:
        found = gritstone.contacts(shape, positions, quaternions, pairs, method.name)
    except TypeError as refusal:
        print(f"{method.name:24} {refusal}")
        continue
    taken = 1e6 * (time.perf_counter() - start) / count
    known = apart & (found.verdict == gritstone.Verdict.APART)
    off = np.abs(found.gap - truth.gap)[known]
    worst = off.max() if known.any() else np.nan
    share = f"{known.sum()} of {apart.sum()} apart"
    print(f"{method.name:24} {taken:8.1f} us a pair, {share}, at worst {worst:.1e} off")

"""Read a run that the command line has made, with pandas and PyVista."""

# %%
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import gritstone

scene = """
dimension = 3
gravity = [0, 0, "-9.81 m/s^2"]
[time]
end = "0.04 s"
step = "20 us"
[contact]
law = "linear"
[materials.glass]
density = 2500
kn = "10 kN/m"
restitution = 0.5
friction = 0.4
[shapes.bead]
shape = "ellipsoid"
radii = ["5 mm", "4 mm", "3 mm"]
[[grains]]
from = "lattice"
shape = "bead"
material = "glass"
count = [2, 2, 2]
spacing = ["11 mm", "11 mm", "11 mm"]
origin = [0, 0, "30 mm"]
orientation = "random"
[output]
every = "4 ms"
"""
home = Path(tempfile.mkdtemp())
(home / "beads.toml").write_text(scene)

# %% `gritstone run beads.toml`, as in a shell.
command = [sys.executable, "-m", "gritstone", "run", str(home / "beads.toml"), "--out", str(home / "out")]
subprocess.run(command, check=True, capture_output=True)

# %% The run, while it goes on or afterwards.
run = gritstone.open(home / "out")
print(run, len(run.frames), run.summary["end"] if run.summary else "goes on")

# %% All frames as one table of pandas: the grains fall freely.
table = run.frames.to_pandas()
height = table.groupby("time")["position_z"].mean()
fallen = height.iloc[0] - height
print(height)
np.testing.assert_allclose(fallen, 0.5 * 9.81 * height.index**2, atol=5e-3 / 8192)

# %% The true surfaces of the last frame; `mesh.plot(scalars="velocity")` shows them.
mesh = run.frames[-1].to_pyvista()
print(mesh.n_cells, mesh.bounds)

"""Runs the Python examples of a document, in an environment with NumPy and the package alone."""

import re
import sys
from importlib.metadata import distributions
from pathlib import Path

import gritstone

# Some versions of Python bring setuptools into every environment.
there = {distribution.metadata["Name"].lower() for distribution in distributions()} - {"pip", "setuptools"}
assert there == {"gritstone", "numpy"}, there

name = sys.argv[1]
blocks = re.findall(r"```python\n(.*?)```", Path(name).read_text(encoding="utf-8"), re.DOTALL)
assert blocks, f"{name} has no example"
for block in blocks:
    exec(compile(block, name, "exec"), {"__name__": "example"})
print(f"{name}: {len(blocks)} examples with gritstone {gritstone.__version__} and NumPy alone")

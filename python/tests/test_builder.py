"""Scenes that are put together table by table."""

import subprocess
import sys
import tomllib

import numpy as np
import pytest
from conftest import ROOT

import gritstone

SCENES = sorted((ROOT / "scenes").glob("*.toml"))
#: What tells the kinds of a table apart.
TAGS = {"grains": "from", "shapes": "shape", "walls": "kind", "probes": "kind"}


def argument(key):
    return "from_" if key == "from" else key


def call(table, key, named, content):
    """Add a table as it stands in a file, by the method of its kind."""
    kind = content[TAGS[key]].replace("-", "_") if key in TAGS else "add"
    keys = {argument(name): value for name, value in content.items() if name != TAGS.get(key)}
    getattr(table, kind)(*named, **keys)


def built(content):
    """Put a scene together that stands in a file."""
    top = {key: content[key] for key in ("title", "dimension", "gravity") if key in content}
    scene = gritstone.SceneBuilder(**top)
    for key, value in content.items():
        part = getattr(scene, key, None)
        if isinstance(value, list) and key != "gravity":
            for each in value:
                call(part, key, (), each)
        elif key in ("time", "stop", "contact", "domain", "cell", "output"):
            part(**value)
        elif isinstance(value, dict):
            for name, each in value.items():
                call(part, key, (name,), each)
    return scene


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_scenes_of_files_are_those_of_the_builder(path):
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    assert built(content).build(folder=path.parent).to_toml() == gritstone.Scene(path).to_toml()


def test_there_are_scenes():
    assert len(SCENES) > 10


def test_its_methods_are_those_of_the_schema():
    schema = subprocess.run(
        [sys.executable, "-m", "gritstone", "schema"], capture_output=True, text=True, check=True
    ).stdout
    tool = ROOT / "python/tools/scene_builder.py"
    made = subprocess.run(
        [sys.executable, str(tool)], input=schema, capture_output=True, text=True, check=True
    ).stdout
    assert made == (ROOT / "python/gritstone/_keys.py").read_text(encoding="utf-8"), tool


def small():
    scene = gritstone.SceneBuilder(dimension=3, gravity=np.array([0, 0, -9.81]))
    scene.time(steps=10)
    scene.materials.add("glass", density=np.float32(2500), young="10 MPa", poisson=0.25)
    scene.shapes.sphere("bead", radius="5 mm")
    scene.grains.points(shape="bead", material="glass", at=np.array([[0.0, 0, 1], [0, 0, 2]]))
    return scene


def test_it_goes_where_a_dict_goes():
    scene = small()
    assert list(scene) == ["dimension", "gravity", "time", "materials", "shapes", "grains"]
    assert gritstone.Simulation(scene).status.grains == 2
    assert gritstone.Simulation(dict(scene)).status.grains == 2
    assert scene.build().to_toml() == gritstone.Scene(dict(scene)).to_toml()


def test_mistakes_are_told_by_their_key():
    scene = small()
    with pytest.raises(TypeError, match="raduis"):
        scene.shapes.sphere("other", raduis=1)
    with pytest.raises(TypeError, match="radius"):
        scene.shapes.sphere("other")
    with pytest.raises(ValueError, match=r"shapes\.bead is there already"):
        scene.shapes.sphere("bead", radius=1)
    with pytest.raises(TypeError, match="a name in shapes is a text, not a int"):
        scene.shapes.sphere(1, radius=1)
    scene.shapes.sphere("other", radius="-5 mm")
    with pytest.raises(gritstone.SceneError, match=r"shapes\.other\.radius is .*-5 mm") as told:
        scene.build()
    with pytest.raises(gritstone.SceneError) as of_dict:
        gritstone.Scene({**scene})
    assert str(told.value) == str(of_dict.value)


def test_limits_can_be_infinite():
    limits = {"low": np.array([-np.inf, -1, 0]), "high": (1, np.float64("inf"), "2 m")}
    scene = small()
    scene.domain(**limits)
    text = scene.build().to_toml()
    assert "low = [-inf, -1.0, 0.0]" in text and "high = [1.0, inf, 2.0]" in text
    scene.materials.add("light", density=np.inf)
    with pytest.raises(gritstone.SceneError, match=r'materials\.light\.density is "inf", but must be a density'):
        scene.build()

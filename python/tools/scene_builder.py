"""Writes gritstone/_keys.py, the methods of the scene builder, from the schema of scenes.

    gritstone schema | python python/tools/scene_builder.py > python/gritstone/_keys.py

A test compares the file with what this prints.
"""

import json
import keyword
import re
import sys
import textwrap

WIDTH = 110

HEAD = '''\
"""Tables and keys of scenes as methods and their arguments: made by python/tools/scene_builder.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from numpy.typing import NDArray

from gritstone._builder import Builder, List, Named

Quantity = float | str
Array = NDArray[Any]
'''

SCENE = '''    """A scene that is put together table by table, with the keys of scene files.

    It is a mapping, the same that a dict would be, and goes wherever a dict with a scene does: into
    `Scene`, `Simulation`, `sweep` and `calibrate`. Keys that are not given have their defaults.

    Parameters
    ----------
    dimension : {2, 3}
        Number of dimensions.
    gravity : sequence of acceleration, finite (m/s^2)
        Acceleration of gravity; zeros for none.
    title : str, optional
        Title of the scene.

    Examples
    --------
    >>> scene = gritstone.SceneBuilder(dimension=3, gravity=[0, 0, -9.81])
    >>> scene.time(end="1 ms")
    >>> scene.materials.add("glass", density=2500, young="10 MPa", poisson=0.25, friction=0.3)
    >>> scene.shapes.sphere("bead", radius="5 mm")
    >>> scene.grains.points(shape="bead", material="glass", at=[[0, 0, 0.01]])
    >>> scene.walls.plane("floor", point=[0, 0, 0], normal=[0, 0, 1], material="glass")
    >>> gritstone.Simulation(scene).status.grains
    1
    """

    def __init__(
        self, *, dimension: Literal[2, 3], gravity: Sequence[Quantity] | Array, title: str | None = None
    ) -> None:
        super().__init__({"title": title, "dimension": dimension, "gravity": gravity})'''

PLAIN = {"boolean": "bool", "string": "str", "integer": "int", "number": "float"}


def is_quantity(schema):
    """Whether it is a number, or a text with a number and its unit."""
    options = schema.get("anyOf", [])
    return len(options) == 2 and any("pattern" in option for option in options)


def annotation(schema):
    """Return the type of a value."""
    if is_quantity(schema):
        return "Quantity"
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    if "oneOf" in schema:
        return "Literal[" + ", ".join(json.dumps(option["const"]) for option in schema["oneOf"]) + "]"
    if "anyOf" in schema:
        types = [each for option in schema["anyOf"] for each in annotation(option).split(" | ")]
        return " | ".join(dict.fromkeys(types))
    if schema.get("type") == "array":
        of = annotation(schema["items"])
        numeric = of in ("Quantity", "int") or of.endswith("| Array")
        return f"Sequence[{of}]" + (" | Array" if numeric else "")
    return PLAIN.get(schema.get("type"), "Mapping[str, Any]")


def in_words(schema):
    """Tell what a value may be, as numpydoc has it."""
    if is_quantity(schema):
        told = next(option["description"] for option in schema["anyOf"] if "pattern" in option)
        unit = re.search(r"a number in ([^,]*),", told)
        return re.sub(r"^an? ", "", told.split(":")[0]) + (f" ({unit[1]})" if unit else "")
    if "enum" in schema:
        return "{" + ", ".join(map(str, schema["enum"])) + "}"
    if "oneOf" in schema:
        return "{" + ", ".join(f'"{option["const"]}"' for option in schema["oneOf"]) + "}"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(in_words(option) for option in schema["anyOf"]))
    if schema.get("type") == "array":
        return f"sequence of {in_words(schema['items'])}"
    return PLAIN.get(schema.get("type"), "mapping")


def wrapped(text, indent):
    """Break a text into lines of a docstring."""
    text = text.replace("\\", "\\\\")
    how = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, **how)


def argument(key):
    """Return the name of an argument: words of Python have a line behind them."""
    return f"{key}_" if keyword.iskeyword(key) else key


def described(key, schema, required):
    """Describe an argument."""
    optional = "" if required else ", optional"
    head = f"        {argument(key)} : {in_words(schema)}{optional}"
    if len(head) > WIDTH:
        head = f"        {argument(key)} : object{optional}"
    text, default = schema.get("description", "").strip(), schema.get("default")
    if default is not None:
        text += f" Default: {json.dumps(default)}."
    return [head, *wrapped(text, "            ")]


def method(name, section, first, put, *, tag=None, named=False):
    """Return a method with the keys of a table as its arguments, which are put where they belong."""
    keys, required = section["properties"], section.get("required", [])
    keys = {key: keys[key] for key in sorted(keys, key=lambda key: key not in required) if key != tag}
    lines = [f"    def {name}(", "        self,"]
    if named:
        lines += ["        name: str,"]
    lines += ["        *,"] * bool(keys)
    for key, of in keys.items():
        may = "" if key in required else " | None = None"
        lines += [f"        {argument(key)}: {annotation(of)}{may},"]
    lines += ["    ) -> None:"]
    lines += [f'        """{first}', "", *wrapped(section["description"], "        ")]
    lines += ["", "        Parameters", "        ----------"]
    if named:
        lines += ["        name : str", "            Its name."]
    for key, of in keys.items():
        lines += described(key, of, key in required)
    lines += ['        """', f"        {put}{{"]
    if tag:
        lines += [f'            "{tag}": "{section["properties"][tag]["const"]}",']
    lines += [f'            "{key}": {argument(key)},' for key in keys]
    return [*lines, "        })"]


def table(key, schema, of):
    """Return the class of named tables, or of a list of tables."""
    named = schema["type"] == "object"
    first = f"Add a table ``[{key}.NAME]``" if named else f"Add a table ``[[{key}]]``"
    put = "self._add(name, " if named else "self._add("
    lines = ["", "", f"class {key.capitalize()}({'Named' if named else 'List'}):"]
    lines += [f'    """{schema["description"]}"""']
    if "oneOf" not in of:
        return [*lines, "", *method("add", of, f"{first}.", put, named=named)]
    for option in of["oneOf"]:
        tag, kind = next((key, of["const"]) for key, of in option["properties"].items() if "const" in of)
        told = f'{first} with ``{tag} = "{kind}"``.'
        lines += ["", *method(kind.replace("-", "_"), option, told, put, tag=tag, named=named)]
    return lines


def main():
    """Write the classes of all tables, then that of the scene."""
    schema = json.load(sys.stdin)

    def definition(reference):
        return schema["$defs"][reference["$ref"].rsplit("/", 1)[1]]

    lines, several, single = HEAD.splitlines(), [], {}
    for key, value in schema["properties"].items():
        inner = value.get("additionalProperties", value.get("items", {}))
        if "$ref" in value:
            single[key] = definition(value)
        elif "$ref" in inner:
            lines += table(key, value, definition(inner))
            several.append(key)
        elif key not in ("dimension", "gravity", "title"):
            raise SystemExit(f"{key} is new at the top of scenes")
    lines += ["", "", "class SceneBuilder(Builder):"]
    lines += SCENE.splitlines()
    for key in several:
        kind = key.capitalize()
        lines += [f'        self.{key}: {kind} = {kind}(self._tables, "{key}")']
    for key, section in single.items():
        lines += ["", *method(key, section, f"Set the table ``[{key}]``.", f'self._set("{key}", ')]
    print("\n".join(lines))


main()

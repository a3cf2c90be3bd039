"""Scenes: what a simulation consists of."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from gritstone import _core


def _plain(value: Any) -> Any:
    """Turn mappings, arrays, numbers of NumPy and paths into what JSON knows; infinities become words."""
    if isinstance(value, Mapping):
        if wrong := [key for key in value if not isinstance(key, str)]:
            raise TypeError(f"keys of a scene are texts, not a {type(wrong[0]).__name__}: {wrong[0]!r}")
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, PathLike):
        return fspath(value)
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(f"a scene cannot hold a {type(value).__name__}: {value!r}")


def to_json(value: Any, what: str) -> str:
    """Write values that a scene can have as JSON."""
    try:
        return json.dumps(_plain(value), allow_nan=False)
    except ValueError as error:
        # Whole numbers of thousands of digits are refused by Python itself.
        nan = "not JSON compliant" in str(error)
        raise ValueError(f"{what} has a NaN" if nan else f"{what} cannot be used: {error}") from None
    except RecursionError:
        raise ValueError(f"{what} holds itself") from None


class Scene:
    """What a simulation consists of, with the names and units of scene files.

    Parameters
    ----------
    source : str, path or mapping
        The text of a scene, the path of a scene file, or the same as a dict or a `SceneBuilder`. A text has
        more than one line.
    folder : path, optional
        Where a text or a dict has its files; default: the working directory.

    Raises
    ------
    SceneError
        Everything that is wrong: with its line in a text, with its key in a dict.

    Examples
    --------
    >>> gritstone.Scene({"dimension": 4})  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    gritstone.SceneError: dimension is 4, but must be 2 or 3
    """

    def __init__(
        self, source: str | PathLike[str] | Mapping[str, Any], *, folder: str | PathLike[str] | None = None
    ) -> None:
        home = Path(folder) if folder is not None else Path()
        if isinstance(source, Mapping):
            self._core = _core.Scene.from_json(to_json(source, "a scene"), home)
        elif isinstance(source, str) and "\n" in source:
            self._core = _core.Scene.parse(source, "scene", home, True)
        elif isinstance(source, str | PathLike):
            self._core = _core.Scene.read(source)
        else:
            raise TypeError(f"a scene is a text, a path or a dict, not a {type(source).__name__}")

    @classmethod
    def _of(cls, core: _core.Scene) -> Scene:
        scene = cls.__new__(cls)
        scene._core = core
        return scene

    def set(self, values: Mapping[str, Any]) -> Scene:
        """Return the same scene with some keys set, as ``gritstone run --set`` does.

        Parameters
        ----------
        values : mapping
            Values by key: ``{"materials.stone.friction": 0.3, "grains[0].count": 500}``.

        Returns
        -------
        Scene

        Examples
        --------
        >>> softer = gritstone.Scene("beads.toml").set({"materials.glass.kn": "5 kN/m"})
        >>> "kn = 5000" in softer.to_toml()
        True
        """
        if not isinstance(values, Mapping):
            raise TypeError(f"values are by key, not in a {type(values).__name__}")
        return self._of(self._core.assigned([(key, to_json(value, key)) for key, value in values.items()]))

    def check(self) -> str:
        """Return what there is to know before it runs, in words, as ``gritstone check`` prints it.

        Returns
        -------
        str
        """
        return self._core.check()

    def to_toml(self) -> str:
        """Return the scene as TOML, in SI units, with every default written out.

        Returns
        -------
        str
        """
        return self._core.to_toml()

    def __repr__(self) -> str:
        """Tell its name."""
        return f"<Scene {self._core.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the text."""
        core = self._core
        return _unpickle, (core.text, core.name, core.folder, core.has_lines)


def _unpickle(text: str, name: str, folder: Path, has_lines: bool) -> Scene:
    return Scene._of(_core.Scene.parse(text, name, folder, has_lines))

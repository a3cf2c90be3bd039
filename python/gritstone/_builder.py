"""What the builder of scenes is made of; its tables and keys are in _keys.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any

from gritstone._scene import Scene

Tables = dict[str, Any]


def _given(keys: Mapping[str, Any]) -> Tables:
    return {key: value for key, value in keys.items() if value is not None}


class List:
    """A list of tables of a scene."""

    def __init__(self, tables: Tables, key: str) -> None:
        self._tables, self._key = tables, key

    def _add(self, keys: Mapping[str, Any]) -> None:
        self._tables.setdefault(self._key, []).append(_given(keys))

    def __repr__(self) -> str:
        """Tell what is in it."""
        return f"<{self._key}: {self._tables.get(self._key, [])!r}>"


class Named:
    """Named tables of a scene."""

    def __init__(self, tables: Tables, key: str) -> None:
        self._tables, self._key = tables, key

    def _add(self, name: str, keys: Mapping[str, Any]) -> None:
        there = self._tables.get(self._key, {})
        if not isinstance(name, str):
            raise TypeError(f"a name in {self._key} is a text, not a {type(name).__name__}")
        if name in there:
            raise ValueError(f"{self._key}.{name} is there already")
        self._tables[self._key] = {**there, name: _given(keys)}

    def __repr__(self) -> str:
        """Tell what is in it."""
        return f"<{self._key}: {self._tables.get(self._key, {})!r}>"


class Builder(Mapping[str, Any]):
    """Tables of a scene, as a mapping."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._tables = _given(tables)

    def _set(self, key: str, keys: Mapping[str, Any]) -> None:
        self._tables[key] = _given(keys)

    def build(self, *, folder: str | PathLike[str] | None = None) -> Scene:
        """Check it, and return the scene.

        Parameters
        ----------
        folder : path, optional
            Where the scene has its files; default: the working directory.

        Returns
        -------
        Scene

        Raises
        ------
        SceneError
            Everything that is wrong, with its key.
        """
        return Scene(self, folder=folder)

    def __getitem__(self, key: str) -> Any:
        """Return a table, or a value at the top."""
        return self._tables[key]

    def __iter__(self) -> Iterator[str]:
        """Go through the keys at the top."""
        return iter(self._tables)

    def __len__(self) -> int:
        """Return the number of keys at the top."""
        return len(self._tables)

    def __repr__(self) -> str:
        """Tell what is in it."""
        return f"{type(self).__name__}({self._tables!r})"

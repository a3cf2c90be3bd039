"""Calibration: the values with which a scene gives what was measured elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gritstone._scene import Scene
from gritstone._sweep import checked, measured

if TYPE_CHECKING:
    import os

    from gritstone._sweep import Measure


@dataclass(frozen=True)
class Calibration:
    """What a calibration has found.

    Attributes
    ----------
    values : dict
        The best value of each key.
    measured : dict
        What was measured with them.
    misfit : float
        Root mean square of the relative differences from the target.
    runs : int
        How many simulations it took.
    """

    values: dict[str, float]
    measured: dict[str, float]
    misfit: float
    runs: int


def calibrate(
    scene: Scene | str | os.PathLike[str] | Mapping[str, Any],
    parameters: Mapping[str, tuple[float, float]],
    target: Mapping[str, float],
    *,
    measure: Measure,
    max_runs: int = 40,
    tolerance: float = 1e-2,
) -> Calibration:
    """Find the values with which a scene gives what was measured elsewhere. Needs SciPy.

    One parameter is found by Brent's method, several by that of Nelder and Mead, both within their bounds.
    Both look for one minimum: of a misfit with several, they find one of them.

    Parameters
    ----------
    scene : Scene, or what one is made from
        The scene.
    parameters : mapping
        Lower and upper bound by key: ``{"materials.stone.friction": (0.1, 0.9)}``.
    target : mapping
        The numbers to be met, none of them zero, by the names that `measure` returns.
    measure : callable or list of str
        Takes the simulation at the end of the scene and returns numbers by name; or names of the
        summary's numbers, such as ``"probes.slope.angle.last"``.
    max_runs : int
        How many simulations it may take.
    tolerance : float
        How near to its best value each parameter must come, as a fraction of its bounds' distance.

    Returns
    -------
    Calibration

    Examples
    --------
    The density with which a ball has a mass of 2 kg:

    >>> scene = gritstone.Scene({
    ...     "dimension": 3,
    ...     "gravity": [0, 0, -9.81],
    ...     "time": {"steps": 1, "step": "20 us"},
    ...     "contact": {"law": "linear"},
    ...     "materials": {"rock": {"density": 2500, "kn": "10 kN/m"}},
    ...     "shapes": {"ball": {"shape": "sphere", "radius": "5 cm"}},
    ...     "grains": [{"from": "points", "shape": "ball", "material": "rock", "at": [[0, 0, 1]]}],
    ... })
    >>> def mass(sim):
    ...     return {"mass": sim.energies["potential"] / 9.81}
    >>> found = gritstone.calibrate(
    ...     scene, {"materials.rock.density": (1000, 8000)}, {"mass": 2.0}, measure=mass, tolerance=1e-4
    ... )
    >>> round(found.values["materials.rock.density"], -1)
    3820.0
    """
    from scipy import optimize

    how = checked(measure)
    low, width = _bounds(parameters)
    _check(target, max_runs, tolerance)
    whole = scene if isinstance(scene, Scene) else Scene(scene)
    tried: list[tuple[float, dict[str, float], dict[str, float]]] = []

    def misfit(share: Any) -> float:
        numbers = low + width * np.clip(np.atleast_1d(share), 0.0, 1.0)
        values = dict(zip(parameters, map(float, numbers), strict=True))
        try:
            found = measured(whole, values, how)
        except Exception as error:
            error.add_note(f"with {values}")
            raise
        tried.append((_misfit(found, target), values, found))
        return tried[-1][0]

    if len(parameters) == 1:
        options = {"xatol": tolerance, "maxiter": max_runs}
        optimize.minimize_scalar(misfit, bounds=(0.0, 1.0), method="bounded", options=options)
    else:
        options = {"xatol": tolerance, "fatol": np.inf, "maxfev": max_runs}
        start = np.full(len(parameters), 0.5)
        bounds = [(0.0, 1.0)] * len(parameters)
        optimize.minimize(misfit, start, method="Nelder-Mead", bounds=bounds, options=options)
    best, values, numbers = min(tried, key=lambda row: row[0])
    return Calibration(values, numbers, best, len(tried))


def _bounds(parameters: Mapping[str, tuple[float, float]]) -> tuple[Any, Any]:
    """Return the lower bounds and the widths."""
    if not parameters:
        raise ValueError("parameters is empty, but must have at least one key with its bounds")
    for key, bounds in parameters.items():
        pair = np.asarray(bounds, dtype=float)
        if pair.shape != (2,) or not np.isfinite(pair).all() or not pair[0] < pair[1]:
            raise ValueError(f"parameters has {key!r}: {bounds!r}, but must have a lower and an upper bound")
    low, high = np.array(list(parameters.values()), dtype=float).T
    return low, high - low


def _check(target: Mapping[str, float], max_runs: int, tolerance: float) -> None:
    if not target:
        raise ValueError("target is empty, but must have at least one number to be met")
    if zero := [name for name, number in target.items() if number == 0 or not np.isfinite(number)]:
        raise ValueError(f"target has {zero[0]!r} = {target[zero[0]]}, but must be finite and not zero")
    if max_runs < 1:
        raise ValueError(f"max_runs is {max_runs}, but must be at least 1")
    if not 0 < tolerance < 1:
        raise ValueError(f"tolerance is {tolerance}, but must lie in (0, 1)")


def _misfit(found: Mapping[str, float], target: Mapping[str, float]) -> float:
    """Return the root mean square of the relative differences."""
    for name in target:
        if name not in found:
            raise ValueError(f"target has {name!r}, but what was measured has {', '.join(found)}")
        if not np.isfinite(found[name]):
            raise ValueError(f"{name!r} was measured as {found[name]}, but must be finite")
    return float(np.sqrt(np.mean([(found[name] / number - 1.0) ** 2 for name, number in target.items()])))

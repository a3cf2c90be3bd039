"""Sweeps over parameters, and calibration."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gritstone._scene import Scene, _plain
from gritstone._simulation import Simulation
from gritstone._table import Table

Measure = Callable[[Simulation], Mapping[str, float]]


def _measured(scene: Scene, values: Mapping[str, Any], measure: Measure) -> dict[str, float]:
    """Run a scene with some values set to its end, and measure."""
    sim = Simulation(scene.set(values), threads=1)
    sim.run(progress=False)
    return {name: float(number) for name, number in measure(sim).items()}


def _name(values: Mapping[str, Any]) -> str:
    """Name a case by its values."""
    return json.dumps(values, sort_keys=True, default=_plain)


def sweep(
    scene: Scene | str | os.PathLike[str] | Mapping[str, Any],
    parameters: Mapping[str, Iterable[Any]],
    *,
    measure: Measure,
    executor: Executor | None = None,
    results: str | os.PathLike[str] | None = None,
) -> Table:
    """Run a scene with every combination of some values, and measure each.

    Parameters
    ----------
    scene : Scene, or what one is made from
        The scene.
    parameters : mapping
        Values to take, by key: ``{"materials.stone.friction": [0.1, 0.3], "grains[0].seed": range(5)}``.
    measure : callable
        Takes the simulation at the end of the scene and returns numbers by name. Other
        processes must be able to import it.
    executor : concurrent.futures.Executor, optional
        Who runs the cases; default: a process for each core. Any executor will do, such as
        those of Dask, mpi4py and submitit.
    results : path, optional
        A file with a line of JSON for each case that is done. Cases in it are not run again,
        except those that failed.

    Returns
    -------
    Table
        A row for each case, in the order of the combinations: its values, what was measured, and
        ``error``, a text that is empty where all went well. Numbers that a failed case lacks are NaN.
    """
    whole = scene if isinstance(scene, Scene) else Scene(scene)
    names = list(parameters)
    cases = [dict(zip(names, values, strict=True)) for values in itertools.product(*parameters.values())]
    path = Path(results) if results is not None else None
    done = _done_before(path)
    missing = [case for case in cases if _name(case) not in done]
    if missing:
        if executor is None:
            # Processes are started anew: a process that is forked off has none of the threads of this one.
            with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as own:
                _run_cases(own, whole, missing, measure, done, path)
        else:
            _run_cases(executor, whole, missing, measure, done, path)
    return _table_of(cases, done)


def _done_before(path: Path | None) -> dict[str, dict[str, Any]]:
    """Read the cases of a file that went well; a line that is not whole is left out."""
    done: dict[str, dict[str, Any]] = {}
    if path is None or not path.exists():
        return done
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        if not row["error"]:
            done[_name(row["values"])] = row
    return done


def _run_cases(
    executor: Executor,
    scene: Scene,
    cases: list[dict[str, Any]],
    measure: Measure,
    done: dict[str, dict[str, Any]],
    path: Path | None,
) -> None:
    """Run cases, and note each as soon as it is done."""
    futures: dict[Future[dict[str, float]], dict[str, Any]] = {
        executor.submit(_measured, scene, case, measure): case for case in cases
    }
    for future in as_completed(futures):
        case, error = futures[future], future.exception()
        row = {
            "values": case,
            "measured": {} if error else future.result(),
            "error": f"{type(error).__name__}: {error}" if error else "",
        }
        done[_name(case)] = row
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, default=_plain) + "\n")


def _table_of(cases: list[dict[str, Any]], done: Mapping[str, dict[str, Any]]) -> Table:
    """Make a row of each case."""
    rows = [done[_name(case)] for case in cases]
    measured = list(dict.fromkeys(name for row in rows for name in row["measured"]))
    columns = {name: np.array([case[name] for case in cases]) for name in (cases[0] if cases else {})}
    columns |= {name: np.array([row["measured"].get(name, np.nan) for row in rows]) for name in measured}
    columns["error"] = np.array([row["error"] for row in rows], dtype=object)
    return Table(columns)


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

    Parameters
    ----------
    scene : Scene, or what one is made from
        The scene.
    parameters : mapping
        Lower and upper bound by key: ``{"materials.stone.friction": (0.1, 0.9)}``.
    target : mapping
        The numbers to be met, none of them zero, by the names that `measure` returns.
    measure : callable
        Takes the simulation at the end of the scene and returns numbers by name.
    max_runs : int
        How many simulations it may take.
    tolerance : float
        How near to its best value each parameter must come, as a fraction of its bounds' distance.

    Returns
    -------
    Calibration
    """
    from scipy import optimize

    if zero := [name for name, number in target.items() if number == 0 or not np.isfinite(number)]:
        raise ValueError(f"target has {zero[0]!r} = {target[zero[0]]}, but must be finite and not zero")
    whole = scene if isinstance(scene, Scene) else Scene(scene)
    low = np.array([bounds[0] for bounds in parameters.values()], dtype=float)
    width = np.array([bounds[1] for bounds in parameters.values()], dtype=float) - low
    if (~(width > 0)).any():
        raise ValueError("parameters must have bounds with the lower one first")
    tried: list[tuple[float, dict[str, float], dict[str, float]]] = []

    def misfit(share: Any) -> float:
        numbers = low + width * np.clip(np.atleast_1d(share), 0.0, 1.0)
        values = dict(zip(parameters, map(float, numbers), strict=True))
        measured = _measured(whole, values, measure)
        off = [measured[name] / number - 1.0 for name, number in target.items()]
        tried.append((float(np.sqrt(np.mean(np.square(off)))), values, measured))
        return tried[-1][0]

    if len(parameters) == 1:
        options = {"xatol": tolerance, "maxiter": max_runs}
        optimize.minimize_scalar(misfit, bounds=(0.0, 1.0), method="bounded", options=options)
    else:
        options = {"xatol": tolerance, "fatol": 0.0, "maxfev": max_runs}
        start = np.full(len(parameters), 0.5)
        bounds = [(0.0, 1.0)] * len(parameters)
        optimize.minimize(misfit, start, method="Nelder-Mead", bounds=bounds, options=options)
    best, values, measured = min(tried, key=lambda row: row[0])
    return Calibration(values, measured, best, len(tried))

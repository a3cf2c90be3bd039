"""Sweeps: a scene with every combination of some values."""

from __future__ import annotations

import importlib.util
import json
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from gritstone import _core
from gritstone._progress import Progress, can_show
from gritstone._scene import Scene, to_json
from gritstone._simulation import Simulation
from gritstone._table import Table
from gritstone._workers import Processes

#: Returns numbers by name, or names numbers of the summary.
Measure = Callable[[Simulation], Mapping[str, float]] | Sequence[str]

#: Steps between two checks whether a case is cancelled; seconds between two polls of jobs without callbacks.
_LOOK_EVERY, _ASK_EVERY = 1000, 0.2


def measured(
    scene: Scene, values: Mapping[str, Any], measure: Measure, stop: threading.Event | None = None
) -> dict[str, float]:
    """Run a scene with some values set to its end, and measure."""
    sim = Simulation(scene.set(values) if values else scene, threads=1)
    if not callable(measure):
        # An unknown name is reported before the first step.
        sim._core.measure(list(measure))
    go_on = None if stop is None else lambda _: not stop.is_set()
    sim.run(callback=go_on, every=_LOOK_EVERY, progress=False)
    if stop is not None and stop.is_set():
        raise RuntimeError("the sweep was stopped")
    if not callable(measure):
        return dict(sim._core.measure(list(measure)))
    numbers = measure(sim)
    if not isinstance(numbers, Mapping):
        raise TypeError(f"measure returned a {type(numbers).__name__}, but must return numbers by name")
    return {str(name): float(number) for name, number in numbers.items()}


def checked(measure: Measure) -> Measure:
    """Refuse what is neither a function nor a list of names."""
    if callable(measure):
        return measure
    if isinstance(measure, str) or not all(isinstance(name, str) for name in measure):
        raise TypeError("measure must be a function, or a list of names of the summary's numbers")
    return list(measure)


def sweep(
    scene: Scene | str | os.PathLike[str] | Mapping[str, Any],
    parameters: Mapping[str, Iterable[Any]] | None = None,
    *,
    measure: Measure | None = None,
    executor: Executor | None = None,
    results: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> Table:
    """Run a scene with every combination of some values, and measure each case at its end.

    Parameters
    ----------
    scene : Scene, or what one is made from; or path
        The scene. Without `parameters`, the path of a sweep file, as ``gritstone sweep`` runs it.
    parameters : mapping, optional
        Values to take, by key: ``{"materials.stone.friction": [0.1, 0.3], "grains[0].seed": range(5)}``.
    measure : callable or list of str, optional
        Takes the simulation at the end of the scene and returns numbers by name; or names of the
        summary's numbers, such as ``"probes.slope.angle.last"``. Needed with `parameters`; without,
        default: what the sweep file says.
    executor : concurrent.futures.Executor, optional
        Who runs the cases: any object with ``submit``, such as the executors of Dask, mpi4py and
        submitit. Default: a process for each core, or threads where `measure` was defined in a notebook or
        in the script itself, so that no other process can import it.
    results : path, optional
        A file with a line of JSON for each case that is done. Cases in it are not run again, except
        those that failed and those whose scene has changed since. A changed function is not
        noticed. Default: what a sweep file says, else none.
    progress : bool, optional
        Whether to show a bar of progress; default: on a terminal and in a notebook.

    Returns
    -------
    Table
        A row for each case, in the order of the combinations, the last key changing fastest: its values,
        what was measured, and ``error``, a text that is empty where all went well. Numbers that a
        failed case lacks are NaN.

    Raises
    ------
    SceneError
        No case has a scene that can be used.

    Examples
    --------
    >>> scene = gritstone.Scene({
    ...     "dimension": 3,
    ...     "gravity": [0, 0, -9.81],
    ...     "time": {"end": "10 ms", "step": "20 us"},
    ...     "contact": {"law": "linear"},
    ...     "materials": {"glass": {"density": 2500, "kn": "10 kN/m", "friction": 0.3}},
    ...     "shapes": {"bead": {"shape": "sphere", "radius": "5 mm"}},
    ...     "grains": [{"from": "points", "shape": "bead", "material": "glass", "at": [[0, 0, 1]]}],
    ... })
    >>> table = gritstone.sweep(scene, {"time.end": ["10 ms", "20 ms"]}, measure=["time", "grains"])
    >>> table.time, table.error
    (array([0.01, 0.02]), array(['', ''], dtype=object))
    """
    core, how, path = _plan(scene, parameters, measure, results)
    work = _Sweep(core, how, path)
    work.look()
    if work.missing:
        count = min(os.cpu_count() or 1, len(work.missing))
        given = _Given(executor) if executor is not None else _Own(how, count)
        shown = Progress(len(work.cases)) if (can_show() if progress is None else progress) else None
        work.run(given, shown)
    return work.table()


def _plan(
    scene: Any, parameters: Any, measure: Measure | None, results: Any
) -> tuple[_core.Sweep, Measure, Path | None]:
    """Read a sweep: the cases, what to measure, and where results go."""
    path = Path(results) if results is not None else None
    if parameters is None:
        if not isinstance(scene, str | os.PathLike) or "\n" in str(scene):
            raise TypeError("parameters is missing; without it, scene must be the path of a sweep file")
        core, default = _core.Sweep.read(scene)
        how = core.measure if measure is None else checked(measure)
        if callable(how):
            raise TypeError("measure is a function, but a sweep file has names of numbers of the summary")
        return core.measuring(how), how, path or Path(default)
    if measure is None:
        raise TypeError("measure is missing: a function, or a list of names of the summary's numbers")
    how = checked(measure)
    lists: dict[str, list[Any]] = {}
    for key, values in parameters.items():
        if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
            raise TypeError(f"parameters has {key!r}: {values!r}, but must have a list of values")
        lists[key] = list(values)
    names = [_called(how)] if callable(how) else list(how)
    whole = scene if isinstance(scene, Scene) else Scene(scene)
    text = to_json(list(lists.items()), "parameters")
    return _core.Sweep(whole._core, text, names), how, path


class _Sweep:
    """The cases of a sweep: which are done, and what came out."""

    def __init__(self, core: _core.Sweep, measure: Measure, path: Path | None) -> None:
        self.core, self.measure, self.cases = core, measure, core.values()
        self.ledger = _core.Ledger(path)
        self.rows: dict[int, tuple[dict[str, float], str]] = {}
        self.missing: dict[int, tuple[Scene, str]] = {}

    def look(self) -> None:
        """Find what is done already; where no case has a scene that can be used, that is an error."""
        wrong: dict[int, _core.SceneError] = {}
        for number in range(len(self.cases)):
            try:
                scene, key = self.core.case(number)
            except _core.SceneError as error:
                wrong[number] = error
                continue
            if (known := self.ledger.done(key)) is not None:
                self.rows[number] = dict(known), ""
            else:
                self.missing[number] = Scene._of(scene), key
        if len(wrong) == len(self.cases):
            raise wrong[0]
        for number, why in wrong.items():
            self.note(number, {}, why)

    def note(self, number: int, measured: Mapping[str, float], error: BaseException | None) -> None:
        """Note a case that is done."""
        key = self.missing[number][1] if number in self.missing else ""
        told = f"{type(error).__name__}: {error}" if error is not None else ""
        self.rows[number] = dict(measured), told
        self.ledger.note(key, self.cases[number], list(measured.items()), told)

    def run(self, given: _Given, shown: Progress | None) -> None:
        """Run what is missing, and note each case as soon as it is done."""
        with given:
            numbers = {
                given.submit(scene, self.measure): number for number, (scene, _) in self.missing.items()
            }
            try:
                for future in _as_done(list(numbers)):
                    try:
                        self.note(numbers[future], future.result(), None)
                    # A function may end with sys.exit(), as a process of its own would.
                    except (Exception, SystemExit) as error:
                        self.note(numbers[future], {}, error)
                    if shown:
                        shown.show(len(self.rows), f"{len(self.rows)} of {len(self.cases)} cases")
            except BaseException:
                given.stop(list(numbers))
                raise
            finally:
                if shown:
                    shown.close()

    def table(self) -> Table:
        """Make a row of each case."""
        rows = [self.rows[number] for number in range(len(self.cases))]
        keys = [key for key, _ in self.cases[0]]
        columns: dict[str, Any] = {}
        for i, key in enumerate(keys):
            columns[key] = _column([json.loads(case[i][1]) for case in self.cases])
        for name in dict.fromkeys(name for measured, _ in rows for name in measured):
            columns[name] = np.array([measured.get(name, np.nan) for measured, _ in rows])
        columns["error"] = np.array([error for _, error in rows], dtype=object)
        return Table(columns)


def _column(values: list[Any]) -> Any:
    """Make a column of values, numbers where all are."""
    if all(isinstance(value, bool) for value in values):
        return np.array(values, dtype=bool)
    if all(isinstance(value, int | float) for value in values):
        return np.array(values)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _as_done(futures: list[Any]) -> Iterator[Any]:
    """Go through futures as they are done, also those of executors that have futures of their own."""
    if all(isinstance(future, Future) for future in futures):
        yield from as_completed(futures)
        return
    while futures:
        done = [future for future in futures if future.done()]
        futures = [future for future in futures if future not in done]
        yield from done
        if futures:
            time.sleep(_ASK_EVERY)


class _Given:
    """An executor that is given: it is not ended."""

    def __init__(self, executor: Any) -> None:
        if not callable(getattr(executor, "submit", None)):
            raise TypeError(f"executor must have a method submit, as a {type(executor).__name__} has not")
        self.executor = executor

    def __enter__(self) -> _Given:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, scene: Scene, measure: Measure) -> Any:
        return self.executor.submit(measured, scene, {}, measure)

    def stop(self, futures: list[Any]) -> None:
        """Give up what has not begun."""
        for future in futures:
            with suppress(Exception):
                future.cancel()


class _Own(_Given):
    """Processes of this machine; threads where other processes cannot import the function."""

    def __init__(self, measure: Measure, count: int) -> None:
        self._threads = callable(measure) and not _is_importable(measure)
        self._stop = threading.Event()
        super().__init__(ThreadPoolExecutor(count) if self._threads else Processes(count))

    def __exit__(self, *_: object) -> None:
        self.executor.shutdown()

    def submit(self, scene: Scene, measure: Measure) -> Any:
        return self.executor.submit(measured, scene, {}, measure, *([self._stop] if self._threads else []))

    def stop(self, futures: list[Any]) -> None:
        """Give up all."""
        self._stop.set()
        self.executor.shutdown(wait=False, cancel_futures=True)


def _called(function: Any) -> str:
    """Return the name of a function, or of the class of what can be called like one."""
    of = function if hasattr(function, "__qualname__") else type(function)
    return f"{of.__module__}.{of.__qualname__}()"


def _is_importable(function: Any) -> bool:
    """Tell whether another process can have a function by the name of its module."""
    module = getattr(function, "__module__", None) or type(function).__module__
    try:
        there = module != "__main__" and importlib.util.find_spec(module) is not None
        return there and pickle.loads(pickle.dumps(function)) is not None
    except Exception:
        return False

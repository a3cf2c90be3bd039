"""Processes of this machine for the cases of a sweep."""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def _send(pipe: IO[bytes], value: Any) -> None:
    content = pickle.dumps(value)
    pipe.write(len(content).to_bytes(8, "little") + content)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    length = int.from_bytes(pipe.read(8), "little")
    content = pipe.read(length)
    if not length or len(content) < length:
        raise EOFError
    return content


def serve() -> None:
    """Answer calls until the other end is closed; runs in a process of its own."""
    # What a function prints must not get among the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            call = _receive(sys.stdin.buffer)
        except EOFError:
            return
        try:
            function, arguments = pickle.loads(call)
            answer = (True, function(*arguments))
        except Exception as error:
            answer = (False, error)
        try:
            _send(answers, answer)
        except Exception as error:
            _send(answers, (False, RuntimeError(f"{answer[1]!r} ({error})")))


class Processes(Executor):
    """An executor with processes of their own.

    Other than with ``concurrent.futures.ProcessPoolExecutor``, a script needs no
    ``if __name__ == "__main__"``, and a process that ends without an answer fails its own call alone.
    """

    def __init__(self, count: int) -> None:
        self._calls: queue.SimpleQueue[tuple[Future[Any], Any, Any] | None] = queue.SimpleQueue()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock, self._closed = threading.Lock(), False
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a process call a function that it can import."""
        if kwargs:
            raise TypeError("arguments have no names here")
        future: Future[Any] = Future()
        self._calls.put((future, fn, args))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes; with `cancel_futures` at once."""
        if cancel_futures:
            with self._lock:
                self._closed = True
                for process in self._running:
                    process.kill()
        for _ in self._threads:
            self._calls.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _work(self) -> None:
        process: subprocess.Popen[bytes] | None = None
        while (call := self._calls.get()) is not None:
            future, function, arguments = call
            if self._closed or not future.set_running_or_notify_cancel():
                future.cancel()
                continue
            try:
                process = process or self._start()
                _send(process.stdin, (function, arguments))  # type: ignore[arg-type]
                fine, answer = pickle.loads(_receive(process.stdout))  # type: ignore[arg-type]
            except (EOFError, BrokenPipeError):
                code = process.wait() if process else None
                fine, answer = False, RuntimeError(f"the process of the case ended with the code {code}")
                self._forget(process)
                process = None
            except Exception as error:
                fine, answer = False, error
            if fine:
                future.set_result(answer)
            else:
                future.set_exception(answer)
        if process is not None:
            process.communicate()
            self._forget(process)

    def _start(self) -> subprocess.Popen[bytes]:
        # Modules are found where this process finds them.
        serve = f"import sys; sys.path[:] = {sys.path!r}; from gritstone._workers import serve; serve()"
        command = [sys.executable, "-c", serve]
        with self._lock:
            if self._closed:
                raise RuntimeError("the sweep was stopped")
            # Ctrl-C is for the process that waits; it ends the others.
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
            self._running.add(process)
        return process

    def _forget(self, process: subprocess.Popen[bytes] | None) -> None:
        with self._lock:
            self._running.discard(process)  # type: ignore[arg-type]

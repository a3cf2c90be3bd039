"""A bar of progress, in a terminal and in a notebook."""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any

#: Seconds between two pictures of the bar.
_INTERVAL = 0.2


def _in_notebook() -> bool:
    """Tell whether a notebook's kernel runs this."""
    if "IPython" not in sys.modules:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def can_show() -> bool:
    """Tell whether someone would see the bar."""
    return sys.stderr.isatty() or _in_notebook()


class Progress:
    """A bar that is drawn a few times a second; `piece` is how many steps to make until it is asked again."""

    def __init__(self, last: int) -> None:
        self.last, self.piece, self._shown = last, 10, 0.0
        self._handle: Any = None
        self._notebook = _in_notebook()

    def is_due(self) -> bool:
        """Tell whether it is time to draw, and adapt `piece` to how fast steps are."""
        due = time.monotonic() - self._shown >= _INTERVAL
        self.piece = max(self.piece // 2, 1) if due else min(2 * self.piece, 10_000)
        return due

    def show(self, step: int, words: str) -> None:
        """Draw the bar."""
        self._shown = time.monotonic()
        share = step / max(self.last, 1)
        if self._notebook:
            self._show_html(share, words)
            return
        bar = "#" * int(30 * share)
        sys.stderr.write(f"\r[{bar:30}] {100 * share:3.0f} %  {words} ")
        sys.stderr.flush()

    def _show_html(self, share: float, words: str) -> None:
        notebook = importlib.import_module("IPython.display")
        html = notebook.HTML(f'<progress value="{share:.4f}"></progress> {100 * share:.0f} %, {words}')
        if self._handle is None:
            self._handle = notebook.display(html, display_id=True)
        else:
            self._handle.update(html)

    def close(self) -> None:
        """End the line."""
        if not self._notebook:
            sys.stderr.write("\n")

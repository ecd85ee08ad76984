"""What a command prints: results to standard output, everything else to standard error."""

import io
import json
import sys
import threading
import time
from types import TracebackType
from typing import Any

from mjenv.errors import MjenvError

FIRST_AFTER = 3.0
EVERY = 5.0


class CallError(MjenvError):
    """Arguments that make no sense."""


def say(text: str) -> None:
    """Print a line for the person at the terminal."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """Print a result as one line of JSON."""
    print(json.dumps(value, ensure_ascii=False))


def print_table(rows: list[list[str]], indent: str = "") -> None:
    """Print rows in columns; the last column is as wide as it is."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        print(indent + "  ".join(cells).rstrip())


def survive_narrow_encodings() -> None:
    """Let a terminal that cannot show a character show a question mark instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


class Progress:
    """Says every few seconds how far something is, so that nobody waits in the dark.

    Args:
        what: What is being counted, such as ``"deals"``.
        total: How many there will be, if that is known.
        first_after: Seconds of silence at the beginning.
        every: Seconds between two lines.
    """

    def __init__(
        self,
        what: str,
        total: int | None = None,
        first_after: float | None = None,
        every: float = EVERY,
    ) -> None:
        self._what = what
        self._total = total
        self._first_after = FIRST_AFTER if first_after is None else first_after
        self._every = every
        self._done = 0
        self._told = ""
        self._over = threading.Event()
        # A thread: nothing else gets a word in while the first kernel is being compiled.
        self._thread = threading.Thread(target=self._speak, daemon=True)

    def __enter__(self) -> "Progress":
        self._start = time.monotonic()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def advance(self, number: int = 1) -> None:
        """Count what was done."""
        self._done += number

    def tell(self, how_far: str) -> None:
        """Say that from now on, in the place of numbers."""
        self._told = how_far

    def _speak(self) -> None:
        wait = self._first_after
        while not self._over.wait(wait):
            wait = self._every
            seconds = time.monotonic() - self._start
            if self._told:
                say(f"{self._what}: {self._told}, after {seconds:.0f} s")
            elif self._done == 0:
                say(f"{self._what}: {seconds:.0f} s so far")
            else:
                of = "" if self._total is None else f" of {self._total}"
                say(f"{self._what}: {self._done}{of} after {seconds:.0f} s")

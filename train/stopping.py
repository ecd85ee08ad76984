"""Ctrl-C and SIGTERM end a run between two updates, not in the middle of one."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


@contextmanager
def stop_signals() -> Iterator[list[int]]:
    """Collect the signals that ask to stop; a second one acts at once, as usual."""
    received: list[int] = []
    wanted = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in wanted}

    def stop(number: int, _frame: object) -> None:
        received.append(number)
        signal.signal(number, before[signal.Signals(number)])

    for number in wanted:
        signal.signal(number, stop)
    try:
        yield received
    finally:
        for number in wanted:
            signal.signal(number, before[number])

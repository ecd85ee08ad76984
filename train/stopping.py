"""What Ctrl-C and SIGTERM do to a run: end it between two updates, or both the same way."""

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


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """SIGTERM raises KeyboardInterrupt, as Ctrl-C does, so that nothing is left behind."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

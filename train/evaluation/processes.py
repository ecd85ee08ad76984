"""Processes that play, which end with the process that started them, and at its word.

Ctrl-C reaches every process of a terminal. These leave it to the one that started them, also while
they are still loading or compiling, and wait for the end of a line to it: when it closes that line,
or is ended itself, they end at once, and the programs of their agents with them.
"""

import io
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, redirect_stderr, suppress
from multiprocessing import active_children, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Semaphore
from typing import ParamSpec, TypeVar

from agents.launcher import end_all_programs
from mjenv.core.kernel import announce_compiling

P = ParamSpec("P")
R = TypeVar("R")

PATIENCE = 1.8
"""Seconds in which a process has to end at a word, before it is ended."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Processes:
    """Other processes that carry out what they are given.

    Args:
        number: How many.
    """

    def __init__(self, number: int) -> None:
        context = get_context("spawn")  # a forked copy of a process with threads may hang
        self._their_end, self._line = context.Pipe(duplex=False)
        # All of them compile the same, which one says for all, unless it has been said here.
        unsaid = context.Semaphore(0 if announce_compiling.cache_info().currsize else 1)
        self._pool = ProcessPoolExecutor(number, context, _begin, (self._their_end, unsaid))
        self._started: set[BaseProcess] = set()

    def submit(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        """Let one of them call a function."""
        before = set(active_children())
        with _signals_held_back():
            future = self._pool.submit(function, *args, **kwargs)
        self._started |= set(active_children()) - before
        return future

    def stop(self) -> None:
        """Tell them to end, whatever they are doing."""
        self._line.close()

    def close(self) -> None:
        """Wait for them to end: after :meth:`stop` not for long, else for what they are doing."""
        if self._line.closed:
            until = time.monotonic() + PATIENCE
            for process in self._started:
                process.join(max(0.0, until - time.monotonic()))
                if process.is_alive():
                    process.kill()
        self._pool.shutdown()
        self._line.close()
        self._their_end.close()


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """Processes that are started now get no signals before :func:`_begin`; this one gets them."""
    if not hasattr(signal, "pthread_sigmask"):  # not on every system
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(line: Connection, unsaid: Semaphore) -> None:
    """The first that one of them does."""
    if not unsaid.acquire(block=False):
        with redirect_stderr(io.StringIO()):
            announce_compiling()  # which it does once a process
    sys.stdout = sys.stderr  # what agents print is no result
    # Handlers instead of SIG_IGN, which the programs of agents would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: _end())
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()


def _end_with(line: Connection) -> None:
    """End when the other end of a line is gone."""
    with suppress(EOFError, OSError):
        line.recv_bytes()
    _end()


def _end() -> None:
    """End this process here and now."""
    logging.disable()  # an agent may say that its program died
    end_all_programs()
    os._exit(1)

"""A running program and its three pipes, which are never waited for one at a time.

Reading and writing never block, so that no program can stop who started it: not one that reads
nothing, writes without end, or says nothing at all. It runs in a process group of its own, which is
ended with it.
"""

import math
import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

CHUNK = 1 << 16
MOST = 1 << 20
"""Bytes of a line it writes, and of what it leaves unread, that are put up with."""
KEPT = 2000
"""Bytes of standard error that are kept for messages."""
GRACE = 1.0
"""Seconds between closing the pipes of a program and ending it, and again before it is killed."""


class Program:
    """A program that is running.

    Args:
        command: Its words.

    Attributes:
        ended: Why nothing can come of it any more; empty as long as something can.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._owner = os.getpid()
        self._process = subprocess.Popen(
            list(command),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        for pipe in self._pipes():
            os.set_blocking(pipe.fileno(), False)
        self._unsent = bytearray()
        self._received = bytearray()
        self._complaints = bytearray()
        self._open = {pipe.fileno() for pipe in self._pipes()[1:]}
        self.ended = ""

    def _pipes(self) -> list[IO[bytes]]:
        process = self._process
        return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]

    # -------------------------------------------------------------------------------- talking

    def send(self, line: bytes) -> None:
        """Send a line, with the next :meth:`flush`."""
        self._unsent += line

    def flush(self) -> None:
        """Send what its pipe takes now; the rest follows as it reads."""
        self._write()
        if len(self._unsent) > MOST:
            self.ended = "it does not read what it is sent"

    def take_line(self) -> bytes | None:
        """The next line it has written, if there is one."""
        end = self._received.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return line

    @property
    def complaints(self) -> str:
        """The last it has written to standard error."""
        lines = self._complaints.decode("utf-8", "replace").split("\n")
        return "\n".join(lines[1:] if len(self._complaints) == KEPT else lines).strip()

    def serve(self, events: dict[int, int]) -> None:
        """Read and write what is possible without waiting.

        Args:
            events: What ``poll`` said about file descriptors.
        """
        stdin, stdout, stderr = (pipe.fileno() for pipe in self._pipes())
        if stdin in events:
            self._write()
        if stderr in events:
            self._complaints += self._read(stderr)
            del self._complaints[:-KEPT]
        if stdout in events:
            self._received += self._read(stdout)
            if stdout not in self._open:
                self.ended = "it closed its output"
            elif len(self._received) > MOST and b"\n" not in self._received:
                self.ended = "it wrote a line without end"

    def wanted(self) -> dict[int, int]:
        """File descriptors to wait for, and for what."""
        wanted = dict.fromkeys(self._open, select.POLLIN)
        if self._unsent:
            wanted[self._pipes()[0].fileno()] = select.POLLOUT
        return wanted

    def _read(self, pipe: int) -> bytes:
        """What stands in a pipe, up to a chunk."""
        try:
            data = os.read(pipe, CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            self._open.discard(pipe)
        return data

    def _write(self) -> None:
        if not self._unsent:
            return
        try:
            sent = os.write(self._pipes()[0].fileno(), self._unsent)
        except BlockingIOError:
            return
        except BrokenPipeError:
            # What it wrote before it went away is still there to be read.
            self._unsent.clear()
            self.serve({self._pipes()[1].fileno(): 0})
            self.ended = "it closed its input"
            return
        del self._unsent[:sent]

    # ------------------------------------------------------------------------------- stopping

    @property
    def exit_code(self) -> int | None:
        """How it ended, None if it runs; negative is the number of a signal."""
        return self._process.poll()

    def hang_up(self) -> None:
        """Close its pipes: a program that reads on knows that it is over."""
        for pipe in self._pipes():
            with suppress(OSError):
                pipe.close()

    def end(self, until: float) -> None:
        """See it off, whatever it does.

        Args:
            until: Of the monotonic clock, when patience ends.
        """
        if os.getpid() != self._owner:  # of a forked process: it belongs to somebody else
            self._process.returncode = 0
            return
        for insist in (None, signal.SIGTERM, signal.SIGKILL):
            if insist is not None:
                until = max(until, time.monotonic() + GRACE / 2)
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, insist)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(max(0.0, until - time.monotonic()))
                break
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)  # what it has started itself


def wait_for(programs: Sequence[Program], seconds: float) -> None:
    """Wait until something can be read from or written to one of several, and do it.

    Args:
        programs: Those that run.
        seconds: The longest wait, though never more than a minute.
    """
    poll = select.poll()
    for program in programs:
        for pipe, event in program.wanted().items():
            poll.register(pipe, event)
    # Rounded up, so that a time limit has passed when it is looked at.
    events = dict(poll.poll(max(0.0, math.ceil(min(seconds, 60.0) * 1000))))
    for program in programs:
        program.serve(events)


def see_off(programs: list[Program]) -> None:
    """End programs, all at once, and forget them."""
    for program in programs:
        program.hang_up()
    until = time.monotonic() + GRACE
    while programs:
        programs.pop().end(until)

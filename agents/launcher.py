"""How the program of an agent is started: its command, the hello, and how often that is tried."""

import os
import shlex
import shutil
import time
from collections.abc import Sequence
from multiprocessing.util import Finalize
from weakref import WeakSet

from agents.program import GRACE, Program, see_off, wait_for
from agents.protocol import MalformedError, hello_line, read_hello
from mjenv.errors import AgentError

_SHOWN = 5
"""Lines of standard error in a message: what a program was doing stands above its last words."""
_launchers: "WeakSet[Launcher]" = WeakSet()


class Launcher:
    """Starts programs of one command, and ends all that still run when it is no longer needed.

    Args:
        command: Its words.
        game: The game it is to play.
        seconds: Time limit for the answer to the hello.
        restarts: How often one may be started in the place of another.

    Attributes:
        restarts_left: How many of these are left.
        has_started: Whether any program was.
    """

    def __init__(self, command: Sequence[str], game: str, seconds: float, restarts: int) -> None:
        self.command = tuple(command)
        self.restarts_left = restarts
        self.has_started = False
        self._game = game
        self._seconds = seconds
        self._running: list[Program] = []
        _launchers.add(self)
        # At exit as well, be it that of a process forked by multiprocessing: none outlives Python.
        Finalize(self, see_off, (self._running,), exitpriority=0)

    def start(self) -> tuple[Program, str]:
        """Start one, and hear what it calls itself.

        Raises:
            AgentError: It cannot be started, or does not answer as it should.
        """
        try:
            program = Program(self.command)
        except OSError as error:
            raise AgentError(f"cannot start {self}: {self._why(error)}") from None
        self._running.append(program)
        try:
            name = self._greet(program)
        except BaseException:
            self.stop(program)
            raise
        self.has_started = True
        return program, name

    def stop(self, program: Program) -> None:
        """End a program."""
        if program in self._running:
            self._running.remove(program)
            see_off([program])

    def stop_all(self) -> None:
        """End all."""
        see_off(self._running)

    def _greet(self, program: Program) -> str:
        program.send(hello_line(self._game))
        program.flush()
        until = time.monotonic() + self._seconds
        while True:
            line = program.take_line()
            if line is not None:
                break
            if program.ended:
                raise AgentError(f"{self} ended before it said hello: {how_it_ended(program)}")
            left = until - time.monotonic()
            if left <= 0:
                raise AgentError(
                    f"{self} said nothing within {self._seconds:g} s; it must answer the hello "
                    f"with a hello, and flush its output{complaints(program)}"
                )
            wait_for([program], left)
        try:
            return read_hello(line)
        except MalformedError as error:
            raise AgentError(f"{self} is no player: {error}{complaints(program)}") from None

    def _why(self, error: OSError) -> str:
        first = self.command[0]
        if isinstance(error, FileNotFoundError) and shutil.which(first) is None:
            where = "in this folder" if os.sep in first else "on the PATH"
            return f"there is no program {first!r} {where}"
        return error.strerror or str(error)

    def __str__(self) -> str:
        return f"the program {shlex.join(self.command)!r}"


def end_all_programs() -> None:
    """End the programs of all launchers of this process, which start none in their place."""
    running = []
    for launcher in list(_launchers):
        launcher.restarts_left = 0
        running += launcher._running
    see_off(running)


def how_it_ended(program: Program) -> str:
    """In words, with the last it wrote to standard error."""
    until = time.monotonic() + GRACE
    while True:
        code = program.exit_code
        wait_for([program], 0.01)  # also for what it complained of last
        if code is not None or time.monotonic() >= until:
            break
    how = program.ended
    if code is not None:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"{how}{complaints(program)}"


def complaints(program: Program) -> str:
    """The last lines it wrote to standard error, as the end of a message."""
    lines = program.complaints.splitlines()[-_SHOWN:]
    told = "".join(f"\n    {line}" for line in lines)
    return f"; the last it wrote to standard error:{told}" if told else ""

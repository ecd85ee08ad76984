"""A program in its seat: the questions it is asked, and what becomes of each of them.

Questions are sent ahead of the answers, a few dozen at a time, so that nobody waits for the other.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import numpy as np

from agents.launcher import Launcher, complaints, how_it_ended
from agents.program import Program
from agents.protocol import MalformedError, question_line, read_answer, rules_line, shown
from mjenv.errors import AgentError
from mjenv.sichuan.rules import Rules

AHEAD = 64
"""Questions that may be open at once."""
MISSED = 3
"""Time limits missed in a row after which a program is taken to hang."""


@dataclass(frozen=True)
class Question:
    """A question to a program.

    Attributes:
        row: Of the batch it belongs to.
        rules: Of the table.
        random: A number that the program may use.
        legal: Actions by their texts.
        view: What the seat may know.
    """

    row: int
    rules: Rules
    random: int
    legal: dict[str, int]
    view: np.void


class Answers(Protocol):
    """Where answers go."""

    def answered(self, question: Question, action: int) -> None:
        """A question was answered by a legal action."""
        ...

    def failed(self, question: Question, kind: str, what: str) -> None:
        """A question was not: the kind of fault, and what happened."""
        ...


class Questioner:
    """Asks the program of one seat.

    Args:
        launcher: Starts it.
        seconds: Time limit for a question, from the answer before it on.
        program: One that runs already; else one is started with the first question.
    """

    def __init__(self, launcher: Launcher, seconds: float, program: Program | None) -> None:
        self.program = program
        self._launcher = launcher
        self._seconds = seconds
        self._answers: Answers | None = None
        self._waiting: Iterator[Question] = iter(())
        self._open: dict[int, Question] = {}
        self._number = 0
        self._overdue: set[int] = set()
        self._rules: set[Rules] = set()
        self._missed = 0
        self._since = 0.0
        self._why_none = ""

    # ------------------------------------------------------------------------------- a batch

    def begin(self, questions: Iterator[Question], answers: Answers) -> None:
        """Ask questions; those before are over.

        Raises:
            AgentError: The program cannot be started, and none has been in this process.
        """
        self._waiting, self._answers = questions, answers
        if self.program is None and not self._why_none:
            self._start()
        elif self.program is not None and self._is_gone(self.program):
            self._replace(how_it_ended(self.program))
        self._send()

    def abandon(self) -> None:
        """Do without the answers that are still to come."""
        self._overdue.update(self._open)
        self._open.clear()
        # An agent that nobody holds any longer must not be held from here.
        self._waiting, self._answers = iter(()), None

    @property
    def busy(self) -> bool:
        """Whether there is something to wait for."""
        return bool(self._open)

    @property
    def deadline(self) -> float:
        """When, by the monotonic clock, the next answer is late."""
        ended = self.program is None or self.program.ended
        return 0.0 if ended else self._since + self._seconds

    def advance(self) -> None:
        """Take the answers that have come, look at the clock, and ask on."""
        program = self.program
        while self._open and program is not None:
            line = program.take_line()
            if line is None:
                break
            self._read(line)
        if self._open and program is not None:
            if program.ended:
                self._died(program)
            elif time.monotonic() >= self.deadline:
                self._late(program)
        self._send()

    # ------------------------------------------------------------------------------ asking

    def _send(self) -> None:
        """Ask as many as may be open."""
        idle = not self._open
        while len(self._open) < AHEAD:
            question = next(self._waiting, None)
            if question is None:
                break
            if self.program is None:
                self._failed(question, "died", self._why_none)
                continue
            self._ask(self.program, question)
        if self.program is not None:
            self.program.flush()
        if idle:
            self._since = time.monotonic()

    def _ask(self, program: Program, question: Question) -> None:
        if question.rules not in self._rules:
            self._rules.add(question.rules)
            program.send(rules_line(question.rules))
        self._number += 1
        self._open[self._number] = question
        told = question.rules, question.random, list(question.legal), question.view
        program.send(question_line(self._number, *told))

    def _read(self, line: bytes) -> None:
        """A line, which settles a question whatever it says, or is too late."""
        self._since, self._missed = time.monotonic(), 0
        try:
            number, text = read_answer(line)
        except MalformedError as error:
            self._failed(self._oldest(), "malformed", str(error))
            return
        if number in self._overdue:
            self._overdue.remove(number)
            return
        question = self._open.pop(number, None)
        if question is None:
            what = f"it wrote {shown(line)}: no question {number} is open"
            self._failed(self._oldest(), "malformed", what)
        elif text in question.legal:
            assert self._answers is not None
            self._answers.answered(question, question.legal[text])
        else:
            what = f"it answered {text!r}; legal: {', '.join(question.legal)}"
            self._failed(question, "illegal", what)

    def _oldest(self) -> Question:
        """The question that has been open longest, which is closed."""
        return self._open.pop(next(iter(self._open)))

    def _failed(self, question: Question, kind: str, what: str) -> None:
        assert self._answers is not None
        self._answers.failed(question, kind, what)

    # ------------------------------------------------------------------------------ trouble

    def _late(self, program: Program) -> None:
        if program.exit_code is not None:  # something it started keeps its pipes open
            self._died(program)
            return
        number = next(iter(self._open))
        self._overdue.add(number)
        question = self._oldest()
        what = f"no answer within {self._seconds:g} s{complaints(program)}"
        self._failed(question, "late", what)
        self._since = time.monotonic()
        self._missed += 1
        if self._missed == MISSED:
            self._replace(f"it missed {MISSED} time limits in a row")

    def _died(self, program: Program) -> None:
        why = how_it_ended(program)
        self._failed(self._oldest(), "died", why)
        self._replace(why)

    def _is_gone(self, program: Program) -> bool:
        return bool(program.ended) or program.exit_code is not None

    def _start(self) -> None:
        """Start the first program of this seat.

        Raises:
            AgentError: It cannot be started, and none has been in this process.
        """
        try:
            self.program, _ = self._launcher.start()
        except AgentError as error:
            if not self._launcher.has_started:
                raise
            self._start_again(str(error))

    def _replace(self, why: str) -> None:
        """Another program in the place of this one, which is asked what is open."""
        assert self.program is not None
        self._launcher.stop(self.program)
        self._start_again(why)
        self._waiting = chain(list(self._open.values()), self._waiting)
        self._open.clear()

    def _start_again(self, why: str) -> None:
        """Start a program in the place of one, as often as it may be tried."""
        self.program, self._missed = None, 0
        self._rules.clear()
        self._overdue.clear()
        while self._launcher.restarts_left > 0:
            self._launcher.restarts_left -= 1
            try:
                self.program, _ = self._launcher.start()
            except AgentError as error:
                why = str(error)
            else:
                return
        self._why_none = f"it is not started again: {why}"

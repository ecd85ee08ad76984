"""``process:COMMAND``: an agent that is another program, in whatever language.

The program reads questions and writes answers, one JSON object a line (docs/processes.md). It is
started once for each seat it plays, so that no seat learns what another holds. Whatever it does,
every question is answered in time: by the program, or in its place by ``pass`` where that is legal,
else by any legal action.
"""

import logging
import os
import re
import shlex
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agents.fallback import fallback_action
from agents.launcher import Launcher
from agents.program import Program, wait_for
from agents.protocol import rules_of
from agents.questioner import Question, Questioner
from mjenv.agent import VIEW
from mjenv.core.batch import only_action
from mjenv.core.game import NUM_SEATS, Views
from mjenv.core.rng import below
from mjenv.errors import AgentError
from mjenv.registry import Resolver
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.state import Phase

KINDS = ("late", "illegal", "malformed", "died")
"""Of faults, as ``ProcessAgent.faults`` counts them."""
_RANDOM = 1 << 31
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """What is put up with.

    Attributes:
        seconds: Time for an answer.
        start_seconds: Time to start.
        restarts: How often a program is started in the place of one that ended or hangs.
    """

    seconds: float = 10.0
    start_seconds: float = 30.0
    restarts: int = 3

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            least = 0 if name == "restarts" else 0.001
            if not least <= value < float("inf"):
                allowed = "a whole number from 0" if name == "restarts" else "more than 0"
                raise AgentError(f"{name}: got {value}; allowed: {allowed}")


class ProcessAgent:
    """A program behind the :class:`~mjenv.agent.Agent` protocol.

    A copy in another process, by pickling or forking, starts programs of its own.

    Args:
        command: The program and its arguments.
        limits: What is put up with.
        name: What it is called here, after ``process:``; None for what the program calls itself.

    Attributes:
        faults: How many questions were answered in its place, by kind: see :data:`KINDS`.

    Raises:
        AgentError: The program cannot be started, or is no player.
    """

    games: tuple[str, ...] = (SICHUAN.name,)
    observation = VIEW

    def __init__(
        self, command: tuple[str, ...], limits: Limits | None = None, name: str | None = None
    ) -> None:
        if os.name != "posix":
            raise AgentError("process: agents need Linux, macOS or another POSIX system")
        self._command, self._limits = tuple(command), limits or Limits()
        self._spare: Program | None
        self._prepare()
        self._spare, own_name = self._launcher.start()
        self.name = f"process:{name or own_name}"

    def _prepare(self) -> None:
        """Begin with no program running."""
        limits = self._limits
        self.faults: Counter[str] = Counter()
        self._pid = os.getpid()
        self._launcher = Launcher(
            self._command, SICHUAN.name, limits.start_seconds, limits.restarts
        )
        self._spare = None
        self._seats: dict[int, Questioner] = {}

    def act(self, observations: Views, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        """Choose an action for every view; see :meth:`mjenv.agent.Agent.act`.

        Questions with a single legal action are not put to the program.

        Raises:
            AgentError: The observations are no views of its game, or this is a copy in another
                process whose program cannot be started there.
        """
        if not isinstance(observations, Views):
            raise AgentError(
                f"agent {self.name!r} was given {type(observations).__name__}; it takes Views, "
                "a pair of views and packed rules"
            )
        if observations.views.dtype != SICHUAN.view_dtype:
            raise AgentError(f"agent {self.name!r} was given views of another game")
        if self._pid != os.getpid():
            self.close()  # which forgets what belongs to another process
            self._prepare()
        batch = _Batch(self, observations, np.ascontiguousarray(masks, np.int8), rng)
        asked: list[Questioner] = []
        try:
            for seat, rows in batch.rows_by_seat().items():
                asked.append(self._questioner(seat))
                asked[-1].begin(batch.questions(rows), batch)
            while busy := [questioner for questioner in asked if questioner.busy]:
                left = min(questioner.deadline for questioner in busy) - time.monotonic()
                wait_for([questioner.program for questioner in busy if questioner.program], left)
                for questioner in busy:
                    questioner.advance()
        finally:
            for questioner in asked:
                questioner.abandon()
        return batch.actions

    def _questioner(self, seat: int) -> Questioner:
        """Who asks the program of a seat; the first seat gets the one that was started first."""
        if seat not in self._seats:
            program, self._spare = self._spare, None
            self._seats[seat] = Questioner(self._launcher, self._limits.seconds, program)
        return self._seats[seat]

    def count(self, kind: str, what: str) -> None:
        """Count a fault; the first of its kind is told."""
        self.faults[kind] += 1
        if self.faults[kind] == 1:
            _log.warning(
                "agent %r: %s; such questions are answered in its place, and counted: %s",
                self.name,
                kind,
                what,
            )

    def close(self) -> None:
        """End its programs; it starts new ones if it is asked again."""
        self._launcher.stop_all()
        self._spare = None
        self._seats.clear()

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "command": self._command, "limits": self._limits}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.name, self._command, self._limits = state["name"], state["command"], state["limits"]
        self._prepare()

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


class _Batch:
    """The questions of one call and their answers."""

    def __init__(
        self, agent: ProcessAgent, observations: Views, masks: np.ndarray, rng: np.ndarray
    ) -> None:
        self._agent = agent
        self._views, self._rules = observations
        self._masks = masks
        self._rng = rng
        # Where there is nothing to choose, nobody is asked.
        self.actions = np.array([only_action(mask) for mask in masks], np.int64)

    def rows_by_seat(self) -> dict[int, np.ndarray]:
        """The rows that somebody is asked about."""
        seats, is_open = self._views["seat"], self.actions < 0
        return {
            seat: np.flatnonzero(is_open & (seats == seat))
            for seat in range(NUM_SEATS)
            if (is_open & (seats == seat)).any()
        }

    def questions(self, rows: np.ndarray) -> Iterator[Question]:
        """Questions as they are needed."""
        for row in rows.tolist():
            view = self._views[row]
            actions = np.flatnonzero(self._masks[row]).tolist()
            menu = SICHUAN.menu_of(self._masks[row], Phase(int(view["phase"])).name)
            yield Question(
                row=row,
                rules=rules_of(self._rules[row % len(self._rules)]),
                random=below(self._rng[row : row + 1], _RANDOM),
                legal=dict(zip(menu, actions, strict=True)),
                view=view,
            )

    def answered(self, question: Question, action: int) -> None:
        """Take an answer."""
        self.actions[question.row] = action

    def failed(self, question: Question, kind: str, what: str) -> None:
        """Answer in the place of the program."""
        row = question.row
        rng = self._rng[row : row + 1]
        self.actions[row] = fallback_action(SICHUAN, self._masks[row], rng)
        self._agent.count(kind, what)


# -------------------------------------------------------------------------------------- resolver

_OPTIONS = {f"--{name.replace('_', '-')}": name for name in asdict(Limits())}

NAME = re.compile(r"(\w[\w-]*(?:/\w+)?)=")
"""Of ``process:NAME=COMMAND``, what stands before the command."""


def _from_text(text: str) -> ProcessAgent:
    """What ``process:TEXT`` names.

    A name and ``=`` if it is given one, options, then the command, with quotes as a shell has them.
    """
    named = NAME.match(text)
    try:
        words = deque(shlex.split(text[named.end() :] if named else text))
    except ValueError as error:
        raise AgentError(f"agent 'process:{text}': {error}") from None
    limits: dict[str, float] = {}
    while words and words[0].startswith("--"):
        option = words.popleft()
        if option == "--":
            break
        if option not in _OPTIONS:
            raise AgentError(
                f"agent 'process:{text}': unknown option {option}; options: "
                f"{', '.join(_OPTIONS)}, before the command"
            )
        name, value = _OPTIONS[option], words.popleft() if words else ""
        try:
            limits[name] = int(value) if name == "restarts" else float(value)
        except ValueError:
            raise AgentError(
                f"agent 'process:{text}': {option}: got {value!r}; allowed: "
                f"a {'whole ' if name == 'restarts' else ''}number"
            ) from None
    if not words:
        raise AgentError(f"agent 'process:{text}': write process:{RESOLVER.form}")
    given = named[1] if named else None
    return ProcessAgent(tuple(words), Limits(**limits), given)  # type: ignore[arg-type]  # ints and floats


RESOLVER = Resolver("COMMAND", _from_text, "another program, in whatever language")
"""``process:node my_bot.js``: a program and its arguments; no shell is started."""

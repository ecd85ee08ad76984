"""What becomes of questions, by a clock and a program that do as the test says."""

import json
from collections import deque
from typing import Any

import numpy as np
import pytest

from agents import questioner as questioner_module
from agents.questioner import AHEAD, Question, Questioner
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import VIEW

LIMIT = 10.0


class Scripted:
    """A program that says what it is told to say."""

    complaints = ""

    def __init__(self) -> None:
        self.ended = ""
        self.exit_code: int | None = None
        self.lines: deque[bytes] = deque()
        self.asked: list[int] = []

    def send(self, line: bytes) -> None:
        told = json.loads(line)
        if told["type"] == "question":
            self.asked.append(told["id"])

    def flush(self) -> None:
        pass

    def take_line(self) -> bytes | None:
        return self.lines.popleft() if self.lines else None

    def wanted(self) -> dict[int, int]:
        return {}

    def serve(self, events: dict[int, int]) -> None:
        assert events == {}

    def ends(self) -> None:
        self.ended, self.exit_code = "it closed its output", 1

    def says(self, *numbers: int, action: str = "pung") -> None:
        self.lines += [json.dumps({"id": n, "action": action}).encode() for n in numbers]


class Launcher:
    """Has programs in store."""

    has_started = True

    def __init__(self, store: list[Scripted]) -> None:
        self.store = store

    @property
    def restarts_left(self) -> int:
        return len(self.store)

    @restarts_left.setter
    def restarts_left(self, number: int) -> None:
        pass

    def start(self) -> tuple[Scripted, str]:
        return self.store.pop(0), "scripted/1"

    def stop(self, program: Scripted) -> None:
        program.ended = "stopped"


class Game:
    """A program that is asked questions, and what became of them, by their rows."""

    def __init__(self, number: int, spare: int = 0) -> None:
        self.now = 0.0
        self.program, self.spare = Scripted(), [Scripted() for _ in range(spare)]
        launcher: Any = Launcher([*self.spare])
        program: Any = self.program
        self.questioner = Questioner(launcher, LIMIT, program)
        self.right: list[int] = []
        self.wrong: list[tuple[int, str]] = []
        legal, view = {"pung": 57, "pass": 60}, np.zeros(1, VIEW)[0]
        questions = [Question(row, Rules(), 0, legal, view) for row in range(number)]
        self.questioner.begin(iter(questions), self)

    def monotonic(self) -> float:
        return self.now

    def answered(self, question: Question, action: int) -> None:
        assert action == 57
        self.right.append(question.row)

    def failed(self, question: Question, kind: str, what: str) -> None:
        self.wrong.append((question.row, kind))

    def at(self, now: float) -> None:
        self.now = now
        self.questioner.advance()


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Any:
    def play(*arguments: int) -> Game:
        game = Game.__new__(Game)
        monkeypatch.setattr(questioner_module, "time", game)
        game.now = 0.0
        game.__init__(*arguments)  # type: ignore[misc]  # it asks for the time at once
        return game

    return play


def test_answers_may_come_in_any_order(play: Any) -> None:
    game = play(3)
    game.program.says(3, 1, 2)
    game.at(1)
    assert game.right == [2, 0, 1]
    assert not game.questioner.busy


def test_no_more_are_open_than_may_be(play: Any) -> None:
    game = play(AHEAD + 2)
    assert len(game.program.asked) == AHEAD
    game.program.says(5)
    game.at(1)
    assert len(game.program.asked) == AHEAD + 1


def test_the_clock_runs_from_the_answer_before(play: Any) -> None:
    game = play(3)
    assert game.questioner.deadline == 10
    game.at(9)
    game.program.says(1)
    game.at(9.5)
    game.at(19)
    assert game.wrong == []
    game.at(19.5)
    assert game.wrong == [(1, "late")]
    assert game.questioner.deadline == 29.5


def test_an_answer_that_is_late_is_ignored(play: Any) -> None:
    game = play(2)
    game.at(10)
    game.program.says(1)
    game.at(11)
    assert (game.right, game.wrong) == ([], [(0, "late")])
    game.at(20.5)  # it has been heard of at 11
    game.program.says(2)
    game.at(20.6)
    assert (game.right, game.wrong) == ([1], [(0, "late")])


def test_an_answer_that_came_in_time_counts_however_late_it_is_read(play: Any) -> None:
    game = play(1)
    game.program.says(1)
    game.at(1000)
    assert (game.right, game.wrong) == ([0], [])


def test_three_in_a_row_are_too_late(play: Any) -> None:
    game = play(5, 1)
    for now in (10, 20):
        game.at(now)
    game.program.says(2)  # late, but it lives
    game.at(21)
    for now in (31, 41):
        game.at(now)
    assert game.program.ended == ""
    assert [row for row, _ in game.wrong] == [0, 1, 2, 3]
    game.at(51)
    assert game.program.ended == "stopped"
    assert game.wrong[-1] == (4, "late")
    assert game.spare[0].asked == []


def test_what_is_open_is_asked_again(play: Any) -> None:
    game = play(4, 1)
    game.program.says(2)
    game.program.ends()
    game.at(1)
    assert game.right == [1]
    assert game.wrong == [(0, "died")]
    assert game.spare[0].asked == [5, 6]
    game.spare[0].says(6, 5)
    game.at(2)
    assert game.right == [1, 3, 2]


def test_an_answer_given_twice_costs_another(play: Any) -> None:
    game = play(3)
    game.program.says(1, 1, 3)
    game.at(1)
    assert game.right == [0, 2]
    assert game.wrong == [(1, "malformed")]


def test_numbers_may_be_written_with_a_point(play: Any) -> None:
    game = play(2)
    game.program.lines += [b'{"id": 1.0, "action": "pung"}\r', b'{"id": 2.5, "action": "pung"}']
    game.at(1)
    assert game.right == [0]
    assert game.wrong == [(1, "malformed")]


def test_without_a_program_nothing_is_waited_for(play: Any) -> None:
    game = play(200)
    game.program.ends()
    game.at(1)
    assert game.wrong == [(row, "died") for row in range(200)]
    assert not game.questioner.busy

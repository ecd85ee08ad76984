from typing import Any

import numpy as np
import pytest

from agents.greedy import Greedy
from agents.play import play_deals, play_seated
from agents.random_legal import RandomLegal
from mjenv.core.game import Views
from mjenv.core.kernel import JIT_DISABLED
from mjenv.errors import AgentError, OptionError, RulesError
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.sichuan.state import Phase
from tests.agents.solo import SEED, questions

DEALS = 4 if JIT_DISABLED else 12
GREEDY, UNIFORM = Greedy(), RandomLegal()


class InPython:
    """A bot behind `act` alone."""

    games = ("sichuan",)
    observation = "view"

    def __init__(self, bot: Any) -> None:
        self.name = f"python_{bot.name}"
        self.bot = bot
        self.largest = 0

    def act(self, observations: Views, masks: np.ndarray, rng: np.ndarray) -> Any:
        self.largest = max(self.largest, len(masks))
        return self.bot.act(observations, masks, rng)


class Numbers(InPython):
    """Wants an encoding; takes the first legal action."""

    observation = "planes/1"

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> Any:
        assert observations.shape[0] == len(masks) == len(rng)
        assert observations.any()
        return masks.argmax(axis=1)


class Answers(InPython):
    """Always answers the same."""

    def __init__(self, answer: Any) -> None:
        self.name = "stubborn/1"
        self.answer = answer

    def act(self, observations: Views, masks: np.ndarray, rng: np.ndarray) -> Any:
        return self.answer


@pytest.mark.parametrize("preset", PRESETS)
def test_a_batch_plays_as_one_table(preset: str) -> None:
    played = play_deals([GREEDY] * 4, preset, DEALS // 4, seed=SEED)
    for deal in range(DEALS // 4):
        for question in questions(GREEDY, Rules.preset(preset), deal):
            end = question.tables
        np.testing.assert_array_equal(played.finished["points"][deal], end["points"][0])
        assert played.finished["deal"][deal] == deal
    assert (played.finished["phase"] == Phase.OVER).all()


def test_a_deal_does_not_depend_on_how_many_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    line_up = [GREEDY, UNIFORM, GREEDY, UNIFORM]
    many = play_deals(line_up, "qq", 4 * DEALS, seed=4)
    monkeypatch.setattr("agents.play.MAX_TABLES", 3)
    few = play_deals(line_up, "qq", DEALS, seed=4)
    assert few.finished.tobytes() == many.finished[:DEALS].tobytes()
    assert len(play_deals(line_up, "qq", 0, seed=4).finished) == 0


def test_agents_rotate_through_the_seats() -> None:
    played = play_deals([GREEDY, UNIFORM, UNIFORM, UNIFORM], "qq", 8, seed=1, rotate=True)
    assert played.players.tolist()[:5] == [
        [0, 1, 2, 3],
        [3, 0, 1, 2],
        [2, 3, 0, 1],
        [1, 2, 3, 0],
        [0, 1, 2, 3],
    ]
    assert (played.seats_of(0).sum(axis=1) == 1).all()
    stays = play_deals([GREEDY, UNIFORM, UNIFORM, UNIFORM], "qq", 8, seed=1)
    assert stays.seats_of(0)[:, 0].all()
    # Deal 4 is seated as in both.
    assert played.finished[4].tobytes() == stays.finished[4].tobytes()
    assert played.finished[1].tobytes() != stays.finished[1].tobytes()


def test_an_agent_in_python_plays_as_its_kernel() -> None:
    greedy, uniform = InPython(GREEDY), InPython(UNIFORM)
    mixed = play_deals([greedy, UNIFORM, GREEDY, uniform], "sichuan_modern", DEALS, seed=3)
    compiled = play_deals([GREEDY, UNIFORM, GREEDY, UNIFORM], "sichuan_modern", DEALS, seed=3)
    assert mixed.finished.tobytes() == compiled.finished.tobytes()
    assert greedy.largest > 1


def test_an_agent_is_given_the_encoding_it_wants() -> None:
    numbers = Numbers(GREEDY)
    played = play_deals([numbers, GREEDY, GREEDY, GREEDY], "qq", 3, seed=3)
    assert (played.finished["num_decisions"] > 0).all()


class Meddler(InPython):
    """Answers, and then writes over what it was given."""

    def act(self, observations: Views, masks: np.ndarray, rng: np.ndarray) -> Any:
        actions = super().act(observations, masks, rng)
        observations.views["hand"] = 0
        observations.rules["min_fan"] = 9
        masks[:] = 1
        return actions


def test_an_agent_that_writes_to_what_it_is_given_changes_nothing() -> None:
    meddler = play_deals([Meddler(GREEDY), GREEDY, GREEDY, GREEDY], "qq", DEALS, seed=3)
    honest = play_deals([GREEDY] * 4, "qq", DEALS, seed=3)
    assert meddler.finished.tobytes() == honest.finished.tobytes()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (np.array([61]), r"^agent 'stubborn/1' answered 61; legal: discard \S+, discard"),
        (np.array([-1]), "answered -1; legal: "),
        (np.array([62]), "answered 62; legal: "),
        (np.array([1, 2]), r"answered int64 \(2,\) to 1 questions; it must answer .* \(1,\)"),
        (np.array([0.5]), r"answered float64 \(1,\) to 1 questions"),
        (None, r"answered object \(\) to 1 questions"),
    ],
)
def test_a_wrong_answer_is_refused(answer: Any, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        play_deals([Answers(answer)] * 4, "standalone", 1, seed=0)


def test_agents_may_be_given_by_name() -> None:
    named = play_deals(["greedy/1", "random_legal/1", "greedy/1", UNIFORM], "qq", DEALS, seed=SEED)
    given = play_deals([GREEDY, UNIFORM, GREEDY, UNIFORM], "qq", DEALS, seed=SEED)
    assert named.finished.tobytes() == given.finished.tobytes()
    assert (named.seats_of(0) == given.seats_of(0)).all()


def test_a_wrong_line_up_is_refused() -> None:
    with pytest.raises(AgentError, match=r"'greedy' \(did you mean 'greedy/1'\?\)"):
        play_deals(["greedy", GREEDY, GREEDY, GREEDY], "qq", 1, seed=0)
    with pytest.raises(AgentError, match="got 3 agents; a table has 4 seats"):
        play_deals([GREEDY] * 3, "qq", 1, seed=0)
    with pytest.raises(RulesError, match="qqq"):
        play_deals([GREEDY] * 4, "qqq", 1, seed=0)
    stranger = InPython(GREEDY)
    stranger.games = ("cixi",)  # type: ignore[assignment]
    with pytest.raises(AgentError, match="plays cixi, not sichuan"):
        play_deals([stranger, GREEDY, GREEDY, GREEDY], "qq", 1, seed=0)
    stranger.games, stranger.observation = ("sichuan",), "tea/9"
    with pytest.raises(AgentError, match="wants the observation 'tea/9'; sichuan has view, planes"):
        play_deals([stranger, GREEDY, GREEDY, GREEDY], "qq", 1, seed=0)
    stranger.observation = "view"
    stranger.kernel = print  # type: ignore[attr-defined]
    with pytest.raises(AgentError, match=r"no Argument; wrap it with game\.bot"):
        play_deals([stranger, GREEDY, GREEDY, GREEDY], "qq", 1, seed=0)


def test_deals_and_seatings_may_be_any() -> None:
    numbers = np.array([7, 2, 7])
    seating = np.array([[0, 1, 1, 0], [1, 1, 1, 1], [0, 1, 1, 0]])
    played = play_seated([GREEDY, UNIFORM], "qq", SEED, numbers, seating)
    assert played.finished["deal"].tolist() == [7, 2, 7]
    assert played.finished[0].tobytes() == played.finished[2].tobytes()
    whole = play_deals([GREEDY, UNIFORM, UNIFORM, GREEDY], "qq", 8, SEED)
    assert whole.finished[7].tobytes() == played.finished[0].tobytes()
    assert played.seats_of(1).tolist()[1] == [True] * 4
    assert played.illegal.tolist() == [0, 0]
    assert repr(played) == f"<{len(played.finished)} deals played, 0 answers replaced>"


def test_illegal_answers_can_be_counted_and_replaced(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("agents.fallback._told", set())
    nonsense = Answers(None)
    nonsense.act = lambda observations, masks, rng: np.full(len(masks), -1)  # type: ignore[method-assign]  # of this one alone
    numbers, seating = np.arange(3), np.array([[0, 1, 1, 1]] * 3)
    arguments: Any = ("qq", SEED, numbers, seating)
    with pytest.raises(AgentError, match="'stubborn/1' answered -1; legal: "):
        play_seated([nonsense, GREEDY], *arguments)
    played = play_seated([nonsense, GREEDY], *arguments, replace_illegal=True)
    assert played.illegal[0] == played.finished["num_decisions"][:, 0].sum() > 0
    assert played.illegal[1] == 0
    again = play_seated([nonsense, GREEDY], *arguments, replace_illegal=True)
    assert again.finished.tobytes() == played.finished.tobytes()
    (told,) = caplog.messages  # of all, the first
    assert told.startswith("agent 'stubborn/1' answered -1; legal: ")
    assert told.endswith(". Such answers are replaced, and counted")


def test_unknown_walls_are_refused() -> None:
    with pytest.raises(OptionError, match="walls: got 'round'; allowed: ordinary, seat-keyed"):
        play_seated([GREEDY], "qq", 1, np.arange(1), np.zeros((1, 4)), walls="round")  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("deals", "seed", "name"),
    [(-1, SEED, "deals"), ("3", SEED, "deals"), (1, 2**70, "seed"), (1, -1, "seed")],
)
def test_numbers_that_are_none_are_named(deals: Any, seed: Any, name: str) -> None:
    with pytest.raises(OptionError, match=f"{name}: got"):
        play_deals([UNIFORM] * 4, "qq", deals, seed)

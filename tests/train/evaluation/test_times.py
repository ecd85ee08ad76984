import time
from typing import Any

import numpy as np
import pytest

from agents.greedy import Greedy
from mjenv.agent import CompiledBot
from mjenv.core.batch import first_action
from mjenv.core.game import Views
from mjenv.core.kernel import JIT_DISABLED, kernel
from mjenv.core.rng import next_bits
from mjenv.errors import AgentError
from mjenv.sichuan.game import SICHUAN
from train.evaluation import times
from train.evaluation.times import decision_times, percentiles

DEALS = 1 if JIT_DISABLED else 3
WORK = 100 if JIT_DISABLED else 20_000


class Ticking:
    """A clock that moves when the agent thinks, by what its generator and its round tell."""

    name = "ticking/1"
    games = ("sichuan",)
    observation = "view"

    def __init__(self) -> None:
        self.now = 0.0
        self.asked: list[tuple[bytes, bytes, int]] = []

    def clock(self) -> float:
        return self.now

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        views, rules = observations
        assert isinstance(observations, Views)
        assert len(views) == len(rules) == len(masks) == len(rng) == 1
        assert masks.sum() > 1
        self.asked.append((views.tobytes(), masks.tobytes(), int(rng[0])))
        next_bits(rng)
        self.now += 1.0 + len(self.asked)
        return masks.argmax(axis=1)


@kernel
def busy(view: Any, rules: Any, luts: Any, mask: np.ndarray, rng: np.ndarray) -> int:
    """Draws many numbers before it does what everybody can."""
    for _ in range(WORK):
        next_bits(rng)
    return first_action(view, rules, luts, mask, rng)


def test_the_least_time_of_each_question_counts() -> None:
    agent = Ticking()
    seconds = decision_times(agent, "qq", DEALS, seed=3, rounds=2, clock=agent.clock)
    number = len(seconds)
    assert number > 20 * DEALS
    assert len(agent.asked) == 3 * number  # once for warmth
    np.testing.assert_array_equal(seconds, 1.0 + number + np.arange(1, number + 1))


def test_every_round_asks_the_same() -> None:
    agent = Ticking()
    number = len(decision_times(agent, "qq", DEALS, seed=3, rounds=1, clock=agent.clock))
    assert agent.asked[:number] == agent.asked[number:]
    assert len(set(agent.asked)) == number


def test_a_slow_agent_is_asked_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Ticking):
        def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
            time.sleep(0.01)
            return super().act(observations, masks, rng)

    every = Ticking()
    number = len(decision_times(every, "qq", DEALS, rounds=1, clock=every.clock))
    for patience, most in ((0.0, 1), (0.05, 6)):
        monkeypatch.setattr(times, "PATIENCE", patience)
        slow = Slow()
        seconds = decision_times(slow, "qq", DEALS, rounds=2, clock=slow.clock)
        assert 1 <= len(seconds) <= most < number
        assert slow.asked == every.asked[: len(seconds)] * 3


def test_questions_depend_on_the_seed_and_the_rules_alone() -> None:
    asked = []
    for rules, seed in (("qq", 3), ("qq", 3), ("qq", 4), ("sichuan_modern", 3)):
        agent = Ticking()
        decision_times(agent, rules, 1, seed, rounds=1, clock=agent.clock)
        asked.append(agent.asked)
    assert asked[0] == asked[1]
    assert asked[0] != asked[2]
    assert asked[0] != asked[3]


@pytest.mark.parametrize("observation", ["planes/1", "vector/1/canonical"])
def test_networks_are_shown_what_they_want(observation: str) -> None:
    shapes = set()

    class Network(Ticking):
        def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
            shapes.add(observations.shape)
            assert observations.any()
            return masks.argmax(axis=1)

    agent = Network()
    agent.observation = observation
    decision_times(agent, "qq", 1, rounds=1)
    assert shapes == {(1, *SICHUAN.encodings[observation].shape)}


def test_what_a_compiled_bot_does_itself_is_timed() -> None:
    idle = decision_times(CompiledBot("idle/1", first_action, SICHUAN), "qq", DEALS)
    slow = decision_times(CompiledBot("busy/1", busy, SICHUAN), "qq", DEALS)
    assert idle.shape == slow.shape
    assert idle.min() >= 0
    assert np.median(idle) < np.median(slow) / 3


def test_greedy_needs_less_than_a_millisecond() -> None:
    if JIT_DISABLED:
        pytest.skip("plain Python is slower")
    assert 0 < percentiles(decision_times(Greedy(), "qq", DEALS))["p50"] < 1e-3


def test_percentiles() -> None:
    assert percentiles(np.arange(101.0)) == {"p50": 50.0, "p99": 99.0}


@pytest.mark.parametrize("option", ["deals", "rounds"])
def test_nothing_to_time_is_refused(option: str) -> None:
    with pytest.raises(AgentError, match=f"{option}: got 0"):
        decision_times(Greedy(), "qq", **{option: 0})


def test_an_agent_of_another_game_is_refused() -> None:
    agent = Ticking()
    agent.games = ("cixi",)
    with pytest.raises(AgentError, match="plays cixi"):
        decision_times(agent, "qq", 1)

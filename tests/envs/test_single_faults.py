"""Mistakes of learners, opponents and users."""

import re
import sys
from functools import partial

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence

from agents.greedy import Greedy
from mjenv import (
    AgentError,
    IllegalActionError,
    MissingExtraError,
    OptionError,
    RulesError,
    TileError,
)
from mjenv.core.setup import SEED_LIMIT
from mjenv.envs.single import SingleSeat
from mjenv.sichuan.actions import NUM_ACTIONS, PASS
from tests.envs.play import first_legal, random_legal
from tests.envs.single_play import first_policy, played, same


class Failing:
    """An opponent that fails at one of its answers, once."""

    name = "failing/1"
    games = ("sichuan",)
    observation = "view"

    def __init__(self, at, fault):
        self.left, self.fault = at, fault

    def act(self, observations, masks, rng):
        self.left -= 1
        if self.left == 0:
            if isinstance(self.fault, BaseException):
                raise self.fault
            return self.fault
        return masks.argmax(axis=1)


def illegal_action(env):
    return int(np.flatnonzero(~env.action_masks())[0])


# -------------------------------------------------------------------------------- opponents


@pytest.mark.parametrize(
    ("opponents", "words"),
    [
        (3, "opponents: got 3; allowed: the name of an agent, an agent, a function"),
        (None, "opponents: got None; allowed"),
        (Greedy, "the class Greedy, not an object of it; allowed"),
        (["greedy/1"] * 2, r"2 of them in \['greedy/1', 'greedy/1'\]; allowed: .* a list of 3"),
        (["greedy/1", 7, "greedy/1"], r"got 7 in \['greedy/1', 7, 'greedy/1'\]"),
        (type("Half", (), {"act": None})(), "which has act but not name, games and observation"),
    ],
)
def test_what_is_no_opponent_is_explained(opponents, words):
    with pytest.raises(OptionError, match=words):
        SingleSeat(opponents)


def test_an_opponent_that_cannot_play_is_refused(monkeypatch):
    with pytest.raises(
        AgentError, match=r"'gready/1' \(did you mean 'greedy/1'\?\); known: .*greedy/1, "
    ):
        SingleSeat("gready/1")
    other = Failing(0, None)
    other.games = ("cixi",)
    with pytest.raises(AgentError, match="'failing/1' plays cixi, not sichuan"):
        SingleSeat(other)
    other = Failing(0, None)
    other.observation = "pictures/1"
    with pytest.raises(AgentError, match="wants the observation 'pictures/1'; sichuan has view, "):
        SingleSeat(["greedy/1", "greedy/1", other])
    # As if torch was not installed, also where another test has imported it.
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "agents.ppo.agent", raising=False)
    with pytest.raises(MissingExtraError, match="needs packages that are not installed"):
        SingleSeat("ppo:nowhere")


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        (np.array([61]), AgentError, r"agent 'failing/1' answered 61: seat \d cannot 'quit' in"),
        (np.array([-1]), AgentError, r"answered -1: seat \d cannot 'action -1' in [A-Z]+; legal: "),
        (np.array([99]), AgentError, r"answered 99: seat \d cannot 'action 99' in [A-Z]+; legal: "),
        (np.array([0.5]), AgentError, "answered float64"),
        (None, AgentError, "answered object"),
        (np.array([1, 2]), AgentError, r"answered int64 \(2,\) to 1 questions"),
        (ZeroDivisionError("lost"), ZeroDivisionError, "lost"),
        (KeyboardInterrupt(), KeyboardInterrupt, ""),
    ],
)
@pytest.mark.parametrize("at", [2, 25, 40])
def test_a_failing_opponent_leaves_the_environment_as_it_was(at, fault, error, words):
    """The call can be made again, and what follows is as if nothing had happened."""
    env = SingleSeat(Failing(at, fault), "sichuan_modern", episode="match", deals=2)
    sound = SingleSeat(first_policy, "sichuan_modern", episode="match", deals=2)
    choose = random_legal(1)
    failures: list[BaseException] = []

    def again(call):
        """Call; if it fails, see that nothing has changed and call once more."""
        before = env.table.states.tobytes(), env.seat, env.series.deal
        try:
            return call()
        except error as caught:
            failures.append(caught)
            assert (env.table.states.tobytes(), env.seat, env.series.deal) == before
            return call()

    shown = again(lambda: env.reset(seed=6))[0]
    assert data_equivalence(shown, sound.reset(seed=6)[0], exact=True)
    over = False
    while not over:
        action = choose(shown["action_mask"])
        mine = again(partial(env.step, action))
        assert data_equivalence(mine, sound.step(action), exact=True)
        shown, over = mine[0], mine[2]
    (caught,) = failures
    assert re.search(words, str(caught))
    if isinstance(caught, ZeroDivisionError):
        assert "raised by agent 'failing/1', asked for seat" in caught.__notes__[-1]


def test_after_a_first_reset_that_failed_there_is_no_episode():
    env = SingleSeat(Failing(1, np.array([-1])), "sichuan_modern", learner_seat=1)
    with pytest.raises(AgentError):
        env.reset(seed=1, options={"dealer": 0})
    for call in (env.action_masks, env.views, lambda: env.step(0)):
        with pytest.raises(ResetNeeded):
            call()
    assert env.reset(seed=1)[1]["deal"] == 0


# ------------------------------------------------------------------------------- the learner


@pytest.mark.parametrize("illegal_reward", [-1, -2.5])
def test_an_illegal_action_ends_the_episode(illegal_reward):
    env = SingleSeat("greedy/1", "qq", illegal_reward=illegal_reward)
    clean = SingleSeat("greedy/1", "qq")
    shown, _ = env.reset(seed=3)
    for _ in range(4):
        shown, *_ = env.step(first_legal(shown["action_mask"]))
    action = illegal_action(env)
    shown, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (illegal_reward, True, False)
    assert isinstance(reward, float)
    assert info["illegal"] is True
    assert info["phase"] == "OVER"
    assert info["error"].startswith("seat 0 cannot ")
    assert sum(info["ledger"].values()) == info["points"][0]
    assert env.observation_space.contains(shown)
    assert shown["action_mask"].nonzero()[0].tolist() == [PASS]
    assert env.action_masks().nonzero()[0].tolist() == [PASS]
    with pytest.raises(ResetNeeded):
        env.step(PASS)
    # Two clean deals on the same object follow.
    clean.reset(seed=3)
    for deal in (1, 2):
        mine, theirs = env.reset(), clean.reset()
        assert data_equivalence(mine, theirs, exact=True)
        assert mine[1]["deal"] == deal
        assert "illegal" not in mine[1]
        over = False
        while not over:
            action = first_legal(env.action_masks())
            mine, theirs = env.step(action), clean.step(action)
            assert data_equivalence(mine, theirs, exact=True)
            over = mine[2]


def test_an_illegal_action_can_raise():
    env = SingleSeat("greedy/1", "qq", illegal_action="raise")
    _, info = env.reset(seed=3)
    before = env.table.states.tobytes()
    for action in (illegal_action(env), -1, NUM_ACTIONS, 10**9):
        with pytest.raises(IllegalActionError, match=f"seat 0 cannot .* in {info['phase']}; legal"):
            env.step(action)
    assert env.table.states.tobytes() == before
    assert not env.step(first_legal(env.action_masks()))[2]


@pytest.mark.parametrize("action", [None, "discard 5p", 1.0, [3], np.array([1, 2])])
@pytest.mark.parametrize("illegal_action", ["raise", "terminate"])
def test_what_is_no_integer_is_always_refused(action, illegal_action):
    env = SingleSeat(illegal_action=illegal_action)
    env.reset(seed=1)
    before = env.table.states.tobytes()
    with pytest.raises(IllegalActionError, match="no integer; actions are integers from 0 to 61"):
        env.step(action)
    assert env.table.states.tobytes() == before


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint8, np.array])
def test_integers_of_all_kinds_are_actions(kind):
    env = SingleSeat()
    env.reset(seed=1)
    assert not env.step(kind(first_legal(env.action_masks())))[2]


# ------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"observation": "planes/9"}, OptionError, "got 'planes/9'; allowed: 'planes/1', 'vector"),
        ({"reward": "money"}, OptionError, "reward: got 'money'; allowed: 'units', 'points', 'fi"),
        ({"learner_seat": 4}, OptionError, "learner_seat: got 4; allowed: a seat .*, or 'rotate'"),
        ({"learner_seat": "player_0"}, OptionError, "learner_seat: got 'player_0'"),
        ({"episode": "day"}, OptionError, "episode: got 'day'"),
        ({"deals": 4}, OptionError, 'more than one needs episode="match"'),
        ({"episode": "match"}, OptionError, "deals: got None"),
        ({"episode": "match", "deals": True}, OptionError, "deals: got True"),
        ({"illegal_action": "ignore"}, OptionError, "allowed: 'terminate', 'raise'"),
        ({"illegal_reward": "low"}, OptionError, "illegal_reward: got 'low'"),
        ({"render_mode": "rgb_array"}, OptionError, "allowed: None, 'human', 'ansi'"),
        ({"rules": "bejing"}, RulesError, "bejing"),
        ({"game": "chess"}, RulesError, "game: got 'chess'"),
    ],
)
def test_wrong_arguments_are_explained(options, error, words):
    with pytest.raises(error, match=words):
        SingleSeat(**options)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ({"seed": -1}, OptionError),
        ({"seed": SEED_LIMIT}, OptionError),
        ({"seed": 0.5}, OptionError),
        ({"options": {"dealer": 4}}, OptionError),
        ({"options": {"deeler": 1}}, OptionError),
        ({"options": {"wall": ["9z"]}}, TileError),
        ({"options": []}, OptionError),
    ],
)
def test_wrong_resets_are_explained_and_change_nothing(call, error):
    env, other = SingleSeat(), SingleSeat()
    env.reset(seed=2)
    other.reset(seed=2)
    with pytest.raises(error):
        env.reset(**call)
    action = first_legal(env.action_masks())
    assert data_equivalence(env.step(action), other.step(action), exact=True)
    for one, two in zip(
        played(env, first_legal, 2, 1), played(other, first_legal, 2, 1), strict=True
    ):
        same(one, two)

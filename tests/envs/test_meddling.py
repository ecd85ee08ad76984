"""Agents that write over what they are given change no game."""

from typing import Any

import numpy as np
import pytest

from agents.at_table import AtTable
from mjenv import Table, sichuan_v0
from mjenv.envs.single import SingleSeat
from mjenv.sichuan.rules import Rules
from tests.envs.play import first_legal, turns
from tests.envs.vector_play import Learner, assert_same, make, transitions
from train.evaluation.times import decision_times


class Honest:
    """Answers the first legal action."""

    name = "honest/1"
    games = ("sichuan",)
    observation = "view"

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)


class Meddler(Honest):
    """Answers the same, and then writes zeros wherever it can."""

    rules: tuple[bytes, ...] = ()

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        actions = super().act(observations, masks, rng)
        self.rules += (observations.rules.tobytes(),)
        for array in (*observations, masks, rng):
            array.view(np.uint8)[...] = 0
        return actions


class NumbersMeddler(Meddler):
    """The same with an encoding."""

    observation = "vector/1"

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        actions = Honest().act(observations, masks, rng)
        for array in (observations, masks, rng):
            array[...] = 0
        return actions


@pytest.mark.parametrize("meddler", [Meddler, NumbersMeddler])
def test_opponents_at_many_tables(meddler):
    one, other = (
        make(3, rules="sichuan_modern", opponents=[agent, "greedy/1", agent])
        for agent in (meddler(), Honest())
    )
    for there, here in zip(
        transitions(one, Learner(1), 60, seed=4),
        transitions(other, Learner(1), 60, seed=4),
        strict=True,
    ):
        assert_same(there, here)


@pytest.mark.parametrize("meddler", [Meddler, NumbersMeddler])
def test_opponents_at_one_table(meddler):
    one, other = (
        SingleSeat(rules="sichuan_modern", opponents=[agent, "greedy/1", agent])
        for agent in (meddler(), Honest())
    )
    assert_same(one.reset(seed=4), other.reset(seed=4))
    over = False
    while not over:
        action = int(other.table.menu.argmax())
        there, here = one.step(action), other.step(action)
        assert_same(there, here)
        over = here[2] or here[3]


def test_views_of_an_environment():
    env = sichuan_v0.env(rules="sichuan_modern")
    env.reset(seed=4)
    packed = env.unwrapped.table.rules.tobytes()
    for agent in turns(env, first_legal):
        for array in env.unwrapped.views(agent):
            array.view(np.uint8)[...] = 0
    assert env.unwrapped.table.rules.tobytes() == packed


def test_an_agent_at_a_table_of_the_user():
    meddler, rules = Meddler(), Rules.preset("sichuan_modern")
    player, table = AtTable(meddler, rules), Table(rules, seed=4)
    for _ in range(10):
        table.step(player(table))
    assert meddler.rules == (rules.pack().tobytes(),) * 10


def test_an_agent_whose_time_is_measured():
    """What it does to one question it does to no other."""
    meddler, rules = Meddler(), Rules.preset("sichuan_modern")
    number = len(decision_times(meddler, rules, 1, rounds=1))
    assert number > 10
    assert meddler.rules[:number] == (rules.pack().tobytes(),) * number

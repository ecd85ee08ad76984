"""Agents whose observation is in the canonical order of suits."""

import numpy as np
import pytest

from agents.at_table import AtTable
from agents.greedy import Greedy
from agents.play import play_deals
from mjenv.sichuan.actions import WIN
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules
from mjenv.table import Table
from tests.sichuan.relabelled import PERMUTATIONS, keeps_order, relabelled, relabelled_action

CHANNELS = SICHUAN.encodings["vector/1"].channels
KEEPS, USEFUL, HELD = map(CHANNELS.index, ("discard keeps 1m", "useful after 1m", "suit held m"))
WEIGHTS = np.random.default_rng(3).random((62, len(CHANNELS))).astype(np.float32)


class Reader:
    """Reads nothing but numbers; ties are broken by weights, not by chance."""

    games = ("sichuan",)

    def __init__(self, observation):
        self.name = f"reader of {observation}"
        self.observation = observation

    def act(self, observations, masks, rng):
        assert masks.any(axis=1).all()
        worth = observations @ WEIGHTS.T / 100
        worth[:, :27] += 10 * observations[:, KEEPS:][:, :27] + observations[:, USEFUL:][:, :27]
        worth[:, 54:57] -= 10 * observations[:, HELD:][:, :3]
        worth[:, WIN] += 100
        return np.where(masks == 1, worth, -np.inf).argmax(axis=1)


CANONICAL = Reader("vector/1/canonical")


@pytest.mark.parametrize("preset", ["qq", "sichuan_modern", "standalone"])
def test_it_chooses_the_same_at_one_table_and_at_many(preset):
    rules = Rules.preset(preset)
    others = Greedy()
    played = play_deals([CANONICAL, others, CANONICAL, others], rules, 3, seed=4)
    seated = [AtTable(agent, rules) for agent in (CANONICAL, others, CANONICAL, others)]
    for deal in range(3):
        table = Table(rules, 4, deal)
        while not table.over:
            table.step(seated[table.actor](table))
        assert table.state.tobytes() == played.finished[deal : deal + 1].tobytes()
    assert (played.finished["win_order"][:, ::2] > 0).any()


def test_the_order_makes_a_difference():
    names = ("vector/1", "vector/1/canonical")
    plain, canonical = (play_deals([Reader(name)] * 4, "qq", 3, seed=4) for name in names)
    assert plain.finished.tobytes() != canonical.finished.tobytes()


@pytest.mark.parametrize("permutation", PERMUTATIONS[1:-1])  # the last turns all pairs round
def test_it_does_the_same_in_a_world_with_other_suits(permutation):
    rules = Rules.preset("qq")
    choose, alike = AtTable(CANONICAL, rules), 0
    for seed in range(6):
        table = Table(rules, seed)
        while not table.over:
            action = choose(table)
            void = int(table.state["void_suit"][0, table.actor])
            if void >= 0 and keeps_order(permutation, void):
                world = relabelled(table.state[0], permutation)[0]
                other = Table.from_position(SICHUAN.position_text(world, rules))
                assert choose(other) == relabelled_action(action, permutation)
                alike += 1
            table.step(action)
    assert alike > 30

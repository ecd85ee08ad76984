"""Likely worlds fit what a seat knows, and hold better hands than uniform ones."""

import numpy as np
import pytest

from agents.beliefs import LIKELY, likely_world
from mjenv.core.rng import new_generator
from mjenv.envs.rollout import rollout
from mjenv.sichuan.analysis import hand_deficiency
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.presets import PRESETS
from mjenv.sichuan.rules import Rules
from mjenv.table import Table
from tests.at_table import Bot
from tests.sichuan.engine import LUTS
from tests.sichuan.players import PLAYERS

UNIFORM = SICHUAN.bot(PLAYERS["uniform"])
RULES = {name: Rules.preset(name) for name in PRESETS}
RULES["exchange"] = RULES["qq"].replace(swap_three=True)


def tables(name, seeds):
    """Tables at all stages of deals."""
    for seed in seeds:
        table, bot = Table(RULES[name], seed), Bot("tidy", seed)
        rng = np.random.default_rng(seed)
        while not table.over:
            if rng.random() < 0.06:
                yield table
            table.step(bot(table))


def likely(table, seat, seed):
    """State of a likely world."""
    states, rng = table.state, new_generator()
    rng[0] = seed + 1
    likely_world(states[0], table.rules.pack()[0], LUTS, seat, rng)
    return states


@pytest.mark.parametrize("name", RULES)
def test_a_likely_world_fits_what_the_seat_knows(name):
    looked = 0
    for number, table in enumerate(tables(name, range(2))):
        for seat in range(4):
            world = Table._at(table.rules, likely(table, seat, number))
            assert world.view(seat).tobytes() == table.view(seat).tobytes()
            if table.actor == seat:
                assert world.legal_actions() == table.legal_actions()
            again = Table.from_position(world.to_position())  # names whatever does not fit
            assert again.state.tobytes() == world.state.tobytes()
            looked += world.state["hand"].tobytes() != table.state["hand"].tobytes()
    assert looked > 20


@pytest.mark.parametrize("name", RULES)
def test_it_does_not_depend_on_what_is_really_hidden(name):
    for number, table in enumerate(tables(name, range(2))):
        for seat in range(4):
            other = table.redeal_hidden(seat, number)
            assert likely(other, seat, 5).tobytes() == likely(table, seat, 5).tobytes()


def lacking(world, seat):
    """Tiles that the others who have not won lack for a win."""
    won = world.state["win_order"][0]
    others = [other for other in range(4) if other != seat and won[other] == 0]
    return sum(int(hand_deficiency(world.view(other)[0], LUTS)) for other in others)


def test_hands_are_better_than_uniform_ones():
    uniform, found = 0, 0
    for number, table in enumerate(tables("qq", range(4))):
        draws = table.state["num_draws"][0]
        for seat in range(4):
            if draws.min() > 3:
                uniform += lacking(table.redeal_hidden(seat, number), seat)
                found += lacking(Table._at(table.rules, likely(table, seat, number)), seat)
    assert 0 < found < 0.85 * uniform


@pytest.mark.parametrize("name", RULES)
def test_likely_worlds_can_be_played_on(name):
    for table in tables(name, range(2)):
        for seat in range(4):
            units = rollout(table, UNIFORM, 3, redeal_for=seat, redeal=LIKELY)
            assert (units.sum(axis=1) == 0).all()

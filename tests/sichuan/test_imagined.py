"""A table imagined from a view, against the real one that the view is of."""

import random

import numpy as np
import pytest

from mjenv.core.kernel import kernel
from mjenv.sichuan.hidden import redeal_hidden
from mjenv.sichuan.imagined import imagine
from mjenv.sichuan.presets import PRESETS
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import STATE
from tests.sichuan.engine import LUTS, Engine, some_house_rules
from tests.sichuan.players import PLAYERS
from tests.sichuan.test_properties import FEWER, deal, states

NOT_KNOWN = {"deal", "num_events", "num_decisions", "wall", "wall_next", "wall_end"}
"""Fields of a redealt world in which an imagined table may differ: of the wall, the tiles left are
compared and the place of the dealt ones is not."""


@kernel
def imagine_at(views: np.ndarray, rules: np.ndarray, luts: np.ndarray, tables: np.ndarray) -> None:
    imagine(views[0], rules[0], luts, tables[0])


@kernel
def redeal_at(
    tables: np.ndarray, rules: np.ndarray, luts: np.ndarray, seat: int, rng: np.ndarray
) -> None:
    redeal_hidden(tables[0], rules[0], luts, seat, rng)


def imagined(engine: Engine) -> Engine:
    seat = int(engine.state["actor"])
    other = engine.copy()
    other.tables[:] = np.zeros(1, STATE)
    imagine_at(np.array([engine.view(seat)]), engine.packed, LUTS, other.tables)
    return other


def redealt(engine: Engine, seat: int, seed: int) -> np.void:
    copy = engine.copy()
    redeal_at(copy.tables, copy.packed, LUTS, seat, np.array([seed], np.uint64))
    return copy.state


def check_imagined(engine: Engine, seed: int) -> None:
    seat = int(engine.state["actor"])
    guess = imagined(engine)
    assert guess.view(seat).tobytes() == engine.view(seat).tobytes()
    real, ours = redealt(engine, seat, seed), redealt(guess, seat, seed)
    unknown = NOT_KNOWN if engine.rules.swap_three else NOT_KNOWN | {"direction"}
    for field in set(STATE.names or ()) - unknown:
        np.testing.assert_array_equal(ours[field], real[field], err_msg=field)
    left = [state["wall"][state["wall_next"] : state["wall_end"]] for state in (real, ours)]
    np.testing.assert_array_equal(*left)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_worlds_come_of_a_view_as_of_the_table(preset: str, player: str) -> None:
    rng = random.Random(f"imagined {preset} {player}")
    for _ in range(8 // FEWER or 1):
        for engine in states(deal(Rules.preset(preset), rng), player):
            if engine.state["actor"] >= 0:
                check_imagined(engine, rng.getrandbits(63) | 1)


@pytest.mark.parametrize("seed", range(12 // FEWER or 1))
def test_under_house_rules_too(seed: int) -> None:
    rng = random.Random(f"imagined at home {seed}")
    for engine in states(deal(some_house_rules(rng), rng), "patient"):
        if engine.state["actor"] >= 0:
            check_imagined(engine, rng.getrandbits(63) | 1)

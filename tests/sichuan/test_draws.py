"""Seat-keyed walls: every draw uniform over the tiles left, whatever has happened before."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

from agents.play import play_seated
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.draws import take_from_wall, wall_counts
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.sichuan.state import FIRST_DRAW, NUM_KINDS, NUM_TILES, STATE

SEEDS = 400 if JIT_DISABLED else 6000
GOLDEN = [23, 18, 15, 2, 6, 26, 24, 10]
LEAST_P = 1e-4
"""Seeds are fixed, so these tests never fail by chance; a wrong law gives p values near 0."""


def _table(seed: int, wall: list[int], seat_draws: tuple[int, ...] = (0, 0, 0, 0)) -> np.void:
    states = np.zeros(1, STATE)
    state = states[0]
    state["seed"], state["num_draws"] = seed, seat_draws
    state["wall"][: len(wall)] = wall
    state["wall_end"] = len(wall)
    return state


def _keyed(kong_draw_end: str = "front") -> np.void:
    return Rules.preset("qq").replace(kong_draw_end=kong_draw_end).pack(seat_keyed=True)[0]


def _draw(state: np.void, rules: np.void, seat: int, replacement: bool = False) -> int:
    kind = take_from_wall(state, rules, seat, replacement)
    state["num_draws"][seat] += 1
    return int(kind)


def test_a_draw_is_uniform_over_the_tiles_left() -> None:
    wall = [3, 3, 3, 7, 7, 12, 26, 26, 26, 26]
    drawn = [_draw(_table(seed, wall), _keyed(), 2) for seed in range(SEEDS)]
    counts = np.bincount(drawn, minlength=NUM_KINDS)
    held = np.bincount(wall, minlength=NUM_KINDS)
    assert (counts[held == 0] == 0).all()
    expected = SEEDS * held[held > 0] / len(wall)
    assert chisquare(counts[held > 0], expected).pvalue > LEAST_P


@pytest.mark.parametrize("seats", [(1, 1), (1, 2), (3, 0)])
def test_a_draw_does_not_depend_on_those_before(seats: tuple[int, int]) -> None:
    """All ordered pairs of six different tiles are equally likely, for one seat or for two."""
    wall = [0, 5, 9, 14, 20, 25]
    table = np.zeros((len(wall), len(wall)), np.int64)
    for seed in range(SEEDS):
        state = _table(seed, wall)
        first, second = (_draw(state, _keyed(), seat) for seat in seats)
        table[wall.index(first), wall.index(second)] += 1
    assert (np.diag(table) == 0).all()
    assert chisquare(table[~np.eye(len(wall), dtype=bool)]).pvalue > LEAST_P


def test_the_draws_of_two_seats_are_independent() -> None:
    """From the same wall, each as if the other had not drawn."""
    wall = [0, 9, 18]
    table = np.zeros((3, 3), np.int64)
    for seed in range(SEEDS):
        pair = [_draw(_table(seed, wall), _keyed(), seat) for seat in (0, 1)]
        table[wall.index(pair[0]), wall.index(pair[1])] += 1
    assert chi2_contingency(table).pvalue > LEAST_P


def test_a_seat_draws_the_same_whatever_others_took() -> None:
    """It takes another tile only where its own is gone: once in as many tiles as were left."""
    wall = list(range(NUM_KINDS)) * 2
    changed = 0
    for seed in range(SEEDS):
        undisturbed = _draw(_table(seed, wall), _keyed(), 1)
        state = _table(seed, wall)
        _draw(state, _keyed(), 0)
        changed += _draw(state, _keyed(), 1) != undisturbed
    assert 0 < changed / SEEDS < 3 / len(wall)


@pytest.mark.parametrize("kong_draw_end", ["front", "back"])
def test_the_wall_keeps_its_tiles(kong_draw_end: str) -> None:
    wall = [1, 1, 2, 8, 8, 8, 20, 21, 26]
    state, rules = _table(5, wall), _keyed(kong_draw_end)
    left, drawn = np.zeros(NUM_KINDS, np.int8), []
    for number in range(len(wall)):
        drawn.append(_draw(state, rules, number % 4, replacement=number % 3 == 0))
        wall_counts(state, left)
        assert (
            left + np.bincount(drawn, minlength=NUM_KINDS) == np.bincount(wall, minlength=27)
        ).all()
    assert state["wall_next"] == state["wall_end"]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_ends_with_the_wall_it_would_have_come_from(preset: str) -> None:
    """Tiles are exchanged in the wall, so what was drawn stands in it in the order of draws."""
    numbers, seating = np.arange(3), np.zeros((3, 4), np.int8)
    keyed = play_seated(["greedy/1"], preset, 11, numbers, seating, "seat-keyed").finished
    plain = play_seated(["greedy/1"], preset, 11, numbers, seating, "ordinary").finished
    for ends in zip(keyed, plain, strict=True):
        walls = [end["wall"] for end in ends]
        assert (walls[0][:FIRST_DRAW] == walls[1][:FIRST_DRAW]).all()
        assert (walls[0] != walls[1]).any()
        assert (np.bincount(walls[0]) == NUM_TILES // NUM_KINDS).all()


def test_keys_are_the_same_compiled_or_not() -> None:
    """Golden values: evaluations can be run again anywhere."""
    wall = list(range(NUM_KINDS)) * 2
    state, rules = _table(123456789, wall), _keyed()
    assert [_draw(state, rules, seat) for seat in (0, 1, 2, 3, 0, 0, 3, 1)] == GOLDEN

"""Estimates of other seats fit what self-play shows, and nothing impossible is likely."""

import numpy as np
import pytest

from agents import fitted
from agents.estimates import (
    deal_in_cost,
    discard_chance,
    live_opponents,
    ready_at_end_chance,
    ready_chance,
    wait_chance,
)
from agents.signs import NUM_SIGNS, WALL_STEP
from mjenv import Table
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NUM_DRAWS, NUM_KINDS, NUM_SEATS
from train.fit_tables import FAMILIES, SEED, ready_rows
from train.fitting.logistic import brier_score, calibration_error, probability
from train.fitting.watch import watch

# Deals far from those of the fit; without compilation a few must do, and prove less.
FIRST, DEALS = 50_000, 6 if JIT_DISABLED else 400


@pytest.mark.parametrize(("row", "rules"), list(enumerate(FAMILIES)))
def test_readiness_is_foretold_on_deals_of_no_fit(row: int, rules: str) -> None:
    features, ready = ready_rows(watch("greedy/1", rules, DEALS, FIRST, SEED))
    chance = probability(features, fitted.READY_WEIGHTS[row].ravel())
    always_the_mean = brier_score(np.full(len(ready), ready.mean()), ready)
    assert brier_score(chance, ready) < 0.75 * always_the_mean
    if not JIT_DISABLED:
        assert calibration_error(chance, ready) < 0.04


def view_after(rules: str, decisions: int) -> tuple[np.void, np.void]:
    table = Table(rules, seed=3)
    for _ in range(decisions):
        table.step(table.legal_actions()[0])
    packed, views = Rules.preset(rules).pack(), np.zeros(1, SICHUAN.view_dtype)
    SICHUAN.view_at(table.state, 0, packed, table.actor, views)
    return views[0], packed[0]


@pytest.mark.parametrize("rules", FAMILIES)
@pytest.mark.parametrize("decisions", [20, 45])
def test_chances_are_chances(rules: str, decisions: int) -> None:
    view, packed = view_after(rules, decisions)
    me = int(view["seat"])
    for seat in range(NUM_SEATS):
        now, end = ready_chance(view, packed, seat), ready_at_end_chance(view, packed, seat)
        assert (now == end == 0) if seat == me else (0 < now < end < 1)
        for kind in range(NUM_KINDS):
            assert 0 <= wait_chance(view, packed, seat, kind, 3) < 0.5
    for wall in range(NUM_DRAWS + 1):
        for live in range(5):
            for of_void in (False, True):
                chance = discard_chance(packed, wall, 4, live, 80, of_void)
                assert 0 < chance < 0.3 if live else chance == 0
    wall = int(view["wall_count"])
    assert live_opponents(view, packed, wall) == NUM_SEATS - 1
    assert 0 < live_opponents(view, packed, 0) < live_opponents(view, packed, wall - 1) < 3


def test_a_tile_that_nobody_can_win_with_costs_nothing() -> None:
    view, packed = view_after("qq", 60)
    view = view.copy()
    view["void_suit"] = 1
    assert deal_in_cost(view, packed, 9, 2) == 0
    assert deal_in_cost(view, packed, 3, 2) > 0
    view["win_order"] = 1
    assert deal_in_cost(view, packed, 3, 2) == 0


def test_a_third_suit_is_of_no_use_to_melds_of_two() -> None:
    view, packed = view_after("standalone", 30)
    view = view.copy()
    seat = (int(view["seat"]) + 1) % NUM_SEATS
    view["num_melds"][seat], view["meld_kind"][seat, :2] = 2, (0, 9)
    assert wait_chance(view, packed, seat, 20, 2) == 0
    assert wait_chance(view, packed, seat, 1, 2) > 0


def test_tables_cover_what_they_are_read_by() -> None:
    families = len(FAMILIES)
    assert fitted.READY_WEIGHTS.shape == (families, 2, NUM_SIGNS)
    assert fitted.LIVE_SHARE.shape == (families, NUM_DRAWS + 1)
    assert fitted.BECOMES_READY.shape == (families, NUM_DRAWS // WALL_STEP + 1)
    assert (np.diff(fitted.LIVE_SHARE, axis=1) >= 0).all()

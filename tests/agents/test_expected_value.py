"""expected_value/1 waits where waiting pays, and takes what it gets where it does not."""

from collections.abc import Iterable

import numpy as np
import pytest

from agents.expected_value import ExpectedValue
from agents.forecast import (
    MAX_STAGES,
    Forecast,
    new_forecast,
    turns_until,
    wall_shares,
    write_forecast,
)
from mjenv.core.game import Views
from mjenv.core.tiles import NUM_RANKS
from mjenv.sichuan.actions import KONG, NUM_ACTIONS, PASS, PUNG, WIN, parse_action
from mjenv.sichuan.analysis import live_counts
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NUM_KINDS, NUM_SEATS, Phase
from mjenv.sichuan.view import new_views
from tests.reference.tiles import KIND, count, parse_tiles

BOT = ExpectedValue()
VOID = 2
QQ = Rules.preset("qq")


def shown(
    hand: str,
    *,
    wall: int,
    claim: str | None = None,
    voids: Iterable[int] = (VOID, 0, 1, VOID),
    winners: Iterable[int] = (),
) -> np.ndarray:
    """The view of seat 0, in its turn or asked about a discard of seat 3."""
    views = new_views(1)
    view = views[0]
    counts = count(parse_tiles(hand))
    view["hand"] = counts
    for kind, copies in enumerate(counts):
        view["suit_key"][kind // NUM_RANKS] += copies * 5 ** (kind % NUM_RANKS)
    view["phase"] = Phase.TURN if claim is None else Phase.CLAIM
    view["claim_tile"], view["claim_from"] = (-1, -1) if claim is None else (KIND[claim], 3)
    view["wall_count"], view["num_draws"] = wall, 5
    view["void_suit"], view["hand_size"] = list(voids), 13
    view["hand_size"][0] = sum(counts)
    view["received"], view["win_tile"], view["lock_fan"] = -1, -1, 0
    view["given"] = -1
    for seat in winners:
        view["win_order"][seat] = 1
    return views


def answer(views: np.ndarray, menu: Iterable[int], rules: Rules = QQ) -> int:
    mask = np.zeros((1, NUM_ACTIONS), np.int8)
    mask[0, list(menu)] = 1
    return int(BOT.act(Views(views, rules.pack()), mask, np.ones(1, np.uint64))[0])


def discards(*tiles: str) -> list[int]:
    return [parse_action(f"discard {tile}") for tile in tiles]


def forecast_of(views: np.ndarray, before: int, rules: Rules = QQ) -> Forecast:
    forecast, live = new_forecast(), np.zeros(NUM_KINDS, np.int8)
    live_counts(views[0], live)
    write_forecast(views[0], rules.pack()[0], live, before, forecast)
    return forecast


# ------------------------------------------------------------------------------------ choices

WAITING = "123m456m78m22p345p"  # for 6m and 9m, one fan


def test_a_small_win_is_let_go_while_three_may_still_pay_for_a_self_draw() -> None:
    assert answer(shown(WAITING, wall=40, claim="9m"), [WIN, PASS]) == PASS


def test_it_is_taken_where_little_is_to_be_had() -> None:
    assert answer(shown(WAITING, wall=3, claim="9m"), [WIN, PASS]) == WIN


def test_nothing_is_let_go_where_the_first_win_ends_the_deal_and_self_draws_pay_no_more() -> None:
    rules = Rules.preset("standalone_single")
    views = shown(WAITING, wall=8, claim="9m", voids=(-1, -1, -1, -1))
    assert answer(views, [WIN, PASS], rules) == WIN


def test_a_self_draw_that_all_pay_for_is_taken() -> None:
    menu = [WIN, *discards("9m", "2p", "3p")]
    assert answer(shown("123m456m789m22p345p", wall=30), menu) == WIN


def test_a_hand_keeps_the_wait_with_most_copies() -> None:
    """For 6m and 9m, not for 8m and 2p."""
    views = shown("123m456m788m22p345p", wall=30)
    assert answer(views, discards("7m", "8m", "2p")) == parse_action("discard 8m")


def test_a_kong_that_costs_nothing_is_declared() -> None:
    kong = parse_action("kong 1p")
    views = shown("234m567m22m1111p56p", wall=30)
    assert answer(views, [kong, *discards("5p", "1p", "2m")]) == kong


def test_a_claimed_kong_is_better_than_the_pung() -> None:
    views = shown("234m567m22m111p56p", wall=30, claim="1p")
    assert answer(views, [KONG, PUNG, PASS]) == KONG


def test_seven_pairs_are_not_torn_for_a_pung() -> None:
    views = shown("1133557799m22p4p", wall=30, claim="1m")
    assert answer(views, [PUNG, PASS]) == PASS


def test_a_third_suit_goes_before_the_wall_ends() -> None:
    """Ready on 9p or not: a pig pays dearly where there are no void suits."""
    views = shown("123m456m78m2p345p9p9s", wall=7, voids=(-1,) * NUM_SEATS)
    menu = discards("1m", "7m", "2p", "9p", "9s")
    assert answer(views, menu, Rules.preset("standalone")) == parse_action("discard 9s")


# ----------------------------------------------------------------------------------- forecast


def test_tiles_that_no_hand_may_hold_are_in_the_wall() -> None:
    views = shown(WAITING, wall=30, voids=(VOID, 0, 0, 0))
    views["discard_kind"][0, :3], views["num_discards"] = KIND["5s"], 3
    views["discard_fate"][0, :3] = [1, 2, 3]
    live, shares = np.zeros(NUM_KINDS, np.int8), np.zeros(3)
    live_counts(views[0], live)
    wall_shares(views[0], live, shares)
    unseen = live.reshape(3, NUM_RANKS).sum(axis=1)
    assert shares[0] == pytest.approx(1.0)
    assert shares[1] == pytest.approx(shares[2])
    # Hands and wall that are shown are not quite all that is unseen; their shares are.
    in_wall = (shares * unseen).sum()
    assert 0 < in_wall < unseen.sum()


def test_without_void_suits_all_suits_are_alike() -> None:
    forecast = forecast_of(shown(WAITING, wall=30, voids=(-1,) * NUM_SEATS), 3)
    live = np.zeros(NUM_KINDS, np.int8)
    live_counts(shown(WAITING, wall=30)[0], live)
    assert forecast.odds == pytest.approx(live / live.sum())


@pytest.mark.parametrize(
    ("wall", "before", "draws"), [(0, 0, 0), (1, 0, 1), (1, 1, 0), (3, 3, 0), (4, 3, 1), (5, 0, 2)]
)
def test_draws_to_come_are_counted_by_turns(wall: int, before: int, draws: int) -> None:
    assert forecast_of(shown(WAITING, wall=wall), before).draws[0] == draws


@pytest.mark.parametrize("winners", [(), (1,), (1, 3)])
@pytest.mark.parametrize("wall", [1, 7, 30, 55])
def test_every_tile_of_the_wall_is_drawn_in_some_stage(wall: int, winners: tuple[int, ...]) -> None:
    """Also where two seats share a long wall, which is more stages than there is room for."""
    views = shown(WAITING, wall=wall, winners=winners)
    forecast = forecast_of(views, turns_until(views[0], 1))
    draws = int(forecast.draws[0])
    assert draws <= MAX_STAGES
    # Turns of others are a mean, so that the last tile is not met exactly.
    assert draws + forecast.turns[: draws + 1].sum() == pytest.approx(wall, abs=0.5)
    assert not forecast.turns[draws + 1 :].any()
    if wall == 55 and len(winners) == 2:
        assert draws == MAX_STAGES


def test_a_forecast_gets_worse_as_the_deal_goes_on() -> None:
    forecast = forecast_of(shown(WAITING, wall=50), 3)
    draws = int(forecast.draws[0])
    assert 12 <= draws <= MAX_STAGES
    assert (np.diff(forecast.live[: draws + 1]) < 0).all()
    assert (forecast.goes_on[: draws + 1] <= 1).all()
    assert forecast.odds.sum() == pytest.approx(1.0)


def test_the_first_win_ends_a_deal_of_the_single_mode() -> None:
    views = shown(WAITING, wall=30, voids=(-1,) * NUM_SEATS)
    single = forecast_of(views, 3, Rules.preset("standalone_single"))
    blood = forecast_of(views, 3, Rules.preset("standalone"))
    assert single.goes_on[3] < 0.9 < blood.goes_on[3]


def test_turns_skip_who_has_won() -> None:
    views = shown(WAITING, wall=30, winners=[2])
    assert [turns_until(views[0], first) for first in (0, 1, 2, 3, 4)] == [0, 2, 1, 1, 0]

import math

import numpy as np
import pytest

from agents.greedy import Greedy
from agents.play import play_deals
from agents.random_legal import RandomLegal
from agents.statistics import AVERAGES, summary
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.state import STATE, Class, End, Ledger, Meld, Win
from mjenv.sichuan.statistics import deal_statistics

DEALS = 6 if JIT_DISABLED else 300


def finished_deals() -> np.ndarray:
    """Two deals written by hand."""
    deals = np.zeros(2, STATE)
    deals["win_from"] = -1
    won = deals[0]  # seat 1 wins on seat 3, seats 0 and 2 together rob seat 3's kong
    won["end_reason"] = End.THREE_WINS
    won["points"] = [4, 1, 2, -7]
    won["win_order"] = [2, 1, 2, 0]
    won["win_how"] = [Win.ROB_KONG, Win.DISCARD, Win.ROB_KONG, Win.NONE]
    won["win_from"] = [3, 3, 3, -1]
    won["win_fan"] = [3, 1, 2, 0]
    won["classes"] = [Class.WON, Class.WON, Class.WON, Class.PIG]
    won["num_melds"] = [0, 2, 0, 1]
    won["meld_type"][1, :2] = [Meld.PUNG, Meld.CONCEALED_KONG]
    won["meld_type"][3, :2] = [Meld.PUNG, Meld.DIRECT_KONG]  # the second is left over, no meld
    drawn = deals[1]  # seat 2 wins by itself, the wall ends
    drawn["end_reason"] = End.WALL_EMPTY
    drawn["points"] = [-3, -5, 9, -1]
    drawn["win_order"] = [0, 0, 1, 0]
    drawn["win_how"][2] = Win.SELF_DRAW
    drawn["win_fan"][2] = 2
    drawn["classes"] = [Class.READY, Class.PIG, Class.WON, Class.UNREADY]
    return deals


def test_every_column_by_hand() -> None:
    wanted = {
        "units": [[4, 1, 2, -7], [-3, -5, 9, -1]],
        "won": [[1, 1, 1, 0], [0, 0, 1, 0]],
        "fan": [[3, 1, 2, 0], [0, 0, 2, 0]],
        "self_draw": [[0, 0, 0, 0], [0, 0, 1, 0]],
        "deal_in": [[0, 0, 0, 1], [0, 0, 0, 0]],
        "win_order": [[2, 1, 2, 0], [0, 0, 1, 0]],
        "kongs": [
            [[0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]],
            [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
        ],
        "pungs": [[0, 1, 0, 1], [0, 0, 0, 0]],
        "undecided": [[0, 0, 0, 0], [1, 1, 0, 1]],
        "ready": [[0, 0, 0, 0], [1, 0, 0, 0]],
        "pig": [[0, 0, 0, 0], [0, 1, 0, 0]],
    }
    found = deal_statistics(finished_deals())
    copied = {"seed", "deal", "dealer", "end_reason", "ledger", "decisions"}
    assert set(found.dtype.names or ()) == wanted.keys() | copied
    for name, table in wanted.items():
        np.testing.assert_array_equal(found[name], table, err_msg=name)


def test_averages_by_hand() -> None:
    statistics = deal_statistics(finished_deals())
    everybody = summary(statistics)
    assert everybody["seats"] == 8
    assert everybody["units_per_deal"] == 0
    assert everybody["units_error"] == 0  # every deal sums to zero
    assert everybody["win_rate"] == 0.5
    assert everybody["average_fan"] == 2
    assert everybody["self_draw_share"] == 0.25
    assert everybody["deal_in_rate"] == 0.125
    assert everybody["kongs_per_deal"] == 0.125
    assert everybody["pungs_per_deal"] == 0.25
    assert everybody["ready_at_wall_end"] == pytest.approx(1 / 3)
    assert everybody["pig_rate"] == 0.125
    assert everybody["wall_end_rate"] == 0.5
    assert everybody["first_winner_rate"] == 0.25
    assert everybody["second_winner_rate"] == 0.25  # both who robbed the kong
    assert everybody["third_winner_rate"] == 0
    assert everybody["call_rate"] == 0.25
    assert everybody["concealed_kongs_per_deal"] == 0.125
    assert everybody["direct_kongs_per_deal"] == 0  # the one left over is no meld
    seats = np.zeros((2, 4), bool)
    seats[0, 3] = seats[1, 0] = True
    two = summary(statistics, seats)
    assert two["units_per_deal"] == -5
    assert two["units_error"] == pytest.approx(2)  # -7 and -3: deviation sqrt(8), over sqrt(2)
    assert math.isnan(two["average_fan"])
    assert two["ready_at_wall_end"] == 1
    assert math.isnan(summary(statistics, np.zeros((2, 4), bool))["units_per_deal"])
    assert math.isnan(summary(statistics[:1])["units_error"])


def test_columns_agree_with_the_ledger_of_real_deals() -> None:
    finished = play_deals([Greedy(), RandomLegal()] * 2, "qq", DEALS, seed=2).finished
    statistics = deal_statistics(finished)
    assert (statistics["units"].sum(axis=1) == 0).all()
    assert (statistics["fan"] > 0).sum() == statistics["won"].sum() == finished["num_wins"].sum()
    # Whoever dealt in has paid for it, and nobody else has.
    deal_in_paid = finished["ledger"][:, :, Ledger.DEAL_IN] < 0
    np.testing.assert_array_equal(statistics["deal_in"], deal_in_paid)
    assert statistics["deal_in"].any()
    by_wall = finished["end_reason"] == End.WALL_EMPTY
    assert (statistics["undecided"].any(axis=1) == by_wall).all()
    assert (statistics["self_draw"] <= statistics["won"]).all()


def test_every_average_lies_where_it_can() -> None:
    finished = play_deals([Greedy(), RandomLegal()] * 2, "qq", DEALS, seed=2).finished
    result = summary(deal_statistics(finished))
    for average in AVERAGES:
        if average.share:
            assert 0 <= result[average.name] <= 1, average.name
    kinds = ("direct", "added", "concealed")
    by_kind = sum(result[f"{kind}_kongs_per_deal"] for kind in kinds)
    assert by_kind == pytest.approx(result["kongs_per_deal"])
    assert result["kong_income"] == pytest.approx(0)  # of all four seats
    assert result["win_rate"] == pytest.approx(
        sum(result[f"{which}_winner_rate"] for which in ("first", "second", "third"))
    )
    assert result["deal_in_cost"] >= 1


def test_sums_keep_the_shape_of_the_deals() -> None:
    deals = deal_statistics(finished_deals()).reshape(1, 2)
    win_rate = next(average for average in AVERAGES if average.name == "win_rate")
    seats = np.zeros((1, 2, 4), bool)
    seats[0, 0, 1:] = True
    values, per = win_rate.sums(deals, seats)
    np.testing.assert_array_equal(values, [[2, 0]])
    np.testing.assert_array_equal(per, [[3, 0]])

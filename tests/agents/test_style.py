"""The style panel: each bot shows its distortion beside greedy/1, and none is a fool."""

from functools import cache

import numpy as np
import pytest

from agents.play import Played, play_deals
from agents.statistics import summary
from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.tiles import NUM_RANKS
from mjenv.registry import make_agent
from mjenv.sichuan.statistics import deal_statistics

DEALS = 1000
PANEL = ("always_call/1", "folder/1", "kong_hunter/1", "never_call/1", "one_suit/1")

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="averages over many deals")


@cache
def played(name: str, reference: str = "greedy/1", rules: str = "qq") -> Played:
    """One seat, in turn every seat, against three of the reference."""
    agents = [make_agent(name), *[make_agent(reference)] * 3]
    return play_deals(agents, rules, DEALS, seed=1, rotate=True)


@cache
def averages(name: str, reference: str = "greedy/1", rules: str = "qq") -> dict[str, float]:
    deals = played(name, reference, rules)
    return summary(deal_statistics(deals.finished), deals.seats_of(0))


def suits_held(finished: np.ndarray) -> np.ndarray:
    """How many suits each seat holds at the end, melds and the winning tile included: (D, 4)."""
    held = finished["hand"].reshape(len(finished), 4, 3, NUM_RANKS).any(axis=3)
    for suit in range(3):
        of_suit = finished["meld_kind"] // NUM_RANKS == suit
        made = np.arange(4) < finished["num_melds"][:, :, None]
        held[:, :, suit] |= (of_suit & made).any(axis=2)
        claimed = finished["win_tile"] // NUM_RANKS == suit
        held[:, :, suit] |= claimed & (finished["win_order"] > 0)
    return np.asarray(held.sum(axis=2))


def share_in_one_suit(name: str) -> float:
    deals = played(name)
    wins = (deals.finished["win_order"] > 0) & deals.seats_of(0)
    return float((suits_held(deals.finished)[wins] == 1).mean())


def calls(name: str) -> float:
    return averages(name)["pungs_per_deal"] + averages(name)["kongs_per_deal"]


def test_always_call_calls_more() -> None:
    assert calls("always_call/1") > 1.4 * calls("greedy/1")


def test_never_call_never_calls() -> None:
    assert calls("never_call/1") == 0
    assert calls("greedy/1") > 0.5
    assert averages("never_call/1")["win_rate"] > 0.45


def test_one_suit_wins_in_one_suit() -> None:
    assert share_in_one_suit("one_suit/1") > 0.25
    assert share_in_one_suit("greedy/1") < 0.02
    assert averages("one_suit/1")["average_fan"] > averages("greedy/1")["average_fan"] + 0.5


def test_folder_deals_in_less() -> None:
    assert averages("folder/1")["deal_in_rate"] < 0.85 * averages("greedy/1")["deal_in_rate"]


def test_folder_is_hardly_ever_ready_at_the_end() -> None:
    assert averages("folder/1")["ready_at_wall_end"] < 0.3
    assert averages("greedy/1")["ready_at_wall_end"] > 0.6


def test_kong_hunter_makes_more_kongs() -> None:
    hunter, greedy = averages("kong_hunter/1"), averages("greedy/1")
    assert hunter["kongs_per_deal"] > 1.3 * greedy["kongs_per_deal"]
    # It comes by them with pungs, of which some grow into kongs.
    assert hunter["pungs_per_deal"] > 1.4 * greedy["pungs_per_deal"]


@pytest.mark.parametrize("name", PANEL)
def test_each_is_competent(name: str) -> None:
    """Well above random play, and a pig only when it has drawn nothing but void tiles."""
    result = averages(name, "random_legal/1")
    assert result["units_per_deal"] - 1.96 * result["units_error"] > 0.5
    assert result["pig_rate"] < 0.01

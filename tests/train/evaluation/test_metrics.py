import re
from pathlib import Path

import numpy as np
import pytest

from agents.statistics import AVERAGES, summary
from mjenv.sichuan.state import End, Ledger
from mjenv.sichuan.statistics import DEAL
from mjenv.sichuan.tally import NEVER, TALLY
from tests.train.evaluation.matches import ALONE, played
from train.evaluation.intervals import ratio
from train.evaluation.metrics import (
    MEANINGS,
    REASONS,
    TALLY_AVERAGES,
    figures,
    ledger_above_table,
    ledger_of_sets,
    units_of_sets,
)
from train.evaluation.wording import FIGURE_WORDS, REASON_WORDS

ARENA_PAGE = Path(__file__).parents[3] / "docs" / "arena.md"


def by_hand() -> tuple[np.ndarray, np.ndarray]:
    """Two sets of two seatings; the policy sits in seat 0, then in seat 1."""
    deals, tallies = np.zeros((2, 2), DEAL), np.zeros((2, 2), TALLY)
    deals["end_reason"] = End.THREE_WINS
    tallies["ready_turn"] = NEVER
    won = deals[0, 0]  # seat 0 wins 3 fan from seat 1, which pays for a kong as well
    won["won"][0], won["win_order"][0], won["fan"][0] = True, 1, 3
    won["deal_in"][1] = True
    won["ledger"][0, Ledger.WIN], won["ledger"][1, Ledger.DEAL_IN] = 4, -4
    won["ledger"][0, Ledger.KONG], won["ledger"][1, Ledger.KONG] = 2, -2
    lost = deals[1, 1]  # seat 1 deals in twice
    lost["won"][[2, 3]], lost["fan"][[2, 3]] = True, 1
    lost["deal_in"][1] = True
    lost["ledger"][[2, 3], Ledger.WIN], lost["ledger"][1, Ledger.DEAL_IN] = 1, -2
    deals["units"] = deals["ledger"].sum(axis=-1)
    tallies["ready_turn"][0, 0, 0], tallies["ready_turn"][1, 1, 1] = 5, 8
    return deals, tallies


SEATS = ALONE[:2]


def test_figures_by_hand():
    deals, tallies = by_hand()
    found = figures(deals, tallies, SEATS)
    values = {name: estimate.value for name, estimate in found.averages.items()}
    assert values["units_per_deal"] == (6 - 2) / 4
    assert values["win_rate"] == 0.25
    assert values["average_fan"] == 3
    assert values["deal_in_rate"] == 0.25
    assert values["deal_in_cost"] == 2
    assert values["kong_income"] == 0.5
    assert values["ready_turn"] == 6.5
    assert values["ever_ready_rate"] == 0.5
    assert list(found.fan_histogram) == [1, 2, 3]
    assert [share.value for share in found.fan_histogram.values()] == [0, 0, 1]
    assert found.ledger["win"].value == 1
    assert found.ledger["deal_in"].value == -0.5
    np.testing.assert_array_equal(units_of_sets(deals, SEATS), [3, -1])


def test_there_is_no_fan_without_a_win():
    deals, tallies = by_hand()
    deals["won"] = False
    found = figures(deals, tallies, SEATS)
    assert found.fan_histogram == {}
    assert np.isnan(found.averages["average_fan"].value)


def test_the_ledger_sums_to_the_units_exactly():
    deals, _, _ = played()
    for seats in (ALONE, ~ALONE):
        booked = ledger_of_sets(deals, seats)
        assert booked.shape == (len(deals), len(REASONS))
        units = (deals["units"] * seats).sum(axis=(1, 2))
        np.testing.assert_array_equal(booked.sum(axis=1), units)
    assert np.abs(ledger_of_sets(deals, ALONE)).sum() > 0


def test_above_the_table_sums_to_the_edge():
    deals, _, _ = played()
    above = ledger_above_table(deals, ALONE)
    edge = units_of_sets(deals, ALONE).mean()
    assert sum(estimate.value for estimate in above.values()) == pytest.approx(edge)
    others = ledger_above_table(deals, ~ALONE)
    for reason in REASONS:  # what one side wins above the table, three others lose
        assert above[reason].value == pytest.approx(-3 * others[reason].value, abs=1e-12)


def test_intervals_are_those_of_deal_sets():
    """Four deals that are the same count as one observation."""
    deals, tallies = by_hand()
    wide = figures(deals, tallies, SEATS).averages["units_per_deal"]
    twice = figures(np.repeat(deals, 2, axis=1), np.repeat(tallies, 2, axis=1),
                    np.repeat(SEATS, 2, axis=0)).averages["units_per_deal"]  # fmt: skip
    assert wide.sets == twice.sets == 2
    assert twice.ci95 == pytest.approx(wide.ci95)
    assert wide == ratio(np.array([6, -2]), np.array([2, 2]))


def test_values_are_those_of_summary():
    """There is one definition of every average, whoever averages."""
    deals, tallies, _ = played()
    seats = np.broadcast_to(ALONE, (len(deals), 4, 4)).reshape(-1, 4)
    plain = summary(deals.reshape(-1), seats)
    found = figures(deals, tallies, ALONE).averages
    assert found.keys() == {average.name for average in (*AVERAGES, *TALLY_AVERAGES)}
    for average in AVERAGES:
        assert found[average.name].value == pytest.approx(plain[average.name], nan_ok=True)


def test_every_figure_is_shown_and_explained():
    words = {"units_per_deal": "in all", **FIGURE_WORDS}
    assert words.keys() == MEANINGS.keys()
    rows = [f"| `{name}` | {words[name].strip()} | {MEANINGS[name]} |" for name in words]
    assert "\n".join(rows) in ARENA_PAGE.read_text(encoding="utf-8")
    assert tuple(REASON_WORDS) == REASONS
    page = ARENA_PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$", page, re.MULTILINE)
    assert [row for row in found if row[0] in REASONS] == list(REASON_WORDS.items())

"""What a policy did in the deals of a match, every figure with intervals by deal set.

What is averaged stands in :data:`agents.statistics.AVERAGES`; this module adds what has to be
watched during play, the histogram of fans, and the ledger: what units were won and lost for.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from agents.statistics import AVERAGES, WINS, Average
from mjenv.sichuan.state import NUM_SEATS, Ledger
from mjenv.sichuan.tally import NEVER
from train.evaluation.intervals import Estimate, mean, ratio, share

TALLY_AVERAGES = (
    Average(
        "ready_turn",
        "own draws before a seat first was ready, of seats that ever were",
        lambda tallies: tallies["ready_turn"],
        lambda tallies: tallies["ready_turn"] != NEVER,
    ),
    Average(
        "ever_ready_rate",
        "deals in which a seat was ready before a draw of its own, or as the deal ended for it",
        lambda tallies: tallies["ready_turn"] != NEVER,
        lambda tallies: np.ones_like(tallies["ready_turn"], bool),
        share=True,
    ),
)
"""Of records of :data:`mjenv.sichuan.tally.TALLY`."""

REASONS = tuple(reason.name.lower() for reason in Ledger)
"""Rows of a ledger, in its order."""

MEANINGS: Mapping[str, str] = {
    average.name: average.meaning for average in (*AVERAGES, *TALLY_AVERAGES)
}
SHARES = frozenset(average.name for average in (*AVERAGES, *TALLY_AVERAGES) if average.share)
"""Names of figures between 0 and 1."""


@dataclass(frozen=True)
class Figures:
    """What one policy did.

    Attributes:
        averages: By the names of :data:`agents.statistics.AVERAGES` and :data:`TALLY_AVERAGES`.
        fan_histogram: Share of the wins with each fan, from 1 to the highest seen.
        ledger: Units a deal by reason; they sum to ``units_per_deal``.
    """

    averages: Mapping[str, Estimate]
    fan_histogram: Mapping[int, Estimate]
    ledger: Mapping[str, Estimate]


def figures(deals: np.ndarray, tallies: np.ndarray, seats: np.ndarray) -> Figures:
    """Figures of the seats of one policy.

    Args:
        deals: ``(sets, seatings)`` records of :data:`mjenv.sichuan.statistics.DEAL`.
        tallies: ``(sets, seatings)`` records of :data:`mjenv.sichuan.tally.TALLY`.
        seats: ``(seatings, 4)`` bool, where the policy sat.
    """
    averages = {average.name: _estimate(average, deals, seats) for average in AVERAGES}
    averages |= {average.name: _estimate(average, tallies, seats) for average in TALLY_AVERAGES}
    return Figures(averages, _fan_histogram(deals, seats), ledger(deals, seats))


def units_of_sets(deals: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Mean units of a policy's seats over the deals of each set: one observation each.

    Args:
        deals: ``(sets, seatings)`` records.
        seats: ``(seatings, 4)`` bool.

    Returns:
        ``(sets,)`` float64.
    """
    total: np.ndarray = (deals["units"] * seats).sum(axis=(1, 2)) / seats.sum()
    return total


def ledger_of_sets(deals: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Units by reason, summed over a policy's seats in the deals of each set.

    Args:
        deals: ``(sets, seatings)`` records.
        seats: ``(seatings, 4)`` bool.

    Returns:
        ``(sets, reasons)`` int64; a row sums to the units of these seats.
    """
    booked: np.ndarray = (deals["ledger"] * seats[..., None]).sum(axis=(1, 2), dtype=np.int64)
    return booked


def ledger(deals: np.ndarray, seats: np.ndarray) -> dict[str, Estimate]:
    """Units a deal by reason; arguments as for :func:`ledger_of_sets`."""
    by_set = ledger_of_sets(deals, seats) / seats.sum()
    return {name: mean(by_set[:, column]) for column, name in enumerate(REASONS)}


def ledger_above_table(deals: np.ndarray, seats: np.ndarray) -> dict[str, Estimate]:
    """Units a deal by reason, above the average of all four seats of the table.

    Everything won is won from somebody, so a table wins nothing. What a policy wins for a reason
    says little by itself (every winner is paid for wins), what it wins above the table's average
    says where its edge comes from. Like the ledger, it sums to the units of the policy.

    Args:
        deals: ``(sets, seatings)`` records.
        seats: ``(seatings, 4)`` bool, where the policy sat.
    """
    everybody = np.ones_like(seats)
    above = ledger_of_sets(deals, seats) / seats.sum()
    above -= ledger_of_sets(deals, everybody) / (NUM_SEATS * len(seats))
    return {name: mean(above[:, column]) for column, name in enumerate(REASONS)}


def _estimate(average: Average, records: np.ndarray, seats: np.ndarray) -> Estimate:
    values, per = (column.sum(axis=1) for column in average.sums(records, seats))
    return share(values, per) if average.share else ratio(values, per)


def _fan_histogram(deals: np.ndarray, seats: np.ndarray) -> dict[int, Estimate]:
    won = WINS(deals) & seats
    highest = int(deals["fan"][won].max()) if won.any() else 0
    wins = won.sum(axis=(1, 2))
    return {
        fan: share((won & (deals["fan"] == fan)).sum(axis=(1, 2)), wins)
        for fan in range(1, highest + 1)
    }

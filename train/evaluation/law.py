"""Whether two ways to deal play the same game.

Seat-keyed walls must change nothing but which deals resemble each other. The same agents play the
same deals with both, and everything that is told of a deal is compared deal by deal: means of units
of each seat, how deals end, who wins how and with how many fan. Any difference in law would show
as a mean difference that is not zero.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from mjenv.sichuan.state import NUM_SEATS, End, Ledger
from train.evaluation.holm import adjusted
from train.evaluation.paired import Comparison, compare

MOST_FAN = 8
"""Wins with more fan are counted with those that have so many: there are too few."""


@dataclass(frozen=True)
class Trait:
    """Something that is told of a deal, under both ways.

    Attributes:
        name: What it is.
        first: Its mean under the first way.
        second: Its mean under the second way.
        comparison: Second less first, on the same deals.
        p_value: Of the difference, adjusted for the number of traits.
    """

    name: str
    first: float
    second: float
    comparison: Comparison
    p_value: float


def compare_laws(first: np.ndarray, second: np.ndarray) -> list[Trait]:
    """Compare everything that is told of deals; what is the same in every deal is left out.

    Args:
        first: ``(deals,)`` records of :data:`mjenv.sichuan.statistics.DEAL`, dealt in one way.
        second: ``(deals,)`` of the same deals between the same agents, dealt in another way.

    Raises:
        EvaluationError: Not the same number of deals.
    """
    names, pairs = [], []
    for (name, before), (_, after) in zip(_traits(first), _traits(second), strict=True):
        if not np.array_equal(before, after):
            names.append(name)
            pairs.append((before, after))
    comparisons = [compare(after, before) for before, after in pairs]
    p_values = adjusted(np.array([comparison.p_value for comparison in comparisons]))
    return [
        Trait(name, float(before.mean()), float(after.mean()), comparison, float(p_value))
        for name, (before, after), comparison, p_value in zip(
            names, pairs, comparisons, p_values, strict=True
        )
    ]


def _traits(deals: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Names and ``(deals,)`` float64 values."""
    units = deals["units"].astype(np.float64)
    for seat in range(NUM_SEATS):
        yield f"units of seat {seat}", units[:, seat]
    yield "units squared", (units**2).mean(axis=1)
    yield "largest win", units.max(axis=1)
    for kind in Ledger:
        moved = np.abs(deals["ledger"][:, :, kind].astype(np.float64)).sum(axis=1)
        yield f"units moved by {_words(kind)}", moved
    for end in End:
        yield f"ended by {_words(end)}", (deals["end_reason"] == end).astype(np.float64)
    for field in ("won", "self_draw", "deal_in", "pungs", "undecided", "ready", "pig"):
        yield field.replace("_", " "), deals[field].sum(axis=1, dtype=np.float64)
    for number in range(NUM_SEATS):
        exactly = deals["won"].sum(axis=1) == number
        yield f"deals with {number} winners", exactly.astype(np.float64)
    yield "decisions", deals["decisions"].sum(axis=1, dtype=np.float64)
    for column, kong in enumerate(("direct", "added", "concealed")):
        yield f"{kong} kongs", deals["kongs"][:, :, column].sum(axis=1, dtype=np.float64)
    fan = np.where(deals["won"], np.minimum(deals["fan"], MOST_FAN), -1)
    for number in range(MOST_FAN + 1):
        yield f"wins of {number} fan", (fan == number).sum(axis=1).astype(np.float64)


def _words(member: IntEnum) -> str:
    return member.name.lower().replace("_", " ")

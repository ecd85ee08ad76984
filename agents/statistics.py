"""Averages over deals, for any choice of seats. Amounts are in units of the base.

What is averaged, and over what, stands in :data:`AVERAGES` alone: training, examples and the arena
all read it there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mjenv.sichuan.state import End, Ledger

Column = Callable[[np.ndarray], np.ndarray]
"""Records of deals ``(...,)`` to a number for each seat, ``(..., 4)``."""


def every_seat(deals: np.ndarray) -> np.ndarray:
    """One for each seat of each deal: what is averaged over deals, not over wins."""
    return np.ones_like(deals["won"])


@dataclass(frozen=True)
class Average:
    """A sum over seats, divided by how much there was to average over.

    Attributes:
        name: As results call it.
        meaning: In a few words.
        values: What is summed.
        per: What it is divided by: 1 for every seat, or for every winner, and so on.
        share: Whether it is a share, 0 to 1.
    """

    name: str
    meaning: str
    values: Column
    per: Column = every_seat
    share: bool = False

    def sums(self, deals: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What is summed and what it is divided by, deal by deal.

        Args:
            deals: ``(...,)`` records that the columns read.
            seats: ``(..., 4)`` bool, which seats count.

        Returns:
            Two arrays ``(...,)`` float64.
        """
        per = self.per(deals) * seats
        values = (self.values(deals) * per).sum(axis=-1, dtype=np.float64)
        return values, per.sum(axis=-1, dtype=np.float64)


def _column(name: str) -> Column:
    return lambda deals: deals[name]


def _kongs(kind: int) -> Column:
    return lambda deals: deals["kongs"][..., kind]


def _booked(*columns: Ledger) -> Column:
    return lambda deals: deals["ledger"][..., list(columns)].sum(axis=-1)


def _winner(order: int) -> Column:
    return lambda deals: deals["win_order"] == order


def _called(deals: np.ndarray) -> np.ndarray:
    """An added kong was a pung; a concealed one is no call."""
    called: np.ndarray = deals["pungs"] + deals["kongs"][..., :2].sum(axis=-1) > 0
    return called


def _wall_ended(deals: np.ndarray) -> np.ndarray:
    ended = (deals["end_reason"] == End.WALL_EMPTY)[..., None]
    return np.broadcast_to(ended, deals["won"].shape)


WINS, DEAL_INS, UNDECIDED = _column("won"), _column("deal_in"), _column("undecided")

AVERAGES = (
    Average("units_per_deal", "units won or lost by a seat in a deal", _column("units")),
    Average("win_rate", "deals in which a seat won", WINS, share=True),
    Average(
        "first_winner_rate",
        "deals in which its win was the first; winners on one tile share a place",
        _winner(1),
        share=True,
    ),
    Average("second_winner_rate", "deals in which it was the second", _winner(2), share=True),
    Average("third_winner_rate", "deals in which it was the third", _winner(3), share=True),
    Average("average_fan", "fan of a win, after the cap", _column("fan"), WINS),
    Average("self_draw_share", "wins by self-draw, of all wins", _column("self_draw"), WINS, True),
    Average("deal_in_rate", "deals in which it dealt in at least once", DEAL_INS, share=True),
    Average(
        "deal_in_cost",
        "units paid for dealing in, in a deal in which it did",
        lambda deals: -_booked(Ledger.DEAL_IN)(deals),
        DEAL_INS,
    ),
    Average("call_rate", "deals with a pung or a kong claimed from another", _called, share=True),
    Average("pungs_per_deal", "pungs of a seat that did not become kongs", _column("pungs")),
    Average("kongs_per_deal", "kongs of a seat", lambda deals: deals["kongs"].sum(axis=-1)),
    Average("direct_kongs_per_deal", "kongs claimed from a discard", _kongs(0)),
    Average("added_kongs_per_deal", "fourth tiles added to a pung", _kongs(1)),
    Average("concealed_kongs_per_deal", "concealed kongs", _kongs(2)),
    Average(
        "kong_income",
        "units a deal from kongs, transfers and refunds, less those paid",
        _booked(Ledger.KONG, Ledger.TRANSFER, Ledger.REFUND),
    ),
    Average(
        "ready_at_wall_end",
        "ready seats, of those that had not won when the wall ended",
        _column("ready"),
        UNDECIDED,
        share=True,
    ),
    Average("pig_rate", "deals in which it was a flower pig at an empty wall", _column("pig"),
            share=True),
    Average("wall_end_rate", "deals that the end of the wall ended", _wall_ended, share=True),
    Average("decisions_per_deal", "how often a seat was asked", _column("decisions")),
)  # fmt: skip
"""Of records of :data:`mjenv.sichuan.statistics.DEAL`."""


def summary(statistics: np.ndarray, seats: np.ndarray | None = None) -> dict[str, float]:
    """Average over deals.

    Args:
        statistics: ``(D,)`` records of :func:`mjenv.sichuan.statistics.deal_statistics`.
        seats: ``(D, 4)`` bool, which seats count; all if left out.

    Returns:
        ``seats``: how many were counted, one for each seat in each deal.
        ``units_error``: the standard error of ``units_per_deal`` by deals, taking the seats of a
        deal together.
        All of :data:`AVERAGES` by name.

        What there was nothing to average for is NaN.
    """
    chosen = np.ones_like(statistics["won"]) if seats is None else seats
    sums = {average.name: average.sums(statistics, chosen) for average in AVERAGES}
    return {
        "seats": float(chosen.sum()),
        "units_error": _error_of_mean(*sums["units_per_deal"]),
        **{name: _ratio(values.sum(), per.sum()) for name, (values, per) in sums.items()},
    }


def _ratio(total: float, per: float) -> float:
    return float(total / per) if per else float("nan")


def _error_of_mean(values: np.ndarray, per: np.ndarray) -> float:
    """Standard error of a mean whose seats of one deal depend on each other."""
    deals = int((per > 0).sum())
    if deals <= 1:
        return float("nan")
    residuals = values - per * (values.sum() / per.sum())
    variance = (residuals**2).sum() * deals / (deals - 1)
    return float(np.sqrt(variance) / per.sum())

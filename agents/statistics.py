"""What happened to each seat in finished deals, counted.

:func:`deal_statistics` reads finished tables, deal by deal and seat by seat; :func:`summary`
averages over any choice of seats. Amounts are in units of the base.
"""

import numpy as np

from mjenv.sichuan.state import Class, End, Meld, Win

_KONGS = (Meld.DIRECT_KONG, Meld.ADDED_KONG, Meld.CONCEALED_KONG)


def deal_statistics(finished: np.ndarray) -> dict[str, np.ndarray]:
    """Read finished tables.

    Args:
        finished: ``(D,)`` states of deals that are over.

    Returns:
        Arrays ``(D, 4)``, by deal and seat:

        ``units``: int32, what the seat gained or lost.
        ``won``: bool, the seat won.
        ``fan``: int32, the fan of its win, 0 without one.
        ``self_draw``: bool, it won by self-draw.
        ``deal_in``: bool, somebody won on its discard or on its added kong.
        ``kongs``, ``pungs``: int32, how many it made.
        ``undecided``: bool, the wall ended before the seat had won.
        ``ready``, ``pig``: bool, what it was then (R41).
    """
    seats = np.arange(finished["points"].shape[1])
    how = finished["win_how"]
    payer = np.where((how == Win.DISCARD) | (how == Win.ROB_KONG), finished["win_from"], -1)
    made = np.arange(finished["meld_type"].shape[2]) < finished["num_melds"][:, :, None]
    won = finished["win_order"] > 0
    undecided = ~won & (finished["end_reason"] == End.WALL_EMPTY)[:, None]
    return {
        "units": finished["points"].astype(np.int32),
        "won": won,
        "fan": np.where(won, finished["win_fan"], 0).astype(np.int32),
        "self_draw": how == Win.SELF_DRAW,
        "deal_in": (payer[:, :, None] == seats).any(axis=1),
        "kongs": _count(made & np.isin(finished["meld_type"], _KONGS)),
        "pungs": _count(made & (finished["meld_type"] == Meld.PUNG)),
        "undecided": undecided,
        "ready": undecided & (finished["classes"] == Class.READY),
        "pig": undecided & (finished["classes"] == Class.PIG),
    }


def _count(melds: np.ndarray) -> np.ndarray:
    count: np.ndarray = melds.sum(axis=2, dtype=np.int32)
    return count


def summary(statistics: dict[str, np.ndarray], seats: np.ndarray | None = None) -> dict[str, float]:
    """Average over deals.

    Args:
        statistics: Of :func:`deal_statistics`.
        seats: ``(D, 4)`` bool, which seats count; all if left out.

    Returns:
        ``seats``: how many were counted, one for each seat in each deal.
        ``units_per_deal`` and ``units_error``, the standard error of it by deals, taking the seats
        of a deal together.
        ``win_rate``, ``deal_in_rate``, ``pig_rate``: share of seats.
        ``kongs_per_deal``, ``pungs_per_deal``: melds of a seat in a deal.
        ``average_fan``, ``self_draw_share``: of wins.
        ``ready_at_wall_end``: share of the seats that had not won when the wall ended.

        What there was nothing to average for is NaN.
    """
    chosen = np.ones_like(statistics["won"]) if seats is None else seats
    wins, ends = chosen & statistics["won"], chosen & statistics["undecided"]
    return {
        "seats": float(chosen.sum()),
        "units_per_deal": _mean(statistics["units"], chosen),
        "units_error": _error_of_mean(statistics["units"], chosen),
        "win_rate": _mean(statistics["won"], chosen),
        "average_fan": _mean(statistics["fan"], wins),
        "deal_in_rate": _mean(statistics["deal_in"], chosen),
        "self_draw_share": _mean(statistics["self_draw"], wins),
        "kongs_per_deal": _mean(statistics["kongs"], chosen),
        "pungs_per_deal": _mean(statistics["pungs"], chosen),
        "ready_at_wall_end": _mean(statistics["ready"], ends),
        "pig_rate": _mean(statistics["pig"], chosen),
    }


def _mean(values: np.ndarray, chosen: np.ndarray) -> float:
    return float(values[chosen].mean()) if chosen.any() else float("nan")


def _error_of_mean(values: np.ndarray, chosen: np.ndarray) -> float:
    """Standard error of a mean whose seats of one deal depend on each other."""
    weights = chosen.sum(axis=1)
    deals = int((weights > 0).sum())
    if deals <= 1:
        return float("nan")
    total = weights.sum()
    mean = (values * chosen).sum() / total
    residuals = (values * chosen).sum(axis=1) - mean * weights
    variance = (residuals**2).sum() * deals / (deals - 1)
    return float(np.sqrt(variance) / total)

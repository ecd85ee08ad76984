"""Averages over deals, for any choice of seats. Amounts are in units of the base."""

import numpy as np


def summary(statistics: np.ndarray, seats: np.ndarray | None = None) -> dict[str, float]:
    """Average over deals.

    Args:
        statistics: ``(D,)`` records of :func:`mjenv.sichuan.statistics.deal_statistics`.
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
        "kongs_per_deal": _mean(statistics["kongs"].sum(axis=2), chosen),
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

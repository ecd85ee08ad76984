"""How many deals a deal set saves."""

import numpy as np

from train.evaluation.intervals import Estimate, ratio


def units_of_deals(deals: np.ndarray, challenger_seats: np.ndarray) -> np.ndarray:
    """Mean units of the challenger's seats in each deal.

    Args:
        deals: ``(sets, seatings)`` records of :data:`mjenv.sichuan.statistics.DEAL`.
        challenger_seats: ``(seatings, 4)`` bool.

    Returns:
        ``(sets, seatings)`` float64.
    """
    total = (deals["units"] * challenger_seats).sum(axis=2)
    units: np.ndarray = total / challenger_seats.sum(axis=1)
    return units


def deals_needed(values: np.ndarray, units: np.ndarray) -> Estimate:
    """Deals that sets need for an interval, over those that independent deals need.

    Args:
        values: ``(sets,)`` values of the sets, plain or corrected by variates.
        units: ``(sets, seatings)`` units of the challenger in their deals: what independent deals
            with the same seatings would have varied by.

    Returns:
        The ratio of variances: of the mean of a set, and of as many independent deals.
    """
    seatings = units.shape[1]
    of_set = (values - values.mean()) ** 2
    of_deals = ((units - units.mean(axis=0)) ** 2).sum(axis=1) / seatings**2
    return ratio(of_set, of_deals)

"""Luck of draws in deal sets, as control variates.

A draw that brings a hand nearer to a win counts 1, any other 0, each less the chance of it given
the tiles left in the wall (:mod:`mjenv.sichuan.tally`). Whatever seats do, that is zero on average,
so its sums are variates with a known mean. They are summed apart by side, since a lucky reference
costs the challenger, and by the deficiency before the draw, since the tile that wins is worth more
than the one that makes a bad hand less bad.

What the seats were dealt needs no variate: in a complete deal set the challenger has had each of
the four hands, so that its advantage from them is zero exactly. How good the four hands are
together says next to nothing about the edge (``python -m train.evaluation.check_variates``).
"""

import numpy as np

from train.evaluation.run import MatchResult


def draw_luck(tallies: np.ndarray, challenger_seats: np.ndarray) -> np.ndarray:
    """Variates with mean zero for :func:`train.evaluation.variates.adjust`.

    Args:
        tallies: ``(sets, seatings)`` records of :data:`mjenv.sichuan.tally.TALLY`.
        challenger_seats: ``(seatings, 4)`` bool.

    Returns:
        ``(sets, 2 * LEVELS)`` float64: mean luck of a challenger seat in a deal by deficiency, then
        that of a reference seat.
    """
    sides = [
        (tallies["luck"] * seats[:, :, None]).sum(axis=(1, 2)) / seats.sum()
        for seats in (challenger_seats, ~challenger_seats)
    ]
    return np.concatenate(sides, axis=1)


def value_luck(result: MatchResult) -> np.ndarray:
    """What draws were worth beyond their chances, by the value that a match was watched with.

    In units, so that taking it off as it is corrects the mean as AIVAT does (:mod:`agents.chance`).

    Returns:
        ``(sets,)`` float64: mean over the challenger's seats in the deals of each set.
    """
    seats = result.match.challenger_seats
    mean: np.ndarray = (result.luck * seats).sum(axis=(1, 2)) / seats.sum()
    return mean


def variates_of(result: MatchResult, name: str) -> np.ndarray:
    """The control variates of a name, ``(sets, k)``: ``"luck"``, or ``"value"`` with it."""
    luck = draw_luck(result.tallies, result.match.challenger_seats)
    return luck if name == "luck" else np.column_stack([luck, value_luck(result)])

"""From the deals of a match to its outcome."""

import numpy as np

from train.evaluation.intervals import mean
from train.evaluation.metrics import figures, ledger_above_table, units_of_sets
from train.evaluation.outcome import Outcome, Setting
from train.evaluation.paired import p_value
from train.evaluation.sequential import Stop, anytime_p_value, reported


def reckon(
    names: tuple[str, str],
    setting: Setting,
    deals: np.ndarray,
    tallies: np.ndarray,
    seats: np.ndarray,
    illegal: tuple[int, int] = (0, 0),
    stop: Stop = Stop.PLAYED,
    values: np.ndarray | None = None,
    variates: str | None = None,
) -> Outcome:
    """What a match tells.

    Args:
        names: Challenger and reference.
        setting: What it holds for.
        deals: ``(sets, seatings)`` records of :data:`mjenv.sichuan.statistics.DEAL`.
        tallies: ``(sets, seatings)`` records of :data:`mjenv.sichuan.tally.TALLY`.
        seats: ``(seatings, 4)`` bool, where the challenger sat.
        illegal: Illegal answers of challenger and reference.
        stop: Why there are no more sets.
        values: ``(sets,)`` units a deal less what control variates explain; None without.
        variates: Name of those.
    """
    plain = units_of_sets(deals, seats)
    counted = plain if values is None else values
    return Outcome(
        challenger=names[0],
        reference=names[1],
        setting=setting,
        stop=stop,
        values=counted,
        units=reported(counted, stop),
        p_value=_p_value(counted, stop),
        variates=variates,
        luck=float((plain - counted).mean()) if len(plain) else 0.0,
        seats=int(seats[0].sum()),
        seatings=len(seats),
        challenger_figures=figures(deals, tallies, seats),
        reference_figures=figures(deals, tallies, ~seats),
        above_table=ledger_above_table(deals, seats),
        illegal=illegal,
    )


def _p_value(values: np.ndarray, stop: Stop) -> float:
    """Valid for the way the match ended, like the interval."""
    return anytime_p_value(values) if stop == Stop.INTERRUPTED else p_value(mean(values))

"""Matches that tests look at, and outcomes that were never played."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from agents.play import Played, play_seated
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.statistics import deal_statistics
from train.evaluation.intervals import mean
from train.evaluation.outcome import Outcome, Setting
from train.evaluation.paired import p_value
from train.evaluation.reckoning import reckon

SETS = 2 if JIT_DISABLED else 60
ALONE = np.eye(4, dtype=bool)
NAMES = ("greedy/1", "random_legal/1")
SETTING = Setting("qq", "0123456789ab", 10, "1v3", "ordinary", "dev", 1, "0.1.0")


@cache
def played(sets: int = SETS) -> tuple[np.ndarray, np.ndarray, Played]:
    """Deals and tallies ``(sets, 4)`` of one of ``NAMES`` against three of the other."""
    seating = np.tile(np.where(ALONE, 0, 1), (sets, 1))
    numbers = np.repeat(np.arange(sets), 4)
    result = play_seated(NAMES, "qq", 1, numbers, seating)
    deals = deal_statistics(result.finished).reshape(sets, 4)
    return deals, result.tallies.reshape(sets, 4), result


def outcome(**changes: Any) -> Outcome:
    """The outcome of that match."""
    deals, tallies, _ = played()
    return reckon(NAMES, SETTING, deals, tallies, ALONE, **changes)


def invented(challenger: str, reference: str, values: np.ndarray) -> Outcome:
    """An outcome with other names and values; its figures are those of the real match."""
    units = mean(values)
    return replace(
        outcome(),
        challenger=challenger,
        reference=reference,
        values=values,
        units=units,
        p_value=p_value(units),
    )


def around(value: float, sets: int = 1000, spread: float = 1.7, seed: int = 0) -> np.ndarray:
    """Values with exactly this mean and standard deviation."""
    drawn = np.random.default_rng(seed).normal(size=sets)
    return value + (drawn - drawn.mean()) / drawn.std(ddof=1) * spread

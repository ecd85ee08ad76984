"""One match of an arena on its way to the end.

It ends with the last of its deal sets, once its interval is as narrow as asked, with Ctrl-C, or
with an agent that fails; to the last two nothing is lost that was played before.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.value_model import FITTED
from mjenv.errors import MjenvError
from train.evaluation.deal_sets import Match, seed_of
from train.evaluation.intervals import Estimate
from train.evaluation.lineup import LineUp
from train.evaluation.luck import value_luck, variates_of
from train.evaluation.outcome import name_of_rules
from train.evaluation.run import CHUNK_SETS, Conditions, MatchResult, join, tasks_of
from train.evaluation.sequential import Stop, anytime, is_precise, looks
from train.evaluation.variates import adjust
from train.evaluation.workers import Workers

End = MjenvError | KeyboardInterrupt | None
"""What ended an arena early."""


@dataclass(frozen=True)
class Look:
    """How far an arena is.

    Attributes:
        challenger: Of the match at play.
        reference: Likewise.
        rules: Likewise.
        match: Its number, from 1.
        matches: How many there are.
        sets: Deal sets played in it.
        most: Deal sets it will not go beyond.
        units: What is known so far, with intervals that hold at any time; with control variates,
            what was known at the last of the looks of :func:`train.evaluation.sequential.looks`.
    """

    challenger: str
    reference: str
    rules: str
    match: int
    matches: int
    sets: int
    most: int
    units: Estimate


@dataclass(frozen=True)
class Course:
    """A match that is going to be played.

    Attributes:
        match: Who plays.
        rules: Unpacked.
        number: Which match it is, from 1.
        of: How many there are.
        lineup: What it is part of.
        watch: Who is told how it goes.
    """

    match: Match
    rules: Any
    number: int
    of: int
    lineup: LineUp
    watch: Callable[[Look], None] | None

    def play(self, workers: Workers) -> tuple[MatchResult | None, Stop, End]:
        """Play it to its end, until it is precise, or until Ctrl-C or an agent that fails.

        Returns:
            What was played, None if nothing was; why no more; and what ended it if that ends the
            arena.
        """
        lineup, chunks = self.lineup, list[MatchResult]()
        seed = seed_of(lineup.seed_block)
        conditions = Conditions(self.rules, seed, lineup.walls, value_of(lineup))
        fewest, most = lineup.sets(*self.match.names)
        look_at = set(looks(CHUNK_SETS, most))
        units = values = np.zeros(0)
        stop, end = Stop.PLAYED, None
        try:
            for chunk in workers.play(tasks_of(self.match, conditions, most)):
                chunks.append(chunk)
                units = np.append(units, chunk.units)
                looked = len(units) in look_at
                if lineup.variates is None:
                    values = units
                elif looked or not len(values):  # more often would cost more than playing does
                    values, _ = corrected(join(chunks), lineup.variates)
                self._tell(values, len(units), most)
                if looked and len(units) >= fewest and self._is_precise(values):
                    stop = Stop.PRECISION
                    break
        except (KeyboardInterrupt, MjenvError) as error:
            workers.stop()
            where = f"{' against '.join(self.match.names)}, {name_of_rules(self.rules)}"
            error.add_note(f"in match {self.number} of {self.of}, {where}")
            stop, end = Stop.INTERRUPTED, error
        return (join(chunks) if chunks else None), stop, end

    def _is_precise(self, values: np.ndarray) -> bool:
        precision = self.lineup.precision
        return precision is not None and is_precise(values, precision)

    def _tell(self, values: np.ndarray, sets: int, most: int) -> None:
        if self.watch is None:
            return
        rules, progress = name_of_rules(self.rules), (self.number, self.of, sets, most)
        self.watch(Look(*self.match.names, rules, *progress, anytime(values)))


def value_of(lineup: LineUp) -> str | None:
    """Name of the value that draws are measured by, if they are."""
    return (lineup.value or FITTED) if lineup.variates == "value" else None


def corrected(result: MatchResult, variates: str | None) -> tuple[np.ndarray, str | None]:
    """Values of the sets, and the name of the control variates that have corrected them.

    Args:
        result: What was played.
        variates: Their name, None to leave the values as they were played.

    Returns:
        ``(sets,)`` float64, and the name or None.
    """
    if variates is None:
        return result.units, None
    adjusted = adjust(result.units, variates_of(result, variates))
    if adjusted.corrected:
        return adjusted.values, variates
    if variates == "value":  # in units already: too few sets to do better by coefficients
        return result.units - value_luck(result), variates
    return result.units, None

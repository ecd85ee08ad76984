"""What a result says, in a sentence or two."""

import math

from train.evaluation.outcome import Outcome
from train.evaluation.sequential import MINIMUM_SETS, Stop

COPIES = {"1v3": "three", "2v2": "two"}
"""Seats of the reference, by form of the match."""

_DIGITS = 2
_FINE = 0.02
"""Intervals with a smaller half-width are told with one digit more."""
_SMALL = 0.05
_CERTAINTY = 1.96 + 0.84
"""Errors an edge must be away from zero for a 95 % interval to show it four times out of five."""


def digits(half_width: float) -> int:
    """Digits behind the point that an interval deserves."""
    return _DIGITS + 1 if half_width < _FINE else _DIGITS


def edge(outcome: Outcome) -> str:
    """``+0.24 units a deal, 95 % +0.19 to +0.29``."""
    units = outcome.units
    low, high = units.ci95
    if math.isnan(low):
        few = f"of {outcome.deals} deal sets" if outcome.deals != 1 else "of a single deal set"
        return f"{units.value:+.2f} units a deal, too few for an interval: the mean {few}"
    places = digits(units.half_width)
    return f"{units.value:+.{places}f} units a deal, 95 % {low:+.{places}f} to {high:+.{places}f}"


def verdict(outcome: Outcome) -> str:
    """One sentence: who is stronger, by how much."""
    low, high = outcome.units.ci95
    challenger, reference = outcome.challenger, outcome.reference
    if outcome.units.error == 0 and outcome.units.value == 0:
        return f"{challenger} and {reference} won the same in every deal set"
    if low > 0:
        return f"{challenger} is stronger than {reference}: {edge(outcome)}"
    if high < 0:
        return f"{challenger} is weaker than {reference}: {edge(outcome)}"
    return f"{challenger} and {reference} cannot be told apart: {edge(outcome)}"


def advice(outcome: Outcome) -> str | None:
    """What to do about an open result, None where it is clear."""
    low, high = outcome.units.ci95
    if math.isnan(low):
        if outcome.stop == Stop.INTERRUPTED:
            return f"A match that is interrupted needs {MINIMUM_SETS} deal sets for an interval."
        return "Play more deal sets: --deals 2000."
    if low > 0 or high < 0 or outcome.units.error == 0:
        return None
    spread = outcome.units.error * outcome.deals**0.5
    needed = _rounded(math.ceil((_CERTAINTY * spread / _SMALL) ** 2))
    return (
        f"An edge of {_SMALL} would take about {needed:,} deal sets to be seen four times out of "
        "five."
    )


def played(outcome: Outcome) -> str:
    """What was played, and why no more."""
    setting = outcome.setting
    ended = {
        Stop.PLAYED: "",
        Stop.PRECISION: ", stopped at the precision asked for",
        Stop.INTERRUPTED: ", interrupted; the interval allows for that",
    }[outcome.stop]
    variates = f", control variates {outcome.variates}" if outcome.variates else ""
    sets = "deal set" if outcome.deals == 1 else "deal sets"
    return (
        f"{outcome.deals:,} {sets} of seed block {setting.seed_block}, {setting.form}, "
        f"{setting.walls} walls{variates}, rules {setting.rules} ({setting.fingerprint}), "
        f"mjenv {setting.engine}{ended}"
    )


def _rounded(number: int) -> int:
    """To two digits: more would promise too much."""
    scale: int = 10 ** max(0, len(str(number)) - 2)
    return math.ceil(number / scale) * scale

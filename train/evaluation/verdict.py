"""What a result says, in a sentence or two."""

import math
from collections import Counter
from collections.abc import Sequence

from mjenv.core.game import NUM_SEATS
from train.evaluation.outcome import Outcome
from train.evaluation.sequential import MINIMUM_SETS, Stop

COPIES = {"1v3": "three", "2v2": "two"}
"""Seats of the reference, by form of the match."""

_DIGITS = 2
_FINE = 0.02
"""Intervals with a smaller half-width are told with one digit more."""
_ROUGH = 100
"""Deal sets below which units are too skewed for their interval (intervals.py)."""
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
    """What to do about an open or doubtful result, None where it is clear."""
    low, high = outcome.units.ci95
    if math.isnan(low):
        if outcome.stop == Stop.INTERRUPTED:
            return f"A match that is interrupted needs {MINIMUM_SETS} deal sets for an interval."
        return f"An interval needs 2 deal sets, a sound one {_ROUGH}."
    if outcome.units.error == 0 and outcome.units.value == 0:
        return None
    if outcome.deals < _ROUGH:
        return f"Below {_ROUGH} deal sets an interval is a rough guess: --deals 2000."
    if low > 0 or high < 0:
        return None
    spread = outcome.units.error * outcome.deals**0.5
    needed = _rounded(math.ceil((_CERTAINTY * spread / _SMALL) ** 2))
    return (
        f"An edge of {_SMALL} would take about {needed:,} deal sets to be seen four times out of "
        "five."
    )


def replaced(outcomes: Sequence[Outcome]) -> list[str]:
    """A sentence for each agent that left questions without a legal answer, in all its matches."""
    wrong, asked = Counter[str](), Counter[str]()
    for outcome in outcomes:
        number = outcome.deals * outcome.seatings
        sides = (
            (outcome.challenger, outcome.seats, outcome.challenger_figures),
            (outcome.reference, NUM_SEATS - outcome.seats, outcome.reference_figures),
        )
        for (name, seats, figures), illegal in zip(sides, outcome.illegal, strict=True):
            wrong[name] += illegal
            asked[name] += round(figures.averages["decisions_per_deal"].value * number * seats)
    return [
        f"{name} gave no legal answer to {wrong[name]:,} of {asked[name]:,} questions; others were "
        "played in their place."
        for name in wrong
        if wrong[name]
    ]


def sets_played(outcomes: Sequence[Outcome]) -> str:
    """``400 to 2,000``, or one number if all matches have as many deal sets."""
    deals = [outcome.deals for outcome in outcomes]
    return " to ".join(f"{sets:,}" for sets in sorted({min(deals), max(deals)}))


def played(outcomes: Sequence[Outcome]) -> str:
    """What was played by the same rules, at least one match, and why no more."""
    setting = outcomes[0].setting
    number = sets_played(outcomes)
    sets = f"{number} deal {'set' if number == '1' else 'sets'}"
    names = [outcome.variates for outcome in outcomes if outcome.variates is not None]
    variates = f", control variates {names[0]}" if names else ""
    return (
        f"{sets} of seed block {setting.seed_block}, {setting.form}, "
        f"{setting.walls} walls{variates}, {setting.called} ({setting.fingerprint}), "
        f"mjenv {setting.engine}{_ended([outcome.stop for outcome in outcomes])}"
    )


def _ended(stops: Sequence[Stop]) -> str:
    """Why matches ended before all sets were played that could have been."""
    words = {
        Stop.PRECISION: "stopped at the precision asked for",
        Stop.INTERRUPTED: "interrupted; the interval allows for that",
    }
    some = "" if len(set(stops)) == 1 else "some "
    return "".join(f", {some}{words[stop]}" for stop in words if stop in stops)


def _rounded(number: int) -> int:
    """To two digits: more would promise too much."""
    scale: int = 10 ** max(0, len(str(number)) - 2)
    return math.ceil(number / scale) * scale

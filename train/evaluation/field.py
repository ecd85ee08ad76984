"""Many matches by the same rules taken together: corrected p values, ratings, differences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from train.evaluation import plackett_luce
from train.evaluation.holm import adjusted
from train.evaluation.intervals import Estimate, mean, t_estimate
from train.evaluation.outcome import Outcome
from train.evaluation.paired import compare, p_value
from train.evaluation.ratings import RatedMatch, Ratings, rate
from train.evaluation.sequential import Stop

CLEAR = 0.05
MANY = 3
"""Agents from which on there is more to say than of a pair."""


@dataclass(frozen=True)
class Rating:
    """One number for an agent.

    Attributes:
        name: Of the agent.
        units: Units a deal, zero for the mean of the field.
        skill: OpenSkill's mean.
        skill_error: Its standard deviation.
    """

    name: str
    units: Estimate
    skill: float
    skill_error: float


@dataclass(frozen=True)
class Difference:
    """Two agents compared on the same deal sets.

    Attributes:
        first: The one with the higher rating.
        second: The other.
        through: What says how they compare: ``"their matches"``, one against the other in both
            directions; ``"their match"``, if it was played in one; the name of the reference that
            both challenged; or ``"all matches"``, by their ratings.
        units: Units a deal of the first less those of the second; of their matches, the edge, which
            is half the sum of what the first won and the second lost.
        p_value: Of there being no difference.
        p_holm: After Holm's correction over all pairs of the field.
    """

    first: str
    second: str
    through: str
    units: Estimate
    p_value: float
    p_holm: float


@dataclass(frozen=True)
class Field:
    """All matches by the same rules.

    Attributes:
        agents: Names, in the order they were given.
        outcomes: One for each match.
        holm: p values of the outcomes after Holm's correction.
        ratings: Best first, by the matches that were not interrupted; empty for two agents.
        differences: Of all pairs; empty for two agents.
        intransitivity: Units a deal that ratings cannot explain, and its p value; None without
            ratings.
    """

    agents: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    holm: Mapping[Outcome, float]
    ratings: tuple[Rating, ...] = ()
    differences: tuple[Difference, ...] = ()
    intransitivity: tuple[float, float] | None = None

    def ranking(self) -> str:
        """Best first; ``>`` where two neighbours are told apart, ``=`` where not."""
        names = [rating.name for rating in self.ratings]
        apart = {
            (pair.first, pair.second)
            for pair in self.differences
            if pair.p_holm < CLEAR and pair.units.value > 0
        }
        text = names[0] if names else ""
        for better, worse in pairwise(names):
            text += f" {'>' if (better, worse) in apart else '='} {worse}"
        return text


def field_of(
    agents: Sequence[str],
    outcomes: Sequence[Outcome],
    seating: np.ndarray,
    units: np.ndarray,
    reference: str | None,
) -> Field:
    """Take matches together.

    Args:
        agents: Names.
        outcomes: Of their matches, which start with the same deal sets.
        seating: ``(deals, 4)`` integers, which agent sat in each seat of each deal of all matches.
        units: ``(deals, 4)`` what each seat gained or lost.
        reference: The agent that all others challenged, None if everybody met everybody.
    """
    holm = corrected(outcomes)
    # The intervals of ratings do not allow for a match that was ended at will.
    whole = [outcome for outcome in outcomes if outcome.stop != Stop.INTERRUPTED]
    rated_names = {name for outcome in whole for name in (outcome.challenger, outcome.reference)}
    enough = len(rated_names) >= MANY and min(outcome.deals for outcome in whole) > 1
    if not enough:
        return Field(tuple(agents), tuple(outcomes), holm)
    rated = rate([_rated(outcome) for outcome in whole])
    skills = plackett_luce.skills(agents, seating, units)
    ratings = [
        Rating(name, estimate, skills[name].mu, skills[name].sigma)
        for name, estimate in zip(rated.names, rated.ratings, strict=True)
    ]
    ratings.sort(key=lambda rating: -rating.units.value)
    order = [rating.name for rating in ratings]
    return Field(
        tuple(agents),
        tuple(outcomes),
        holm,
        tuple(ratings),
        _differences(order, whole, rated, reference),
        (rated.intransitivity, rated.intransitivity_p),
    )


def corrected(outcomes: Sequence[Outcome]) -> dict[Outcome, float]:
    """P values after Holm's correction; two against two is one match for both."""
    keys = [
        frozenset(pair) if outcome.setting.form == "2v2" else pair
        for outcome in outcomes
        for pair in [(outcome.challenger, outcome.reference)]
    ]
    once = {key: outcome.p_value for key, outcome in zip(keys, outcomes, strict=True)}
    by_match = dict(zip(once, adjusted(np.array(list(once.values()))), strict=True))
    return {outcome: float(by_match[key]) for key, outcome in zip(keys, outcomes, strict=True)}


def _rated(outcome: Outcome) -> RatedMatch:
    return RatedMatch(outcome.challenger, outcome.reference, outcome.values, outcome.seats)


def _differences(
    order: Sequence[str], outcomes: Sequence[Outcome], rated: Ratings, reference: str | None
) -> tuple[Difference, ...]:
    """Of all pairs, by what says most about them."""
    values = {(outcome.challenger, outcome.reference): outcome.values for outcome in outcomes}
    found = []
    for first, second in combinations(order, 2):
        through, units = _between(first, second, values, rated, reference)
        found.append((first, second, through, units, p_value(units)))
    corrected = adjusted(np.array([row[-1] for row in found]))
    return tuple(Difference(*row, p_holm=float(p)) for row, p in zip(found, corrected, strict=True))


def _between(
    first: str,
    second: str,
    values: Mapping[tuple[str, str], np.ndarray],
    rated: Ratings,
    reference: str | None,
) -> tuple[str, Estimate]:
    """Two agents compared: what they met each other in says more than what others did to them."""
    there, back = values.get((first, second)), values.get((second, first))
    if there is not None and back is not None:
        sets = min(len(there), len(back))
        return "their matches", mean((there[:sets] - back[:sets]) / 2)
    if there is not None:
        return "their match", mean(there)
    if back is not None:
        return "their match", mean(-back)
    if reference is None:
        return "all matches", _of_ratings(rated, first, second)
    one, other = values[first, reference], values[second, reference]
    sets = min(len(one), len(other))
    return reference, compare(one[:sets], other[:sets]).difference


def _of_ratings(rated: Ratings, first: str, second: str) -> Estimate:
    i, j = rated.names.index(first), rated.names.index(second)
    value = rated.ratings[i].value - rated.ratings[j].value
    noise = rated.covariance
    variance = float(noise[i, i] + noise[j, j] - 2 * noise[i, j])
    return t_estimate(value, max(variance, 0.0) ** 0.5, rated.ratings[i].sets)

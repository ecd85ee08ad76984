"""Ratings in units per deal, from a table of matches.

The model: a seat expects its own rating less the mean rating of the three others. Hence

- one A against three B expects ``rating A - rating B``,
- two A against two B expect two thirds of it each, three against one one third,

and what the four seats expect sums to zero. Ratings are fitted to the means of the matches by
ordinary least squares (for paired comparisons: Mosteller, Psychometrika 16, 1951). With every
ordered pair played, the rating of an agent is half the difference of its mean as challenger and its
mean as reference, the match against itself counted as zero. Weights would make ratings a little
more certain, but where agents do not fit the model what is estimated would depend on how noisy each
match is.

Matches on the same deal sets depend on each other. The covariance of their means is estimated set
by set and carried through the fit (the sandwich of Huber, Proc. 5th Berkeley Symposium 1, 1967), so
that errors assume neither independence nor that the model is true.

What does not fit comes in two parts. *Asymmetry*: A over three B is not minus B over three A; half
their sum is an effect of being alone that is the same for both, and does not touch ratings when
both directions are played. *Intransitivity*: what is then left, the cycles of A beats B beats C
beats A (Jiang, Lim, Yao and Ye, Mathematical Programming 127, 2011).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg, stats
from scipy.sparse import coo_array, csgraph

from mjenv.core.game import NUM_SEATS
from train.evaluation.errors import EvaluationError
from train.evaluation.intervals import NAN, Estimate, one_for_each_set, t_estimate

_TOLERANCE = 1e-9
"""Of the largest variance: what is less has none but by rounding."""


@dataclass(frozen=True)
class RatedMatch:
    """A match, as far as ratings are concerned.

    Attributes:
        challenger: Name of the agent whose units they are.
        reference: Name of the agent in the other seats.
        units: ``(sets,)`` mean units of a challenger seat. All matches of a table start with the
            same set; they may end at different ones.
        seats: How many seats of a deal the challenger has, 1 to 3.
    """

    challenger: str
    reference: str
    units: np.ndarray
    seats: int = 1


@dataclass(frozen=True)
class Ratings:
    """Ratings of agents.

    Attributes:
        names: Agents in the order in which they appear in the matches.
        ratings: ``(agents,)`` one for each, with intervals.
        covariance: ``(agents, agents)`` of them.
        intransitivity: Root mean square over matches of what neither ratings nor asymmetries
            explain, in units per deal; noise is part of it.
        intransitivity_p: Probability of at least so much from noise alone, by the test of
            Hotelling (Annals of Mathematical Statistics 2, 1931); NaN where nothing could be left
            over.
    """

    names: tuple[str, ...]
    ratings: tuple[Estimate, ...]
    covariance: np.ndarray
    intransitivity: float
    intransitivity_p: float


def rate(matches: Sequence[RatedMatch], anchor: str | None = None) -> Ratings:
    """Rate all agents of a table of matches.

    Args:
        matches: Any line-ups that connect all agents, in any order.
        anchor: The agent whose rating is 0 by definition; if left out, the mean is 0.

    Raises:
        EvaluationError: No matches, matches that say nothing, an anchor without a match, or agents
            that no chain of matches connects.
    """
    _check(matches)
    names = tuple(dict.fromkeys(name for m in matches for name in (m.challenger, m.reference)))
    if anchor is not None and anchor not in names:
        raise EvaluationError(f"got the anchor {anchor!r}; rated are {', '.join(names)}")
    design = _design(matches, names)
    _check_connected(names, design)
    origin = np.full(len(names), 1 / len(names))
    if anchor is not None:
        origin = np.eye(len(names))[names.index(anchor)]
    # The pseudo-inverse has the solution with mean 0, then everything moves to the origin.
    solve = (np.eye(len(names)) - origin) @ linalg.pinv(design)
    means = np.array([match.units.mean(dtype=np.float64) for match in matches])
    noise = covariance_of_means([match.units for match in matches])
    found, covariance = solve @ means, solve @ noise @ solve.T
    sets = min(len(match.units) for match in matches)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0))
    left, p_value = _intransitivity(matches, design, means, noise, sets)
    return Ratings(
        names,
        tuple(t_estimate(float(v), float(e), sets) for v, e in zip(found, errors, strict=True)),
        covariance,
        left,
        p_value,
    )


def covariance_of_means(values: Sequence[np.ndarray]) -> np.ndarray:
    """Covariance of the means of series on the same deal sets.

    Args:
        values: Series ``(sets,)`` that start with the same set, each with at least two. The
            covariance of two is estimated on the sets that both have.

    Returns:
        ``(series, series)`` float64.
    """
    result = np.zeros((len(values), len(values)))
    for length in {len(series) for series in values}:
        # All pairs of which the shorter one is that long, at once.
        rows = [i for i, series in enumerate(values) if len(series) >= length]
        common = np.atleast_2d(np.cov(np.array([values[i][:length] for i in rows])))
        for a, i in enumerate(rows):
            for b, j in enumerate(rows):
                if min(len(values[i]), len(values[j])) == length:
                    result[i, j] = common[a, b] / max(len(values[i]), len(values[j]))
    return result


def _check(matches: Sequence[RatedMatch]) -> None:
    if not matches:
        raise EvaluationError("got no matches; ratings need at least one")
    for match in matches:
        one_for_each_set(match.units)
        what = f"{match.challenger!r} against {match.reference!r}"
        if match.challenger == match.reference:
            raise EvaluationError(f"got a match of {match.challenger!r} against itself")
        if not 1 <= match.seats < NUM_SEATS:
            raise EvaluationError(f"got {match.seats} challenger seats for {what}; allowed: 1 to 3")
        if len(match.units) <= 1:
            raise EvaluationError(f"got {len(match.units)} deal sets for {what}; play at least 2")


def _design(matches: Sequence[RatedMatch], names: Sequence[str]) -> np.ndarray:
    """``(matches, agents)``: what the ratings mean for each match."""
    design = np.zeros((len(matches), len(names)))
    for row, match in zip(design, matches, strict=True):
        weight = (NUM_SEATS - match.seats) / (NUM_SEATS - 1)
        row[names.index(match.challenger)] = weight
        row[names.index(match.reference)] = -weight
    return design


def _check_connected(names: Sequence[str], design: np.ndarray) -> None:
    pairs = np.array([np.flatnonzero(row) for row in design])
    edges = coo_array((np.ones(len(pairs)), pairs.T), (len(names), len(names)))
    groups, group_of = csgraph.connected_components(edges, directed=False)
    if groups > 1:
        apart = " | ".join(
            ", ".join(name for name, of in zip(names, group_of, strict=True) if of == group)
            for group in range(groups)
        )
        raise EvaluationError(
            f"got agents that no chain of matches connects: {apart}; "
            "play a match across each bar, or rate each part alone"
        )


def _both_directions(matches: Sequence[RatedMatch]) -> dict[tuple[str, str], tuple[int, int]]:
    """Numbers of the matches of one against three that were also played the other way round."""
    number = {(m.challenger, m.reference): i for i, m in enumerate(matches) if m.seats == 1}
    return {(a, b): (i, number[b, a]) for (a, b), i in number.items() if i < number.get((b, a), -1)}


def _intransitivity(
    matches: Sequence[RatedMatch],
    design: np.ndarray,
    means: np.ndarray,
    noise: np.ndarray,
    sets: int,
) -> tuple[float, float]:
    """Root mean square of what is left over, and how likely noise alone leaves so much."""
    asymmetric = [
        np.isin(np.arange(len(matches)), both) for both in _both_directions(matches).values()
    ]
    explained = np.column_stack([design, *asymmetric])
    rest = linalg.null_space(explained.T)
    left = rest.T @ means
    size = float(np.sqrt((left**2).sum() / len(matches)))
    # Directions without noise, such as sums over seats that are always zero, tell nothing.
    variances, axes = np.linalg.eigh(rest.T @ noise @ rest)
    noisy = variances > _TOLERANCE * max(noise.max(), np.finfo(float).tiny)
    dimensions = int(noisy.sum())
    if dimensions == 0 or sets <= dimensions:
        return size, NAN
    square = float((((axes.T @ left)[noisy]) ** 2 / variances[noisy]).sum())
    scaled = square * (sets - dimensions) / (dimensions * (sets - 1))
    return size, float(stats.f.sf(scaled, dimensions, sets - dimensions))

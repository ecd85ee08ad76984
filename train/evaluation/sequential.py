"""When to stop playing, and what may be said then.

Looking at an interval again and again until it pleases makes it miss more often than it claims.
Two ways of looking are honest.

- *Until it is narrow.* The rule of Chow and Robbins (Annals of Mathematical Statistics 36, 1965)
  stops at the first look at which Student's 95 % interval is as narrow as asked, and looks at
  nothing else. That interval keeps its 95 %, if there are at least :data:`MINIMUM_SETS` sets to
  estimate the spread from: skewed units have a spread that is often too small in small samples.
- *For any reason*, such as Ctrl-C. That takes a confidence
  sequence: intervals that hold the truth at all looks at once. :func:`anytime` gives the asymptotic
  ones (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52, 2024) with the
  boundary of Robbins and Siegmund (Annals of Mathematical Statistics 41, 1970): a Brownian motion
  ``W(n)`` leaves ``± sqrt(n (a^2 + log(n / m)))`` at some ``n >= m`` with probability
  ``2 (1 - Phi(a) + a phi(a))``. At ``n = m`` they are 1.43 times as wide as Student's, at 16 m
  1.7 times.

Alpha spending (Lan and DeMets, Biometrika 70, 1983) would need the last look to be known before,
which Ctrl-C does not tell.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache

import numpy as np
from scipy import optimize, stats

from train.evaluation.errors import EvaluationError
from train.evaluation.intervals import NAN, Estimate, mean, one_for_each_set

MINIMUM_SETS = 400
"""No look before: the fewest sets at which the intervals of real units keep what they claim."""
GROWTH = 1.1
"""Each look comes after about this many times the sets of the one before."""


class Stop(StrEnum):
    """Why a match ended."""

    PLAYED = "played"  # all sets that were asked for
    PRECISION = "precision"  # the interval is as narrow as asked
    INTERRUPTED = "interrupted"  # by the user


def is_precise(values: np.ndarray, precision: float) -> bool:
    """Whether a match may end at a look: its interval is narrow enough.

    Args:
        values: ``(sets,)`` all values so far.
        precision: Half-width of the 95 % interval that is enough.
    """
    return len(values) >= MINIMUM_SETS and mean(values).half_width <= precision


def reported(values: np.ndarray, stop: Stop) -> Estimate:
    """The mean with the interval that is valid for what made the match end.

    Args:
        values: ``(sets,)`` all values.
        stop: Why there are no more.
    """
    # Whoever interrupts a match has looked at its mean all the time.
    return anytime(values) if stop == Stop.INTERRUPTED else mean(values)


def looks(chunk: int, maximum: int) -> Iterator[int]:
    """After how many sets to look: multiples of a chunk in growing steps, at last the maximum.

    They depend on nothing else, so that a match ends at the same set whoever plays it.

    Args:
        chunk: Sets that are played together.
        maximum: Sets after which a match ends in any case.

    Raises:
        EvaluationError: A number below 1.
    """
    if chunk < 1 or maximum < 1:
        raise EvaluationError(f"got chunks of {chunk} sets and at most {maximum}; both start at 1")
    chunks = -(-MINIMUM_SETS // chunk)
    while chunks * chunk < maximum:
        yield chunks * chunk
        chunks = max(chunks + 1, round(chunks * GROWTH))
    yield maximum


def anytime(values: np.ndarray) -> Estimate:
    """Mean with intervals that hold at every look from :data:`MINIMUM_SETS` sets on.

    Args:
        values: ``(sets,)`` one value for each deal set played so far.

    Returns:
        The estimate; its intervals are NaN while there are fewer sets.
    """
    fixed = mean(values)
    if fixed.sets < MINIMUM_SETS:
        return Estimate(fixed.value, fixed.error, fixed.sets, (NAN, NAN), (NAN, NAN))
    late = np.log(fixed.sets / MINIMUM_SETS)
    ci95, ci99 = (
        (fixed.value - half, fixed.value + half)
        for half in (
            fixed.error * float(np.sqrt(_boundary(confidence) ** 2 + late))
            for confidence in (0.95, 0.99)
        )
    )
    return Estimate(fixed.value, fixed.error, fixed.sets, ci95, ci99)


def anytime_p_value(values: np.ndarray) -> float:
    """Probability of ever seeing so clear a mean at some look if the true one were zero.

    Args:
        values: ``(sets,)`` one value for each deal set played so far.

    Returns:
        The p value; 1 below :data:`MINIMUM_SETS` sets.
    """
    one_for_each_set(values)
    fixed = mean(values)
    if fixed.sets < MINIMUM_SETS or fixed.value == 0:
        return 1.0
    if fixed.error == 0:
        return 0.0
    square = (fixed.value / fixed.error) ** 2 - float(np.log(fixed.sets / MINIMUM_SETS))
    return min(1.0, _crossing(square**0.5)) if square > 0 else 1.0


def _crossing(start: float) -> float:
    """Probability that a Brownian motion ever leaves the boundary that starts there."""
    return float(2 * (stats.norm.sf(start) + start * stats.norm.pdf(start)))


@cache
def _boundary(confidence: float) -> float:
    """Where a boundary must start to be left with the remaining probability."""
    return float(optimize.brentq(lambda start: _crossing(start) - (1 - confidence), 0.0, 10.0))

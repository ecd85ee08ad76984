"""Two policies compared on the same deal sets.

A and B each play a match against the same reference on the same sets. What the deals give to both
drops out of the difference of a set, so that the interval of the mean difference is narrower than
those of the two matches tell (the paired t test, Student, Biometrika 6, 1908). Rates are compared
through their linearised values, see :func:`train.evaluation.intervals.linearised`.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from train.evaluation.intervals import NAN, Estimate, linearised, mean, one_for_each_set


@dataclass(frozen=True)
class Comparison:
    """A minus B.

    Attributes:
        difference: The mean difference over the sets, with its intervals.
        p_value: Probability of a mean at least this far from zero if the true one were zero.
        correlation: Of what the two got from the same sets: the variance of the difference is
            ``1 - correlation`` times that of two matches on different sets, if both vary alike.
            NaN where one does not vary.
    """

    difference: Estimate
    p_value: float
    correlation: float


def compare(first: np.ndarray, second: np.ndarray) -> Comparison:
    """Means of two policies on the same deal sets.

    Args:
        first: ``(sets,)`` values of A, for example its units against the reference.
        second: ``(sets,)`` values of B on the same sets in the same order.

    Raises:
        EvaluationError: Not one pair of numbers for each set.
    """
    first, second = one_for_each_set(first, second)
    difference = mean(np.subtract(first, second, dtype=np.float64))
    return Comparison(difference, p_value(difference), _correlation(first, second))


def compare_ratios(
    first: np.ndarray,
    first_of: np.ndarray,
    second: np.ndarray,
    second_of: np.ndarray,
) -> Comparison:
    """Rates or averages of two policies on the same deal sets, such as their average fan.

    Args:
        first: ``(sets,)`` numerators of A.
        first_of: ``(sets,)`` denominators of A, not negative.
        second: ``(sets,)`` numerators of B on the same sets in the same order.
        second_of: ``(sets,)`` denominators of B, not negative.

    Raises:
        EvaluationError: Not four numbers for each set, or a negative denominator.
    """
    one_for_each_set(first, first_of, second, second_of)
    return compare(linearised(first, first_of), linearised(second, second_of))


def p_value(estimate: Estimate) -> float:
    """Two-sided p value of Student's t test against zero.

    Args:
        estimate: A mean or a difference; not a share, which zero does not describe.

    Returns:
        The p value; NaN where there is no error.
    """
    if math.isnan(estimate.error):
        return NAN
    if estimate.error == 0:
        return 1.0 if estimate.value == 0 else 0.0
    return float(2 * stats.t.sf(abs(estimate.value) / estimate.error, estimate.sets - 1))


def _correlation(first: np.ndarray, second: np.ndarray) -> float:
    # Compared with their extremes, so that rounding does not make a constant vary.
    if len(first) <= 1 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return NAN
    return float(np.corrcoef(first, second)[0, 1])

"""Means, ratios and shares over deal sets, with intervals.

One deal set is one observation: its deals share hands and wall, so they are never counted singly.
In the words of survey sampling (Cochran, *Sampling Techniques*, 3rd edition 1977, chapters 6 and
9A) a set is a cluster: the rate of wins is a ratio of two sums over sets, and its error comes from
the sets by the delta method.

Intervals of means and ratios use Student's t with one degree of freedom fewer than there are sets,
whatever their number. Units are skewed, which t does not know of. Corrections that were tried
covered no better: Johnson's t (JASA 73, 1978), Hall's transformation (J. R. Stat. Soc. B 54, 1992),
the BCa bootstrap (Efron, JASA 82, 1987); ``python -m train.evaluation.check_intervals`` shows it.
Below about 100 sets an interval is a rough guess.

Shares use the interval of Wilson (JASA 22, 1927) with an effective number of observations (Kish,
*Survey Sampling*, 1965), which stays inside 0 and 1 and does not shrink to nothing where an event
was never seen. Franco, Little, Louis and Slud (J. Survey Statistics and Methodology 7, 2019)
compare it with others on clustered samples.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from train.evaluation.errors import EvaluationError

Interval = tuple[float, float]

NAN = float("nan")


@dataclass(frozen=True)
class Estimate:
    """A figure, and how sure it is.

    Attributes:
        value: The estimate; NaN if there was nothing to estimate it from.
        error: Its standard error; NaN for fewer than two sets.
        sets: Deal sets it comes from: those that could contribute to it.
        ci95: Where the true value lies with a confidence of 95 %; NaN where ``error`` is.
        ci99: The same for 99 %.
    """

    value: float
    error: float
    sets: int
    ci95: Interval
    ci99: Interval

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval."""
        return (self.ci95[1] - self.ci95[0]) / 2


NOTHING = Estimate(NAN, NAN, 0, (NAN, NAN), (NAN, NAN))
"""What is known without observations."""


def t_quantile(confidence: float, freedom: float) -> float:
    """Standard errors on each side of an interval.

    Args:
        confidence: For example 0.95.
        freedom: Degrees of freedom, above 0.
    """
    return float(special.stdtrit(freedom, (1 + confidence) / 2))


def t_estimate(value: float, error: float, sets: int, freedom: float | None = None) -> Estimate:
    """An estimate whose intervals are Student's.

    Args:
        value: The figure.
        error: Its standard error.
        sets: Deal sets behind it.
        freedom: Degrees of freedom, ``sets - 1`` if left out.
    """
    left = sets - 1 if freedom is None else freedom
    if left <= 0:
        return Estimate(value, NAN, sets, (NAN, NAN), (NAN, NAN))
    half95, half99 = (t_quantile(confidence, left) * error for confidence in (0.95, 0.99))
    return Estimate(
        value, error, sets, (value - half95, value + half95), (value - half99, value + half99)
    )


def mean(values: np.ndarray) -> Estimate:
    """Mean over deal sets.

    Args:
        values: ``(sets,)`` one value for each deal set, for example the mean units of the
            challenger over the seatings of the set.

    Raises:
        EvaluationError: Not one number for each set.
    """
    (values,) = one_for_each_set(values)
    sets = len(values)
    if sets == 0:
        return NOTHING
    value = float(values.mean(dtype=np.float64))
    if sets == 1:
        return t_estimate(value, NAN, 1)
    return t_estimate(value, float(values.std(ddof=1, dtype=np.float64)) / sets**0.5, sets)


def ratio(numerators: np.ndarray, denominators: np.ndarray) -> Estimate:
    """Ratio of two sums over deal sets, such as the average fan: fan won over wins.

    Args:
        numerators: ``(sets,)`` sums over the deals of each set.
        denominators: ``(sets,)`` likewise, not negative.

    Raises:
        EvaluationError: Not one pair of numbers for each set, or a negative denominator.
    """
    numerators, denominators = one_for_each_set(numerators, denominators)
    value, error, sets = _ratio(numerators, denominators)
    return t_estimate(value, error, sets) if sets else NOTHING


def share(numerators: np.ndarray, denominators: np.ndarray) -> Estimate:
    """A ratio that lies between 0 and 1, such as the win rate: wins over seats played.

    Args:
        numerators: ``(sets,)`` how often it happened in the deals of each set.
        denominators: ``(sets,)`` how often it could have happened.

    Returns:
        The estimate with intervals by Wilson; where it always or never happened, they take each
        set for one independent observation.

    Raises:
        EvaluationError: Not one pair of numbers for each set, or a share outside 0 and 1.
    """
    numerators, denominators = one_for_each_set(numerators, denominators)
    value, error, sets = _ratio(numerators, denominators)
    if np.any(numerators < 0) or np.any(numerators > denominators):
        raise EvaluationError("got a share outside 0 and 1; numerators lie in 0 to denominators")
    if sets <= 1:
        return t_estimate(value, NAN, sets) if sets else NOTHING
    effective = value * (1 - value) / error**2 if error > 0 else float(sets)
    ci95, ci99 = (
        _wilson(value, effective, t_quantile(confidence, sets - 1)) for confidence in (0.95, 0.99)
    )
    return Estimate(value, error, sets, ci95, ci99)


def linearised(numerators: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """What each deal set adds to a ratio, as values whose mean is the ratio.

    Their standard error is that of the ratio, so that differences of ratios on the same sets, or
    ratios with control variates, are means of differences (the delta method).

    Args:
        numerators: ``(sets,)`` sums over the deals of each set.
        denominators: ``(sets,)`` likewise, not negative.

    Returns:
        ``(sets,)`` float64; NaN where there is no ratio.

    Raises:
        EvaluationError: Not one pair of numbers for each set, or a negative denominator.
    """
    numerators, denominators = one_for_each_set(numerators, denominators)
    if np.any(denominators < 0):
        raise EvaluationError("got a negative denominator; allowed are 0 and more")
    total = float(denominators.sum(dtype=np.float64))
    if total == 0:
        return np.full(len(numerators), NAN)
    value = float(numerators.sum(dtype=np.float64)) / total
    scaled: np.ndarray = value + (numerators - value * denominators) * (len(numerators) / total)
    return scaled


def one_for_each_set(*columns: npt.ArrayLike) -> tuple[np.ndarray, ...]:
    """Refuse what does not hold one number for each of the same deal sets.

    Args:
        columns: Arrays that should be ``(sets,)``, or lists.

    Returns:
        All of them as arrays.

    Raises:
        EvaluationError: Another shape, or lengths that differ.
    """
    arrays = tuple(np.asarray(column) for column in columns)
    shapes = [array.shape for array in arrays]
    if any(len(shape) != 1 for shape in shapes) or len(set(shapes)) > 1:
        raise EvaluationError(
            f"got arrays of shape {', '.join(map(str, shapes))}; "
            "give one number for each deal set, of the same sets in the same order"
        )
    return arrays


def _ratio(numerators: np.ndarray, denominators: np.ndarray) -> tuple[float, float, int]:
    """Ratio, standard error, and how many sets had a denominator."""
    values = linearised(numerators, denominators)
    used = int((denominators > 0).sum())
    if used == 0:
        return NAN, NAN, 0
    value = float(numerators.sum(dtype=np.float64) / denominators.sum(dtype=np.float64))
    if used == 1:
        return value, NAN, 1
    variance = float(((values - value) ** 2).sum()) * used / (used - 1)
    return value, variance**0.5 / len(values), used


def _wilson(value: float, effective: float, quantile: float) -> Interval:
    """The shares that an observed one does not contradict."""
    square = quantile**2 / effective
    centre = (value + square / 2) / (1 + square)
    half = (square * value * (1 - value) + square**2 / 4) ** 0.5 / (1 + square)
    # Rounding must not put the observed share outside, which happens at 0 and 1.
    return max(0.0, min(value, centre - half)), min(1.0, max(value, centre + half))

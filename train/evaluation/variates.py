"""Control variates: take out of a result what is known to be luck.

A variate is a number for each deal set whose mean is known to be zero whatever the agents do, such
as how many useful tiles a seat drew beyond its chances. What of the values follows it linearly is
subtracted, which leaves the mean alone and the interval narrower (Lavenberg and Welch, Management
Science 27, 1981).

Coefficients fitted on the values they correct would bend the mean a little towards what was hoped
for. They are therefore cross-fitted (Chernozhukov and others, Econometrics Journal 21, 2018): a set
is corrected with coefficients from other sets, so that the estimate is unbiased for any number of
sets and any dependence, linear or not.
"""

from dataclasses import dataclass

import numpy as np

from train.evaluation.errors import EvaluationError
from train.evaluation.intervals import Estimate, mean, one_for_each_set

FOLDS = 10
"""Set ``i`` is in fold ``i % FOLDS`` and corrected with coefficients of the nine other folds."""
SETS_PER_COEFFICIENT = 20
"""With fewer sets coefficients are too noisy to help; then nothing is corrected."""
_RESOLUTION = 1e-9
"""Of the largest variance: variates that add less to the others repeat them."""


@dataclass(frozen=True)
class Adjusted:
    """A mean with and without control variates.

    Attributes:
        estimate: The mean of ``values``.
        plain: The mean without variates.
        values: ``(sets,)`` corrected values, for paired comparisons.
        coefficients: ``(k,)`` mean of those of the folds: what a variate is worth, in units.
        corrected: Whether there were enough sets to correct anything.
    """

    estimate: Estimate
    plain: Estimate
    values: np.ndarray
    coefficients: np.ndarray
    corrected: bool = True

    @property
    def variance_left(self) -> float:
        """Variance of the estimate over that of the plain mean: the share of deals still needed.

        1 where the plain mean has no error; NaN where it is unknown.
        """
        if self.plain.error == 0:
            return 1.0
        return (self.estimate.error / self.plain.error) ** 2


def adjust(values: np.ndarray, variates: np.ndarray) -> Adjusted:
    """Correct values by control variates.

    Args:
        values: ``(sets,)`` one value for each deal set.
        variates: ``(sets, k)`` variates of the same sets, whose true means are zero.

    Returns:
        The corrected mean and values. With fewer than :data:`SETS_PER_COEFFICIENT` sets for each
        variate and the mean nothing is corrected.

    Raises:
        EvaluationError: Arrays that do not fit.
    """
    (values,), variates = one_for_each_set(values), np.asarray(variates)
    if variates.ndim <= 1 or variates.shape != (len(values), variates.shape[-1]):
        raise EvaluationError(
            f"got variates of shape {variates.shape} for {len(values)} sets; they are (sets, k)"
        )
    plain, number = mean(values), variates.shape[1]
    if len(values) < SETS_PER_COEFFICIENT * (number + 1):
        return Adjusted(plain, plain, values.astype(np.float64), np.zeros(number), corrected=False)
    coefficients = _coefficients(values, variates)
    fold = np.arange(len(values)) % FOLDS
    corrected = values - (variates * coefficients[fold]).sum(axis=1)
    return Adjusted(mean(corrected), plain, corrected, coefficients.mean(axis=0))


def _coefficients(values: np.ndarray, variates: np.ndarray) -> np.ndarray:
    """``(FOLDS, k)``: least squares without the sets of each fold."""
    spread = variates.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    # Everything that least squares needs of a set, summed by folds: 1, variates, value.
    told = np.column_stack([np.ones(len(values)), variates / scale, values])
    products = np.array([told[fold::FOLDS].T @ told[fold::FOLDS] for fold in range(FOLDS)])
    others = products.sum(axis=0) - products
    # The means of these sets are taken out, not zero: that fits the slope better.
    means = others[:, 0] / others[:, :1, 0]
    about_means = others / others[:, :1, :1] - means[:, :, None] * means[:, None, :]
    inverse = np.linalg.pinv(about_means[:, 1:-1, 1:-1], rcond=_RESOLUTION, hermitian=True)
    slopes: np.ndarray = (inverse @ about_means[:, 1:-1, -1:])[:, :, 0] / scale
    return slopes

"""Many comparisons in one table.

Of twenty comparisons between equals one looks clear at 5 % by chance. The step-down of Holm (Scand.
J. Statistics 6, 1979) keeps the probability that any row of the table is wrongly called
different below the level, whatever depends on what, and calls at least as many as Bonferroni's.
"""

import numpy as np

from train.evaluation.errors import EvaluationError


def adjusted(p_values: np.ndarray) -> np.ndarray:
    """P values that may be held against the level of the whole table.

    Args:
        p_values: ``(comparisons,)`` one each; NaN where nothing was compared, which counts as no
            comparison.

    Returns:
        ``(comparisons,)`` float64 in the same order; NaN stays.

    Raises:
        EvaluationError: A value outside 0 and 1.
    """
    known = np.flatnonzero(~np.isnan(p_values))
    values = np.asarray(p_values, np.float64)[known]
    if np.any(values < 0) or np.any(values > 1):
        raise EvaluationError("got a p value outside 0 and 1")
    order = np.argsort(values, kind="stable")
    # The least of n counts n times, the next n - 1 times; none may count less than one before it.
    stepped = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    result = np.full(len(p_values), np.nan)
    result[known[order]] = np.minimum(stepped, 1)
    return result

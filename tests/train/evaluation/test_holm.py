from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from train.evaluation.errors import EvaluationError
from train.evaluation.holm import adjusted


def closed_testing(p_values):
    """Holm by definition: a row is different if every set of rows with it is, by Bonferroni."""
    rows = range(len(p_values))
    subsets = [s for size in range(1, len(p_values) + 1) for s in combinations(rows, size)]
    return [
        max(min(1, len(s) * min(p_values[i] for i in s)) for s in subsets if row in s)
        for row in rows
    ]


@pytest.mark.parametrize("number", range(1, 8))
def test_it_is_the_closure_of_bonferroni(number):
    p_values = np.random.default_rng(number).beta(0.3, 1.0, number)
    p_values[-1] = p_values[0]
    assert adjusted(p_values) == pytest.approx(closed_testing(p_values))


def test_what_was_not_compared_does_not_count():
    p_values = np.array([0.04, np.nan, 0.01])
    assert adjusted(p_values) == pytest.approx([0.04, np.nan, 0.02], nan_ok=True)
    assert adjusted(np.zeros(0)).shape == (0,)
    assert np.isnan(adjusted(np.array([np.nan]))).all()


def test_no_value_comes_out_above_one():
    assert adjusted(np.array([0.7, 1.0, 0.5])).tolist() == [1, 1, 1]


@pytest.mark.parametrize("wrong", [-0.01, 1.5])
def test_what_is_no_probability_is_refused(wrong):
    with pytest.raises(EvaluationError, match="outside 0 and 1"):
        adjusted(np.array([0.5, wrong]))


def test_a_table_of_equals_rarely_shows_a_difference():
    """Ten comparisons that share a reference, so that they depend on each other."""
    rng, tables, sets = np.random.default_rng(1), 2000, 50
    common = rng.normal(size=(tables, 1, sets))
    values = common + rng.normal(size=(tables, 10, sets))
    p_values = stats.ttest_1samp(values, 0.0, axis=2).pvalue
    wrong = np.mean([adjusted(row).min() < 0.05 for row in p_values])
    assert np.mean(p_values.min(axis=1) < 0.05) > 0.2
    assert wrong <= 0.05 + 3 * (0.05 * 0.95 / tables) ** 0.5

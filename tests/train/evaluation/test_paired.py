import math

import numpy as np
import pytest
from scipy import stats

from train.evaluation.errors import EvaluationError
from train.evaluation.intervals import linearised, mean, ratio
from train.evaluation.paired import compare, compare_ratios, p_value

REPEATS = 1000


def test_it_is_the_paired_t_test_of_scipy():
    rng = np.random.default_rng(1)
    luck = rng.normal(0.0, 3.0, 60)
    first, second = luck + rng.normal(0.5, 1.0, 60), luck + rng.normal(0.0, 1.0, 60)
    expected = stats.ttest_rel(first, second)
    found = compare(first, second)
    assert found.p_value == pytest.approx(expected.pvalue)
    interval = expected.confidence_interval(0.95)
    assert found.difference.ci95 == pytest.approx((interval.low, interval.high))
    assert found.correlation == pytest.approx(stats.pearsonr(first, second).statistic)


def test_pairing_narrows_what_the_deals_give_to_both():
    rng = np.random.default_rng(2)
    luck = rng.normal(0.0, 3.0, 500)
    first, second = luck + rng.normal(size=500), luck + rng.normal(size=500)
    found = compare(first, second)
    apart = math.hypot(mean(first).error, mean(second).error)
    assert found.difference.error == pytest.approx(apart * (1 - found.correlation) ** 0.5, rel=0.02)
    assert found.difference.error < apart / 2


def test_the_same_policy_differs_in_nothing():
    values = np.random.default_rng(3).normal(size=40)
    found = compare(values, values)
    assert found.difference.ci99 == (0, 0)
    assert found.p_value == 1
    assert found.correlation == pytest.approx(1)


def test_a_constant_difference_is_certain():
    values = np.arange(10.0)
    assert compare(values + 1, values).p_value == 0


@pytest.mark.parametrize("sets", [0, 1])
def test_too_few_sets_say_nothing(sets):
    values = np.ones(sets)
    for found in (compare(values, values), compare_ratios(values, values, values, values)):
        assert math.isnan(found.p_value)
        assert math.isnan(found.difference.half_width)
        assert math.isnan(found.correlation)


def test_small_types_do_not_overflow():
    low, high = np.full(5, -100, np.int8), np.full(5, 100, np.int8)
    assert compare(high, low).difference.value == 200


def test_rates_that_never_were_are_nan():
    values, none = np.ones(5), np.zeros(5)
    assert math.isnan(compare_ratios(values, values, none, none).p_value)


def test_the_difference_of_two_ratios_is_that_of_their_values():
    rng = np.random.default_rng(4)
    wins, others = rng.binomial(4, 0.3, 300), rng.binomial(4, 0.2, 300)
    fan, less = rng.poisson(2.0, 300) * wins, rng.poisson(1.5, 300) * others
    found = compare_ratios(fan, wins, less, others)
    assert found.difference.value == pytest.approx(
        ratio(fan, wins).value - ratio(less, others).value
    )
    linear = linearised(fan, wins) - linearised(less, others)
    assert found.difference.error == pytest.approx(stats.sem(linear))


def test_sets_that_do_not_fit_are_refused():
    with pytest.raises(EvaluationError, match="same sets"):
        compare(np.ones(3), np.ones(4))
    with pytest.raises(EvaluationError, match="same sets"):
        compare_ratios(np.ones(3), np.ones(3), np.ones(4), np.ones(4))


def test_differences_of_rates_cover_and_their_p_values_keep_the_level():
    """Two policies whose wins depend on the same luck; the second wins less."""
    rng, sets, edge = np.random.default_rng(5), 200, 0.06
    covered, wrong = 0, 0
    for _ in range(REPEATS):
        luck = rng.uniform(-0.2, 0.2, sets)
        seats = np.full(sets, 4)
        first, second, equal = (rng.binomial(4, 0.3 + luck - shift) for shift in (0.0, edge, 0.0))
        low, high = compare_ratios(first, seats, second, seats).difference.ci95
        covered += low <= edge <= high
        wrong += compare_ratios(first, seats, equal, seats).p_value < 0.05
    tolerance = 3 * (0.05 * 0.95 / REPEATS) ** 0.5
    assert abs(covered / REPEATS - 0.95) < tolerance
    assert abs(wrong / REPEATS - 0.05) < tolerance


def test_p_values_of_nothing_are_nan():
    assert math.isnan(p_value(mean(np.zeros(0))))

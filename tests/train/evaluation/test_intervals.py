import math

import numpy as np
import pytest
from scipy import stats

from train.evaluation.errors import EvaluationError
from train.evaluation.intervals import linearised, mean, ratio, share

REPEATS = 2000


def test_a_mean_is_that_of_scipy():
    values = np.random.default_rng(1).normal(2.0, 3.0, 17)
    estimate = mean(values)
    for confidence, interval in ((0.95, estimate.ci95), (0.99, estimate.ci99)):
        expected = stats.ttest_1samp(values, 0.0).confidence_interval(confidence)
        assert interval == pytest.approx((expected.low, expected.high))
    assert estimate.value == pytest.approx(values.mean())
    assert estimate.error == pytest.approx(stats.sem(values))
    assert estimate.sets == 17


@pytest.mark.parametrize("dtype", ["i1", "i4", "?", "f4"])
def test_small_types_neither_overflow_nor_lose_digits(dtype):
    values = np.ones(100_000, dtype)
    assert mean(values).value == 1
    assert ratio(values, values).value == 1
    assert share(values, values).value == 1


def test_nothing_is_nan_and_silent():
    none = np.zeros(0)
    for estimate in (mean(none), ratio(none, none), share(none, none)):
        assert math.isnan(estimate.value)
        assert estimate.sets == 0
    assert linearised(none, none).shape == (0,)
    zeros = np.zeros(5)
    for estimate in (ratio(zeros, zeros), share(zeros, zeros)):
        assert math.isnan(estimate.value)
        assert math.isnan(estimate.half_width)


def test_one_set_has_a_value_but_no_interval():
    one = np.ones(1)
    only_one_can_tell = np.array([0.0, 2.0, 0.0])
    for estimate in (
        mean(one),
        ratio(one, one),
        share(one, one),
        ratio(only_one_can_tell, only_one_can_tell),
    ):
        assert estimate.value == 1
        assert estimate.sets == 1
        assert math.isnan(estimate.error)
        assert all(math.isnan(limit) for limit in estimate.ci95 + estimate.ci99)


def test_equal_values_have_an_interval_without_width():
    assert mean(np.full(10, 0.5)).ci99 == (0.5, 0.5)


def test_a_ratio_over_equal_denominators_is_a_mean():
    values = np.random.default_rng(2).normal(0.0, 1.0, 50)
    of_four, of_all = ratio(4 * values, np.full(50, 4)), mean(values)
    assert of_four.value == pytest.approx(of_all.value)
    assert of_four.ci99 == pytest.approx(of_all.ci99)


def test_linearised_values_have_the_mean_and_the_error_of_the_ratio():
    rng = np.random.default_rng(3)
    wins = rng.binomial(4, 0.3, 400)
    fan = rng.poisson(2.0, 400) * wins
    of_all = mean(linearised(fan, wins))
    assert of_all.value == pytest.approx(fan.sum() / wins.sum())
    # Sets without a win count as sets there, and as nothing in the ratio.
    assert of_all.error == pytest.approx(ratio(fan, wins).error, rel=0.005)
    assert ratio(fan, wins).sets == (wins > 0).sum()


def test_a_rare_share_stays_inside_and_never_is_certain():
    seats = np.full(500, 4)
    never = share(np.zeros(500), seats)
    assert never.value == 0
    assert never.ci95[0] == 0
    # The rule of three, for sets: at most about 3 in n, and Wilson says a little more.
    assert 3 / 500 < never.ci95[1] < 5 / 500
    always = share(seats, seats)
    assert always.ci95 == pytest.approx((1 - never.ci95[1], 1))


@pytest.mark.parametrize(
    ("numerators", "denominators"),
    [(np.ones(3), np.ones(2)), (np.ones((2, 2)), np.ones((2, 2))), (np.ones(2), -np.ones(2))],
)
def test_observations_that_do_not_fit_are_refused(numerators, denominators):
    for estimate in (ratio, share, linearised):
        with pytest.raises(EvaluationError):
            estimate(numerators, denominators)


def test_lists_will_do():
    assert mean([1, 2, 3]) == mean(np.array([1, 2, 3]))
    assert ratio([1, 3], [4, 4]) == ratio(np.array([1, 3]), np.array([4, 4]))
    assert share([1, 3], [4, 4]) == share(np.array([1, 3]), np.array([4, 4]))


def test_what_is_no_share_is_refused():
    with pytest.raises(EvaluationError, match="outside 0 and 1"):
        share(np.array([1, 3]), np.array([2, 2]))


# ------------------------------------------------------------------- coverage on real deal sets


def covered(truth, estimates):
    """Shares of the 95 % and of the 99 % intervals that hold the truth."""
    return tuple(
        np.mean([low <= truth <= high for low, high in intervals])
        for intervals in ([e.ci95 for e in estimates], [e.ci99 for e in estimates])
    )


def allowed(confidence, short_by):
    """Least share that passes: what skewness costs, and four standard errors of the simulation."""
    return confidence - short_by - 4 * (confidence * (1 - confidence) / REPEATS) ** 0.5


@pytest.mark.parametrize(("sets", "short_by"), [(100, 0.015), (400, 0.01), (1600, 0.003)])
def test_means_of_real_units_cover(units, sets, short_by):
    rng = np.random.default_rng(sets)
    assert abs(stats.skew(units)) > 2
    ci95, ci99 = covered(units.mean(), [mean(rng.choice(units, sets)) for _ in range(REPEATS)])
    assert allowed(0.95, short_by) <= ci95 <= 0.97
    assert allowed(0.99, short_by) <= ci99 <= 0.999


@pytest.mark.parametrize("sets", [100, 400])
def test_ratios_and_shares_of_real_deals_cover(reference_wins, sets):
    wins, fan = reference_wins
    rng = np.random.default_rng(sets)
    drawn = [rng.integers(0, len(wins), sets) for _ in range(REPEATS)]
    averages = [ratio(fan[i], wins[i]) for i in drawn]
    rates = [share(wins[i], np.full(sets, 12)) for i in drawn]
    for truth, estimates in (
        (fan.sum() / wins.sum(), averages),
        (wins.sum() / (12 * len(wins)), rates),
    ):
        ci95, ci99 = covered(truth, estimates)
        assert allowed(0.95, 0.005) <= ci95 <= 0.97
        assert allowed(0.99, 0.004) <= ci99 <= 0.999


def test_a_rare_share_covers_where_the_delta_method_does_not():
    rng = np.random.default_rng(5)
    rate, sets = 0.002, 300
    drawn = [rng.binomial(4, rate, sets) for _ in range(REPEATS)]
    seats = np.full(sets, 4)
    wilson, _ = covered(rate, [share(events, seats) for events in drawn])
    delta, _ = covered(rate, [ratio(events, seats) for events in drawn])
    assert delta < 0.92
    assert wilson >= allowed(0.95, 0.0)

import numpy as np
import pytest
from scipy import stats

from train.evaluation.errors import EvaluationError
from train.evaluation.intervals import mean
from train.evaluation.variates import FOLDS, SETS_PER_COEFFICIENT, adjust

REPEATS = 1500


def lucky(rng, sets, truth=0.3):
    """Skewed values that follow two variates, the second not linearly, and a third not at all."""
    variates = rng.normal(size=(sets, 3))
    values = truth + 2 * variates[:, 0] + variates[:, 1] ** 3 + rng.exponential(1.0, sets) - 1
    return values, variates


def test_luck_that_follows_a_variate_is_gone():
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(2000, 1))
    values = 0.5 + 3 * luck[:, 0] + rng.normal(size=2000)
    found = adjust(values, luck)
    assert found.coefficients == pytest.approx([3], abs=0.1)
    assert found.variance_left == pytest.approx(0.1, rel=0.1)
    assert found.plain == mean(values)
    assert found.estimate.value == pytest.approx(found.values.mean())
    assert found.estimate.error == pytest.approx(stats.sem(found.values))


def test_a_set_is_corrected_by_the_other_folds():
    """Changing the values of one fold leaves their own coefficients as they were."""
    rng = np.random.default_rng(2)
    values, variates = lucky(rng, 400)
    before = adjust(values, variates).values
    changed = values.copy()
    changed[3::FOLDS] += 100 * rng.normal(size=40)
    after = adjust(changed, variates).values
    assert (after - before)[3::FOLDS] == pytest.approx((changed - values)[3::FOLDS])
    assert np.abs(after - before)[4::FOLDS].max() > 0.01


@pytest.mark.parametrize("sets", [SETS_PER_COEFFICIENT * 4, 400])
def test_the_mean_stays_and_the_interval_covers(sets):
    rng, truth = np.random.default_rng(sets), 0.3
    found = [adjust(*lucky(rng, sets, truth)) for _ in range(REPEATS)]
    errors = np.array([f.estimate.value - truth for f in found])
    assert abs(errors.mean()) < 3.5 * stats.sem(errors)
    covered = np.mean([f.estimate.ci95[0] <= truth <= f.estimate.ci95[1] for f in found])
    assert covered >= 0.95 - 0.005 - 3 * (0.95 * 0.05 / REPEATS) ** 0.5
    # What is reported is what happens.
    assert np.mean([f.estimate.error**2 for f in found]) == pytest.approx(errors.var(), rel=0.12)
    assert np.mean([f.variance_left for f in found]) < 0.6


def test_fitting_on_the_same_sets_would_bend_the_mean():
    """Why coefficients are cross-fitted: where the slope depends on the variate."""
    rng, sets = np.random.default_rng(3), 80
    bent, fair = [], []
    for _ in range(REPEATS):
        luck = rng.exponential(1.0, (sets, 1)) - 1
        values = luck[:, 0] ** 2 - 1
        slope = np.cov(luck[:, 0], values)[0, 1] / luck.var(ddof=1)
        bent.append(values.mean() - slope * luck.mean())
        fair.append(adjust(values, luck).estimate.value)
    assert np.mean(bent) < -5 * stats.sem(bent)
    assert abs(np.mean(fair)) < 3.5 * stats.sem(fair)


def test_coefficients_are_those_of_least_squares():
    values, variates = lucky(np.random.default_rng(8), 150)
    others = np.arange(150) % FOLDS != 2
    design = np.column_stack([np.ones(others.sum()), variates[others]])
    slopes = np.linalg.lstsq(design, values[others])[0][1:]
    corrected = values[2::FOLDS] - variates[2::FOLDS] @ slopes
    assert adjust(values, variates).values[2::FOLDS] == pytest.approx(corrected)


def test_with_enough_sets_something_is_corrected():
    values, variates = lucky(np.random.default_rng(9), SETS_PER_COEFFICIENT * 4)
    found = adjust(values, variates)
    assert found.corrected
    assert found.values.tolist() != values.tolist()


def test_useless_variates_cost_little():
    rng = np.random.default_rng(4)
    left = [
        adjust(rng.normal(size=500), rng.normal(size=(500, 4))).variance_left for _ in range(200)
    ]
    assert 0.99 < np.mean(left) < 1.03


def test_columns_that_repeat_each_other_do_no_harm():
    rng = np.random.default_rng(6)
    values, variates = lucky(rng, 500)
    twice = np.column_stack([variates, variates, np.zeros(500)])
    assert adjust(values, twice).estimate.value == pytest.approx(
        adjust(values, variates).estimate.value
    )


def test_values_without_spread_need_no_correction():
    found = adjust(np.zeros(300), np.random.default_rng(7).normal(size=(300, 2)))
    assert found.estimate.ci95 == (0, 0)
    assert found.variance_left == 1


@pytest.mark.parametrize("sets", [0, 1, SETS_PER_COEFFICIENT * 2 - 1])
def test_with_few_sets_nothing_is_corrected(sets):
    values = np.arange(float(sets))
    found = adjust(values, np.ones((sets, 1)))
    assert found.values.tolist() == values.tolist()
    assert found.coefficients.tolist() == [0]
    assert found.estimate is found.plain
    assert not found.corrected


@pytest.mark.parametrize("shape", [(100,), (99, 1), (1, 100, 1)])
def test_arrays_that_do_not_fit_are_refused(shape):
    with pytest.raises(EvaluationError, match=r"they are \(sets, k\)"):
        adjust(np.ones(100), np.ones(shape))

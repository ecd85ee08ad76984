import numpy as np
import pytest

from mjenv.sichuan.statistics import DEAL
from train.evaluation.deal_sets import CHALLENGER, FORMS
from train.evaluation.spread import deals_needed, units_of_deals


def drawn(rng, sets, shared):
    """Units of four deals of a set that have a share of their variance in common."""
    return shared**0.5 * rng.normal(size=(sets, 1)) + (1 - shared) ** 0.5 * rng.normal(
        size=(sets, 4)
    )


def test_independent_deals_need_as_many():
    units = drawn(np.random.default_rng(1), 4000, 0.0)
    found = deals_needed(units.mean(axis=1), units)
    assert found.ci99[0] < 1 < found.ci99[1]
    assert found.half_width < 0.1


def test_deals_that_cancel_need_fewer_and_those_that_agree_more():
    rng = np.random.default_rng(2)
    units = drawn(rng, 4000, 0.0)
    luck = np.array([1, 1, -1, -1]) * rng.normal(size=(4000, 1))
    cancelled = units + luck
    assert deals_needed(cancelled.mean(axis=1), cancelled).value == pytest.approx(0.5, abs=0.05)
    agreeing = drawn(rng, 4000, 0.5)
    # Variance of the mean: 1/2 + 1/8 where independent deals have 1/4.
    assert deals_needed(agreeing.mean(axis=1), agreeing).value == pytest.approx(2.5, rel=0.1)


def test_the_interval_covers():
    rng, repeats, hits = np.random.default_rng(3), 1000, 0
    for _ in range(repeats):
        units = drawn(rng, 300, 0.2)
        low, high = deals_needed(units.mean(axis=1), units).ci95
        hits += low <= 0.2 * 4 + 0.8 <= high
    assert hits / repeats >= 0.95 - 0.01 - 3 * (0.95 * 0.05 / repeats) ** 0.5


def test_a_seat_that_does_better_is_no_spread():
    units = np.tile([3.0, 0.0, -2.0, 5.0], (100, 1)) + drawn(np.random.default_rng(4), 100, 0.0)
    assert deals_needed(units.mean(axis=1), units).value == pytest.approx(1, abs=0.5)


@pytest.mark.parametrize("form", FORMS)
def test_units_are_those_of_the_challenger(form):
    seats = FORMS[form] == CHALLENGER
    deals = np.zeros((3, len(seats)), DEAL)
    deals["units"] = np.where(seats, 2, -7)
    assert (units_of_deals(deals, seats) == 2).all()

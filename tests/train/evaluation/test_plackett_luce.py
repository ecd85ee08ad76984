import numpy as np
import pytest

from train.evaluation.errors import EvaluationError
from train.evaluation.plackett_luce import Skill, skills

FRESH = Skill(25.0, 25 / 3)


def played(rng, deals, strengths):
    """Four agents in seats of their own, the stronger more often in front."""
    seating = np.array([rng.permutation(4) for _ in range(deals)])
    return seating, np.array(strengths)[seating] + rng.gumbel(size=(deals, 4))


def test_without_deals_everybody_is_as_at_the_start():
    found = skills(["a", "b"], np.zeros((0, 4), np.int8), np.zeros((0, 4)))
    assert found == {"a": FRESH, "b": FRESH}


def test_the_stronger_come_out_in_front_and_beliefs_narrow():
    found = skills("abcd", *played(np.random.default_rng(1), 800, [1.0, 0.0, 2.0, -1.0]))
    assert found["c"].mu > found["a"].mu > found["b"].mu > found["d"].mu
    assert all(skill.sigma < FRESH.sigma / 3 for skill in found.values())


def test_only_the_order_counts():
    seating, units = played(np.random.default_rng(2), 50, [1.0, 0.0, 2.0, -1.0])
    assert skills("abcd", seating, units) == skills("abcd", seating, np.exp(units))


def test_all_equal_is_a_draw():
    found = skills("abcd", np.arange(4)[None], np.zeros((1, 4)))
    assert all(skill.mu == pytest.approx(25) for skill in found.values())


def test_copies_share_one_rating_and_what_one_loses_the_other_wins():
    seating = np.array([[0, 1, 1, 1]])
    found = skills("ab", seating, np.array([[3, -1, -1, -1]]))
    assert found["a"].mu > 25 > found["b"].mu
    assert found["a"].mu + found["b"].mu == pytest.approx(50)
    # A copy in front of another copy says nothing about the agent.
    among_themselves = skills("ab", np.array([[1, 1, 1, 1]]), np.array([[3, 2, 1, 0]]))
    assert among_themselves["b"].mu == pytest.approx(25)


def test_the_same_deals_give_the_same_skills():
    seating, units = played(np.random.default_rng(3), 60, [0.0, 1.0, 0.0, 1.0])
    assert skills("abcd", seating, units) == skills("abcd", seating, units)


def test_of_too_many_deals_even_ones_are_taken():
    seating, units = played(np.random.default_rng(4), 90, [0.0, 1.0, 0.0, 1.0])
    assert skills("abcd", seating, units, 30) == skills("abcd", seating[::3], units[::3])


@pytest.mark.parametrize(
    ("seating", "units", "message"),
    [
        (np.zeros((2, 4), int), np.zeros((3, 4)), "both are"),
        (np.zeros((2, 3), int), np.zeros((2, 3)), "both are"),
        (np.full((2, 4), 2), np.zeros((2, 4)), "among the 2 named"),
        (np.full((2, 4), -1), np.zeros((2, 4)), "among the 2 named"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(seating, units, message):
    with pytest.raises(EvaluationError, match=message):
        skills(["a", "b"], seating, units)

import numpy as np
import pytest
from scipy import stats

from agents.chance import fitted_value
from mjenv.core.kernel import JIT_DISABLED
from mjenv.games import rules_of
from mjenv.sichuan.tally import LEVELS, TALLY
from train.evaluation.check_variates import left_by_dealt_hands
from train.evaluation.deal_sets import CHALLENGER, FORMS, Match
from train.evaluation.intervals import mean
from train.evaluation.luck import draw_luck, value_luck, variates_of
from train.evaluation.paired import p_value
from train.evaluation.run import Conditions, Task, play_task
from train.evaluation.variates import adjust

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")

SETS = 400


@pytest.fixture(scope="module", params=["ordinary", "seat-keyed"])
def result(request):
    match = Match("never_call/1", "greedy/1")
    return play_task(Task(match, Conditions(rules_of("qq"), 3, request.param), 0, SETS))


def test_luck_is_a_mean_of_seats_by_side_and_deficiency():
    seats = FORMS["2v2"] == CHALLENGER
    tallies = np.zeros((2, len(seats)), TALLY)
    tallies["luck"] = np.where(seats[:, :, None], [1, 2, 3, 4], [-1, -2, -3, -4])
    assert draw_luck(tallies, seats).tolist() == [[1, 2, 3, 4, -1, -2, -3, -4]] * 2


def test_luck_is_zero_on_average_and_takes_variance_out(result):
    luck = draw_luck(result.tallies, result.match.challenger_seats)
    assert luck.shape == (SETS, 2 * LEVELS)
    assert (stats.ttest_1samp(luck, 0.0, axis=0).pvalue > 1e-3).all()
    found = adjust(result.units, luck)
    assert found.variance_left < 0.9
    assert p_value(mean(result.units - found.values)) > 1e-3
    # A draw that wins is worth units, to the challenger if it is its own.
    assert found.coefficients[0] > 1
    assert found.coefficients[LEVELS] < -1


def test_the_hands_dealt_cancel_in_a_deal_set(result):
    dealt = result.tallies["initial_deficiency"].astype(float)
    assert (dealt == dealt[:, :1]).all()
    seats = result.match.challenger_seats
    advantage = (dealt * seats).sum(axis=2) - (dealt * ~seats).sum(axis=2) / 3
    assert advantage.std() > 0.5
    assert advantage.sum(axis=1) == pytest.approx(np.zeros(SETS))
    assert left_by_dealt_hands(result)[0] > 0.95


def test_luck_by_value_is_zero_on_average_and_takes_more_variance_out():
    match, value = Match("never_call/1", "greedy/1"), fitted_value()
    result = play_task(Task(match, Conditions(rules_of("qq"), 3, value=value), 0, SETS))
    luck = value_luck(result)
    assert p_value(mean(luck)) > 1e-3
    assert luck == pytest.approx(result.luck[:, range(4), range(4)].mean(axis=1))
    assert (result.units - luck).var() < 0.85 * result.units.var()
    both = variates_of(result, "value")
    assert both[:, -1] == pytest.approx(luck)
    found = adjust(result.units, both).variance_left
    assert found < adjust(result.units, variates_of(result, "luck")).variance_left
    # The hands of a set are the same in all seatings, and so is the luck of a bot with itself.
    same = play_task(
        Task(Match("greedy/1", "greedy/1"), Conditions(rules_of("qq"), 3, value=value), 0, 8)
    )
    assert value_luck(same) == pytest.approx(np.zeros(8))

import numpy as np
import pytest

from mjenv.core.kernel import JIT_DISABLED
from mjenv.games import rules_of
from mjenv.sichuan.statistics import DEAL
from train.evaluation.check_walls import deals_of_copies
from train.evaluation.checking import LEAST_P
from train.evaluation.errors import EvaluationError
from train.evaluation.law import MOST_FAN, compare_laws

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")

SEED = 5
DEALS = 1500


def dealt(agent, walls, deals=DEALS, rules="qq"):
    return deals_of_copies(agent, rules_of(rules), SEED, deals, walls)


@pytest.fixture(scope="module")
def ordinary():
    return dealt("greedy/1", "ordinary")


def test_seat_keyed_walls_play_the_same_game(ordinary):
    keyed = dealt("greedy/1", "seat-keyed")
    traits = compare_laws(ordinary, keyed)
    assert len(traits) > 30
    assert {"largest win", "decisions", "pungs", "wins of 2 fan"} < {t.name for t in traits}
    assert min(trait.p_value for trait in traits) > LEAST_P
    # Only the hands dealt are the same, so that the comparison is between different deals.
    assert (ordinary["units"] != keyed["units"]).any(axis=1).mean() > 0.8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "rules"),
    [("greedy/1", "qq"), ("random_legal/1", "standalone"), ("always_call/1", "sichuan_modern")],
)
def test_seat_keyed_walls_play_the_same_game_100000_times(agent, rules):
    traits = compare_laws(
        *(dealt(agent, walls, 100_000, rules) for walls in ("ordinary", "seat-keyed"))
    )
    assert min(trait.p_value for trait in traits) > LEAST_P


def test_a_wall_that_favours_a_seat_is_seen(ordinary):
    other = dealt("greedy/1", "seat-keyed")
    other["units"][:, 2] += 1
    found = {trait.name: trait for trait in compare_laws(ordinary, other)}
    assert found["units of seat 2"].p_value < LEAST_P
    assert found["units of seat 2"].comparison.difference.value == pytest.approx(1, abs=0.3)
    assert found["pungs"].p_value > LEAST_P


def test_another_way_to_play_is_seen(ordinary):
    found = {
        trait.name: trait for trait in compare_laws(ordinary, dealt("never_call/1", "ordinary"))
    }
    assert found["pungs"].second == 0
    for name in ("pungs", "decisions", "direct kongs", "ended by three wins", "won"):
        assert found[name].p_value < LEAST_P, name


def test_what_never_differs_is_left_out(ordinary):
    assert compare_laws(ordinary, ordinary) == []


def test_traits_are_means_of_deals():
    deals = np.zeros(4, DEAL)
    more = deals.copy()
    more["fan"][:, 1] = [1, 2, MOST_FAN, MOST_FAN + 3]
    more["won"][:, 1] = True
    more["units"][:, 1] = 3
    found = {trait.name: (trait.first, trait.second) for trait in compare_laws(deals, more)}
    assert found == {
        "units of seat 1": (0, 3),
        "units squared": (0, 9 / 4),
        "largest win": (0, 3),
        "won": (0, 1),
        "deals with 0 winners": (1, 0),
        "deals with 1 winners": (0, 1),
        "wins of 1 fan": (0, 1 / 4),
        "wins of 2 fan": (0, 1 / 4),
        f"wins of {MOST_FAN} fan": (0, 1 / 2),
    }


def test_numbers_of_deals_that_differ_are_refused(ordinary):
    with pytest.raises(EvaluationError, match="same sets"):
        compare_laws(ordinary, ordinary[1:])

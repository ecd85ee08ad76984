"""The averages that expected_value/1 uses are those of self-play, as far as is claimed."""

import numpy as np
import pytest

from agents import forecast
from agents.play import play_deals
from mjenv.core.game import NUM_SEATS
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.state import NUM_DRAWS, Class, End, Win
from train import fit_forecast
from train.fitting.others import SIZES, count_others

DEALS = 5 if JIT_DISABLED else 1000
FITTED = ("WINS", "DEALS_IN", "KEPT", "MULTIPLE", "READY_AT_END")
ROUGH = ("SELF_DRAWS", "OUTER", "VOID")


def test_counts_are_those_of_the_deals() -> None:
    counts = count_others("greedy/1", "qq", DEALS, seed=3)
    finished = play_deals(["greedy/1"] * NUM_SEATS, "qq", DEALS, seed=3).finished
    won = finished["win_order"] > 0
    assert counts["wins"].sum() == won.sum()
    assert counts["units_won"] == (2.0 ** (finished["win_fan"][won] - 1)).sum()
    assert counts["self_draws"].sum() == (finished["win_how"] == Win.SELF_DRAW).sum()
    assert counts["dealt_in"].sum() == (finished["win_how"] == Win.DISCARD).sum()
    stayed = (finished["end_reason"] == End.WALL_EMPTY)[:, None] & ~won
    assert counts["stayed"] == stayed.sum()
    assert counts["ready"] == (stayed & (finished["classes"] == Class.READY)).sum()
    assert counts["draws"][NUM_DRAWS] == NUM_SEATS * DEALS
    reached = finished["wall_end"] - finished["wall_next"]
    assert (counts["draws"] > 0).tolist() == [size >= reached.min() for size in range(SIZES)]
    assert (counts["dealt_in"] <= counts["offered"]).all()


def test_what_is_seen_of_discards_is_as_often_as_they_are_offered() -> None:
    counts = count_others("greedy/1", "qq", DEALS, seed=3)
    seen = counts["kept"].sum(axis=1) + counts["void"]
    assert seen.sum() == pytest.approx(counts["offered"].sum(), rel=0.02)
    without = count_others("greedy/1", "standalone", DEALS, seed=3)
    assert (without["kept"].sum(axis=1) == without["offered"]).all()
    # All that it cannot see is of a suit that may be kept: the chances add up to one.
    assert np.allclose(without["kept_by_chance"].sum(axis=1), without["offered"])


@pytest.mark.skipif(JIT_DISABLED, reason="too few deals to fit anything")
def test_constants_are_what_self_play_comes_to() -> None:
    """Within a tenth where they were fitted, a fifth where they were rounded or made even."""
    constants = {constant.name: constant for constant in fit_forecast.fit(DEALS)}
    assert set(constants) == {*FITTED, *ROUGH}
    for name, constant in constants.items():
        assert np.array_equal(np.ravel(getattr(forecast, name)), constant.used)
        assert constant.deviation < (0.1 if name in FITTED else 0.2), name


def test_a_constant_that_is_half_as_large_again_is_told() -> None:
    fitted = np.array([100.0, 10.0])
    constant = fit_forecast.Constant("X", 1.5 * fitted, fitted, np.array([0.5, 0.5]))
    assert constant.deviation == pytest.approx(0.5)
    assert constant.row == "| `X` | 150 15 | 100 10 | 50.0% |"


@pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
def test_the_command_prints_the_same_when_it_is_run_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = []
    for _ in range(2):
        assert fit_forecast.main(["--deals", "300"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) == 2 + len(FITTED) + len(ROUGH)

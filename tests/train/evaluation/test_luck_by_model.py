import pytest

from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.rules import Rules
from tests.agents.value_models import HERE
from train.arena import play_lineup
from train.evaluation.deal_sets import Match, seed_of
from train.evaluation.intervals import mean
from train.evaluation.lineup import LineUp
from train.evaluation.luck import value_luck
from train.evaluation.paired import p_value
from train.evaluation.run import Conditions
from train.evaluation.workers import Workers

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")


def test_its_luck_is_zero_on_average_in_deal_sets() -> None:
    conditions = Conditions(Rules.of("qq"), seed_of("dev"), value=f"{HERE}:Tiles")
    with Workers(1) as workers:
        result = workers.play_match(Match("never_call/1", "greedy/1"), conditions, 400)
    luck = mean(value_luck(result))
    assert luck.error > 0.01
    assert p_value(luck) > 0.001


def test_an_arena_takes_the_luck_of_a_model_off_whoever_plays() -> None:
    lineup = LineUp(
        ("greedy/1", "random_legal/1"), deals=220, reference="random_legal/1",
        variates="value", value=f"{HERE}:Tiles",
    )  # fmt: skip
    found = []
    for processes in (1, 2):
        with Workers(processes) as workers:
            found.append(play_lineup(lineup, workers).to_json())
    assert found[0] == found[1]
    (pair,) = found[0]
    assert pair["variates"] == f"value by {HERE}:Tiles"
    assert pair["ledger"]["luck"] != 0
    assert sum(pair["ledger"].values()) == pytest.approx(pair["units_per_deal"])

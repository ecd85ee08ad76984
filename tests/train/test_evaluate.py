import io

import pytest
from rich.console import Console

from mjenv import make_agent
from mjenv.core.kernel import JIT_DISABLED
from train.config import EvaluationConfig
from train.evaluate import SEED_BLOCK, evaluate, evaluate_all, numbers_of, results_table

DEALS = 8 if JIT_DISABLED else 80
NAMED = {
    "seats", "units_per_deal", "units_error", "points_per_deal", "win_rate", "average_fan",
    "deal_in_rate", "self_draw_share", "kongs_per_deal", "pungs_per_deal", "ready_at_wall_end",
    "pig_rate",
}  # fmt: skip
"""What curves of older runs are called."""


def test_an_equal_wins_nothing_and_every_number_has_its_name():
    outcome = evaluate(make_agent("greedy/1"), "greedy/1", "qq", DEALS, seed=3)
    numbers = numbers_of(outcome)
    assert numbers.keys() >= NAMED
    assert numbers["units_per_deal"] == numbers["units_error"] == 0
    assert numbers["seats"] == DEALS
    assert outcome.setting.seed_block == SEED_BLOCK


def test_deals_are_filled_up_to_whole_sets():
    outcome = evaluate(make_agent("random_legal/1"), "random_legal/1", "qq", 5, seed=3)
    assert outcome.deals == 2
    assert numbers_of(outcome)["seats"] == 8


@pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
def test_the_table_at_the_end_has_a_row_for_each_bot():
    config = EvaluationConfig(opponents=("random_legal/1", "never_call/1"), deals=400)
    outcomes = evaluate_all(make_agent("greedy/1"), "qq", config)
    stream = io.StringIO()
    console = Console(file=stream, width=80)
    console.print(results_table(outcomes))
    text = stream.getvalue()
    for outcome in outcomes:
        numbers = numbers_of(outcome)
        assert numbers["units_per_deal"] > 3 * numbers["units_error"] > 0
        (row,) = [line for line in text.splitlines() if outcome.reference in line]
        cells = [cell.strip() for cell in row.strip("│").split("│")]
        assert cells[1].startswith(f"{numbers['units_per_deal']:+.2f} ± ")
        assert cells[2] == f"{numbers['points_per_deal']:+.1f}"
        assert cells[-1] == "400"

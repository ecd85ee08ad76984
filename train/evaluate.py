"""The learner in one seat against three copies of a bot, on deal sets as in the arena."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from mjenv.agent import Agent
from mjenv.games import rules_of
from train.config import EvaluationConfig
from train.evaluation.deal_sets import Match
from train.evaluation.outcome import Outcome, Setting
from train.evaluation.reckoning import reckon
from train.evaluation.run import Conditions
from train.evaluation.wording import units, value
from train.evaluation.workers import Workers

SEED_BLOCK = "training"
"""Runs have evaluation seeds of their own: the blocks of the arena are not for choosing by."""


def evaluate(agent: Agent, opponent: str, rules: Any, deals: int, seed: int) -> Outcome:
    """Play deal sets of an agent against three copies of a bot.

    Args:
        agent: Who is evaluated.
        opponent: Name of the bot.
        rules: Rules, or whatever names them.
        deals: How many at least; four are a deal set.
        seed: Of the deals.
    """
    of, match = rules_of(rules), Match(agent, opponent)
    seatings = len(match.seatings)
    with Workers(1) as worker:
        played = worker.play_match(match, Conditions(of, seed), -(-deals // seatings))
    setting = Setting.by(of, form=match.form, walls="seat-keyed", seed_block=SEED_BLOCK, seed=seed)
    faults = (int(played.illegal[0]), int(played.illegal[1]))
    return reckon(
        match.names, setting, played.deals, played.tallies, match.challenger_seats, faults
    )


def numbers_of(outcome: Outcome) -> dict[str, float]:
    """An outcome as numbers by name.

    Returns:
        The averages of :data:`agents.statistics.AVERAGES` and those that are watched during play;
        ``units_error``, the standard error by deal sets; ``points_per_deal``; ``seats`` that were
        averaged over. What there was nothing to average for is NaN.
    """
    averages = outcome.challenger_figures.averages
    return {
        "seats": float(outcome.deals * outcome.seatings * outcome.seats),
        "units_error": outcome.units.error,
        "points_per_deal": outcome.setting.base_points * outcome.units.value,
        **{name: estimate.value for name, estimate in averages.items()},
    }


def evaluate_all(agent: Agent, rules: Any, evaluation: EvaluationConfig) -> list[Outcome]:
    """:func:`evaluate` against every bot, on other deals than the interim evaluations."""
    return [
        evaluate(agent, opponent, rules, evaluation.deals, evaluation.seed + 1)
        for opponent in evaluation.opponents
    ]


def results_table(outcomes: Sequence[Outcome]) -> Table:
    """A table of evaluations, one row for each opponent, the easiest first."""
    table = Table()
    table.add_column("against three", no_wrap=True)
    for column in ("units a deal", "points", "wins", "fan", "deals in", "deals"):
        table.add_column(column, justify="right")
    for outcome in sorted(outcomes, key=lambda outcome: -outcome.units.value):
        averages = outcome.challenger_figures.averages
        points = outcome.setting.base_points * outcome.units.value
        table.add_row(
            Text(outcome.reference),
            units(outcome.units),
            f"{points:+.1f}",
            *(value(name, averages[name]) for name in ("win_rate", "average_fan", "deal_in_rate")),
            f"{outcome.deals * outcome.seatings:,}",
        )
    return table

"""The learner in one seat against three copies of a bot."""

from typing import Any

from rich.table import Table

from agents.play import play_deals
from agents.statistics import summary
from mjenv.agent import Agent
from mjenv.games import rules_of
from mjenv.registry import make_agent
from mjenv.sichuan.statistics import deal_statistics
from train.config import EvaluationConfig

NORMAL_95 = 1.96
"""Standard errors on each side of a 95 % interval."""


def evaluate(agent: Agent, opponent: str, rules: Any, deals: int, seed: int) -> dict[str, float]:
    """Play deals of an agent against three copies of a bot, its seat changing from deal to deal.

    Args:
        agent: Who is evaluated.
        opponent: Name of the bot.
        rules: Rules, or whatever names them.
        deals: How many.
        seed: Of the deals.

    Returns:
        See :func:`agents.statistics.summary`; ``points_per_deal`` are the units in points.
    """
    bot = make_agent(opponent)
    played = play_deals([agent, bot, bot, bot], rules, deals, seed, rotate=True)
    result = summary(deal_statistics(played.finished), played.seats_of(0))
    base = rules_of(rules).base_points
    return {**result, "points_per_deal": base * result["units_per_deal"]}


def evaluate_all(
    agent: Agent, rules: Any, evaluation: EvaluationConfig
) -> dict[str, dict[str, float]]:
    """:func:`evaluate` against every bot, on other deals than the interim evaluations."""
    return {
        opponent: evaluate(agent, opponent, rules, evaluation.deals, evaluation.seed + 1)
        for opponent in evaluation.opponents
    }


def results_table(results: dict[str, dict[str, float]], title: str) -> Table:
    """A table of evaluations, one row for each opponent."""
    table = Table(title=title, title_justify="left")
    table.add_column("against three", no_wrap=True)
    columns = ("units a deal", "points", "win rate", "average fan", "deal-in rate", "deals")
    for column in columns:
        table.add_column(column, justify="right")
    for opponent, result in results.items():
        table.add_row(
            opponent,
            f"{result['units_per_deal']:+.2f} ± {NORMAL_95 * result['units_error']:.2f}",
            f"{result['points_per_deal']:+.1f}",
            f"{result['win_rate']:.1%}",
            f"{result['average_fan']:.2f}",
            f"{result['deal_in_rate']:.1%}",
            f"{result['seats']:.0f}",
        )
    return table

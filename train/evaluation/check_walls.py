"""Show that seat-keyed walls play the same game, and what they save.

``python -m train.evaluation.check_walls --deals 100000 --pairs greedy_plus/1:greedy/1`` plays the
same deals from ordinary and from seat-keyed walls, first with four copies of an agent, to compare
all that is told of deals, then deal sets of pairs, to compare how they vary. Tables in Markdown go
to stdout. It ends with 1 if the two kinds of wall differ in anything.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agents.play import WALLS, Walls, play_seated
from mjenv.core.game import NUM_SEATS
from mjenv.games import rules_of
from mjenv.sichuan.statistics import deal_statistics
from train.evaluation.checking import LEAST_P, parser_for, several
from train.evaluation.deal_sets import FORMS, Match, seed_of
from train.evaluation.intervals import Estimate
from train.evaluation.law import Trait, compare_laws
from train.evaluation.luck import draw_luck
from train.evaluation.run import Conditions, MatchResult
from train.evaluation.spread import deals_needed, units_of_deals
from train.evaluation.variates import adjust
from train.evaluation.workers import Workers

_AT_ONCE = 8192
"""Deals whose final states are kept at once."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks.

    Args:
        arguments: As on the command line; those of the process if left out.

    Returns:
        Exit code: 1 if the law of the game differs.
    """
    options = _parser().parse_args(arguments)
    rules = rules_of(options.rules)
    traits = compare_laws(
        *(
            deals_of_copies(options.agent, rules, seed_of("dev"), options.deals, walls)
            for walls in WALLS
        )
    )
    print("\n".join(_law_table(traits)), end="\n\n")
    if options.pairs:
        print("\n".join(_HEADER))
    with Workers(options.processes) as workers:
        for pair in options.pairs:
            match = replace(pair, form=options.form)
            print(_spread_row(match, rules, options.sets, workers), flush=True)
    worst = min((trait.p_value for trait in traits), default=1.0)
    print(f"\nleast adjusted p value of {len(traits)} traits: {worst:.3f}")
    return int(worst < LEAST_P)


def deals_of_copies(agent: str, rules: Any, seed: int, deals: int, walls: Walls) -> np.ndarray:
    """Deals between four copies of an agent.

    Args:
        agent: Its name.
        rules: Unpacked.
        seed: Of the deals.
        deals: How many.
        walls: One of :data:`agents.play.WALLS`.

    Returns:
        ``(deals,)`` records of :data:`mjenv.sichuan.statistics.DEAL`.
    """
    parts = []
    for first in range(0, deals, _AT_ONCE):
        numbers = np.arange(first, min(first + _AT_ONCE, deals))
        seating = np.zeros((len(numbers), NUM_SEATS), np.int8)
        played = play_seated([agent], rules, seed, numbers, seating, walls)
        parts.append(deal_statistics(played.finished))
    return np.concatenate(parts)


def _law_table(traits: Sequence[Trait]) -> list[str]:
    lines = [
        "| of a deal | ordinary | seat-keyed | difference | adjusted p |",
        "|---|---|---|---|---|",
    ]
    for trait in traits:
        by = trait.comparison.difference
        lines.append(
            f"| {trait.name} | {trait.first:.4f} | {trait.second:.4f} "
            f"| {by.value:+.4f} ± {by.half_width:.4f} | {trait.p_value:.2f} |"
        )
    return lines


_HEADER = (
    "| challenger over reference | units a deal | SD of a set: independent deals | ordinary wall "
    "| seat-keyed | deals needed: ordinary | seat-keyed | seat-keyed, less draw luck |",
    "|---|---|---|---|---|---|---|---|",
)


def _spread_row(match: Match, rules: Any, sets: int, workers: Workers) -> str:
    ordinary, keyed = (
        workers.play_match(match, Conditions(rules, seed_of("dev"), walls), sets) for walls in WALLS
    )
    luck = draw_luck(keyed.tallies, match.challenger_seats)
    units = units_of_deals(keyed.deals, match.challenger_seats)
    adjusted = adjust(keyed.units, luck)
    alone = units.var(axis=0, ddof=1).sum() ** 0.5 / units.shape[1]
    needed = (_needed(ordinary), _needed(keyed), deals_needed(adjusted.values, units))
    challenger, reference = match.names
    return (
        f"| {challenger} : {reference} "
        f"| {adjusted.plain.value:+.3f} ± {adjusted.plain.half_width:.3f} | {alone:.2f} "
        f"| {ordinary.units.std(ddof=1):.2f} | {keyed.units.std(ddof=1):.2f} | "
        + " | ".join(f"{share.value:.2f} ± {share.half_width:.2f}" for share in needed)
        + " |"
    )


def _needed(result: MatchResult) -> Estimate:
    units = units_of_deals(result.deals, result.match.challenger_seats)
    return deals_needed(result.units, units)


def _parser() -> argparse.ArgumentParser:
    pairs = ("greedy_plus/1:greedy/1", "always_call/1:greedy/1", "random_legal/1:greedy/1")
    parser = parser_for("check_walls", __doc__, 5_000, pairs)
    parser.add_argument("--agent", default="greedy/1", help="of which four copies play")
    parser.add_argument("--deals", type=several, default=100_000, help="between the copies")
    parser.add_argument("--form", default="1v3", choices=FORMS, help="of the deal sets")
    return parser


if __name__ == "__main__":
    sys.exit(main())

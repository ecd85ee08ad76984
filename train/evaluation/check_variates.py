"""Show that control variates leave the mean alone, and what they save.

``python -m train.evaluation.check_variates --sets 25000`` plays 100,000 deals of each pair from
ordinary and from seat-keyed walls. Each line holds the mean with and without draw luck as
variates, what they move it by, which must be zero but for chance, and the share of deals still
needed. The last two columns are for the deficiency of the hands that were dealt: what share would
be needed if its mean were known, for deal sets (of all four hands, since the challenger's advantage
cancels) and for single deals (of the challenger's hand less that of the others). A table in
Markdown goes to stdout. It ends with 1 if a mean was moved, or draw luck is not zero on average.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from agents.play import WALLS, Walls
from mjenv.games import rules_of
from train.evaluation.checking import LEAST_P, parser_for
from train.evaluation.deal_sets import seed_of
from train.evaluation.holm import adjusted
from train.evaluation.intervals import Estimate, mean
from train.evaluation.luck import draw_luck
from train.evaluation.paired import p_value
from train.evaluation.run import Conditions, MatchResult
from train.evaluation.spread import units_of_deals
from train.evaluation.variates import Adjusted, adjust
from train.evaluation.workers import Workers

_HEADER = (
    "| challenger over three | walls | plain | less draw luck | moved by | deals needed "
    "| hands dealt: deal sets | single deals |",
    "|---|---|---|---|---|---|---|---|",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks.

    Args:
        arguments: As on the command line; those of the process if left out.

    Returns:
        Exit code: 1 if a mean was moved or luck is not zero on average.
    """
    options = _parser().parse_args(arguments)
    rules = rules_of(options.rules)
    p_values: list[float] = []
    print("\n".join(_HEADER))
    with Workers(options.processes) as workers:
        for match in options.pairs:
            for walls in WALLS:
                conditions = Conditions(rules, seed_of("dev"), walls)
                result = workers.play_match(match, conditions, options.sets)
                luck = draw_luck(result.tallies, result.match.challenger_seats)
                found = adjust(result.units, luck)
                moved = mean(result.units - found.values)
                p_values.extend(p_value(estimate) for estimate in (moved, *map(mean, luck.T)))
                print(_row(walls, found, moved, result), flush=True)
    worst = float(np.min(adjusted(np.array(p_values)), initial=1.0))
    print(f"\nleast adjusted p value of {len(p_values)} means that should be zero: {worst:.3f}")
    return int(worst < LEAST_P)


def left_by_dealt_hands(result: MatchResult) -> tuple[float, float]:
    """Share of the variance that the deficiency of the hands dealt does not explain.

    Args:
        result: A match with one challenger at a table.

    Returns:
        Of deal sets by that of all hands; of single deals, one of each set with the seating
        changing from set to set, by that of the challenger's hand less that of the others.
    """
    sets, seatings = result.deals.shape
    dealt = result.tallies["initial_deficiency"].astype(np.float64)
    rows, seating = np.arange(sets), np.arange(sets) % seatings
    one_hand = dealt[rows, seating]
    seats = result.match.challenger_seats[seating]
    advantage = (one_hand * seats).sum(axis=1) - one_hand.mean(axis=1)
    single = units_of_deals(result.deals, result.match.challenger_seats)[rows, seating]
    return (
        _unexplained(result.units, dealt[:, 0].mean(axis=1)),
        _unexplained(single, advantage),
    )


def _unexplained(values: np.ndarray, by: np.ndarray) -> float:
    return float(1 - np.corrcoef(values, by)[0, 1] ** 2)


def _row(walls: Walls, found: Adjusted, moved: Estimate, result: MatchResult) -> str:
    columns = [" : ".join(result.match.names), walls]
    columns += [
        f"{estimate.value:+.3f} ± {estimate.half_width:.3f}"
        for estimate in (found.plain, found.estimate, moved)
    ]
    columns += [f"{share:.2f}" for share in (found.variance_left, *left_by_dealt_hands(result))]
    return f"| {' | '.join(columns)} |"


def _parser() -> argparse.ArgumentParser:
    pairs = ("random_legal/1:greedy/1", "never_call/1:greedy/1")
    return parser_for("check_variates", __doc__, 25_000, pairs)


if __name__ == "__main__":
    sys.exit(main())

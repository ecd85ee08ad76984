"""Show that the luck of draws by a value is zero on average, and what taking it off saves.

``python -m train.evaluation.check_value --sets 25000`` plays 100,000 deals of each pair from
seat-keyed walls, watched by the fitted value or another (:mod:`agents.value_model`). Each line
holds the mean as played, with that luck taken off as it is, the luck, which must be zero but for
chance, and the share of deals still needed: with draw luck as variates, with the luck by value as
it is, with it and draw luck as variates, and in single deals with it as it is. A table in Markdown
goes to stdout. It ends with 1 if the luck is not zero on average.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from agents.play import WALLS
from agents.value_model import FITTED, FORMS
from mjenv.games import rules_of
from train.evaluation.checking import LEAST_P, parser_for
from train.evaluation.deal_sets import seed_of
from train.evaluation.holm import adjusted
from train.evaluation.intervals import Estimate, mean
from train.evaluation.luck import value_luck, variates_of
from train.evaluation.paired import p_value
from train.evaluation.run import Conditions, MatchResult
from train.evaluation.spread import units_of_deals
from train.evaluation.variates import adjust
from train.evaluation.workers import Workers

_HEADER = (
    "| challenger over three | plain | less luck by value | luck by value "
    "| deals needed: draw luck | by value | both | single deals |",
    "|---|---|---|---|---|---|---|---|",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks.

    Args:
        arguments: As on the command line; those of the process if left out.

    Returns:
        Exit code: 1 if luck is not zero on average.
    """
    options = _parser().parse_args(arguments)
    conditions = Conditions(rules_of(options.rules), seed_of("dev"), options.walls, options.value)
    p_values: list[float] = []
    print("\n".join(_HEADER))
    with Workers(options.processes) as workers:
        for match in options.pairs:
            result = workers.play_match(match, conditions, options.sets)
            p_values.append(p_value(mean(value_luck(result))))
            print(_row(result), flush=True)
    worst = float(np.min(adjusted(np.array(p_values)), initial=1.0))
    print(f"\nleast adjusted p value of {len(p_values)} means that should be zero: {worst:.3f}")
    return int(worst < LEAST_P)


def left_in_single_deals(result: MatchResult) -> float:
    """Share of the variance of single deals that is left once luck by value has been taken off."""
    seats = result.match.challenger_seats
    units = units_of_deals(result.deals, seats)
    luck = (result.luck * seats).sum(axis=2) / seats.sum(axis=1)
    return float((units - luck).var(axis=0).mean() / units.var(axis=0).mean())


def _row(result: MatchResult) -> str:
    luck = value_luck(result)
    plain, less, of_luck = mean(result.units), mean(result.units - luck), mean(luck)
    shares = [
        adjust(result.units, variates_of(result, "luck")).variance_left,
        (less.error / plain.error) ** 2,
        adjust(result.units, variates_of(result, "value")).variance_left,
        left_in_single_deals(result),
    ]
    columns = [" : ".join(result.match.names), *(_told(found) for found in (plain, less, of_luck))]
    return f"| {' | '.join([*columns, *(f'{share:.2f}' for share in shares)])} |"


def _told(estimate: Estimate) -> str:
    return f"{estimate.value:+.3f} ± {estimate.half_width:.3f}"


def _parser() -> argparse.ArgumentParser:
    pairs = ("greedy_plus/1:greedy/1", "never_call/1:greedy/1")
    parser = parser_for("check_value", __doc__, 25_000, pairs)
    parser.add_argument("--walls", default="seat-keyed", choices=WALLS)
    parser.add_argument("--value", default=FITTED, metavar="MODEL", help=FORMS)
    return parser


if __name__ == "__main__":
    sys.exit(main())

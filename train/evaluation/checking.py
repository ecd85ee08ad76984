"""What the checks of this folder share: their options, and what is no chance any more."""

import argparse
from collections.abc import Sequence

from train.evaluation.deal_sets import Match

LEAST_P = 0.001
"""Of the adjusted p values of all that a check compares: what is below is a difference."""


def parser_for(
    module: str, text: str | None, sets: int, pairs: Sequence[str]
) -> argparse.ArgumentParser:
    """A parser with the options of every check that plays pairs.

    Args:
        module: Of the check, by its name in this folder.
        text: What it does.
        sets: Deal sets of each pair unless something else is asked for.
        pairs: Pairs, likewise.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m train.evaluation.{module}",
        description=text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rules", default="qq", help="a preset or a YAML file")
    parser.add_argument("--sets", type=several, default=sets, help="deal sets of each pair")
    parser.add_argument(
        "--pairs",
        type=match_of,
        nargs="*",
        default=[match_of(pair) for pair in pairs],
        metavar="CHALLENGER:REFERENCE",
    )
    parser.add_argument("--processes", type=int, help="as many as there are cores if left out")
    return parser


def several(text: str) -> int:
    """A number of deal sets or deals: one has no spread, so that nothing could be found wrong.

    Raises:
        argparse.ArgumentTypeError: It is none, or fewer than two.
    """
    least = 2
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"got {text!r}; allowed: {least} or more")
    return int(text)


def match_of(pair: str) -> Match:
    """The match that ``greedy_plus/1:greedy/1`` stands for; a challenger may have colons.

    Raises:
        argparse.ArgumentTypeError: It stands for none.
    """
    challenger, _, reference = pair.rpartition(":")
    if not challenger or not reference:
        raise argparse.ArgumentTypeError(f"got {pair!r}; write greedy_plus/1:greedy/1")
    return Match(challenger, reference)

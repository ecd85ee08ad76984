"""``mjenv score``: what one hand wins, with the reason for each fan."""

import argparse
import dataclasses
from typing import Any

from mjenv.errors import RulesError
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.score import FLAGS, WAYS, HandWaits, ScoredHand, hand_waits, score_hand
from train.console import Progress, print_json, print_table


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "score",
        help="fan and payments of one hand, with reasons",
        description=(
            "Fan and payments of a hand. The winner is seat 0; seat 1 is the discarder, or the "
            "seat whose kong is robbed. Without --win: what the hand waits for. "
            "The exit code is 1 if the tiles are no win."
        ),
    )
    parser.add_argument("hand", help="concealed tiles without the winning one: 123m456m789m11p55p")
    parser.add_argument("--win", metavar="TILE", help="the winning tile, such as 5p")
    parser.add_argument("--by", choices=list(WAYS), default="discard", help="how it was won")
    parser.add_argument("--rules", default="qq", help="a preset or a YAML file (qq)")
    parser.add_argument(
        "--melds",
        nargs="+",
        action="extend",
        default=[],
        metavar="MELD",
        help="pung:1m, kong_direct:1m, kong_added:1m, kong_concealed:1m",
    )
    parser.add_argument("--void", choices=["m", "p", "s"], help="the void suit")
    parser.add_argument(
        "--flags",
        nargs="+",
        action="extend",
        default=[],
        choices=list(FLAGS),
        metavar="FLAG",
        help=", ".join(FLAGS),
    )
    parser.add_argument(
        "--won-before",
        nargs="+",
        type=int,
        default=[],
        metavar="SEAT",
        help="seats that have won before and pay nothing",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print a score, or waits."""
    rules = Rules.of(arguments.rules)
    if arguments.void and not rules.void_suit:
        raise RulesError(f"--void {arguments.void}: these rules have no void suits (void_suit off)")
    with Progress("score"):
        if arguments.win is None:
            waits = hand_waits(arguments.hand, arguments.melds, arguments.void, rules)
        else:
            scored = score_hand(
                arguments.hand,
                arguments.melds,
                arguments.win,
                arguments.by,
                rules,
                arguments.void,
                arguments.flags,
                arguments.won_before,
            )
    if arguments.win is None:
        _print_waits(waits, arguments.json)
        return 0
    _print_score(scored, arguments.json)
    return 0 if scored.win else 1


def _print_waits(waits: HandWaits, as_json: bool) -> None:
    if as_json:
        print_json({"ready": waits.ready, **dataclasses.asdict(waits)})
    elif waits.ready:
        print_table(
            [["waits for", "fan"]]
            + [[wait, str(fan)] for wait, fan in zip(waits.waits, waits.fans, strict=True)]
        )
    else:
        print("not ready")


def _print_score(scored: ScoredHand, as_json: bool) -> None:
    if as_json:
        print_json(dataclasses.asdict(scored))
        return
    if scored.win:
        points = ", ".join(f"{amount:+d}" for amount in scored.points)
        print(f"{scored.fan} fan, {scored.multiple} x base: points by seat {points}")
    else:
        print("no win")
    for reason in scored.reasons:
        print(f"  {reason}")

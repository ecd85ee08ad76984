"""``mjenv selfplay``: records of agents playing each other."""

import argparse
from pathlib import Path
from typing import Any

from mjenv.core.game import NUM_SEATS
from mjenv.records import selfplay
from mjenv.sichuan.rules import Rules
from train.console import CallError, Progress, say


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "selfplay",
        help="write records of agents playing",
        description="Play deals and write their record; mjenv replay shows and checks it.",
    )
    parser.add_argument(
        "agents",
        nargs="+",
        metavar="AGENT",
        help="one for all seats, or four: greedy/1, ppo:PATH, module:PACKAGE:NAME, process:COMMAND",
    )
    parser.add_argument("--rules", default="qq", help="a preset or a YAML file (qq)")
    parser.add_argument("--deals", type=int, default=1, metavar="N", help="how many (1)")
    parser.add_argument("--seed", type=int, default=0, help="of the deals (0)")
    parser.add_argument("--out", required=True, metavar="FILE", help="the record to write")
    parser.add_argument("--menus", action="store_true", help="write the menu of every decision")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play and write."""
    # Agents are loaded here, so that the other commands do without them.
    from agents.at_table import AtTable
    from mjenv.registry import make_agent

    rules = Rules.of(arguments.rules)
    if len(arguments.agents) not in (1, NUM_SEATS):
        raise CallError(f"got {len(arguments.agents)} agents; give one for all seats, or four")
    folder = Path(arguments.out).resolve().parent
    if not folder.is_dir():
        raise CallError(f"--out {arguments.out}: there is no folder {folder}")
    players = [AtTable(make_agent(name, rules.game), rules) for name in arguments.agents]
    with Progress("deals", arguments.deals) as progress:
        points = selfplay(
            players,
            rules,
            arguments.deals,
            arguments.seed,
            arguments.out,
            menus=arguments.menus,
            progress=lambda played: progress.advance(),
        )
    totals = " ".join(f"{amount:+d}" for amount in points)
    say(f"{arguments.deals} deals in {arguments.out}; points by seat {totals}")
    return 0

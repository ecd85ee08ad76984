"""``mjenv selfplay``: records of agents playing each other."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from mjenv.core.game import NUM_SEATS
from mjenv.core.jsonl import replace_file
from mjenv.core.setup import check_deal, check_seed
from mjenv.sichuan.rules import Rules
from train.console import CallError, Progress, say

TOGETHER = 64
"""Deals played at once, between two steps of the progress bar."""


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
    parser.add_argument(
        "--walls",
        choices=("ordinary", "seat-keyed"),
        default="ordinary",
        help="where draws come from (ordinary); those of an arena are seat-keyed",
    )
    parser.add_argument("--menus", action="store_true", help="write the menu of every decision")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play and write."""
    # Agents are loaded here, so that the other commands do without them.
    from agents.play import play_seated
    from agents.recorded import recorded
    from mjenv.registry import make_agent

    rules = Rules.of(arguments.rules)
    deals, seed = check_deal(arguments.deals, "deals", least=1), check_seed(arguments.seed)
    names = arguments.agents
    if len(names) not in (1, NUM_SEATS):
        raise CallError(f"got {len(names)} agents; give one for all seats, or four")
    folder = Path(arguments.out).resolve().parent
    if not folder.is_dir():
        raise CallError(f"--out {arguments.out}: there is no folder {folder}")
    agents = [make_agent(name, rules.game) for name in dict.fromkeys(names)]
    line_up = [list(dict.fromkeys(names)).index(name) for name in names]
    seats = np.resize(line_up, NUM_SEATS)
    points = np.zeros(NUM_SEATS, np.int64)
    with replace_file(arguments.out) as file, Progress("deals", deals) as progress:
        for first in range(0, deals, TOGETHER):
            numbers = np.arange(first, min(first + TOGETHER, deals))
            seating = np.tile(seats, (len(numbers), 1))
            played = play_seated(
                agents, rules, seed, numbers, seating, arguments.walls, keep_actions=True
            )
            called = [agent.name for agent in agents]
            for lines in recorded(played, rules, called, arguments.walls, arguments.menus):
                file.writelines(f"{line}\n".encode() for line in lines)
                progress.advance()
            points += rules.base_points * played.finished["points"].sum(axis=0)
    totals = " ".join(f"{amount:+d}" for amount in points.tolist())
    say(f"{deals} deals in {arguments.out}; points by seat {totals}")
    return 0

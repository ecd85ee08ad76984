"""``mjenv agents``: what agents there are."""

import argparse
from dataclasses import asdict
from typing import Any

from mjenv.registry import Registered, registered
from train.console import print_json, print_table, say


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "agents",
        help="the agents there are",
        description="Every agent that is registered, by mjenv or by another distribution.",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List agents; 1 if one of them cannot be used."""
    found = registered()
    if arguments.json:
        print_json([asdict(item) for item in found])
    else:
        print_table([["agent", "plays", "from", "is"], *map(_row, found)])
    faults = [item.fault for item in found if item.fault]
    for fault in faults:
        say(f"mjenv: {' '.join(fault.split())}")
    return 1 if faults else 0


def _row(item: Registered) -> list[str]:
    games = ", ".join(item.games) or "-"
    return [item.name, games, item.distribution, item.summary or "-"]

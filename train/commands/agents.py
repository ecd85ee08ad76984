"""``mjenv agents``: what agents there are."""

import argparse
from dataclasses import asdict
from typing import Any

from mjenv.registry import Registered, registered
from train.console import print_json, print_table


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
    return 1 if any(item.fault for item in found) else 0


def _row(item: Registered) -> list[str]:
    games = ", ".join(item.games) or "-"
    fault = f"cannot be used: {' '.join(item.fault.split())}" if item.fault else ""
    return [item.name, games, item.distribution, fault or item.summary or "-"]

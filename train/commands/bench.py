"""``mjenv bench``: decisions per second of every layer on this machine."""

import argparse
import dataclasses
from typing import Any

from train.console import CallError, Progress, print_json, print_table

REPEATS = 5
SECONDS = 3.0


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "bench",
        help="decisions per second of every layer on this machine",
        description="Measure every layer on one core: warm, several times, the median counts.",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help=f"for each layer ({SECONDS:g})"
    )
    parser.add_argument("--only", nargs="+", action="extend", metavar="NAME", help="these layers")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    from train.bench import LAYERS, measure

    known = {layer.name: layer for layer in LAYERS}
    chosen = list(dict.fromkeys(arguments.only or known))
    for name in chosen:
        if name not in known:
            raise CallError(f"--only: got {name!r}; layers: {', '.join(known)}")
    if not arguments.seconds > 0:
        raise CallError(f"--seconds: got {arguments.seconds:g}; allowed: more than 0")
    speeds = []
    with Progress("layers", len(chosen)) as progress:
        for speed in measure([known[name] for name in chosen], arguments.seconds):
            speeds.append(speed)
            progress.advance()
    if arguments.json:
        print_json([dataclasses.asdict(speed) for speed in speeds])
    else:
        rows = [["layer", "decisions/s", "what is counted"]]
        rows += [
            [speed.name, f"{speed.decisions_per_second:,.0f}", speed.what_is_counted]
            for speed in speeds
        ]
        print_table(rows)
    return 0

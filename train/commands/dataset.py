"""``mjenv dataset``: records as arrays, for imitation."""

import argparse
from typing import Any

from mjenv.dataset import write_dataset
from mjenv.errors import RecordError
from train.console import Progress, say


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "dataset",
        help="turn records into arrays",
        description=(
            "Write what agents saw and did as .npy files, for imitation; mjenv.load_dataset opens "
            "them. Records are verified; the exit code is 1 at the first fault."
        ),
    )
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a record, or several")
    parser.add_argument(
        "--observation", required=True, metavar="NAME", help="an encoding, such as vector/1"
    )
    parser.add_argument("--out", required=True, metavar="FOLDER", help="the folder to make")
    parser.add_argument(
        "--agents", nargs="+", metavar="NAME", help="keep only decisions of these agents"
    )
    parser.add_argument(
        "--skip-forced", action="store_true", help="leave out decisions with one legal action"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, verify and write."""
    deals = 0

    def count(number: int) -> None:
        nonlocal deals
        deals = number
        progress.advance()

    try:
        with Progress("deals") as progress:
            decisions = write_dataset(
                arguments.records,
                arguments.observation,
                arguments.out,
                agents=arguments.agents,
                skip_forced=arguments.skip_forced,
                progress=count,
            )
    except RecordError as error:
        say(f"mjenv: {error}")
        return 1
    say(f"{decisions} decisions of {deals} deals in {arguments.out}")
    return 0

"""``mjenv cases``: rule cases, and every one that comes out differently."""

import argparse
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from mjenv.core.cases import Case, Mismatch, printable, read_cases
from mjenv.errors import CaseError
from mjenv.sichuan.cases import run_case as run_sichuan_case
from train.console import Progress, print_json, say

RUNNERS: dict[str, Callable[[Case], list[Mismatch]]] = {"sichuan": run_sichuan_case}
"""What answers the cases of a game."""


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "cases",
        help="run rule cases and report every mismatch",
        description="Run rule cases. The exit code is 1 if any comes out differently.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON lines, a case each")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run cases and print what comes out differently, a line each."""
    found: list[tuple[str, Mismatch]] = []
    number = 0
    with Progress("cases") as progress:
        for file in arguments.files:
            before = number
            for mismatches in _run_file(file):
                number += 1
                progress.advance()
                found += [(file, mismatch) for mismatch in mismatches]
                if not arguments.json:
                    for mismatch in mismatches:
                        print(f"{file}: {mismatch}", flush=True)
            if number == before:
                raise CaseError(f"{file}: no cases in it")
    if arguments.json:
        listed = [{"file": file, **dataclasses.asdict(item)} for file, item in found]
        print_json({"cases": number, "mismatches": listed})
    wrong = len({(file, mismatch.line) for file, mismatch in found})
    say(
        f"{number} cases, {wrong} of them with mismatches"
        if wrong
        else f"{number} cases, all right"
    )
    return 1 if found else 0


def _run_file(file: str) -> Iterator[list[Mismatch]]:
    """The mismatches of every case of a file."""
    try:
        for case in read_cases(file):
            if case.game not in RUNNERS:
                games = ", ".join(RUNNERS)
                name = printable(case.name)
                raise CaseError(
                    f"case {name}: unknown game {case.game!r}; games: {games}", line=case.line
                )
            yield RUNNERS[case.game](case)
    except CaseError as error:
        raise CaseError(f"{file}: {error}") from None

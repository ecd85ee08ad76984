"""``mjenv replay``: check records and show them."""

import argparse
from typing import Any

from mjenv.core.record import Deal
from mjenv.errors import RecordError
from mjenv.records import replay
from mjenv.table import Table
from train.console import Progress, print_json, say


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "replay",
        help="check and show records",
        description=(
            "Show the deals of a record, a line each. Every line is checked for itself; --verify "
            "plays the deals again and compares. The exit code is 1 at the first fault."
        ),
    )
    parser.add_argument("file", metavar="FILE", help="a record")
    parser.add_argument("--verify", action="store_true", help="play every deal and compare")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--text", action="store_true", help="show boards and every event")
    form.add_argument("--json", action="store_true", help="show a line of JSON for each deal")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print deals until the first fault."""
    number = 0
    try:
        with Progress("deals") as progress:
            for deal in replay(arguments.file, arguments.verify):
                number += 1
                progress.advance()
                if arguments.json:
                    print_json(_summary(deal, number))
                elif arguments.text:
                    _print_deal(deal, number)
                else:
                    print(_headline(deal, number))
    except RecordError as error:
        say(f"mjenv: {arguments.file}: {error}")
        return 1
    say(f"{number} deals, {'verified' if arguments.verify else 'not verified (--verify)'}")
    return 0


def _summary(deal: Deal, number: int) -> dict[str, Any]:
    header, end = deal.header, deal.lines[-1]
    return {
        "deal": number,
        "line": deal.first_line,
        "game": header["game"],
        "preset": header["preset"],
        "fingerprint": header["fingerprint"],
        "seed": header.get("seed"),
        "agents": header["agents"],
        "dealer": header["dealer"],
        "decisions": len(deal.actions),
        "end": end["reason"],
        "points": end["points"],
        "classes": end["classes"],
    }


def _headline(deal: Deal, number: int) -> str:
    facts = _summary(deal, number)
    points = " ".join(f"{amount:+d}" for amount in facts["points"])
    rules = facts["preset"] or f"house rules {facts['fingerprint']}"
    agents = " ".join(facts["agents"])
    return f"deal {number} (line {facts['line']}): {rules}, {agents}: {facts['end']}, {points}"


def _print_deal(deal: Deal, number: int) -> None:
    """The dealt table, every line of the record, and the table at the end."""
    print(_headline(deal, number))
    table = Table.from_deal(deal)
    print(table)
    for line in deal.lines[1:]:
        print(f"  {_line_text(line)}")
    for action in deal.actions:
        table.step(action)
    print(table)
    print()


def _line_text(line: dict[str, Any]) -> str:
    """A line of a record in words: what it is, then its fields."""
    fields = {name: value for name, value in line.items() if name != "type" and value is not None}
    if line["type"] == "decide":
        menu = f"  of {', '.join(line['legal'])}" if "legal" in line else ""
        return f"seat {line['seat']} decides: {line['action']}{menu}"
    return " ".join([line["type"], *(f"{name} {_value_text(fields[name])}" for name in fields)])


def _value_text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {item}" for name, item in value.items()) or "none"
    if isinstance(value, list):
        return " ".join(_value_text(item) for item in value)
    return "yes" if value is True else "no" if value is False else str(value)

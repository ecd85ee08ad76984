"""``mjenv arena``: how much better one agent is than another, and how sure that is."""

import argparse
import sys
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import NamedTemporaryFile
from traceback import format_exception
from typing import TYPE_CHECKING, Any

from mjenv.core.jsonl import replace_file
from mjenv.errors import MissingExtraError, MjenvError
from train.console import CallError, print_json, say
from train.stopping import terminated_as_interrupted

if TYPE_CHECKING:
    from train.arena import ArenaResult
    from train.evaluation.lineup import LineUp

_NEEDED = {"rich", "scipy", "openskill"}
_INTERRUPTED = 130
_ROOM = 1 << 17
"""Bytes that there must be room for; a page of a pair takes about half of it."""


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "arena",
        help="how much better one agent is than another, and how sure that is",
        description="Play agents against each other on the same deal sets and tell what they win.",
        epilog="docs/arena.md says what it all means.",
    )
    parser.add_argument(
        "agents", nargs="*", metavar="AGENT", help="two or more: greedy/1, ppo:PATH"
    )
    parser.add_argument("--config", metavar="FILE", help="a line-up; options override its lines")
    parser.add_argument(
        "--rules",
        action="append",
        metavar="RULES",
        help="a preset or a file, or more than one (qq)",
    )
    parser.add_argument(
        "--deals", type=int, metavar="N",
        help="deal sets of a match: one deal, all seatings (2000)",
    )  # fmt: skip
    parser.add_argument(
        "--form", choices=("1v3", "2v2"), help="one against three, or two against two"
    )
    parser.add_argument(
        "--walls", choices=("seat-keyed", "ordinary"), help="where draws come from (seat-keyed)"
    )
    parser.add_argument(
        "--seed-block", choices=("dev", "val", "test"), help="whose deals are played (dev)"
    )
    parser.add_argument(
        "--precision", type=float, metavar="UNITS", help="play on until 95 %% is plus or minus this"
    )
    parser.add_argument("--max-deals", type=int, metavar="N", help="but no further (100000)")
    parser.add_argument("--reference", metavar="AGENT", help="everybody plays this one alone")
    parser.add_argument(
        "--variates",
        choices=("luck", "value"),
        help="take the luck of draws off; value: by what they are worth, slower",
    )
    parser.add_argument(
        "--value",
        metavar="MODEL",
        help="by what value, with --variates value: module:PACKAGE:NAME, ppo:PATH (a fitted one)",
    )
    parser.add_argument("--processes", type=int, metavar="N", help="at work at once (all cores)")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster; auto, local")
    parser.add_argument("--times", action="store_true", help="measure the time of a decision too")
    parser.add_argument("--json", action="store_true", help="as JSON: a list of ordered pairs")
    parser.add_argument("--csv", metavar="FILE", help="write every figure with its intervals")
    parser.add_argument("--html", metavar="FILE", help="write a page with plots")
    parser.add_argument("--debug", action="store_true", help="show where an agent failed")
    parser.set_defaults(run=run)


_LINEUP = (
    "rules", "deals", "form", "walls", "seed_block", "precision", "max_deals", "reference",
    "variates", "value",
)  # fmt: skip
"""Options that are fields of a line-up."""


def run(arguments: argparse.Namespace) -> int:
    """Play and tell."""
    try:
        with terminated_as_interrupted():
            return _run(arguments)
    except MjenvError as error:
        if arguments.debug and (trace := _trace(error)):
            say(trace)
        raise
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in _NEEDED:
            raise MissingExtraError("mjenv arena", "train") from None
        raise


def _run(arguments: argparse.Namespace) -> int:
    # All of this takes a second to load, which the other commands do without.
    from train.arena import play_lineup
    from train.evaluation.bar import ArenaBar
    from train.evaluation.page import page
    from train.evaluation.plain import to_csv
    from train.evaluation.tables import console_for
    from train.evaluation.workers import Workers

    lineup = _lineup(arguments)
    csv, html = (_writable(name, getattr(arguments, name)) for name in ("csv", "html"))
    if csv is not None and html is not None and csv.resolve() == html.resolve():
        raise CallError(f"--csv and --html: both are {csv}; give two files")
    with (
        Workers(arguments.processes, arguments.ray) as workers,
        ArenaBar(console_for(sys.stderr), lineup.precision) as bar,
        redirect_stdout(sys.stderr),  # where agents print: results stand alone
    ):
        result = play_lineup(lineup, workers, bar.show, times=arguments.times)
    unwritten = [
        _write(csv, to_csv(result.outcomes)) if csv is not None else None,
        _write(html, page(result.fields)) if html is not None else None,
    ]
    try:
        _print(result, arguments.json)
    finally:  # also when nobody reads on: mjenv arena ... | head
        _say_what_is_missing(result, lineup)
    for error in filter(None, unwritten):
        raise error
    if result.failure is not None:
        raise result.failure
    return _INTERRUPTED if result.interrupted else 0


def _lineup(arguments: argparse.Namespace) -> "LineUp":
    from train.evaluation.lineup import make_lineup, read_lineup

    given = {name: getattr(arguments, name) for name in _LINEUP}
    given = {name: value for name, value in given.items() if value is not None}
    if arguments.agents:
        given["agents"] = arguments.agents
    if arguments.config is not None:
        return read_lineup(arguments.config, given)
    return make_lineup({"agents": [], **given})


def _print(result: "ArenaResult", as_json: bool) -> None:
    from train.evaluation.tables import console_for, shown

    if as_json:
        print_json(result.to_json())
        return
    console = console_for(sys.stdout)
    for number, field in enumerate(result.fields):
        if number:
            console.print()
        for part in shown(field):
            console.print(part)


def _say_what_is_missing(result: "ArenaResult", lineup: "LineUp") -> None:
    """On standard error: what was asked for and is not in the results."""
    from train.evaluation.sequential import Stop

    if lineup.precision is not None:
        # Few sets are never looked at while they are played, however precise they turn out to be.
        wide = [
            outcome
            for outcome in result.outcomes
            if outcome.stop == Stop.PLAYED and not outcome.units.half_width <= lineup.precision
        ]
        if wide:
            say(
                f"mjenv: {len(wide)} of {len(result.outcomes)} results are less precise than "
                f"{lineup.precision:g}: their matches ended at the most deal sets allowed"
            )
    as_played = [outcome for outcome in result.outcomes if outcome.variates is None]
    if lineup.variates is not None and as_played:
        say(
            f"mjenv: {len(as_played)} of {len(result.outcomes)} results are as played: there were "
            "too few deal sets to fit control variates"
        )
    if result.failure is not None:
        where = "".join(f" {note}" for note in getattr(result.failure, "__notes__", ()))
        say(f"mjenv: ended{where}; the results are those of the deal sets played so far")
    elif result.interrupted:
        say("mjenv: interrupted; the results are those of the deal sets played so far")


def _trace(error: MjenvError) -> str:
    """Where it was raised, as Python prints it; empty where an error says enough itself."""
    trace: str = getattr(error, "trace", "")
    return trace or "".join(format_exception(error.__cause__) if error.__cause__ else ())


def _writable(option: str, path: str | None) -> Path | None:
    """A path that can be written; better to know before an hour of play than after.

    Raises:
        CallError: It cannot.
    """
    if path is None:
        return None
    target = Path(path)
    if target.is_dir():
        raise CallError(f"--{option} {path}: that is a folder; name a file in it")
    if target.exists() and not target.is_file():
        return target  # a pipe or a device, which only writing can try
    try:
        with NamedTemporaryFile(dir=target.resolve().parent) as file:
            file.write(bytes(_ROOM))  # a full disk takes an empty file
            file.flush()
    except OSError as error:
        raise CallError(f"--{option} {path}: cannot be written: {error.strerror}") from None
    return target


def _write(target: Path, text: str) -> OSError | None:
    """All of it or nothing: a file of that name stays until the new one is complete.

    Returns:
        Why it could not be written; that is no reason to keep the other results back.
    """
    try:
        with replace_file(target) as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        return OSError(error.errno, error.strerror, str(target))
    say(f"written: {target}")
    return None

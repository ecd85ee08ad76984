"""The command line: ``mjenv COMMAND``.

Results go to standard output, everything else to standard error. Exit codes: 0 fine, 1 the thing
checked is wrong, 2 the call was wrong, 130 interrupted.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import mjenv
from mjenv.command import check_packages
from mjenv.errors import MissingExtraError, MjenvError
from train.commands import agents, arena, bench, cases, dataset, replay, rules, score, selfplay
from train.console import CallError, say, survive_narrow_encodings

FINE, WRONG, MISUSED = 0, 1, 2
INTERRUPTED = 130
PIPE_CLOSED = 141
"""As a shell reports a program that its reader left."""

COMMANDS = (rules, score, cases, agents, selfplay, replay, dataset, arena, bench)
_NEEDED_BY_TRAIN = {"torch", "jsonargparse", "tensorboard", "safetensors", "rich", "scipy"}


class Parser(argparse.ArgumentParser):
    """Reports a mistake in one line, as an error instead of an exit; options are written out."""

    def __init__(self, **options: Any) -> None:
        # A prefix that happens to fit is another option than was meant: --seed as --seed-block.
        super().__init__(**{"allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        """Raise CallError."""
        raise CallError(f"{message} (see {self.prog} --help)")


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands but ``train``, which has its own."""
    parser = Parser(prog="mjenv", description="Sichuan blood-battle mahjong.")
    parser.add_argument("--version", action="version", version=f"mjenv {mjenv.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in COMMANDS:
        module.add(commands)
    commands.add_parser("train", help="train an agent by self-play (mjenv train --help)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    survive_narrow_encodings()
    try:
        check_packages()
        code = _run(words)
        if sys.stdout is not None:  # as it is where the shell closed it: mjenv rules >&-
            sys.stdout.flush()
    except KeyboardInterrupt:
        say("mjenv: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Python would complain once more when it flushes the stream at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except (MjenvError, OSError) as error:
        say(f"mjenv: {_in_one_line(error)}")
        return MISUSED
    return code


def _run(words: list[str]) -> int:
    if words[:1] == ["train"]:
        return _train(words[1:])
    parser = build_parser()
    if not words:
        parser.print_help(sys.stderr)
        return MISUSED
    arguments = parser.parse_args(words)
    code: int = arguments.run(arguments)
    return code


def _train(words: list[str]) -> int:
    """``mjenv train`` has options of its own, from packages of the train extra."""
    try:
        ppo = importlib.import_module("train.ppo")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in _NEEDED_BY_TRAIN:
            raise MissingExtraError("mjenv train", "train") from None
        raise
    code: int = ppo.main(words)
    return code


def _in_one_line(error: Exception) -> str:
    if isinstance(error, OSError) and not isinstance(error, MjenvError) and error.strerror:
        named = f"{error.filename}: " if error.filename is not None else ""
        return f"{named}{error.strerror}"
    return " ".join(str(error).split())


if __name__ == "__main__":
    sys.exit(main())

"""What every bot chose when it was frozen, as hashes, and how to freeze another::

    python -m tests.agents.golden greedy_plus/1

A bot with an entry cannot be frozen again: one that chooses differently is another version.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mjenv.core.kernel import Argument
from mjenv.registry import make_agent
from mjenv.sichuan.rules import PRESETS, Rules
from tests.agents.lockstep import lockstep

PATH = Path(__file__).with_name("golden.json")
DEALS = 1000
"""Deals a table of rules, for bots that are quick."""


def load(path: Path = PATH) -> dict[str, Any]:
    """The whole file: seed, houses, and the entries of all bots."""
    golden: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return golden


def rules_of(golden: dict[str, Any]) -> dict[str, Rules]:
    """Presets and houses by name."""
    houses = {name: Rules.from_dict(options) for name, options in golden["houses"].items()}
    return {**{name: Rules.preset(name) for name in PRESETS}, **houses}


def choices(bot: Argument, rules: Rules, deals: int, seed: int) -> list[bytes]:
    """Who was asked and what it chose, for every question of every deal, two bytes each."""
    told = [
        np.stack([asked.tables["actor"], asked.actions], axis=1).astype(np.int8)
        for asked in lockstep(bot, [rules], deals, seed)
    ]
    by_deal = np.stack(told, axis=1)
    return [steps[steps[:, 0] >= 0].tobytes() for steps in by_deal]


def digest(parts: Sequence[bytes]) -> str:
    """SHA-256 of everything in a row."""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def entry(bot: Argument, deals: int, golden: dict[str, Any]) -> dict[str, Any]:
    """The hashes of a bot: of all its deals, and of the first alone for slow machines."""
    result: dict[str, Any] = {"deals": deals}
    for name, rules in rules_of(golden).items():
        told = choices(bot, rules, deals, golden["seed"])
        result[name] = {"first": digest(told[:1]), "all": digest(told)}
    return result


def freeze(name: str, deals: int, path: Path = PATH) -> None:
    """Add the entry of a bot to the file.

    Raises:
        ValueError: It has one.
    """
    golden = load(path)
    if name in golden["bots"]:
        raise ValueError(
            f"{name} is frozen: {path.name} has an entry for it; a bot that chooses differently "
            "is registered under the next version"
        )
    bot: Any = make_agent(name)
    golden["bots"][name] = entry(bot.kernel, deals, golden)
    golden["bots"] = dict(sorted(golden["bots"].items()))
    path.write_text(json.dumps(golden, indent=2) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Freeze the bots named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.agents.golden")
    parser.add_argument("names", nargs="+", help="greedy_plus/1")
    parser.add_argument(
        "--deals", type=int, default=DEALS, help=f"a table of rules, {DEALS}; fewer for slow bots"
    )
    options = parser.parse_args(arguments)
    try:
        for name in options.names:
            freeze(name, options.deals)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

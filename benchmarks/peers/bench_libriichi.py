"""libriichi, as the package mjai holds it: what follows a game and encodes it, in Rust.

There is no game inside what is measured: recorded events are given to the trackers of four players.
A decision is an event after which a player may act. A game is one recorded hand.

Modes: ``update`` follows the game; ``encode`` also makes the tensor and the mask of every decision.
The recorded hands are made by ``riichi_hands.py`` in the environment of riichienv, and lie in the
file that ``--hands`` names.
"""

import json
import random
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import mjai.mlibriichi as libriichi
from timing import Play, measure, parse_arguments

OBSERVATION = libriichi.consts.MAX_VERSION
HANDS = Path(__file__).parent / "riichi_hands.json"
PLAYERS = 4


def seen_by(player: int, event: dict[str, Any]) -> str:
    """An event as one player sees it: unknown tiles are question marks."""
    seen = dict(event)
    if event["type"] == "start_kyoku":
        hidden = ["?"] * len(event["tehais"][player])
        seen["tehais"] = [
            hand if owner == player else hidden for owner, hand in enumerate(event["tehais"])
        ]
    elif event["type"] == "tsumo" and event["actor"] != player:
        seen["pai"] = "?"
    return json.dumps(seen)


def read_hands(path: Path) -> list[list[list[str]]]:
    """For every recorded hand, the lines that each player sees."""
    outside = ("start_game", "end_game")
    return [
        [
            [seen_by(player, event) for event in hand if event["type"] not in outside]
            for player in range(PLAYERS)
        ]
        for hand in json.loads(path.read_text(encoding="utf-8"))
    ]


def player(hands: list[list[list[str]]], encode: bool) -> Play:
    """What follows the hands."""

    def play(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
        decisions = games = 0
        while time.perf_counter() < deadline:
            for number, lines in enumerate(hands[games % len(hands)]):
                tracker = libriichi.state.PlayerState(number)
                for line in lines:
                    if tracker.update(line).can_act:
                        decisions += 1
                        if encode:
                            tracker.encode_obs(OBSERVATION, False)
            games += 1
        return decisions, games, {}

    return play


def main() -> None:
    """Print one line per mode."""
    options = parse_arguments(hands=str(HANDS))
    hands, number = read_hands(Path(options.hands)), version("mjai")
    counted = "decision points of recorded hands, no game played"
    measure("libriichi", number, "update", counted, player(hands, False), options)
    measure("libriichi", number, "encode", counted, player(hands, True), options)


if __name__ == "__main__":
    main()

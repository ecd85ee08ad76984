"""cmajiang: random legal Riichi matches, one table in C++.

A decision is a choice among several options, on a player's own turn or in answer to a discard or a
kong; choices with a single option are counted apart. A game is a whole East-South match.

Modes: ``none`` asks for options only; ``features`` adds the public and the private features of the
player who decides. The package describes no loop of play in Python: this one follows from the
names of its methods, and was checked by matches coming to their end.
"""

import random
import time
from importlib.metadata import version
from typing import Any

import cmajiang
import numpy as np
from timing import Play, measure, parse_arguments

Message, Status = cmajiang.Message, cmajiang.Status
OWN_TURN = (Status.ZIMO, Status.GANGZIMO, Status.FULOU)
OTHERS_TURN = (Status.DAPAI, Status.GANG)
PLAYERS = 4

Option = tuple[Any, str]


def own_options(game: Any) -> list[Option]:
    """What the player at turn may do; nothing where the game goes on by itself."""
    try:
        options = [(Message.DAPAI, tile) for tile in game.get_dapai()]
    except RuntimeError:  # after an open kong there is nothing to discard yet
        return []
    if game.status == Status.FULOU:
        return options
    allowed, tiles = game.allow_lizhi()
    if allowed:
        options += [(Message.DAPAI, f"{tile}*") for tile in tiles]
    options += [(Message.GANG, meld) for meld in game.get_gang_mianzi()]
    if game.allow_hule():
        options.append((Message.HULE, ""))
    if game.allow_pingju():
        options.append((Message.DAOPAI, ""))
    return options


def answers(game: Any, player: int, is_next: bool) -> list[Option]:
    """What another player may answer to a discard or a kong."""
    options = [(Message.NONE, "")]
    if game.allow_hule(player):
        options.append((Message.HULE, ""))
    if game.status == Status.DAPAI:
        options += [(Message.FULOU, meld) for meld in game.get_gang_mianzi(player)]
        options += [(Message.FULOU, meld) for meld in game.get_peng_mianzi(player)]
        if is_next:
            options += [(Message.FULOU, meld) for meld in game.get_chi_mianzi(player)]
    return options


def asked(game: Any) -> list[tuple[int, list[Option]]]:
    """Who is asked now, with the options of each."""
    if game.status in OWN_TURN:
        return [(game.lunban, own_options(game))]
    if game.status in OTHERS_TURN:
        others = [(k, (game.lunban + k) % PLAYERS) for k in range(1, PLAYERS)]
        return [(player, answers(game, player, k == 1)) for k, player in others]
    return []


def player(with_features: bool) -> Play:
    """What plays one mode."""
    public = np.zeros((cmajiang.N_CHANNELS_PUBLIC, 9, 4), np.float32)
    private = np.zeros((cmajiang.N_CHANNELS_PRIVATE, 9, 4), np.float32)

    def play(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
        decisions = games = forced = 0
        cmajiang.set_seed(rng.randrange(1 << 30))
        while time.perf_counter() < deadline:
            game = cmajiang.Game()
            game.kaiju()
            while game.status != Status.JIEJI:
                for number, options in asked(game):
                    if len(options) > 1:
                        decisions += 1
                        if with_features:
                            cmajiang.public_features(game, number, public)
                            cmajiang.private_features(game, number, private)
                    elif game.status in OWN_TURN:
                        forced += len(options)
                    if options and (len(options) > 1 or game.status in OWN_TURN):
                        message, text = options[int(rng.random() * len(options))]
                        game.reply(game.player_id[number], message, text)
                game.next()
            games += 1
        return decisions, games, {"forced": forced}

    return play


def main() -> None:
    """Print one line per mode."""
    options = parse_arguments()
    number, counted = version("cmajiang"), "choices among several"
    measure("cmajiang", number, "match/none", counted, player(False), options)
    measure("cmajiang", number, "match/features", counted, player(True), options)


if __name__ == "__main__":
    main()

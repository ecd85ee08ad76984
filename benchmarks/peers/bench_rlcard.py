"""RLCard: random legal hands of its mahjong.

A decision is one step; a game is one hand, to a win or an empty wall.

Modes: ``env`` is the environment, which always builds its 6x34x4 observation; ``game`` the game
inside it, without observations.
"""

import random
import time
from importlib.metadata import version

import numpy as np
import rlcard
from rlcard.games.mahjong import Game
from timing import measure, parse_arguments


def play_env(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
    """Play the environment."""
    env = rlcard.make("mahjong", config={"seed": rng.randrange(1 << 30)})
    decisions = games = 0
    while time.perf_counter() < deadline:
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        env.get_payoffs()
        games += 1
    return decisions, games, {}


def play_game(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
    """Play the game without the environment around it."""
    game = Game()
    game.np_random = np.random.RandomState(rng.randrange(1 << 30))
    decisions = games = 0
    while time.perf_counter() < deadline:
        state, _ = game.init_game()
        while not game.is_over():
            legal = game.get_legal_actions(state)
            state, _ = game.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        games += 1
    return decisions, games, {}


def main() -> None:
    """Print one line per mode."""
    options = parse_arguments()
    measure("rlcard", version("rlcard"), "env", "env.step", play_env, options)
    measure("rlcard", version("rlcard"), "game", "Game.step", play_game, options)


if __name__ == "__main__":
    main()

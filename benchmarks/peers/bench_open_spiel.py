"""OpenSpiel: random legal games of its card games for four, played through pyspiel.

A decision is one ``apply_action`` by a player; moves of chance are counted apart.

Modes: ``none`` asks for legal actions only; ``obs`` adds the tensor of the acting player (an
observation if the game has one, else an information state) and the mask; ``clone`` copies the state
once a decision, as a tree search does.
"""

import random
import time
from importlib.metadata import version

import numpy as np
import pyspiel
from timing import Play, measure, parse_arguments


def chance_outcome(state, rng: random.Random) -> int:
    """An outcome of chance, by its probability."""
    outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
    return rng.choices(outcomes, probabilities)[0]


def observe(state, has_observation: bool) -> None:
    """Take the tensor and the mask of the acting player."""
    tensor = state.observation_tensor() if has_observation else state.information_state_tensor()
    np.asarray(tensor, dtype=np.float32)
    state.legal_actions_mask()


def player(game, mode: str) -> Play:
    """What plays one mode of a game."""
    has_observation = game.get_type().provides_observation_tensor

    def play(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
        decisions = games = chance = 0
        while time.perf_counter() < deadline:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(chance_outcome(state, rng))
                    chance += 1
                    continue
                legal = state.legal_actions()
                if mode == "obs":
                    observe(state, has_observation)
                elif mode == "clone":
                    state.clone()
                state.apply_action(legal[int(rng.random() * len(legal))])
                decisions += 1
            state.returns()
            games += 1
        return decisions, games, {"chance_moves": chance}

    return play


def main() -> None:
    """Print one line per game and mode."""
    options = parse_arguments(games="hearts,euchre,spades")
    for name in options.games.split(","):
        game = pyspiel.load_game(name)
        for mode in ("none", "obs", "clone"):
            measure(
                "open_spiel",
                version("open_spiel"),
                f"{name}/{mode}",
                "apply_action of players",
                player(game, mode),
                options,
            )


if __name__ == "__main__":
    main()

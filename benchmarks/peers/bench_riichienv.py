"""riichienv: random legal Riichi games, one environment at a time.

A decision is one action passed to ``env.step``: if several players may answer a discard, each
answer is one. A game is one episode, a single hand or an East-South match.

Modes: ``none`` asks for legal actions only; ``encode`` adds the (74, 34) tensor and the mask;
``extended`` the (215, 34) tensor and the mask; ``seq`` the four arrays of tokens; ``clone`` copies
the environment once a step.
"""

import random
import time
from importlib.metadata import version

import numpy as np
from riichienv import RiichiEnv
from timing import Play, measure, parse_arguments


def observe(observation, mode: str) -> None:
    """Take from an observation what the mode asks for."""
    if mode == "encode":
        np.frombuffer(observation.encode(), dtype=np.float32).reshape(74, 34)
        np.frombuffer(observation.mask(), dtype=np.uint8)
    elif mode == "extended":
        np.frombuffer(observation.encode_extended(), dtype=np.float32).reshape(215, 34)
        np.frombuffer(observation.mask(), dtype=np.uint8)
    elif mode == "seq":
        observation.encode_seq_sparse()
        observation.encode_seq_numeric()
        observation.encode_seq_progression()
        observation.encode_seq_candidates()


def player(game_mode: str, mode: str) -> Play:
    """What plays one mode."""

    def play(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
        decisions = games = forced = 0
        first_seed = rng.randrange(1 << 30)
        while time.perf_counter() < deadline:
            env = RiichiEnv(game_mode=game_mode, seed=first_seed + games, skip_mjai_logging=True)
            observations = env.reset()
            while not env.done():
                actions = {}
                for seat, observation in observations.items():
                    observe(observation, mode)
                    legal = observation.legal_actions()
                    forced += len(legal) == 1
                    actions[seat] = legal[int(rng.random() * len(legal))]
                decisions += len(actions)
                if mode == "clone":
                    env.clone()
                observations = env.step(actions)
            games += 1
        return decisions, games, {"forced": forced}

    return play


def main() -> None:
    """Print one line per mode."""
    options = parse_arguments()
    for game_mode in ("4p-red-single", "4p-red-half"):
        for mode in ("none", "encode", "extended", "seq", "clone"):
            measure(
                "riichienv",
                version("riichienv"),
                f"{game_mode}/{mode}",
                "actions passed to step",
                player(game_mode, mode),
                options,
            )


if __name__ == "__main__":
    main()

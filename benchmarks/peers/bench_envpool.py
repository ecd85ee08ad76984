"""EnvPool: random legal play of Sparrow Mahjong, a game of 44 tiles for three, in C++.

A decision is the step of one environment of a batch; steps that only reset a finished one are not
counted. A game is one hand. The observations of all three players are always written. Random legal
actions of a whole batch are one draw of NumPy.

Modes: ``sparrow/1``, ``sparrow/128`` and ``sparrow/1024`` are batches of as many environments on
one thread of the pool.
"""

import random
import time

import envpool
import numpy as np
from timing import Play, measure, parse_arguments

GAME = "SparrowMahjong-v1"


def player(batch: int) -> Play:
    """What plays a batch of environments."""

    def play(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
        seed = rng.randrange(1 << 30)
        env = envpool.make_gymnasium(GAME, num_envs=batch, num_threads=1, seed=seed)
        draw = np.random.default_rng(seed)
        _, info = env.reset()
        finished = np.zeros(batch, bool)
        decisions = games = 0
        while time.perf_counter() < deadline:
            mask = info["legal_action_mask"]
            actions = (draw.random(mask.shape, np.float32) * mask).argmax(1).astype(np.int32)
            _, _, terminated, truncated, info = env.step(actions)
            decisions += batch - int(finished.sum())  # a finished one was only reset
            finished = terminated | truncated
            games += int(finished.sum())
        return decisions, games, {}

    return play


def main() -> None:
    """Print one line per size of a batch."""
    options = parse_arguments(batches="1,128,1024")
    for batch in map(int, options.batches.split(",")):
        play, mode = player(batch), f"sparrow/{batch}"
        measure("envpool", envpool.__version__, mode, "environments stepped", play, options)


if __name__ == "__main__":
    main()

"""jansou: random legal Riichi matches, one table in Python with a native part if it is installed.

A decision is one request answered; each brings the legal actions and the events that the player
may see. There is no observation in numbers. A match takes up to seconds, so the last one of a
repetition is cut off; its decisions count.
"""

import random
import time
from importlib.metadata import version

from jansou.core.rules import preset
from jansou.game.environment import Environment
from timing import measure, parse_arguments

RULES = "tenhou"


def play(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
    """Play matches."""
    decisions = games = 0
    while True:
        game = Environment(preset(RULES), seed=rng.randrange(1 << 30)).play()
        request = next(game)
        try:
            while time.perf_counter() < deadline:
                actions = request.actions
                decisions += 1
                request = game.send(actions[int(rng.random() * len(actions))])
        except StopIteration:
            games += 1
            continue
        return decisions, games, {}


def main() -> None:
    """Print one line."""
    options = parse_arguments()
    measure("jansou", version("jansou"), "match", "requests answered", play, options)


if __name__ == "__main__":
    main()

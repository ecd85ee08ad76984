"""Writes hands of Riichi for ``bench_libriichi.py``, played at random by riichienv.

PEER/bin/python benchmarks/peers/riichi_hands.py [FILE]
"""

import json
import random
import sys
from pathlib import Path

from riichienv import RiichiEnv

HANDS = 40
SEED = 7


def main() -> None:
    """Play and write."""
    rng = random.Random(SEED)
    hands = []
    for number in range(HANDS):
        env = RiichiEnv(game_mode="4p-red-single", seed=number)
        observations = env.reset()
        while not env.done():
            observations = env.step(
                {seat: rng.choice(one.legal_actions()) for seat, one in observations.items()}
            )
        hands.append(env.mjai_log)
    default = Path(__file__).parent / "riichi_hands.json"
    path = Path(sys.argv[1]) if sys.argv[1:] else default
    path.write_text(json.dumps(hands) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

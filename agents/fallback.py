"""What is played for an agent that does not answer with a legal action."""

import numpy as np

from mjenv.core.batch import random_action
from mjenv.core.game import Game

PASS = "pass"


def fallback_action(game: Game, mask: np.ndarray, rng: np.ndarray) -> int:
    """``pass`` if that is legal, else any legal action, each equally likely.

    Args:
        game: What is played.
        mask: ``(A,)`` int8, the menu.
        rng: ``(1,)`` uint64, the generator of the decision.
    """
    passing = game.parse_action(PASS)
    return passing if mask[passing] else int(random_action(mask, rng))

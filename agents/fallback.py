"""What is played for an agent that does not answer with a legal action."""

import logging

import numpy as np

from mjenv.core.batch import random_action
from mjenv.core.game import Game

PASS = "pass"
_log = logging.getLogger(__name__)
_told: set[str] = set()


def fallback_action(game: Game, mask: np.ndarray, rng: np.ndarray) -> int:
    """``pass`` if that is legal, else any legal action, each equally likely.

    Args:
        game: What is played.
        mask: ``(A,)`` int8, the menu.
        rng: ``(1,)`` uint64, the generator of the decision.
    """
    passing = game.parse_action(PASS)
    return passing if mask[passing] else int(random_action(mask, rng))


def tell_first(name: str, what: str) -> None:
    """Say what was wrong with the first answer of an agent that is replaced in this process.

    Args:
        name: Of the agent.
        what: Its answer, and what was legal.
    """
    if name not in _told:
        _told.add(name)
        _log.warning("agent %r %s. Such answers are replaced, and counted", name, what)

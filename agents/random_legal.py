"""``random_legal/1``: any legal action, each equally likely, a win included.

The zero point of every comparison, and what fuzzing plays. Frozen: a change is a new version.
"""

import numpy as np

from mjenv.agent import CompiledBot
from mjenv.core.batch import random_action
from mjenv.core.kernel import kernel
from mjenv.sichuan.game import SICHUAN


@kernel
def choose(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Draw one of the legal actions; the view is not looked at."""
    return random_action(mask, rng)


class RandomLegal(CompiledBot):
    """The agent ``random_legal/1``."""

    def __init__(self) -> None:
        super().__init__("random_legal/1", choose, SICHUAN)

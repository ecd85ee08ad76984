"""``never_call/1``: ``greedy/1`` that never melds.

A bot of the style panel, for stress: competent apart from one distortion. Frozen: a change in what
it chooses is a new version. Words and the rules it does not name are those of
:mod:`agents.greedy`.

Its choice is the first of these that the menu offers.

1. Win.
2. Pass: no pung and no claimed kong.
3. Discard as ``greedy/1``: no own kong.
4. Void suit and gifts as ``greedy/1``.
"""

import numpy as np

from agents.greedy import declare_void, discard, give
from mjenv.agent import CompiledBot
from mjenv.core.batch import only_action
from mjenv.core.kernel import kernel
from mjenv.sichuan.actions import PASS, WIN
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.state import Phase


@kernel
def choose(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Choose as the module says; nothing is left to chance."""
    only = only_action(mask)
    if only >= 0:
        return only
    if mask[WIN] != 0:
        return int(WIN)
    if mask[PASS] != 0:
        return int(PASS)
    phase = view["phase"]
    if phase == Phase.TURN:
        return discard(view, rules, luts)
    if phase == Phase.VOID:
        return declare_void(view, luts, mask)
    return give(view, luts, mask)


class NeverCall(CompiledBot):
    """The agent ``never_call/1``."""

    def __init__(self) -> None:
        super().__init__("never_call/1", choose, SICHUAN)

"""``always_call/1``: ``greedy/1`` that melds whatever it may.

A bot of the style panel, for stress: competent apart from one distortion. Frozen: a change in what
it chooses is a new version. Words and the rules it does not name are those of
:mod:`agents.greedy`.

Its choice is the first of these that the menu offers.

1. Win.
2. Own kong: the one that leaves the least deficiency.
3. Claimed kong.
4. Pung.
5. Pass.
6. Discards, void suit and gifts as ``greedy/1``.

It makes no meld of a third suit, with which a hand can no longer win; with a void suit the rules
forbid that anyway.
"""

import numpy as np

from agents.greedy import (
    CLAIMED_FOR_KONG,
    CLAIMED_FOR_PUNG,
    declare_void,
    deficiency_without,
    discard,
    give,
)
from mjenv.agent import CompiledBot
from mjenv.core.batch import only_action
from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES
from mjenv.sichuan.actions import KONG, OWN_KONG_0, PASS, PUNG, WIN
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import IMPOSSIBLE
from mjenv.sichuan.state import NUM_KINDS, Phase


@kernel
def any_own_kong(view: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """The own kong to declare, or -1 (rule 2)."""
    best, least = -1, IMPOSSIBLE
    for kind in range(NUM_KINDS):
        if mask[OWN_KONG_0 + kind] == 0:
            continue
        if view["hand"][kind] == COPIES:
            left = deficiency_without(view, luts, kind, COPIES, 1)
        else:
            left = deficiency_without(view, luts, kind, 1, 0)
        if left < least:
            best, least = kind, left
    return OWN_KONG_0 + best if best >= 0 else -1


@kernel
def can_win_after(view: np.void, luts: np.ndarray, copies: int) -> bool:
    """Whether a hand that melds the tile it is asked about, with ``copies`` own, can still win."""
    kind = int(view["claim_tile"])
    return bool(deficiency_without(view, luts, kind, copies, 1) < IMPOSSIBLE)


@kernel
def _claim(view: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """Kong, pung or pass (rules 3 to 5)."""
    if mask[KONG] != 0 and can_win_after(view, luts, CLAIMED_FOR_KONG):
        return int(KONG)
    if mask[PUNG] != 0 and can_win_after(view, luts, CLAIMED_FOR_PUNG):
        return int(PUNG)
    return int(PASS)


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
    phase = view["phase"]
    if phase == Phase.TURN:
        kong = any_own_kong(view, luts, mask)
        return kong if kong >= 0 else discard(view, rules, luts)
    if phase == Phase.CLAIM:
        return _claim(view, luts, mask)
    if phase == Phase.VOID:
        return declare_void(view, luts, mask)
    return give(view, luts, mask)


class AlwaysCall(CompiledBot):
    """The agent ``always_call/1``."""

    def __init__(self) -> None:
        super().__init__("always_call/1", choose, SICHUAN)

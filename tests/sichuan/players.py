"""Players that need no thought, as bot kernels: uniform play hardly ever wins.

`tidy` drops its rarest suit and lonely tiles and takes most wins, kongs and pungs; `patient` lets
most wins go by except robbed kongs. Neither leaves.
"""

import numpy as np

from mjenv.core.batch import random_action
from mjenv.core.kernel import kernel
from mjenv.core.rng import below
from mjenv.sichuan.actions import (
    DISCARD_0,
    KONG,
    NUM_DISCARDS,
    NUM_OWN_KONGS,
    OWN_KONG_0,
    PASS,
    PUNG,
    VOID_0,
    WIN,
)
from mjenv.sichuan.state import Phase

NO_ACTION = -1


@kernel
def uniform(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Any legal action."""
    return random_action(mask, rng)


@kernel
def suit_total(hand: np.ndarray, suit: int) -> int:
    """Tiles of one suit."""
    return int(np.sum(hand[9 * suit : 9 * suit + 9]))


@kernel
def worth(hand: np.ndarray, kind: int) -> int:
    """Tiles of the same suit count most, then copies, then neighbours."""
    total = suit_total(hand, kind // 9) + 3 * int(hand[kind])
    for near in range(max(kind - 2, kind // 9 * 9), min(kind + 3, kind // 9 * 9 + 9)):
        total += int(hand[near])
    return total


@kernel
def meld_action(mask: np.ndarray) -> int:
    """A kong before a pung, or NO_ACTION."""
    for action in range(OWN_KONG_0, OWN_KONG_0 + NUM_OWN_KONGS):
        if mask[action] != 0:
            return action
    if mask[KONG] != 0:
        return KONG
    return PUNG if mask[PUNG] != 0 else NO_ACTION


@kernel
def tidy(view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray) -> int:
    """See the module."""
    if mask[WIN] != 0 and (mask[PASS] == 0 or below(rng, 10) > 0):
        return WIN
    action = meld_action(mask)
    if action != NO_ACTION and below(rng, 10) > 2:
        return action
    if mask[PASS] != 0:
        return PASS
    best, chosen = 10_000, NO_ACTION
    for suit in range(3):
        total = suit_total(view["hand"], suit)
        if mask[VOID_0 + suit] != 0 and total < best:
            best, chosen = total, VOID_0 + suit
    for kind in range(NUM_DISCARDS):
        if mask[DISCARD_0 + kind] != 0:
            value = 8 * worth(view["hand"], kind) + below(rng, 8)
            if value < best:
                best, chosen = value, DISCARD_0 + kind
    return chosen if chosen != NO_ACTION else WIN


@kernel
def patient(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """See the module."""
    if mask[WIN] != 0 and view["phase"] != Phase.ROB and below(rng, 10) < 8:
        without = mask.copy()
        without[WIN] = 0
        return tidy(view, rules, luts, without, rng)
    return tidy(view, rules, luts, mask, rng)


PLAYERS = {"uniform": uniform, "tidy": tidy, "patient": patient}

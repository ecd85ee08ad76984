"""``kong_hunter/1``: ``greedy/1`` that keeps whatever may become a kong.

A bot of the style panel, for stress: competent apart from one distortion. Frozen: a change in what
it chooses is a new version. Words and the rules it does not name are those of
:mod:`agents.greedy`.

A *seed* of a kong is a kind of which it holds three copies with one live, or two with two live. It
is not of the spare suit: the void suit, or without void suits the one with the fewest tiles that is
not melded, of these the largest own deficiency.

Its choice is the first of these that the menu offers. It makes no meld of a third suit, with which
a hand can no longer win.

1. Win.
2. Own kong: the one that leaves the least deficiency.
3. Claimed kong.
4. Pung: if the fourth copy is live, so that an added kong may follow, or as ``greedy/1``.
5. Pass.
6. Discard while void tiles are held: as ``greedy/1``.
7. Discard: no tile of a seed, unless all are; of these as ``greedy/1``.
8. Void suit and gifts as ``greedy/1``.
"""

import numpy as np

from agents.always_call import any_own_kong, can_win_after
from agents.greedy import (
    CLAIMED_FOR_KONG,
    CLAIMED_FOR_PUNG,
    claim,
    declare_void,
    give,
    spare_suit,
    void_discard,
)
from mjenv.agent import CompiledBot
from mjenv.core.batch import only_action
from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES
from mjenv.sichuan.actions import DISCARD_0, KONG, PUNG, WIN
from mjenv.sichuan.analysis import discard_analysis, live_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import suit_of
from mjenv.sichuan.state import NO_SUIT, NUM_KINDS, Phase


@kernel
def _is_seed(held: int, live: int) -> bool:
    """Whether a kind may become a kong: a pair or a triplet whose other copies are all live."""
    return COPIES // 2 <= held < COPIES and held + live == COPIES


@kernel
def _discard(view: np.void, rules: np.void, luts: np.ndarray) -> int:
    """Least deficiency, then most useful tiles, seeds kept (rule 7)."""
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    left = np.empty(NUM_KINDS, np.int8)
    useful = np.empty(NUM_KINDS, np.int8)
    discard_analysis(view, rules, luts, live, left, useful)
    spare = spare_suit(view, luts)
    best, best_is_seed = -1, False
    for kind in range(NUM_KINDS):
        held = int(view["hand"][kind])
        if held == 0:
            continue
        is_seed = suit_of(kind) != spare and _is_seed(held, int(live[kind]))
        if best >= 0 and is_seed != best_is_seed:
            better = best_is_seed
        else:
            better = best < 0 or left[kind] < left[best]
            if best >= 0 and left[kind] == left[best]:
                better = useful[kind] > useful[best]
        if better:
            best, best_is_seed = kind, is_seed
    return DISCARD_0 + best


@kernel
def _in_turn(view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """Own kong or discard (rules 2, 6 and 7)."""
    kong = any_own_kong(view, luts, mask)
    if kong >= 0:
        return kong
    void = int(view["void_suit"][int(view["seat"])])
    if void != NO_SUIT and view["suit_key"][void] != 0:
        return void_discard(view, void)
    return _discard(view, rules, luts)


@kernel
def _claim(view: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """Kong, pung or pass (rules 3 to 5)."""
    if mask[KONG] != 0 and can_win_after(view, luts, CLAIMED_FOR_KONG):
        return int(KONG)
    if mask[PUNG] != 0 and can_win_after(view, luts, CLAIMED_FOR_PUNG):
        live = np.empty(NUM_KINDS, np.int8)
        live_counts(view, live)
        if live[int(view["claim_tile"])] > 0:
            return int(PUNG)
    return claim(view, luts, mask)


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
        return _in_turn(view, rules, luts, mask)
    if phase == Phase.CLAIM:
        return _claim(view, luts, mask)
    if phase == Phase.VOID:
        return declare_void(view, luts, mask)
    return give(view, luts, mask)


class KongHunter(CompiledBot):
    """The agent ``kong_hunter/1``."""

    def __init__(self) -> None:
        super().__init__("kong_hunter/1", choose, SICHUAN)

"""What a seat knows of the hands of others, beyond their sizes.

What it gave in the exchange and what was seen when somebody won; and that a seat which discards
another suit than its void suit has no void tile left (R7).
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.deal import receiver
from mjenv.sichuan.hand import suit_of
from mjenv.sichuan.history import discarder
from mjenv.sichuan.rules import AddedKongTiming
from mjenv.sichuan.settlement import is_active
from mjenv.sichuan.splits import FREE
from mjenv.sichuan.state import EXCHANGE_SIZE, NO_SUIT, NUM_KINDS, NUM_SEATS, Meld, Phase, Win

_FROM_HAND = (0, 2, 3, 3, 4)  # tiles of the own hand in a meld, by Meld


@kernel
def _times_robbed(state: np.void, seat: int, kind: int) -> int:
    """Winners on a kong that ``seat`` wanted to make; of any kind if ``kind`` is NO_TILE."""
    times = 0
    for winner in range(NUM_SEATS):
        robbed = state["win_how"][winner] == Win.ROB_KONG and state["win_from"][winner] == seat
        if robbed and (kind == NO_TILE or state["win_tile"][winner] == kind):
            times += 1
    return times


@kernel
def count_shown(state: np.void, seat: int, counts: np.ndarray) -> None:
    """Add to ``counts``, shape ``(27,)``, the tiles that left a hand for all to see."""
    for i in range(int(state["num_discards"])):
        if discarder(int(state["discard_fate"][i])) == seat:
            counts[int(state["discard_kind"][i])] += 1
    for meld in range(int(state["num_melds"][seat])):
        meld_type = int(state["meld_type"][seat, meld])
        counts[int(state["meld_kind"][seat, meld])] += _FROM_HAND[meld_type]
        # A robbed kong: one tile left, however many won on it.
        if _times_robbed(state, seat, int(state["meld_kind"][seat, meld])) > 0:
            counts[int(state["meld_kind"][seat, meld])] += 1


@kernel
def _mark_gift(state: np.void, seat: int, known: np.ndarray) -> None:
    """Tiles given in the exchange: the receiver holds them unless it has shown as many since."""
    if state["phase"] == Phase.EXCHANGE or state["num_given"][seat] == 0:
        return
    to = receiver(seat, int(state["direction"]))
    shown = np.zeros(NUM_KINDS, np.int64)
    count_shown(state, to, shown)
    for i in range(EXCHANGE_SIZE):
        kind = int(state["given"][seat, i])
        if shown[kind] > 0:
            shown[kind] -= 1
        else:
            known[to, kind] += 1


@kernel
def mark_known(state: np.void, seat: int, known: np.ndarray) -> None:
    """Count in ``known``, shape ``(4, 27)``, the tiles of others whose place ``seat`` knows."""
    _mark_gift(state, seat, known)
    for other in range(NUM_SEATS):
        tile = int(state["win_tile"][other])
        if state["win_how"][other] == Win.SELF_DRAW and tile != NO_TILE:
            if state["num_draws"][other] > 0:
                known[other, tile] += 1
            else:  # on the dealt tiles: it may be one that was given
                known[other, tile] = max(1, known[other, tile])
    known[seat][:] = 0


@kernel
def _draws_kept(state: np.void, rules: np.void, seat: int) -> int:
    """Most tiles drawn since the last discard that a seat may hold, the latest left out.

    There are some after a kong, and after a robbed one, which ends a turn without a discard.
    """
    if not is_active(state, seat):
        return 0  # a hand that has won holds no void tile
    just_drawn = rules["added_kong_timing"] == AddedKongTiming.JUST_DRAWN
    robbed = _times_robbed(state, seat, NO_TILE)
    in_turn = state["turn"] == seat and state["drawn"] != NO_TILE
    kept = 0 if just_drawn else robbed
    for meld in range(int(state["num_melds"][seat])):
        of_turn = in_turn and (int(state["turn_kongs"]) >> meld) & 1 != 0
        if not of_turn and robbed == 0:
            continue
        meld_type = state["meld_type"][seat, meld]
        if meld_type == Meld.CONCEALED_KONG or (meld_type == Meld.ADDED_KONG and not just_drawn):
            kept += 1
    return kept


@kernel
def void_limit(state: np.void, rules: np.void, seat: int) -> int:
    """Most void tiles a seat may hold beside the tile just drawn, or FREE."""
    void = int(state["void_suit"][seat])
    if void == NO_SUIT:
        return FREE
    for i in range(int(state["num_discards"]) - 1, -1, -1):
        if discarder(int(state["discard_fate"][i])) == seat:
            if suit_of(int(state["discard_kind"][i])) == void:
                return FREE
            return _draws_kept(state, rules, seat)
    return FREE

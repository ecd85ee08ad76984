"""What can be told of a deal only while it is played: when seats are ready, who draws luckily.

A tally watches a deal question by question (:func:`watch`). The *luck* of a draw is 1 if the tile
lowers the deficiency of the hand and 0 if not, less the chance of it, which is known from the
tiles left in the wall. Whatever the seats do, luck is zero on average: sums of it are what control
variates are made of.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NUM_SUITS
from mjenv.sichuan.analysis import copies_of, keys_of, keys_without, useful_kinds
from mjenv.sichuan.draws import wall_counts
from mjenv.sichuan.hand import IMPOSSIBLE, deficiency, meld_suits, owned, waits
from mjenv.sichuan.state import NO_SUIT, NUM_KINDS, NUM_SEATS, Class, Phase, Win

LEVELS = 4
"""Luck is summed by the deficiency before the draw: 1, 2, 3, and 4 or more."""
NEVER = -1

TALLY = np.dtype(
    [
        ("luck", "f8", (NUM_SEATS, LEVELS)),
        ("seen_draws", "i1", NUM_SEATS),  # draws watched so far
        ("ready_turn", "i1", NUM_SEATS),  # own draws before it first was ready, NEVER if it was not
        ("initial_deficiency", "i1", NUM_SEATS),  # of the dealt hand, any suit being left out
        ("begun", "i1"),
        ("unused", "i1", 3),  # no gaps, since tallies are compared as bytes
    ],
    align=True,
)


@kernel
def _begin(state: np.void, luts: np.ndarray, tally: np.void) -> None:
    for seat in range(NUM_SEATS):
        keys = keys_of(state["suit_key"][seat])
        tally["initial_deficiency"][seat] = deficiency(
            keys[0], keys[1], keys[2], 0, 0, NO_SUIT, luts
        )
        tally["seen_draws"][seat] = 0
        tally["ready_turn"][seat] = NEVER
        for level in range(LEVELS):
            tally["luck"][seat, level] = 0.0
    tally["begun"] = 1


@kernel
def _is_ready(
    state: np.void, seat: int, keys: tuple[int, int, int], drawn: int, luts: np.ndarray
) -> bool:
    """Whether a seat waited for a tile of which it did not own all four (R41)."""
    num_melds = int(state["num_melds"][seat])
    meld_kind = state["meld_kind"][seat]
    suit_key = np.empty(NUM_SUITS, np.int32)
    suit_key[0], suit_key[1], suit_key[2] = keys[0], keys[1], keys[2]
    candidates = waits(
        suit_key, num_melds, meld_suits(meld_kind, num_melds), int(state["void_suit"][seat]), luts
    )
    for kind in range(NUM_KINDS):
        if (candidates >> kind) & 1 == 0:
            continue
        held = owned(state["hand"][seat], state["meld_type"][seat], meld_kind, num_melds, kind)
        if held - (1 if kind == drawn else 0) < COPIES:
            return True
    return False


@kernel
def _note_draw(state: np.void, luts: np.ndarray, seat: int, tally: np.void) -> None:
    """Add the luck of the draw just made, and see whether the seat was ready before it."""
    drawn = int(state["drawn"])
    num_melds = int(state["num_melds"][seat])
    melded = meld_suits(state["meld_kind"][seat], num_melds)
    void = int(state["void_suit"][seat])
    keys = keys_without(keys_of(state["suit_key"][seat]), drawn)
    before = deficiency(keys[0], keys[1], keys[2], num_melds, melded, void, luts)
    if before == IMPOSSIBLE:
        return
    first = before == 1 and tally["ready_turn"][seat] == NEVER
    if first and _is_ready(state, seat, keys, drawn, luts):
        tally["ready_turn"][seat] = int(state["num_draws"][seat]) - 1
    left = np.empty(NUM_KINDS, np.int8)
    wall_counts(state, left)
    left[drawn] += 1
    size = int(state["wall_end"]) - int(state["wall_next"]) + 1
    useful = useful_kinds(keys, num_melds, melded, void, before - 1, left, luts)
    luck = float((useful >> drawn) & 1) - copies_of(useful, left) / size
    tally["luck"][seat, min(before, LEVELS) - 1] += luck


@kernel
def has_drawn(state: np.void, seen: np.ndarray) -> bool:
    """Whether the acting seat has drawn since ``seen``, ``(4,)``, which is brought up to date."""
    seat = int(state["actor"])
    if state["phase"] != Phase.TURN or int(seen[seat]) == int(state["num_draws"][seat]):
        return False
    seen[seat] = state["num_draws"][seat]
    return True


@kernel
def watch(state: np.void, rules: np.void, luts: np.ndarray, tally: np.void) -> None:
    """Look at a table that asks its next question; to be called at every question of a deal.

    Contract function.

    Args:
        state: The table.
        rules: Packed; no rule changes what is tallied so far.
        luts: Lookup tables.
        tally: Record of :data:`TALLY`, zeros before the first question of a deal.
    """
    if tally["begun"] == 0:
        _begin(state, luts, tally)
    if has_drawn(state, tally["seen_draws"]):
        _note_draw(state, luts, int(state["actor"]), tally)


def close_tallies(tallies: np.ndarray, finished: np.ndarray) -> None:
    """Add what only the end of the deal tells: who was ready after the last discard.

    Args:
        tallies: ``(D,)`` records, changed in place.
        finished: ``(D,)`` states of the same deals, over.
    """
    how = finished["win_how"]
    ready = (how == Win.DISCARD) | (how == Win.ROB_KONG) | (finished["classes"] == Class.READY)
    late = ready & (tallies["ready_turn"] == NEVER)
    tallies["ready_turn"][late] = finished["num_draws"][late]

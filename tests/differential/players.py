"""Compiled players for the comparison: between them they bring every situation about.

None of them is meant to be good. They see the whole state, since they are no agents but a way to
choose among legal actions.
"""

from enum import IntEnum

import numpy as np

from mjenv.core.batch import only_action, random_action
from mjenv.core.kernel import kernel
from mjenv.core.rng import below
from mjenv.sichuan.actions import DISCARD_0, KONG, OWN_KONG_0, PASS, PUNG, QUIT, VOID_0, WIN
from mjenv.sichuan.hand import add_tile, deficiency, meld_suits, remove_tile
from mjenv.sichuan.settlement import wall_count
from mjenv.sichuan.state import NUM_KINDS, Phase

LAST_TILES = 4
NUM_SUITS = 3
NUM_RANKS = 9


class Style(IntEnum):
    """How a seat chooses."""

    UNIFORM = 0  # anything
    TIDY = 1  # drops its rarest suit and lonely tiles, takes most wins, kongs and pungs
    SHARP = 2  # as TIDY, but discards so that the deficiency stays least
    PATIENT = 3  # as SHARP, but lets most wins go by unless it robs a kong
    LEAVER = 4  # as SHARP, but wins seldom and leaves near the end


@kernel
def choose(state: np.void, mask: np.ndarray, style: int, luts: np.ndarray, rng: np.ndarray) -> int:
    """An action of the menu for the acting seat."""
    only = only_action(mask)
    if only >= 0:
        return only
    if style == Style.UNIFORM:
        return random_action(mask, rng)
    if mask[WIN] and _takes_win(state, style, rng):
        return WIN
    near_end = wall_count(state) <= LAST_TILES
    if style == Style.LEAVER and mask[QUIT] and near_end and below(rng, 2) == 0:
        return QUIT
    claim = _claim(mask, rng)
    if claim >= 0 and below(rng, 10) < 7:
        return claim
    if mask[PASS]:
        return PASS
    if state["phase"] == Phase.VOID:
        return _rarest_suit(state, mask)
    discard = _discard(state, mask, style, luts, rng)
    return discard if discard >= 0 else random_action(mask, rng)


@kernel
def _takes_win(state: np.void, style: int, rng: np.ndarray) -> bool:
    waits = style == Style.PATIENT or style == Style.LEAVER
    if waits and state["phase"] != Phase.ROB:
        return below(rng, 10) < 2
    return below(rng, 10) > 0


@kernel
def _claim(mask: np.ndarray, rng: np.ndarray) -> int:
    """A kong or pung of the menu, each equally likely, or -1."""
    count, chosen = 0, -1
    for action in range(mask.shape[0]):
        own_kong = OWN_KONG_0 <= action < OWN_KONG_0 + NUM_KINDS
        if mask[action] and (own_kong or action in (PUNG, KONG)):
            count += 1
            if below(rng, count) == 0:
                chosen = action
    return chosen


@kernel
def _suit_total(state: np.void, seat: int, suit: int) -> int:
    total = 0
    for kind in range(NUM_RANKS * suit, NUM_RANKS * (suit + 1)):
        total += int(state["hand"][seat, kind])
    return total


@kernel
def _rarest_suit(state: np.void, mask: np.ndarray) -> int:
    best, chosen = 99, -1
    for suit in range(NUM_SUITS):
        total = _suit_total(state, int(state["actor"]), suit)
        if mask[VOID_0 + suit] and total < best:
            best, chosen = total, VOID_0 + suit
    return chosen


@kernel
def _worth(state: np.void, seat: int, kind: int) -> int:
    """Tiles of the same suit count most, then copies, then neighbours."""
    suit = kind // NUM_RANKS
    worth = _suit_total(state, seat, suit) + 3 * int(state["hand"][seat, kind])
    for near in range(max(kind - 2, NUM_RANKS * suit), min(kind + 3, NUM_RANKS * (suit + 1))):
        worth += int(state["hand"][seat, near])
    return worth


@kernel
def _missing_after(state: np.void, seat: int, kind: int, luts: np.ndarray) -> int:
    """Deficiency without one tile of ``kind``."""
    remove_tile(state, seat, kind)
    keys = state["suit_key"][seat]
    num_melds = int(state["num_melds"][seat])
    missing = deficiency(
        int(keys[0]),
        int(keys[1]),
        int(keys[2]),
        num_melds,
        meld_suits(state["meld_kind"][seat], num_melds),
        int(state["void_suit"][seat]),
        luts,
    )
    add_tile(state, seat, kind)
    return missing


@kernel
def _discard(
    state: np.void, mask: np.ndarray, style: int, luts: np.ndarray, rng: np.ndarray
) -> int:
    """The kind of least worth, of equal ones any; SHARP seats look at the deficiency first."""
    seat = int(state["actor"])
    looks_ahead = style != Style.TIDY and state["phase"] == Phase.TURN
    best, chosen, ties = 1 << 20, -1, 0
    for kind in range(NUM_KINDS):
        if not mask[DISCARD_0 + kind]:
            continue
        value = _worth(state, seat, kind)
        if looks_ahead:
            value += 1000 * _missing_after(state, seat, kind, luts)
        ties = ties + 1 if value == best else 1
        if value < best or (value == best and below(rng, ties) == 0):
            best, chosen = value, DISCARD_0 + kind
    return chosen

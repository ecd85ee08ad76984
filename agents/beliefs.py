"""What the others are likely to hold, as worlds for search.

Worlds that are drawn uniformly from all that a seat cannot tell apart are kinder than real ones: in
them the others hold any tiles, in real ones they have kept good tiles and discarded bad ones. A
search that believes them lets wins go by and waits for more.

:data:`LIKELY` draws such a world first. Then every other hand plays by itself for as long as it has
been played: as often as its seat has drawn, it takes a tile from the wall and lays one back, of
those whose loss leaves it closest to a win, void tiles first. Nothing that the seat knows is
changed.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.rng import below
from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.claims import offer_to
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import add_tile, deficiency, meld_suits, remove_tile, suit_of
from mjenv.sichuan.hidden import redeal_hidden, redraw_past
from mjenv.sichuan.known import mark_known
from mjenv.sichuan.settlement import is_active
from mjenv.sichuan.state import NUM_KINDS, NUM_SEATS, Offer, Phase

_MUCH = 99


@kernel
def _left_without(state: np.void, luts: np.ndarray, seat: int, kind: int) -> int:
    """Deficiency of a hand that has lost a tile; 0 for a void tile, which is of no use."""
    if suit_of(kind) == state["void_suit"][seat]:
        return 0
    remove_tile(state, seat, kind)
    melds = int(state["num_melds"][seat])
    left = deficiency(
        int(state["suit_key"][seat, 0]),
        int(state["suit_key"][seat, 1]),
        int(state["suit_key"][seat, 2]),
        melds,
        meld_suits(state["meld_kind"][seat], melds),
        int(state["void_suit"][seat]),
        luts,
    )
    add_tile(state, seat, kind)
    return left


@kernel
def _draw_and_lay_back(
    state: np.void, luts: np.ndarray, seat: int, known: np.ndarray, rng: np.ndarray
) -> None:
    """Exchange a tile of a hand for one of the wall, or none; ties go to chance."""
    first = int(state["wall_next"])
    left_in_wall = int(state["wall_end"]) - first
    if left_in_wall == 0:
        return
    place = first + below(rng, left_in_wall)
    add_tile(state, seat, int(state["wall"][place]))
    chosen, least, ties = NO_TILE, _MUCH, 0
    for kind in range(NUM_KINDS):
        if state["hand"][seat, kind] <= known[seat, kind]:
            continue
        left = _left_without(state, luts, seat, kind)
        if left < least:
            least, ties = left, 0
        if left == least:
            ties += 1
            if below(rng, ties) == 0:
                chosen = kind
    remove_tile(state, seat, chosen)
    state["wall"][place] = chosen


@kernel
def _offer_again(state: np.void, rules: np.void, luts: np.ndarray, seat: int) -> None:
    """Menus of the others in an open question, with their new hands."""
    if state["phase"] != Phase.CLAIM and state["phase"] != Phase.ROB:
        return
    for other in range(NUM_SEATS):
        if other == seat or other == state["claim_from"]:
            continue
        state["offer"][other] = offer_to(state, rules, luts, other)
        if state["offer"][other] == 0 and state["actor"] == other:
            state["offer"][other] = Offer.NOTHING


@kernel
def likely_world(
    state: np.void, rules: np.void, luts: np.ndarray, seat: int, rng: np.ndarray
) -> None:
    """Turn ``state`` into a likely world whose view for ``seat`` is the same.

    Takes the place of ``redeal`` in the contract of a game: the menu of ``seat`` stays the same
    too, and ``rng`` is the only source of chance.
    """
    redeal_hidden(state, rules, luts, seat, rng)
    known = np.zeros((NUM_SEATS, NUM_KINDS), np.int64)
    mark_known(state, seat, known)
    for k in range(1, NUM_SEATS):
        other = (seat + k) % NUM_SEATS
        # The tile just drawn, and that of a kong to be robbed, stay where they are.
        holds = state["turn"] == other and state["drawn"] != NO_TILE
        robbed = state["phase"] == Phase.ROB and state["claim_from"] == other
        if holds or robbed or not is_active(state, other):
            continue
        for _ in range(int(state["num_draws"][other])):
            _draw_and_lay_back(state, luts, other, known, rng)
    redraw_past(state, seat, rng)
    _offer_again(state, rules, luts, seat)


LIKELY = SICHUAN.redeal.like(likely_world)
"""For ``mjenv.rollout(..., redeal=LIKELY)``."""

"""Where the 108 tiles of a position are: none missing, none twice, hands of the right size."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from mjenv.core.tiles import COPIES, tile_text
from mjenv.sichuan.hand import suit_of
from mjenv.sichuan.history import fates
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import (
    FIRST_DRAW,
    HAND_SIZE,
    NO_SEAT,
    NUM_KINDS,
    NUM_SEATS,
    NUM_TILES,
    Claim,
    Meld,
    Phase,
    Win,
)

SEATS = range(NUM_SEATS)
_TILES_OF = {
    Meld.PUNG: 3,
    Meld.DIRECT_KONG: COPIES,
    Meld.ADDED_KONG: COPIES,
    Meld.CONCEALED_KONG: COPIES,
}


def melds_of(state: np.void, seat: int) -> list[tuple[Meld, int, int]]:
    """Type, kind and source of the melds of a seat."""
    number = int(state["num_melds"][seat])
    rows = (state[name][seat, :number].tolist() for name in ("meld_type", "meld_kind", "meld_from"))
    return [(Meld(meld), kind, source) for meld, kind, source in zip(*rows, strict=True)]


def discards_of(state: np.void) -> list[tuple[int, int, Claim, int]]:
    """Kind, seat, claim and claimer of all discards."""
    kinds = state["discard_kind"][: int(state["num_discards"])].tolist()
    return [(kind, *fate) for kind, fate in zip(kinds, fates(state), strict=True)]


def win_events(state: np.void, how: Win) -> Counter[tuple[int, int]]:
    """Tile and source of the win events of one way to win."""
    events = {
        int(state["win_order"][seat]): (int(state["win_tile"][seat]), int(state["win_from"][seat]))
        for seat in SEATS
        if state["win_order"][seat] > 0 and state["win_how"][seat] == how
    }
    return Counter(events.values())


def check_wall(state: np.void, rules: Rules) -> Iterator[str]:
    """Four of each kind in the whole wall, drawn tiles included."""
    counts = np.bincount(state["wall"], minlength=NUM_KINDS)
    for kind in range(NUM_KINDS):
        if counts[kind] != COPIES:
            yield f"past, wall: {counts[kind]} tiles {tile_text(kind)} in all, must be {COPIES}"


def check_tiles(state: np.void, rules: Rules) -> Iterator[str]:
    """Four of each kind over wall, hands, melds, rivers and what winners took."""
    counts = Counter(state["wall"][int(state["wall_next"]) : int(state["wall_end"])].tolist())
    for seat in SEATS:
        counts.update(dict(enumerate(state["hand"][seat].tolist())))
        for meld, kind, _ in melds_of(state, seat):
            counts[kind] += _TILES_OF[meld]
        if state["phase"] == Phase.EXCHANGE:
            counts.update(state["given"][seat, : int(state["num_given"][seat])].tolist())
    counts.update(
        kind for kind, _, claim, _ in discards_of(state) if claim in (Claim.NONE, Claim.WIN)
    )
    for (tile, _), number in win_events(state, Win.ROB_KONG).items():
        counts[tile] += number
    for kind in range(NUM_KINDS):
        if counts[kind] != COPIES:
            yield (
                f"{counts[kind]} tiles {tile_text(kind)} in wall, hands, melds and river together, "
                f"must be {COPIES}"
            )


def check_hands(state: np.void, rules: Rules) -> Iterator[str]:
    """Thirteen tiles less three for each meld, one more for the seat to play."""
    phase = Phase(int(state["phase"]))
    for seat in SEATS:
        size = HAND_SIZE - 3 * int(state["num_melds"][seat])
        to_play = {
            Phase.EXCHANGE: state["dealer"],
            Phase.VOID: state["dealer"],
            Phase.TURN: state["turn"],
            Phase.ROB: state["claim_from"],
            Phase.OVER: state["left_seat"],
        }.get(phase, NO_SEAT)
        if seat == to_play or state["win_how"][seat] == Win.SELF_DRAW:
            size += 1
        held = int(state["hand"][seat].sum())
        if phase == Phase.EXCHANGE:
            size -= int(state["num_given"][seat])
        if held != size:
            yield f"hands: seat {seat} holds {held} tiles, must hold {size}"


def check_draws(state: np.void, rules: Rules) -> Iterator[str]:
    """Tiles that have left the wall were drawn."""
    back = NUM_TILES - int(state["wall_end"])
    gone = int(state["wall_next"]) - FIRST_DRAW + back
    drawn = int(state["num_draws"].sum())
    if state["wall_next"] < FIRST_DRAW:
        yield f"past: {state['wall_next']} tiles, but {FIRST_DRAW} are dealt"
    elif drawn != gone:
        yield f"draws: {drawn} in all, but {gone} tiles have left the wall"
    if back and rules.kong_draw_end != "back":
        yield "past: tiles were drawn from the end, but kong_draw_end is front"


def check_melds(state: np.void, rules: Rules) -> Iterator[str]:
    """One meld of a kind, from somebody else unless concealed, none of the void suit."""
    for seat in SEATS:
        melds = melds_of(state, seat)
        kinds = [kind for _, kind, _ in melds]
        for kind in sorted({kind for kind in kinds if kinds.count(kind) > 1}):
            yield f"melds: seat {seat} has two of {tile_text(kind)}"
        for meld, kind, source in melds:
            if (source == seat) != (meld == Meld.CONCEALED_KONG):
                yield (
                    f"melds: {meld.name.lower()} of {tile_text(kind)} of seat {seat} comes from "
                    f"seat {source}"
                )
            if suit_of(kind) == state["void_suit"][seat]:
                yield f"melds: seat {seat} has a meld of its void suit, {tile_text(kind)}"


def check_river(state: np.void, rules: Rules) -> Iterator[str]:
    """Claimed discards are in melds, or somebody won on them."""
    river = discards_of(state)
    claimed = Counter(
        (kind, seat, by) for kind, seat, claim, by in river if claim in (Claim.PUNG, Claim.KONG)
    )
    melded = Counter(
        (kind, source, seat)
        for seat in SEATS
        for meld, kind, source in melds_of(state, seat)
        if meld != Meld.CONCEALED_KONG
    )
    for kind, source, seat in sorted((claimed - melded).elements()):
        yield f"river: seat {seat} claimed {tile_text(kind)} of seat {source}, but has no such meld"
    for kind, source, seat in sorted((melded - claimed).elements()):
        yield f"melds: {tile_text(kind)} of seat {seat} was never discarded by seat {source}"
    won = Counter((kind, seat) for kind, seat, claim, _ in river if claim == Claim.WIN)
    if won != win_events(state, Win.DISCARD):
        yield "river, wins: the discards that were won on are not those of the wins"
    if any(seat == by for _, seat, _, by in river):
        yield "river: a seat cannot claim its own discard"

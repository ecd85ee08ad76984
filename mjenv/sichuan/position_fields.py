"""The fields of a position: name, how it is written and read, default."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.events import MAX_EVENTS
from mjenv.sichuan.position_parts import (
    read_answer,
    read_class,
    read_deeds,
    read_hand,
    read_ledger,
    read_melds,
    read_offer,
    read_past,
    read_question,
    read_river,
    read_turn_kongs,
    read_void,
    read_wall,
    read_win,
    write_answer,
    write_class,
    write_deeds,
    write_hand,
    write_ledger,
    write_melds,
    write_offer,
    write_past,
    write_question,
    write_river,
    write_turn_kongs,
    write_void,
    write_wall,
    write_win,
)
from mjenv.sichuan.position_values import (
    MAX_FAN_CELL,
    NOTHING,
    maybe_tile_text,
    member_text,
    ordered_text,
    read_maybe_seat,
    read_member,
    read_number,
    read_seat,
    read_tile,
    read_tiles,
    seat_text,
)
from mjenv.sichuan.state import EXCHANGE_SIZE, NUM_DRAWS, NUM_SEATS, Direction, End, Phase

_MAX_SEED = 2**53 - 1
_MAX_DECISIONS = 2**15 - 1


@dataclass(frozen=True)
class PositionField:
    """One field of a position.

    Attributes:
        write: Text of its part of a state.
        read: Sets that part of a state from a text, or raises ValueError.
        default: Text it has when it is left out; empty if that follows from other fields.
    """

    write: Callable[[np.void], str]
    read: Callable[[np.void, str], None]
    default: str = ""


# ------------------------------------------------------------------------------- one number each


def _one(
    name: str, write: Callable[[int], str], read: Callable[[str], int], default: str = ""
) -> PositionField:
    """A field that is one number of the state."""

    def put(state: np.void, text: str) -> None:
        if text:
            state[name] = read(text)

    return PositionField(lambda state: write(int(state[name])), put, default)


def _whole(name: str, low: int, high: int, default: str = "0") -> PositionField:
    return _one(name, str, lambda text: read_number(text, low, high), default)


def _named(name: str, members: type[IntEnum], default: str) -> PositionField:
    return _one(
        name,
        lambda number: member_text(members, number),
        lambda text: read_member(members, text),
        default,
    )


def _phase(text: str) -> int:
    names = [phase.name for phase in Phase if phase != Phase.WAIT]
    if text not in names:
        raise ValueError(f"{text!r} is none of {', '.join(names)}")
    return int(Phase[text])


# ------------------------------------------------------------------------------ one value a seat


def _four(
    write: Callable[[np.void, int], str], read: Callable[[np.void, int, str], None], default: str
) -> PositionField:
    """A field with a value for each seat; ``default`` is that of one seat."""

    def put(state: np.void, text: str) -> None:
        parts = text.split("/")
        if len(parts) != NUM_SEATS:
            raise ValueError(f"{text!r} has {len(parts)} parts, one for each of the 4 seats wanted")
        for seat, part in enumerate(parts):
            read(state, seat, part)

    return PositionField(
        lambda state: "/".join(write(state, seat) for seat in range(NUM_SEATS)),
        put,
        "/".join([default] * NUM_SEATS) if default else "",
    )


def _four_whole(name: str, high: int) -> PositionField:
    def read(state: np.void, seat: int, text: str) -> None:
        state[name][seat] = read_number(text, 0, high)

    return _four(lambda state, seat: str(state[name][seat]), read, "0")


def _three(name: str) -> PositionField:
    """Tiles given or received in the exchange."""

    def write(state: np.void, seat: int) -> str:
        return ordered_text([kind for kind in state[name][seat].tolist() if kind != NO_TILE])

    def read(state: np.void, seat: int, text: str) -> None:
        kinds = read_tiles(text)
        if len(kinds) > EXCHANGE_SIZE:
            raise ValueError(f"{text!r} is more than {EXCHANGE_SIZE} tiles")
        state[name][seat, : len(kinds)] = kinds
        if name == "given":
            state["num_given"][seat] = len(kinds)

    return _four(write, read, NOTHING)


FIELDS: dict[str, PositionField] = {
    "phase": _one("phase", lambda number: Phase(number).name, _phase),
    "actor": _one("actor", seat_text, read_maybe_seat),
    "dealer": _one("dealer", str, read_seat),
    "turn": _one("turn", str, read_seat),
    "drawn": _one("drawn", maybe_tile_text, read_tile, NOTHING),
    "replacement": _whole("replacement", 0, 1),
    "must_discard": _whole("must_discard", 0, 1),
    "hands": _four(write_hand, read_hand, ""),
    "melds": _four(write_melds, read_melds, NOTHING),
    "void": _four(write_void, read_void, NOTHING),
    "river": PositionField(write_river, read_river, NOTHING),
    "deeds": PositionField(write_deeds, read_deeds, NOTHING),
    "kong_discard": _whole("kong_discard", 0, 1),
    "turn_kongs": PositionField(write_turn_kongs, read_turn_kongs, NOTHING),
    "question": PositionField(write_question, read_question, NOTHING),
    "offers": _four(write_offer, read_offer, NOTHING),
    "answers": _four(write_answer, read_answer, NOTHING),
    "locks": _four_whole("lock_fan", MAX_FAN_CELL),
    "wins": _four(write_win, read_win, NOTHING),
    "end": _named("end_reason", End, "none"),
    "classes": _four(write_class, read_class, NOTHING),
    "left": _one("left_seat", seat_text, read_maybe_seat, NOTHING),
    "ledger": _four(write_ledger, read_ledger, NOTHING),
    "direction": _named("direction", Direction, "next"),
    "given": _three("given"),
    "received": _three("received"),
    "draws": _four_whole("num_draws", NUM_DRAWS),
    "seed": _whole("seed", 0, _MAX_SEED),
    "deal": _whole("deal", 0, _MAX_SEED),
    "decisions": _four_whole("num_decisions", _MAX_DECISIONS),
    "events": _whole("num_events", 0, MAX_EVENTS),
    "past": PositionField(write_past, read_past),
    "wall": PositionField(write_wall, read_wall),
}
"""Every field but ``rules``, in the order they are written and read: ``past`` before ``wall``."""

NEEDED = ("phase", "actor", "dealer", "hands", "wall")
"""Fields without a default."""

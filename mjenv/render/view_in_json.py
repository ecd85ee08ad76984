"""A view as readable JSON, in the words of records: what programs in other languages are told.

Everything that a view holds is in it. Points are points, as in records, not units.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mjenv.core.tiles import NO_TILE, SUITS, tile_text
from mjenv.sichuan.history import deeds, fates
from mjenv.sichuan.log import (
    CLASSES,
    DIRECTIONS,
    ENDS,
    KONG_KINDS,
    WINS,
    extra_fans,
    pattern_names,
)
from mjenv.sichuan.state import (
    NO_SEAT,
    NO_SUIT,
    NUM_KINDS,
    NUM_SEATS,
    Claim,
    Deed,
    Ledger,
    Meld,
    Phase,
    Win,
)

Json = dict[str, Any]
Discard = tuple[int, tuple[int, Claim, int]]
"""Kind, seat, claim and claimer."""
_LEDGER = tuple(column.name.lower() for column in Ledger)


def view_in_json(view: np.void, base_points: int) -> Json:
    """What one seat may know.

    Args:
        view: A ``VIEW``.
        base_points: Points of one unit.
    """
    discards = list(zip(view["discard_kind"].tolist(), fates(view), strict=False))
    return {
        "seat": int(view["seat"]),
        "phase": Phase(int(view["phase"])).name,
        "tile": _tile(view["claim_tile"]),
        "from": _seat_or_none(view["claim_from"]),
        "hand": _hand(view["hand"].tolist()),
        "drawn": _tile(view["drawn"]),
        "replacement": bool(view["replacement"]),
        "must_discard": bool(view["must_discard"]),
        "pass_lock": int(view["lock_fan"]),
        "exchange": _exchange(view),
        "dealer": int(view["dealer"]),
        "turn": int(view["turn"]),
        "wall": int(view["wall_count"]),
        "kong_discard": bool(view["kong_discard"]),
        "seats": _seats(view, discards, base_points),
        "events": list(_events(view, discards)),
        "end": ENDS[view["end_reason"]] if view["end_reason"] else None,
        "left": _seat_or_none(view["left_seat"]),
    }


def _tile(kind: int) -> str | None:
    return None if kind == NO_TILE else tile_text(int(kind))


def _tiles(kinds: np.ndarray) -> list[str]:
    """Tiles of an array that is filled up with none."""
    return [tile_text(kind) for kind in kinds.tolist() if kind != NO_TILE]


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NO_SEAT else int(seat)


def _hand(counts: list[int]) -> list[str]:
    """Tiles by how many there are of each kind."""
    return [tile_text(kind) for kind in range(NUM_KINDS) for _ in range(counts[kind])]


def _exchange(view: np.void) -> Json | None:
    """Tiles given and received; None where nothing was given."""
    given, direction = _tiles(view["given"]), int(view["direction"])
    if not given:
        return None
    return {
        "given": given,
        "received": _tiles(view["received"]),
        "direction": DIRECTIONS[direction] if direction >= 0 else None,
    }


# ----------------------------------------------------------------------------------------- seats


def _seats(view: np.void, discards: list[Discard], base: int) -> list[Json]:
    sizes, draws, order = (view[name].tolist() for name in ("hand_size", "num_draws", "win_order"))
    suits, classes = view["void_suit"].tolist(), view["classes"].tolist()
    units, ledger = view["points"].tolist(), view["ledger"].tolist()
    rivers = _rivers(discards)
    return [
        {
            "void": None if suits[seat] == NO_SUIT else SUITS[suits[seat]],
            "hand_size": sizes[seat],
            "draws": draws[seat],
            "melds": list(_melds(view, seat, base)),
            "river": rivers[seat],
            "won": order[seat] or None,
            "points": units[seat] * base,
            "ledger": {
                name: units * base
                for name, units in zip(_LEDGER, ledger[seat], strict=True)
                if units != 0
            },
            "class": CLASSES[classes[seat]] if classes[seat] else None,
        }
        for seat in range(NUM_SEATS)
    ]


def _rivers(discards: list[Discard]) -> list[list[str]]:
    """Discards of each seat that nobody took."""
    rivers: list[list[str]] = [[] for _ in range(NUM_SEATS)]
    for kind, (seat, claim, _) in discards:
        if claim == Claim.NONE:
            rivers[seat].append(tile_text(kind))
    return rivers


def _melds(view: np.void, seat: int, base: int) -> Iterator[Json]:
    """Melds as the events of records name them; of a kong also who paid for it."""
    for index in range(int(view["num_melds"][seat])):
        meld = Meld(int(view["meld_type"][seat, index]))
        told: Json = {
            "type": "pung" if meld == Meld.PUNG else "kong",
            "tile": tile_text(int(view["meld_kind"][seat, index])),
        }
        if meld != Meld.PUNG:
            told["kind"] = KONG_KINDS[meld]
        if meld != Meld.CONCEALED_KONG:
            told["from"] = int(view["meld_from"][seat, index])
        if meld != Meld.PUNG:
            told["paid"] = [units * base for units in view["kong_paid"][seat, index].tolist()]
            told["transferred"] = bool(view["kong_transferred"][seat, index])
        yield told


# ---------------------------------------------------------------------------------------- events


def _events(view: np.void, discards: list[Discard]) -> Iterator[Json]:
    """Discards, melds and wins in their order; draws, of which nobody sees the tile, left out."""
    declared = deeds(view)
    wins = done = 0
    for number in range(len(discards) + 1):
        while done < len(declared) and declared[done][0] <= number:
            deed, seat, meld = declared[done][1:]
            done += 1
            if deed in (Deed.CONCEALED_KONG, Deed.ADDED_KONG):
                yield _kong(view, deed, seat, meld)
                continue
            wins += 1
            yield from _wins(view, wins, seat)
        if number == len(discards):
            return
        kind, (seat, claim, claimer) = discards[number]
        tile = tile_text(kind)
        yield {"type": "discard", "seat": seat, "tile": tile}
        if claim == Claim.PUNG:
            yield {"type": "pung", "seat": claimer, "tile": tile, "from": seat}
        elif claim == Claim.KONG:
            kong = {"type": "kong", "seat": claimer, "tile": tile, "kind": "direct"}
            yield {**kong, "from": seat}
        elif claim == Claim.WIN:
            wins += 1
            yield from _wins(view, wins, seat)


def _kong(view: np.void, deed: Deed, seat: int, meld: int) -> Json:
    return {
        "type": "kong",
        "seat": seat,
        "tile": tile_text(int(view["meld_kind"][seat, meld])),
        "kind": "concealed" if deed == Deed.CONCEALED_KONG else "added",
    }


def _wins(view: np.void, order: int, source: int) -> Iterator[Json]:
    """The wins of one moment, in play order from the seat whose tile it was."""
    for k in range(NUM_SEATS):
        seat = (source + k) % NUM_SEATS
        if view["win_order"][seat] != order:
            continue
        how = Win(int(view["win_how"][seat]))
        yield {
            "type": "win",
            "seat": seat,
            "how": WINS[how],
            "from": None if how == Win.SELF_DRAW else int(view["win_from"][seat]),
            "tile": _tile(view["win_tile"][seat]),
            "patterns": pattern_names(int(view["win_patterns"][seat])),
            "extras": extra_fans(view["win_extras"][seat].tolist()),
            "fan": int(view["win_fan"][seat]),
        }

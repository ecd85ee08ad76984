"""The parts of a table that take more than one value, written in positions and read back.

Reading raises ValueError.
"""

import re

import numpy as np

from mjenv.core.tiles import NO_TILE, SUITS, parse_tile, tile_text
from mjenv.errors import IllegalActionError
from mjenv.sichuan.actions import KONG, PASS, PUNG, WIN, action_text, parse_action
from mjenv.sichuan.history import deeds, fate_of, fates, packed_deed
from mjenv.sichuan.patterns import EXTRA_NAMES, PATTERN_NAMES
from mjenv.sichuan.position_values import (
    MAX_FAN_CELL,
    NOTHING,
    maybe_tile_text,
    member_text,
    ordered_text,
    read_member,
    read_number,
    read_seat,
    read_tile,
    read_tiles,
)
from mjenv.sichuan.state import (
    MAX_DEEDS,
    MAX_DISCARDS,
    MAX_MELDS,
    NO_ANSWER,
    NO_SEAT,
    NO_SUIT,
    NUM_DRAWS,
    NUM_KINDS,
    NUM_TILES,
    Claim,
    Class,
    Deed,
    Ledger,
    Meld,
    Offer,
    Win,
)

_MAX_UNITS = 2**31 - 1
_MAX_HAND = 14


def write_hand(state: np.void, seat: int) -> str:
    """Concealed tiles."""
    counts = state["hand"][seat].tolist()
    return ordered_text([kind for kind in range(NUM_KINDS) for _ in range(counts[kind])])


def read_hand(state: np.void, seat: int, text: str) -> None:
    """The inverse of :func:`write_hand`."""
    kinds = read_tiles(text)
    if len(kinds) > _MAX_HAND:
        raise ValueError(f"seat {seat} holds {len(kinds)} tiles, no more than {_MAX_HAND} fit")
    state["hand"][seat] = np.bincount(np.array(kinds, np.int64), minlength=NUM_KINDS)


def write_void(state: np.void, seat: int) -> str:
    """Void suit."""
    suit = int(state["void_suit"][seat])
    return NOTHING if suit == NO_SUIT else SUITS[suit]


def read_void(state: np.void, seat: int, text: str) -> None:
    """The inverse of :func:`write_void`."""
    if text != NOTHING and (len(text) != 1 or text not in SUITS):
        raise ValueError(f"{text!r} is no suit; suits are {', '.join(SUITS)}")
    state["void_suit"][seat] = NO_SUIT if text == NOTHING else SUITS.index(text)


_MELD_NAMES = {
    Meld.PUNG: "pung",
    Meld.DIRECT_KONG: "kong_direct",
    Meld.ADDED_KONG: "kong_added",
    Meld.CONCEALED_KONG: "kong_concealed",
}
_MELD_TYPES = {name: meld for meld, name in _MELD_NAMES.items()}
_MELD = re.compile(r"([a-z_]+):([^<$*]+)(?:<([0-3]))?(?:\$([0-9]{4}))?([*]?)")
_MELD_FORM = "pung:5m<0 or kong_added:5m<0$1101 (units paid by each seat; * if transferred)"


def write_melds(state: np.void, seat: int) -> str:
    """Melds, who they are from and what was collected for kongs."""
    words = []
    for meld in range(int(state["num_melds"][seat])):
        word = f"{_MELD_NAMES[Meld(int(state['meld_type'][seat, meld]))]}"
        word += f":{tile_text(int(state['meld_kind'][seat, meld]))}"
        source = int(state["meld_from"][seat, meld])
        paid = state["kong_paid"][seat, meld].tolist()
        word += f"<{source}" if source != seat else ""
        word += "$" + "".join(map(str, paid)) if any(paid) else ""
        words.append(word + ("*" if state["kong_transferred"][seat, meld] else ""))
    return ",".join(words) or NOTHING


def read_melds(state: np.void, seat: int, text: str) -> None:
    """The inverse of :func:`write_melds`."""
    words = [] if text == NOTHING else text.split(",")
    if len(words) > MAX_MELDS:
        raise ValueError(f"seat {seat} has {len(words)} melds, no more than {MAX_MELDS} fit")
    state["num_melds"][seat] = len(words)
    for meld, word in enumerate(words):
        match = _MELD.fullmatch(word)
        if match is None or match[1] not in _MELD_TYPES:
            raise ValueError(f"{word!r} is no meld; melds are written {_MELD_FORM}")
        state["meld_type"][seat, meld] = _MELD_TYPES[match[1]]
        state["meld_kind"][seat, meld] = parse_tile(match[2], NUM_KINDS)
        state["meld_from"][seat, meld] = seat if match[3] is None else int(match[3])
        state["kong_paid"][seat, meld] = [int(digit) for digit in match[4] or "0000"]
        state["kong_transferred"][seat, meld] = match[5] == "*"


_WIN = re.compile(r"([1-3]):([a-z_]+)(?:<([0-3]))?:([^:]+):([0-9]+):([^:]+):([^:]+)")
_WIN_FORM = "1:discard<0:5p:3:ping_hu+qi_dui:gen*1 (order, how, tile, fan, patterns, extras)"


def write_win(state: np.void, seat: int) -> str:
    """How a seat has won."""
    if state["win_order"][seat] == 0:
        return NOTHING
    source = int(state["win_from"][seat])
    bits = int(state["win_patterns"][seat])
    patterns = [name for number, name in enumerate(PATTERN_NAMES) if bits >> number & 1]
    fans = state["win_extras"][seat].tolist()
    extras = [f"{name}*{fan}" for name, fan in zip(EXTRA_NAMES, fans, strict=True) if fan]
    return ":".join(
        [
            str(state["win_order"][seat]),
            member_text(Win, int(state["win_how"][seat]))
            + ("" if source == NO_SEAT else f"<{source}"),
            maybe_tile_text(int(state["win_tile"][seat])),
            str(state["win_fan"][seat]),
            "+".join(patterns) or NOTHING,
            "+".join(extras) or NOTHING,
        ]
    )


def read_win(state: np.void, seat: int, text: str) -> None:
    """The inverse of :func:`write_win`."""
    if text == NOTHING:
        return
    match = _WIN.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no win; wins are written {_WIN_FORM}")
    state["win_order"][seat] = int(match[1])
    state["win_how"][seat] = read_member(Win, match[2])
    state["win_from"][seat] = NO_SEAT if match[3] is None else int(match[3])
    state["win_tile"][seat] = read_tile(match[4])
    state["win_fan"][seat] = read_number(match[5], 1, MAX_FAN_CELL)
    bits = 0
    for name in match[6].split("+") if match[6] != NOTHING else []:
        if name not in PATTERN_NAMES:
            raise ValueError(f"{name!r} is no pattern; patterns are {', '.join(PATTERN_NAMES)}")
        bits |= 1 << PATTERN_NAMES.index(name)
    state["win_patterns"][seat] = bits
    for item in match[7].split("+") if match[7] != NOTHING else []:
        name, _, fan = item.partition("*")
        if name not in EXTRA_NAMES:
            raise ValueError(f"{name!r} is no extra; extras are {', '.join(EXTRA_NAMES)}")
        state["win_extras"][seat, EXTRA_NAMES.index(name)] = read_number(fan, 1, MAX_FAN_CELL)


def write_offer(state: np.void, seat: int) -> str:
    """What a seat may answer."""
    bits = int(state["offer"][seat])
    return "+".join(offer.name.lower() for offer in Offer if bits & offer) or NOTHING


def read_offer(state: np.void, seat: int, text: str) -> None:
    """The inverse of :func:`write_offer`."""
    bits = 0
    for name in text.split("+") if text != NOTHING else []:
        bits |= read_member(Offer, name)
    state["offer"][seat] = bits


def write_answer(state: np.void, seat: int) -> str:
    """What a seat has answered."""
    answer = int(state["answer"][seat])
    return NOTHING if answer == NO_ANSWER else action_text(answer)


def read_answer(state: np.void, seat: int, text: str) -> None:
    """The inverse of :func:`write_answer`."""
    if text == NOTHING:
        return
    try:
        answer = parse_action(text)
    except IllegalActionError:
        answer = NO_ANSWER
    if answer not in (PUNG, KONG, WIN, PASS):
        raise ValueError(f"{text!r} is no answer; answers are pung, kong, win, pass")
    state["answer"][seat] = answer


def write_ledger(state: np.void, seat: int) -> str:
    """Units by column."""
    row = state["ledger"][seat].tolist()
    return ",".join(f"{column.name.lower()}:{row[column]}" for column in Ledger if row[column]) or (
        NOTHING
    )


def read_ledger(state: np.void, seat: int, text: str) -> None:
    """The inverse of :func:`write_ledger`."""
    for item in text.split(",") if text != NOTHING else []:
        name, _, units = item.partition(":")
        state["ledger"][seat, read_member(Ledger, name)] = read_number(
            units, -_MAX_UNITS, _MAX_UNITS
        )


def write_class(state: np.void, seat: int) -> str:
    """Class at the end."""
    number = int(state["classes"][seat])
    return NOTHING if number == Class.NONE else member_text(Class, number)


def read_class(state: np.void, seat: int, text: str) -> None:
    """The inverse of :func:`write_class`."""
    state["classes"][seat] = Class.NONE if text == NOTHING else read_member(Class, text)


# ------------------------------------------------------------------------------------- sequences

_DISCARD = re.compile(r"([^<>]+)<([0-3])(?:>([a-z]+):([0-3]))?")


def write_river(state: np.void) -> str:
    """Discards of all seats in order, and who claimed them."""
    words = []
    for i, (seat, claim, claimer) in enumerate(fates(state)):
        word = f"{tile_text(int(state['discard_kind'][i]))}<{seat}"
        if claim != Claim.NONE:
            word += f">{member_text(Claim, claim)}:{claimer}"
        words.append(word)
    return ",".join(words) or NOTHING


def read_river(state: np.void, text: str) -> None:
    """The inverse of :func:`write_river`."""
    words = [] if text == NOTHING else text.split(",")
    if len(words) > MAX_DISCARDS:
        raise ValueError(f"{len(words)} discards, no deal has more than {MAX_DISCARDS}")
    state["num_discards"] = len(words)
    for i, word in enumerate(words):
        match = _DISCARD.fullmatch(word)
        if match is None:
            raise ValueError(f"{word!r} is no discard; discards are written 5m<0 or 5m<0>pung:2")
        state["discard_kind"][i] = parse_tile(match[1], NUM_KINDS)
        claim = Claim.NONE if match[3] is None else read_member(Claim, match[3])
        claimer = NO_SEAT if match[4] is None else int(match[4])
        state["discard_fate"][i] = fate_of(int(match[2]), claim, claimer)


_DEED_NAMES = {
    Deed.CONCEALED_KONG: "kong_concealed",
    Deed.ADDED_KONG: "kong_added",
    Deed.ROBBED_KONG: "kong_robbed",
    Deed.SELF_DRAW: "self_draw",
}
_DEEDS_BY_NAME = {name: deed for deed, name in _DEED_NAMES.items()}
_DEED = re.compile(r"([0-9]+):([a-z_]+)<([0-3])(?::([0-3]))?")
_DEED_FORM = "12:kong_added<0:1 (discards before it, seat, its meld) or 30:self_draw<2"


def write_deeds(state: np.void) -> str:
    """Kongs and wins declared in own turns, in order."""
    return (
        ",".join(
            f"{after}:{_DEED_NAMES[deed]}<{seat}" + (f":{meld}" if deed != Deed.SELF_DRAW else "")
            for after, deed, seat, meld in deeds(state)
        )
        or NOTHING
    )


def read_deeds(state: np.void, text: str) -> None:
    """The inverse of :func:`write_deeds`."""
    words = [] if text == NOTHING else text.split(",")
    if len(words) > MAX_DEEDS:
        raise ValueError(f"{len(words)} deeds, no deal has more than {MAX_DEEDS}")
    state["num_deeds"] = len(words)
    for i, word in enumerate(words):
        match = _DEED.fullmatch(word)
        deed = None if match is None else _DEEDS_BY_NAME.get(match[2])
        if match is None or deed is None or (match[4] is None) != (deed == Deed.SELF_DRAW):
            raise ValueError(f"{word!r} is no deed; deeds are written {_DEED_FORM}")
        state["deed"][i] = packed_deed(int(deed), int(match[3]), int(match[4] or 0))
        state["deed_after"][i] = read_number(match[1], 0, MAX_DISCARDS)


def write_question(state: np.void) -> str:
    """Tile asked about and the seat it is from."""
    if state["claim_tile"] == NO_TILE:
        return NOTHING
    return f"{tile_text(int(state['claim_tile']))}<{state['claim_from']}"


def read_question(state: np.void, text: str) -> None:
    """The inverse of :func:`write_question`."""
    if text == NOTHING:
        return
    tile, _, seat = text.partition("<")
    state["claim_tile"], state["claim_from"] = parse_tile(tile, NUM_KINDS), read_seat(seat)


def write_turn_kongs(state: np.void) -> str:
    """Melds that are kongs of this turn, the latest last."""
    bits, last = int(state["turn_kongs"]), int(state["last_kong"])
    melds = [str(meld) for meld in range(MAX_MELDS) if bits >> meld & 1 and meld != last]
    return ",".join([*melds, str(last)] if last >= 0 else melds) or NOTHING


def read_turn_kongs(state: np.void, text: str) -> None:
    """The inverse of :func:`write_turn_kongs`."""
    melds = [] if text == NOTHING else [read_number(m, 0, MAX_MELDS - 1) for m in text.split(",")]
    state["turn_kongs"] = sum(1 << meld for meld in set(melds))
    state["last_kong"] = melds[-1] if melds else -1


def write_past(state: np.void) -> str:
    """Tiles dealt or drawn, in wall order: from the front, and behind a bar from the end."""
    wall, start, end = state["wall"].tolist(), int(state["wall_next"]), int(state["wall_end"])
    return ordered_text(wall[:start]) + ("|" + ordered_text(wall[end:]) if end < NUM_TILES else "")


def read_past(state: np.void, text: str) -> None:
    """The inverse of :func:`write_past`."""
    if not text:
        state["wall_end"] = NUM_TILES
        return
    front, _, back = text.partition("|")
    before, after = read_tiles(front), read_tiles(back or NOTHING)
    if len(before) + len(after) > NUM_TILES:
        raise ValueError(f"{len(before) + len(after)} tiles have left a wall of {NUM_TILES}")
    state["wall_next"], state["wall_end"] = len(before), NUM_TILES - len(after)
    state["wall"][: len(before)] = before
    state["wall"][NUM_TILES - len(after) :] = after


def write_wall(state: np.void) -> str:
    """Tiles left to draw, in order."""
    return ordered_text(state["wall"][int(state["wall_next"]) : int(state["wall_end"])].tolist())


def read_wall(state: np.void, text: str) -> None:
    """The inverse of :func:`write_wall`."""
    kinds = read_tiles(text)
    start, end = int(state["wall_next"]), int(state["wall_end"])
    if start > 0 and len(kinds) != end - start:
        raise ValueError(f"{len(kinds)} tiles, but {end - start} are left according to 'past'")
    if len(kinds) > NUM_DRAWS:
        raise ValueError(f"{len(kinds)} tiles, no wall to draw from has more than {NUM_DRAWS}")
    state["wall"][start : start + len(kinds)] = kinds
    state["wall_end"] = start + len(kinds)

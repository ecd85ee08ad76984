"""``planes/1`` and ``oracle/1`` in words."""

from collections.abc import Iterator

import numpy as np

from mjenv.core.tiles import COPIES, NUM_RANKS, SUITS
from mjenv.render.cells import Cells, by_kind, tiles
from mjenv.sichuan.layout import KINDS, SEATS
from mjenv.sichuan.planes import RIVER_COUNTS
from mjenv.sichuan.state import EXCHANGE_SIZE

PHASES = {
    "exchange": "which tile to give in the exchange",
    "void": "which suit to declare void",
    "turn": "what to do in its turn",
    "claim": "whether to claim a discard",
    "rob": "whether to rob a kong",
    "over": "nothing, the deal is over",
}
"""What is asked in every phase."""

KONGS = ("direct kong", "added kong", "concealed kong")
FLAGS = {
    "must discard": "a pung was made, a discard must follow",
    "replacement": "the latest draw replaced a kong",
    "kong discard": "the latest discard followed a kong",
}
_HELD = range(1, COPIES + 1)
_EXCHANGED = range(1, EXCHANGE_SIZE + 1)

Lines = Iterator[str]


def asked(cells: Cells) -> Lines:
    """What the seat is asked, and about which tile."""
    said = [
        words
        for phase in cells.beginning("phase ")
        for words in cells.flag(f"phase {phase}", PHASES.get(phase, phase))
    ]
    yield f"asked: {' and '.join(said) or 'nothing now; another seat may be asked'}"
    claimed = cells.kinds("claim tile")
    if claimed.any():
        yield f"about: {tiles(claimed)}"


def exchange(cells: Cells, given: np.ndarray, received: np.ndarray) -> Lines:
    """What was exchanged; counts by kind."""
    where = [
        words
        for way in cells.beginning("exchanged ")
        for words in cells.flag(f"exchanged {way}", f"to {way}")
    ]
    if given.any() or received.any() or where:
        way = f", {' and '.join(where)}" if where else ""
        yield f"exchange: gave {tiles(given)}, received {tiles(received)}{way}"


def states(cells: Cells) -> Lines:
    """The flags that are on."""
    for name, words in FLAGS.items():
        for said in cells.flag(name, words):
            yield f"{name}: {said}"


def seat_line(seat: str, notes: list[str]) -> str:
    """What is known of a seat on one line."""
    return f"  {seat}: {'; '.join(notes) or 'nothing'}"


def _suit(cells: np.ndarray) -> str:
    """The suit that is filled, or how much of each."""
    said = []
    for suit, row in zip(SUITS, cells.reshape(-1, NUM_RANKS), strict=True):
        on = np.count_nonzero(row)
        if on:
            said.append(suit if on == NUM_RANKS else f"{suit} ({on} of {NUM_RANKS} cells)")
    return " and ".join(said)


def _melds(cells: Cells) -> dict[str, list[str]]:
    """The melds of every seat; kongs that belong to nobody stand under ``"nobody"``."""
    kinds_of = {name: cells.kinds(name) for name in KONGS}
    melds: dict[str, list[str]] = {}
    melded = np.zeros(len(KINDS))
    for seat in SEATS:
        own = cells.kinds(f"meld {seat}")
        melded += own
        melds[seat] = [
            f"{' and '.join(name for name in KONGS if kinds_of[name][kind]) or 'pung'} {tile}"
            for kind, tile in enumerate(KINDS)
            if own[kind]
        ]
    melds["nobody"] = [
        f"{name} {tile}"
        for name in KONGS
        for kind, tile in enumerate(KINDS)
        if kinds_of[name][kind] and not melded[kind]
    ]
    return melds


def _seats(cells: Cells) -> Lines:
    melds = _melds(cells)
    yield "seats:"
    for seat in SEATS:
        notes = cells.flag(f"dealer {seat}", "dealer") + cells.flag(f"turn {seat}", "in turn")
        void = _suit(cells.kinds(f"void suit {seat}"))
        notes += [f"void suit {void}"] if void else []
        notes += cells.flag(f"won {seat}", "has won")
        for name, words in (("winning tile", "won on"), ("latest", "latest discard")):
            shown = cells.kinds(f"{name} {seat}")
            notes += [f"{words} {tiles(shown)}"] if shown.any() else []
        before = cells.kinds(f"second latest {seat}")
        notes += [f"before it {tiles(before)}"] if before.any() else []
        river = cells.count(f"river {seat}", RIVER_COUNTS)
        notes += [f"river {tiles(river)}"] if river.any() else []
        notes += [f"melds {', '.join(melds[seat])}"] if melds[seat] else []
        yield seat_line(seat, notes)
    if melds["nobody"]:
        yield seat_line("nobody", melds["nobody"])


def _wall(cells: Cells) -> str:
    """Between which numbers the tiles left to draw are."""
    levels = [int(level) for level in cells.beginning("wall >= ")]
    said = cells.flags(f"wall >= {level}" for level in levels)
    reached = [level for level in levels if f"wall >= {level}" in said]
    if len(said) != len(reached) or reached != levels[: len(reached)]:
        return f"wall: {', '.join(said)}"
    least = reached[-1] if reached else 0
    if reached == levels:
        return f"wall: {least} tiles or more"
    most = levels[len(reached)] - 1
    return f"wall: {least} tiles" if least == most else f"wall: {least} to {most} tiles"


def planes_in_words(cells: Cells) -> Lines:
    """Lines of text that say what the planes of a seat hold."""
    yield from asked(cells)
    hand = cells.count("hand", _HELD)
    yield f"hand: {tiles(hand)}"
    drawn = cells.kinds("drawn")
    if drawn.any():
        yield f"drawn: {tiles(drawn)}"
    yield from exchange(
        cells, cells.count("given", _EXCHANGED), cells.count("received", _EXCHANGED)
    )
    yield _wall(cells)
    yield f"live copies: {by_kind(cells.count('live', _HELD))}"
    yield from _seats(cells)
    yield from states(cells)
    for said in cells.flag("pass lock", "a declined win forbids wins of as little fan"):
        yield f"pass lock: {said}"
    rules = [
        words for name in cells.beginning("rule ") for words in cells.flag(f"rule {name}", name)
    ]
    yield f"rules: {', '.join(rules) or 'none of the options'}"


def _hidden_of(cells: Cells, seat: str) -> list[str]:
    """What others may not know of a seat."""
    notes = []
    if seat != "self":
        notes.append(f"hand {tiles(cells.count(f'hand {seat}', _HELD))}")
        declared = _suit(cells.kinds(f"declared {seat}"))
        notes += [f"declared {declared}"] if declared else []
        given = cells.count(f"given {seat}", _EXCHANGED)
        notes += [f"gave {tiles(given)}"] if given.any() else []
        notes += cells.flag(f"pass lock {seat}", "under a pass lock")
    notes += cells.flag(f"asked {seat}", "is asked")
    for what in ("offered", "answered"):
        said = [
            words
            for act in ("pung", "kong", "win", "pass")
            if (what, act) != ("offered", "pass")
            for words in cells.flag(f"{what} {act} {seat}", act)
        ]
        notes += [f"{what} {', '.join(said)}"] if said else []
    return notes


def oracle_in_words(cells: Cells) -> Lines:
    """Lines of text that say what the oracle holds."""
    yield from planes_in_words(cells)
    yield "hidden:"
    for seat in SEATS:
        yield seat_line(seat, _hidden_of(cells, seat))
    waits = [
        words
        for phase in cells.beginning("table ")
        for words in cells.flag(f"table {phase}", PHASES.get(phase, phase))
    ]
    yield f"  the table waits for: {' and '.join(waits) or 'nobody'}"
    for name, words in (
        ("tile in question", "tile in question"),
        ("tile drawn", "tile drawn in this turn"),
        ("replacement tile", "the next kong draws"),
    ):
        shown = cells.kinds(name)
        if shown.any():
            yield f"  {words}: {tiles(shown)}"
    draws = [tiles(cells.kinds(f"draw {place}"), "-") for place in cells.beginning("draw ")]
    yield f"  next draws: {', '.join(draws)}"
    yield f"  in the wall: {by_kind(cells.count('in wall', _HELD))}"
    ways = [
        words
        for way in cells.beginning("exchange ")
        for words in cells.flag(f"exchange {way}", way)
    ]
    if ways:
        yield f"  exchanged tiles go: {' and '.join(ways)}"

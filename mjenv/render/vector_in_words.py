"""``vector/1`` in words."""

import numpy as np

from mjenv.core.tiles import COPIES, SUITS
from mjenv.render.cells import Cells, by_kind, by_suit, number, tiles
from mjenv.render.planes_in_words import Lines, asked, exchange, seat_line, states
from mjenv.sichuan.layout import KINDS, SEATS
from mjenv.sichuan.patterns import EXTRA_FAN_NAMES, PATTERN_NAMES
from mjenv.sichuan.state import EXCHANGE_SIZE, HAND_SIZE, MAX_MELDS, NUM_DRAWS, NUM_SEATS

# What a cell of 1 stands for; most of these are where a number is cut off.
_FAN = 8
_EXTRA_FAN = 4
_PIG_UNITS = 64
_FAR = 10
_USEFUL = 30
_PAIRS = 7
_ROOTS = 3
_TURNS = 14
_DISCARDS = 24
_INCOME = 16
_POINTS = 32
_FRESHNESS = 0.9
_SUIT_LIVE = 36

_RULES = {
    **dict.fromkeys((*PATTERN_NAMES, "min fan", "fan cap"), _FAN),
    **dict.fromkeys(EXTRA_FAN_NAMES, _EXTRA_FAN),
    "pig units": _PIG_UNITS,
}
"""The rules that are numbers, and what a cell of 1 stands for; the others are yes or no."""


def _scaled(cells: Cells, name: str, one: float) -> str:
    return number(one * cells.value(name), one)


def _hand(cells: Cells) -> Lines:
    yield f"hand: {tiles(cells.count('hand', range(1, COPIES + 1)))}"
    given, received = cells.kinds("given"), cells.kinds("received")
    yield from exchange(cells, EXCHANGE_SIZE * given, EXCHANGE_SIZE * received)


def _recent(fresh: np.ndarray) -> str:
    """Kinds, the latest discarded first, with the number of discards since."""
    order = sorted(np.flatnonzero(fresh), key=lambda kind: -fresh[kind])
    return ", ".join(f"{KINDS[kind]} {_discards_since(fresh[kind])}" for kind in order)


def _discards_since(fresh: float) -> str:
    if fresh <= 0:
        return f"none that has {fresh:.3g}"
    return number(np.log(fresh) / np.log(_FRESHNESS))


# ---------------------------------------------------------------------------------- hand analysis


def _choices(keeps: np.ndarray, words: tuple[str, str], useful: np.ndarray | None = None) -> Lines:
    """Kinds of which it is said that they keep (1) or raise (-1) the deficiency."""
    for sign, said in zip((1, -1), words, strict=True):
        kinds = [kind for kind in range(len(KINDS)) if keeps[kind] == sign]
        if kinds and useful is not None and sign > 0:
            texts = [f"{KINDS[kind]} ({number(useful[kind], _USEFUL)} useful)" for kind in kinds]
            yield f"  {said}: {', '.join(texts)}"
        elif kinds:
            yield f"  {said}: {tiles((keeps == sign).astype(float))}"
    odd = np.where((keeps != 1) & (keeps != -1), keeps, 0)
    if odd.any():
        yield f"  {words[0]}, odd values: {tiles(odd)}"
    stray = np.zeros(0) if useful is None else np.where(keeps == 1, 0, useful)
    if stray.any():
        yield f"  useful after other discards: {tiles(stray)}"


def _analysis(cells: Cells) -> Lines:
    yield "hand analysis:"
    names = [f"deficiency {level}" for level in cells.beginning("deficiency ")]
    said = cells.flags(names)
    if said == names[-1:]:
        said = [f"{names[-1]} or more"]
    notes = [*said, f"{_scaled(cells, 'useful', _USEFUL)} useful tiles"]
    notes += cells.flag("can win", "can win")
    fan = cells.value("fan")
    notes += [f"fan {number(_FAN * fan, _FAN)}"] if fan else []
    yield f"  {', '.join(notes)}"
    discards = ("discards that keep the deficiency", "discards that raise it")
    useful = _USEFUL * cells.kinds("useful after")
    yield from _choices(cells.kinds("discard keeps"), discards, useful)
    kongs = ("kongs that leave no more deficiency", "kongs that leave more")
    yield from _choices(cells.kinds("own kong keeps"), kongs)
    yield from _calls(cells)
    shape = [f"pairs {_scaled(cells, 'pairs', _PAIRS)}", f"roots {_scaled(cells, 'roots', _ROOTS)}"]
    shape.append(f"void tiles {number(HAND_SIZE * cells.value('void tiles'))}")
    yield f"  {', '.join(shape)}"
    yield (
        f"  missing for seven pairs: {_scaled(cells, 'to seven pairs', _FAR)}, "
        f"for triplets: {_scaled(cells, 'to triplets', _FAR)}"
    )
    yield f"  missing for one suit: {by_suit(_FAR * cells.suits('to one suit'), _FAR)}"
    yield f"  missing without a suit: {by_suit(_FAR * cells.suits('without'), _FAR)}"
    yield f"  tiles held: {by_suit((HAND_SIZE + 1) * cells.suits('suit held'))}"
    yield f"  live copies: {by_suit(_SUIT_LIVE * cells.suits('suit live'))}"


def _calls(cells: Cells) -> Lines:
    """The hand after each answer to a question about a tile."""
    for call in ("pass", "pung", "kong"):
        offered = [] if call == "pass" else cells.flag(f"{call} offered", "offered")
        missing, useful = cells.value(f"{call} deficiency"), cells.value(f"{call} useful")
        if offered or missing or useful:
            yield (
                f"  after {call}{''.join(f' ({said})' for said in offered)}: "
                f"deficiency {number(_FAR * missing, _FAR)}, "
                f"{number(_USEFUL * useful, _USEFUL)} useful tiles"
            )


# ------------------------------------------------------------------------------------------ table


def _melds(sizes: np.ndarray) -> list[str]:
    names = {COPIES - 1: "pung", COPIES: "kong"}
    return [
        f"{names.get(COPIES * sizes[kind], number(COPIES * sizes[kind]) + ' times')} {KINDS[kind]}"
        for kind in np.flatnonzero(sizes)
    ]


def _seat(cells: Cells, seat: str) -> str:
    notes = cells.flag(f"dealer {seat}", "dealer") + cells.flag(f"turn {seat}", "in turn")
    void = [said for suit in SUITS for said in cells.flag(f"void {suit} {seat}", suit)]
    notes += [f"void suit {' and '.join(void)}"] if void else []
    notes += cells.flag(f"cleared {seat}", "latest discard of another suit")
    notes += cells.flag(f"won {seat}", "has won")
    for name, words, one in (
        ("win fan", "with fan", _FAN),
        ("points", "units", _POINTS),
        ("income", "kong income", _INCOME),
        ("discards", "discards", _DISCARDS),
    ):
        value = cells.value(f"{name} {seat}")
        notes += [f"{words} {number(one * value, one)}"] if value else []
    notes.append(f"concealed tiles {number((HAND_SIZE + 1) * cells.value(f'held {seat}'))}")
    for name in ("melds", "kongs"):
        value = cells.value(f"{name} {seat}")
        notes += [f"number of {name} {number(MAX_MELDS * value)}"] if value else []
    melds = _melds(cells.kinds(f"meld {seat}"))
    notes += [f"melds {', '.join(melds)}"] if melds else []
    if seat != "self":
        river = COPIES * cells.kinds(f"river {seat}")
        notes += [f"river {tiles(river)}"] if river.any() else []
    return seat_line(seat, notes)


def _rules(cells: Cells) -> str:
    said = []
    for name in cells.beginning("rule "):
        one = _RULES.get(name)
        if one is None:
            said += cells.flag(f"rule {name}", name)
        elif cells.value(f"rule {name}"):
            said.append(f"{name} {_scaled(cells, f'rule {name}', one)}")
    return f"rules: {', '.join(said) or 'all zero'}"


def vector_in_words(cells: Cells) -> Lines:
    """Lines of text that say what the vector of a seat holds."""
    yield from asked(cells)
    yield from _hand(cells)
    yield from _analysis(cells)
    yield (
        f"wall: {number(NUM_DRAWS * cells.value('wall'))} tiles, "
        f"{_scaled(cells, 'draws left', _TURNS)} for each of "
        f"{number(NUM_SEATS * cells.value('playing'))} seats still playing"
    )
    yield f"live copies: {by_kind(COPIES * cells.kinds('live'))}"
    recent = cells.kinds("recent")
    if recent.any():
        yield f"discards since the latest of a kind: {_recent(recent)}"
    yield "seats:"
    for seat in SEATS:
        yield _seat(cells, seat)
    yield from states(cells)
    if cells.value("pass lock"):
        yield f"pass lock: a win needs more fan than {_scaled(cells, 'pass lock', _FAN)}"
    yield _rules(cells)

"""What a seat's hand is worth now: the routes that count, and the value on the best of them.

A route counts while the need of the hand after its best discard is small enough for
:mod:`agents.lookahead` to follow all of it: the two suits of a win, as melds and void suit leave
them, up to a need of 3 and one above the least there is. If one of them counts, so does each suit
by itself, up to a need of 4 and two above that least.

Of a hand that must discard, those hands are valued on a route that have the least need, or a need
of 2. A hand with a need of 1 or 2 may change (:mod:`agents.hand_graph`).
"""

import numpy as np

from agents.forecast import Forecast
from agents.hand_graph import (
    NO_NODE,
    Graph,
    Holding,
    clear_graph,
    find_or_add,
    keys_on,
    keys_with,
    kind_of,
    need_of,
    new_route,
    num_places,
)
from agents.lookahead import value_graph
from mjenv.core.kernel import kernel
from mjenv.core.tiles import NUM_SUITS
from mjenv.sichuan.analysis import is_unused
from mjenv.sichuan.hand import IMPOSSIBLE, meld_suits
from mjenv.sichuan.state import MAX_MELDS, NUM_KINDS

NO_VALUE = -1e9
"""Far below any value."""
WHOLE = NUM_KINDS
"""Where the value of a hand stands that discards nothing."""

_DEEP, _ABOVE = 3, 1
_DEEP_ALONE, _ABOVE_ALONE = 4, 2
_MAY_CHANGE = 2
_ALONE = -1


@kernel
def holding_of(view: np.void) -> Holding:
    """What the observer holds."""
    me = int(view["seat"])
    own = Holding(
        np.zeros(NUM_KINDS, np.int8),
        np.zeros(1, np.int64),
        np.zeros(MAX_MELDS, np.int8),
        np.zeros(MAX_MELDS, np.int8),
    )
    own.melds[0] = view["num_melds"][me]
    for kind in range(NUM_KINDS):
        own.hand[kind] = view["hand"][kind]
    for i in range(int(own.melds[0])):
        own.meld_type[i] = view["meld_type"][me, i]
        own.meld_kind[i] = view["meld_kind"][me, i]
    return own


@kernel
def lay_down(own: Holding, kind: int, meld: int, copies: int) -> None:
    """Lay ``copies`` tiles down for a meld."""
    number = int(own.melds[0])
    own.hand[kind] -= copies
    own.meld_type[number], own.meld_kind[number] = meld, kind
    own.melds[0] = number + 1


@kernel
def take_back(own: Holding, copies: int) -> None:
    """Take the latest meld back."""
    number = int(own.melds[0]) - 1
    own.hand[own.meld_kind[number]] += copies
    own.melds[0] = number


# ------------------------------------------------------------------------------------ values


@kernel
def _need_on(own: Holding, live: np.ndarray, suit_a: int, suit_b: int, luts: np.ndarray) -> int:
    """Need of a hand on a route, after its best discard if it must discard."""
    route = new_route(own, live, suit_a, suit_b)
    return max(1, need_of(route, keys_on(route, own.hand), int(route.sets[0]), luts))


@kernel
def _add_roots(
    graph: Graph,
    own: Holding,
    live: np.ndarray,
    suit_a: int,
    suit_b: int,
    luts: np.ndarray,
    deepest: int,
    roots: np.ndarray,
) -> None:
    """Add the hands to be valued: after each discard, or the hand as it is."""
    route = new_route(own, live, suit_a, suit_b)
    sets, keys, tiles = int(route.sets[0]), keys_on(route, own.hand), 0
    for kind in range(NUM_KINDS):
        tiles += int(own.hand[kind])
    least = max(1, need_of(route, keys, sets, luts))
    if tiles % 3 == 1:
        roots[WHOLE] = find_or_add(graph, keys, 0, least, 1 if least <= _MAY_CHANGE else 0)
        return
    for kind in range(NUM_KINDS):
        if own.hand[kind] == 0:
            continue
        after = keys
        for place in range(num_places(route)):
            if kind_of(route, place) == kind:
                after = keys_with(keys[0], keys[1], place, -1)
        need = need_of(route, after, sets, luts)
        if need <= min(deepest, max(least, _MAY_CHANGE)):
            roots[kind] = find_or_add(graph, after, 0, need, 1 if need <= _MAY_CHANGE else 0)


@kernel
def _follow(
    graph: Graph,
    own: Holding,
    live: np.ndarray,
    suit_a: int,
    suit_b: int,
    deepest: int,
    forecast: Forecast,
    rules: np.void,
    luts: np.ndarray,
    locked: bool,
    out: np.ndarray,
) -> None:
    """Raise values to those on one route."""
    if _need_on(own, live, suit_a, suit_b, luts) > deepest:
        return
    roots = np.full(NUM_KINDS + 1, NO_NODE, np.int64)
    clear_graph(graph)
    _add_roots(graph, own, live, suit_a, suit_b, luts, deepest, roots)
    route = new_route(own, live, suit_a, suit_b)
    value_graph(graph, route, own, forecast, rules, luts, locked)
    for kind in range(NUM_KINDS + 1):
        if roots[kind] != NO_NODE:
            out[kind] = max(out[kind], graph.value[roots[kind], 0])


@kernel
def look_ahead(
    view: np.void,
    rules: np.void,
    luts: np.ndarray,
    own: Holding,
    live: np.ndarray,
    forecast: Forecast,
    graph: Graph,
    locked: bool,
    out: np.ndarray,
) -> bool:
    """Write the values of a hand, and return whether any route counts.

    Args:
        view: What the seat may know.
        rules: Rules.
        luts: Lookup tables.
        own: The hand, of 3n+1 or 3n+2 tiles.
        live: Copies unseen.
        forecast: What is to be expected.
        graph: Memory.
        locked: Whether no discard wins before the next draw.
        out: ``(28,)``, receives the values after each discard, or at index 27 that of a hand
            that discards nothing; far below any value where there is none.
    """
    out[:] = NO_VALUE
    void = int(view["void_suit"][int(view["seat"])])
    melded = meld_suits(own.meld_kind, int(own.melds[0]))
    least = IMPOSSIBLE
    for unused in range(NUM_SUITS):
        if is_unused(unused, melded, void):
            suit_a, suit_b = (unused + 1) % NUM_SUITS, (unused + 2) % NUM_SUITS
            least = min(least, _need_on(own, live, suit_a, suit_b, luts))
    if least > _DEEP:
        return False
    deep, deep_alone = min(_DEEP, least + _ABOVE), min(_DEEP_ALONE, least + _ABOVE_ALONE)
    for suit in range(NUM_SUITS):
        suit_a, suit_b = (suit + 1) % NUM_SUITS, (suit + 2) % NUM_SUITS
        if is_unused(suit, melded, void):
            _follow(graph, own, live, suit_a, suit_b, deep, forecast, rules, luts, locked, out)
        if suit != void and melded & ~(1 << suit) == 0:
            _follow(graph, own, live, suit, _ALONE, deep_alone, forecast, rules, luts, locked, out)
    return True

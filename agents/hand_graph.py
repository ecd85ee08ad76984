"""The hands that a seat can come to on a route, as a graph in memory.

A *route* is one or two suits in which a hand is to be won; its tiles of other suits are of no use.
The *need* of a hand on a route is the fewest tiles to add for a win, 0 won, 1 ready: the deficiency
of :mod:`mjenv.sichuan.hand` with no other suits. A *place* is a kind of the route: 0 to 8 are the
ranks of its first suit, 9 to 17 of its second.

A *node* is what is left after a discard: 3n+1 tiles, and the pungs made on the way. Its *edges*
lead on from it, several with the same first tile to choose from:

- ``DRAW``: a tile drawn that lowers the need, and a discard that keeps it so;
- ``PUNG``: a tile claimed for a pung that lowers the need, and a discard that keeps it so;
- ``CHANGE``: a ready hand that *may change* draws a tile that does not win and discards another so
  that it is ready again; the new hand may not change once more.

Tiles that are of no use to the route are discarded first, whichever they are.
"""

from typing import NamedTuple

import numpy as np

from agents.forecast import MAX_STAGES
from mjenv.core.kernel import kernel
from mjenv.core.suits import power_of_five, suit_need
from mjenv.core.tiles import COPIES, NUM_RANKS
from mjenv.sichuan.hand import IMPOSSIBLE, pairs_deficiency
from mjenv.sichuan.state import MAX_MELDS

NUM_PLACES = 2 * NUM_RANKS
MAX_NODES = 3000
"""Hands that do not fit any more are left out: a look ahead must end in time."""
NO_NODE = -1
DRAW, PUNG, CHANGE = 0, 1, 2

_MAX_EDGES = 40_000
_SLOTS = 1 << 13
_KEY_BITS = 21  # of the key of a suit
_KEY_MASK = (1 << _KEY_BITS) - 1
_PUNG_BITS = 5  # of a place plus one
_PUNG_MASK = (1 << _PUNG_BITS) - 1
_CHANGE_BIT = 1 << 62
_FIVE = 5
_OF_PUNG = 2  # own tiles in it
_SPREAD, _SHIFT = 0x9E3779B1, 18
_ALONE = 0xFFFFFFFFF0
"""In place of the word of a second suit where there is none: it holds nothing and never will."""


class Holding(NamedTuple):
    """What a seat holds. Kernels that ask *what if* change it and change it back.

    Attributes:
        hand: ``(27,)`` int8, concealed tiles.
        melds: ``(1,)`` int64, how many.
        meld_type: ``(4,)`` int8, a ``Meld``.
        meld_kind: ``(4,)`` int8.
    """

    hand: np.ndarray
    melds: np.ndarray
    meld_type: np.ndarray
    meld_kind: np.ndarray


class Route(NamedTuple):
    """The suits of a win.

    Attributes:
        suits: ``(2,)`` int64; the second is -1 on a route of one suit.
        sets: ``(1,)`` int64, sets to be made beside the melds there are.
        live: ``(18,)`` int64, copies unseen of each place.
        held: ``(18,)`` int64, concealed copies before anything is drawn or claimed.
    """

    suits: np.ndarray
    sets: np.ndarray
    live: np.ndarray
    held: np.ndarray


class Graph(NamedTuple):
    """Nodes and edges; what is written of them is in the order in which they were found.

    Attributes:
        size: ``(2,)`` int64, number of nodes and of edges.
        slot: Hash table from keys to nodes.
        key: Keys of the nodes: those of both suits, pungs, whether it may change.
        tiles: ``(nodes, 18)`` int8, tiles of each place.
        pungs: Places of the pungs made, five bits each and one higher.
        need: Need of the nodes.
        may_change: 1 if the node may change.
        first: First edge of the nodes.
        last: One past the last edge.
        how: ``DRAW``, ``PUNG`` or ``CHANGE`` of the edges.
        place: Place drawn or claimed.
        to: Node that an edge leads to.
        value: ``(nodes, MAX_STAGES + 1)``, for whoever values them.
    """

    size: np.ndarray
    slot: np.ndarray
    key: np.ndarray
    tiles: np.ndarray
    pungs: np.ndarray
    need: np.ndarray
    may_change: np.ndarray
    first: np.ndarray
    last: np.ndarray
    how: np.ndarray
    place: np.ndarray
    to: np.ndarray
    value: np.ndarray


@kernel
def new_graph() -> Graph:
    """Memory for a graph; :func:`clear_graph` makes it an empty one."""
    return Graph(
        np.zeros(2, np.int64),
        np.empty(_SLOTS, np.int16),
        np.empty(MAX_NODES, np.int64),
        np.empty((MAX_NODES, NUM_PLACES), np.int8),
        np.empty(MAX_NODES, np.int32),
        np.empty(MAX_NODES, np.int8),
        np.empty(MAX_NODES, np.int8),
        np.empty(MAX_NODES, np.int32),
        np.empty(MAX_NODES, np.int32),
        np.empty(_MAX_EDGES, np.int8),
        np.empty(_MAX_EDGES, np.int8),
        np.empty(_MAX_EDGES, np.int16),
        np.empty((MAX_NODES, MAX_STAGES + 1)),
    )


@kernel
def clear_graph(graph: Graph) -> None:
    """Forget all nodes and edges."""
    graph.size[0] = 0
    graph.size[1] = 0
    for i in range(_SLOTS):
        graph.slot[i] = NO_NODE


# ---------------------------------------------------------------------------------------- routes


@kernel
def new_route(own: Holding, live: np.ndarray, suit_a: int, suit_b: int) -> Route:
    """A route in two suits, or in one if ``suit_b`` is -1."""
    suits, sets = np.empty(2, np.int64), np.empty(1, np.int64)
    suits[0], suits[1], sets[0] = suit_a, suit_b, MAX_MELDS - int(own.melds[0])
    route = Route(suits, sets, np.zeros(NUM_PLACES, np.int64), np.zeros(NUM_PLACES, np.int64))
    for place in range(num_places(route)):
        route.live[place] = live[kind_of(route, place)]
        route.held[place] = own.hand[kind_of(route, place)]
    return route


@kernel
def num_places(route: Route) -> int:
    """Places of a route: 18, or 9."""
    return NUM_RANKS if route.suits[1] < 0 else NUM_PLACES


@kernel
def kind_of(route: Route, place: int) -> int:
    """The kind of a place."""
    return int(route.suits[place // NUM_RANKS]) * NUM_RANKS + place % NUM_RANKS


@kernel
def keys_with(key_a: int, key_b: int, place: int, copies: int) -> tuple[int, int]:
    """The keys of both suits after some copies more, or fewer if negative."""
    change = copies * power_of_five(place % NUM_RANKS)
    return (key_a + change, key_b) if place < NUM_RANKS else (key_a, key_b + change)


@kernel
def need_of(route: Route, keys: tuple[int, int], sets: int, luts: np.ndarray) -> int:
    """Fewest tiles to add for ``sets`` sets and a pair on a route, or for seven pairs."""
    word_a = luts[keys[0]]
    word_b = _ALONE if route.suits[1] < 0 else luts[keys[1]]
    best = IMPOSSIBLE
    for in_a in range(sets + 1):
        in_b = sets - in_a
        pair_in_a = suit_need(word_a, in_a, 1) + suit_need(word_b, in_b, 0)
        pair_in_b = suit_need(word_a, in_a, 0) + suit_need(word_b, in_b, 1)
        best = min(best, pair_in_a, pair_in_b)
    if sets == MAX_MELDS:
        best = min(best, pairs_deficiency(word_a, word_b))
    return best


@kernel
def keys_on(route: Route, hand: np.ndarray) -> tuple[int, int]:
    """Keys of the suits of a route, 0 for a second that it does not have."""
    key_a, key_b = 0, 0
    for place in range(num_places(route)):
        key_a, key_b = keys_with(key_a, key_b, place, int(hand[kind_of(route, place)]))
    return key_a, key_b


# ----------------------------------------------------------------------------------------- nodes


@kernel
def keys_at(graph: Graph, node: int) -> tuple[int, int]:
    """Keys of the two suits at a node."""
    key = int(graph.key[node])
    return key & _KEY_MASK, (key >> _KEY_BITS) & _KEY_MASK


@kernel
def sets_at(graph: Graph, route: Route, node: int) -> int:
    """Sets to be made beside melds and pungs."""
    sets, pungs = int(route.sets[0]), int(graph.pungs[node])
    while pungs != 0:
        sets -= 1
        pungs >>= _PUNG_BITS
    return sets


@kernel
def pung_at(graph: Graph, node: int, number: int) -> int:
    """Place of a pung made on the way, -1 if there are not as many."""
    return ((int(graph.pungs[node]) >> (_PUNG_BITS * number)) & _PUNG_MASK) - 1


@kernel
def _with_pung(pungs: int, place: int) -> int:
    """One pung more; in order, so that the way to them makes no difference."""
    shift = 0
    while (pungs >> shift) != 0 and ((pungs >> shift) & _PUNG_MASK) <= place:
        shift += _PUNG_BITS
    below, above = pungs & ((1 << shift) - 1), pungs >> shift
    return below | ((place + 1) << shift) | (above << (shift + _PUNG_BITS))


@kernel
def live_at(graph: Graph, route: Route, node: int, place: int) -> int:
    """Copies of a place still unseen at a node."""
    held = int(graph.tiles[node, place])
    for number in range(MAX_MELDS):
        if pung_at(graph, node, number) == place:
            held += COPIES - 1
    return int(route.live[place]) - max(0, held - int(route.held[place]))


@kernel
def share_left(graph: Graph, route: Route, node: int, place: int) -> float:
    """Which share of the copies unseen at the root is still so at a node."""
    return live_at(graph, route, node, place) / max(1, int(route.live[place]))


@kernel
def find_or_add(graph: Graph, keys: tuple[int, int], pungs: int, need: int, may_change: int) -> int:
    """The node of a hand, ``NO_NODE`` if there is no room for it."""
    key = keys[0] | (keys[1] << _KEY_BITS) | (pungs << (2 * _KEY_BITS))
    if may_change != 0:
        key |= _CHANGE_BIT
    mixed = key ^ (key >> 23) ^ (key >> 41)
    # Only bits that are the same whether or not the product is cut to 64 of them.
    slot = ((mixed * _SPREAD) >> _SHIFT) & (_SLOTS - 1)
    while graph.slot[slot] != NO_NODE:
        if graph.key[graph.slot[slot]] == key:
            return int(graph.slot[slot])
        slot = (slot + 1) & (_SLOTS - 1)
    node = int(graph.size[0])
    if node == MAX_NODES:
        return NO_NODE
    graph.size[0] = node + 1
    graph.slot[slot] = node
    graph.key[node] = key
    graph.pungs[node] = pungs
    graph.need[node] = need
    graph.may_change[node] = may_change
    left_a, left_b = keys
    for rank in range(NUM_RANKS):
        graph.tiles[node, rank] = left_a % _FIVE
        graph.tiles[node, NUM_RANKS + rank] = left_b % _FIVE
        left_a //= _FIVE
        left_b //= _FIVE
    return node


# ----------------------------------------------------------------------------------------- edges


@kernel
def _add_edge(graph: Graph, how: int, place: int, to: int) -> None:
    edge = int(graph.size[1])
    if to == NO_NODE or edge == _MAX_EDGES:
        return
    graph.how[edge] = how
    graph.place[edge] = place
    graph.to[edge] = to
    graph.size[1] = edge + 1


@kernel
def _add_discards(
    graph: Graph,
    route: Route,
    luts: np.ndarray,
    node: int,
    how: int,
    place: int,
    copies: int,
    keys: tuple[int, int],
    pungs: int,
    sets: int,
    may_change: int,
) -> None:
    """Edges for every discard that leaves a need of one less than the node has, or 1.

    ``keys`` are those before the discard, ``copies`` of ``place`` more than at the node.
    """
    goal = max(1, int(graph.need[node]) - 1)
    tiles = copies
    for other in range(NUM_PLACES):
        tiles += int(graph.tiles[node, other])
    if tiles < 3 * sets + _OF_PUNG:  # a tile of another suit goes
        _add_edge(graph, how, place, find_or_add(graph, keys, pungs, goal, may_change))
        return
    for other in range(num_places(route)):
        held = int(graph.tiles[node, other]) + (copies if other == place else 0)
        if held == 0 or (how == CHANGE and other == place):
            continue
        after = keys_with(keys[0], keys[1], other, -1)
        if need_of(route, after, sets, luts) == goal:
            _add_edge(graph, how, place, find_or_add(graph, after, pungs, goal, may_change))


@kernel
def expand(graph: Graph, route: Route, luts: np.ndarray, node: int) -> None:
    """Write the edges of a node, adding the nodes that they lead to."""
    need, pungs = int(graph.need[node]), int(graph.pungs[node])
    may_change, sets = int(graph.may_change[node]), sets_at(graph, route, node)
    key_a, key_b = keys_at(graph, node)
    graph.first[node] = graph.size[1]
    for place in range(num_places(route)):
        if (need == 1 and may_change == 0) or live_at(graph, route, node, place) <= 0:
            continue
        drawn = keys_with(key_a, key_b, place, 1)
        left = need_of(route, drawn, sets, luts)
        if need == 1:
            if left == 1:
                _add_discards(graph, route, luts, node, CHANGE, place, 1, drawn, pungs, sets, 0)
            continue
        if left < need:
            _add_discards(graph, route, luts, node, DRAW, place, 1, drawn, pungs, sets, may_change)
        if graph.tiles[node, place] >= _OF_PUNG and sets > 0:
            rest = keys_with(key_a, key_b, place, -_OF_PUNG)
            if need_of(route, rest, sets - 1, luts) < need:
                made = _with_pung(pungs, place)
                _add_discards(
                    graph, route, luts, node, PUNG, place, -_OF_PUNG, rest, made, sets - 1,
                    may_change,
                )  # fmt: skip
    graph.last[node] = graph.size[1]

"""What a hand is worth: all ways to a win on a route, and what is to be expected of the others.

The value ``V(h, i)`` of a hand ``h`` of 3n+1 tiles is the mean of the units that its seat wins from
the beginning of stage ``i`` to the end of the deal (:mod:`agents.forecast`), if it does what is
best for it. In stage ``i`` the others have ``turns[i]`` turns, then it draws and discards::

    stay     = V(h, i+1) - deal_in[i+1]
    drawn    = stay + sum over kinds t of odds(t) * max(0, gain(t)) + kongs by drawing
    calm     = goes_on[i] * drawn - cost[i]
    V(h, i)  = calm + turns * (sum over kinds t of claims[i](t) * max(0, claim(t) - calm)
                               + kongs by claiming)

In the last stage it does not draw, and ``drawn`` is what the ready check brings: ``at_end[0]``
times the units of its best win if it is ready, else ``-at_end[1]``.

- ``gain(t)`` is, if ``t`` wins, what all others still in pay for it, less ``stay``; else the best
  ``V(h', i+1)`` of the hands ``h'`` that a ``DRAW`` or ``CHANGE`` of ``t`` leads to, less
  ``V(h, i+1)``.
- ``claim(t)`` is, if ``t`` wins, what the discarder pays; else the best ``V(h', i) - deal_in[i]``
  of the hands that a ``PUNG`` of ``t`` leads to. So the hand itself decides whether to win or wait.
- Three concealed tiles, if the kong leaves the need as it is, bring two units of every other by the
  fourth tile drawn, and two of its discarder; a pung brings one of every other. The kong changes
  nothing else.
- ``odds(t)`` and ``claims[i](t)`` shrink as copies of ``t`` are drawn and claimed on the way.
- Two others may discard a tile that is claimed, but only one of them is the first: where several
  turns pass, each after the first counts for less, ``turns * (1 - s * (turns - 1) / 2)`` in all,
  with ``s`` the sum of the claims that are made, at most one half.
- A win of less fan than ``min_fan`` is none. After a win was declined under a pass lock, no discard
  wins in stage 0.
"""

import numpy as np

from agents.forecast import Forecast
from agents.hand_graph import (
    NUM_PLACES,
    PUNG,
    Graph,
    Holding,
    Route,
    expand,
    keys_at,
    keys_with,
    kind_of,
    need_of,
    num_places,
    pung_at,
    sets_at,
    share_left,
)
from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NUM_SUITS
from mjenv.sichuan.fan import Situation, score_with
from mjenv.sichuan.rules import SelfDrawBonus
from mjenv.sichuan.state import MAX_MELDS, NUM_EXTRAS, NUM_KINDS, Meld

_LITTLE = -1e9
_MOST_CLAIMED = 0.5
_OF_KONG = 3  # own tiles in a claimed one
CONCEALED_KONG_UNITS = 2.0
DIRECT_KONG_UNITS = 2.0
ADDED_KONG_UNITS = 1.0


@kernel
def units_of(fan: int, self_draw: bool, rules: np.void) -> float:
    """What one payer pays for a win, 0 if it has too little fan."""
    if fan < rules["min_fan"]:
        return 0.0
    units = 1.0 * (1 << (fan - 1))
    if self_draw and rules["self_draw_bonus"] == SelfDrawBonus.ADD_BASE:
        units += 1.0
    return units


# ---------------------------------------------------------------------------------------- wins


@kernel
def _hand_at(graph: Graph, route: Route, own: Holding, node: int) -> Holding:
    """The whole hand of a node."""
    held = Holding(
        np.zeros(NUM_KINDS, np.int8),
        np.zeros(1, np.int64),
        np.zeros(MAX_MELDS, np.int8),
        np.zeros(MAX_MELDS, np.int8),
    )
    for place in range(num_places(route)):
        held.hand[kind_of(route, place)] = graph.tiles[node, place]
    number = int(own.melds[0])
    for i in range(number):
        held.meld_type[i], held.meld_kind[i] = own.meld_type[i], own.meld_kind[i]
    for i in range(MAX_MELDS - number):
        place = pung_at(graph, node, i)
        if place < 0:
            break
        held.meld_type[number + i] = Meld.PUNG
        held.meld_kind[number + i] = kind_of(route, place)
    held.melds[0] = MAX_MELDS - sets_at(graph, route, node)
    return held


@kernel
def _owned(held: Holding, kind: int) -> int:
    """Copies in hand and melds."""
    copies = int(held.hand[kind])
    for i in range(int(held.melds[0])):
        if held.meld_kind[i] == kind:
            copies += COPIES - 1 if held.meld_type[i] == Meld.PUNG else COPIES
    return copies


@kernel
def _fan(
    held: Holding, suit_key: np.ndarray, kind: int, situation: int, rules: np.void, luts: np.ndarray
) -> int:
    fan, _ = score_with(
        suit_key,
        held.hand,
        kind,
        int(held.melds[0]),
        held.meld_type,
        held.meld_kind,
        situation,
        rules,
        luts,
        np.zeros(NUM_EXTRAS, np.int8),
    )
    return fan


@kernel
def write_wins(
    graph: Graph,
    route: Route,
    own: Holding,
    rules: np.void,
    luts: np.ndarray,
    node: int,
    wins: np.ndarray,
) -> float:
    """Write the units of the wins of a ready hand, and return the most that the ready check pays.

    ``wins``, ``(2, 18)``, receives for each place what a discarder pays and what each payer of a
    self-draw does, 0 where there is no win.
    """
    held = _hand_at(graph, route, own, node)
    suit_key = np.zeros(NUM_SUITS, np.int64)
    keys = keys_at(graph, node)
    suit_key[route.suits[0]] = keys[0]
    if route.suits[1] >= 0:
        suit_key[route.suits[1]] = keys[1]
    sets, best = sets_at(graph, route, node), 0
    for place in range(num_places(route)):
        wins[0, place] = 0.0
        wins[1, place] = 0.0
        kind = kind_of(route, place)
        if _owned(held, kind) >= COPIES:
            continue
        if need_of(route, keys_with(keys[0], keys[1], place, 1), sets, luts) != 0:
            continue
        fan = _fan(held, suit_key, kind, 0, rules, luts)
        drawn = _fan(held, suit_key, kind, 0 | Situation.SELF_DRAW, rules, luts)
        wins[0, place] = units_of(fan, False, rules)
        wins[1, place] = units_of(drawn, True, rules)
        best = max(best, fan)
    return 1.0 * (1 << (best - 1)) if best > 0 else 0.0


# --------------------------------------------------------------------------------------- kongs


@kernel
def _concealed_triplets(graph: Graph, route: Route, luts: np.ndarray, node: int) -> int:
    """Places (bits) of three tiles that may become a kong without harm."""
    sets, found = sets_at(graph, route, node), 0
    keys = keys_at(graph, node)
    for place in range(num_places(route)):
        if sets > 0 and graph.tiles[node, place] == _OF_KONG:
            rest = keys_with(keys[0], keys[1], place, -_OF_KONG)
            if need_of(route, rest, sets - 1, luts) <= graph.need[node]:
                found |= 1 << place
    return found


@kernel
def _drawn_kongs(
    graph: Graph, route: Route, own: Holding, forecast: Forecast, node: int, triplets: int
) -> float:
    """Units that one draw brings by kongs, for each other who pays."""
    units = 0.0
    for place in range(num_places(route)):
        each = CONCEALED_KONG_UNITS if (triplets >> place) & 1 else 0.0
        for number in range(MAX_MELDS):
            if pung_at(graph, node, number) == place:
                each = ADDED_KONG_UNITS
        if each > 0.0:
            odds = forecast.odds[kind_of(route, place)]
            units += each * odds * share_left(graph, route, node, place)
    for i in range(int(own.melds[0])):
        if own.meld_type[i] == Meld.PUNG:
            units += ADDED_KONG_UNITS * forecast.odds[own.meld_kind[i]]
    return units


# -------------------------------------------------------------------------------------- values


@kernel
def _best_of_group(graph: Graph, edge: int, last: int, stage: int) -> tuple[float, int]:
    """The best value at a stage of the edges with the same tile, and the first edge after them."""
    how, place, best = graph.how[edge], graph.place[edge], _LITTLE
    while edge < last and graph.how[edge] == how and graph.place[edge] == place:
        best = max(best, graph.value[graph.to[edge], stage])
        edge += 1
    return best, edge


@kernel
def _gains(
    graph: Graph, route: Route, forecast: Forecast, node: int, stage: int, wins: np.ndarray
) -> float:
    """What draws in a stage bring beside staying as it is."""
    stay = graph.value[node, stage + 1] - forecast.deal_in[stage + 1]
    total = 0.0
    if graph.need[node] == 1:
        for place in range(num_places(route)):
            gain = wins[1, place] * forecast.live[stage] - stay
            if wins[1, place] > 0.0 and gain > 0.0:
                odds = forecast.odds[kind_of(route, place)]
                total += odds * share_left(graph, route, node, place) * gain
    edge, last = int(graph.first[node]), int(graph.last[node])
    while edge < last:
        how, place = int(graph.how[edge]), int(graph.place[edge])
        best, edge = _best_of_group(graph, edge, last, stage + 1)
        gain = best - graph.value[node, stage + 1]
        if how != PUNG and gain > 0.0:
            odds = forecast.odds[kind_of(route, place)]
            total += odds * share_left(graph, route, node, place) * gain
    return total


@kernel
def _claimed(
    graph: Graph,
    route: Route,
    forecast: Forecast,
    node: int,
    stage: int,
    calm: float,
    wins: np.ndarray,
    locked: bool,
) -> tuple[float, float]:
    """What one turn of another brings by a claim, and how likely it does."""
    total, odds_of_any = 0.0, 0.0
    if graph.need[node] == 1 and not (locked and stage == 0):
        for place in range(num_places(route)):
            if wins[0, place] > 0.0 and wins[0, place] > calm:
                odds = forecast.claims[stage, kind_of(route, place)]
                odds *= share_left(graph, route, node, place)
                odds_of_any += odds
                total += odds * (wins[0, place] - calm)
    edge, last = int(graph.first[node]), int(graph.last[node])
    while edge < last and graph.need[node] > 1:
        how, place = int(graph.how[edge]), int(graph.place[edge])
        best, edge = _best_of_group(graph, edge, last, stage)
        best -= forecast.deal_in[stage]
        if how == PUNG and best > calm:
            odds = forecast.claims[stage, kind_of(route, place)]
            odds *= share_left(graph, route, node, place)
            odds_of_any += odds
            total += odds * (best - calm)
    return total, odds_of_any


@kernel
def _value_node(
    graph: Graph,
    route: Route,
    own: Holding,
    forecast: Forecast,
    rules: np.void,
    luts: np.ndarray,
    node: int,
    wins: np.ndarray,
    locked: bool,
) -> None:
    """Write the values of a node, those of the nodes it leads to being written."""
    last = int(forecast.draws[0])
    end = -forecast.at_end[1]
    if graph.need[node] == 1:
        best = write_wins(graph, route, own, rules, luts, node, wins)
        if best > 0.0:
            end = forecast.at_end[0] * best
    triplets = _concealed_triplets(graph, route, luts, node)
    kongs = _drawn_kongs(graph, route, own, forecast, node, triplets)
    for stage in range(last, -1, -1):
        drawn = end
        if stage < last:
            drawn = graph.value[node, stage + 1] - forecast.deal_in[stage + 1]
            drawn += kongs * forecast.live[stage]
            drawn += _gains(graph, route, forecast, node, stage, wins)
        calm = forecast.goes_on[stage] * drawn - forecast.cost[stage]
        claimed, odds = _claimed(graph, route, forecast, node, stage, calm, wins, locked)
        for place in range(NUM_PLACES):
            if (triplets >> place) & 1:
                share = share_left(graph, route, node, place)
                kind = kind_of(route, place)
                claimed += DIRECT_KONG_UNITS * forecast.claims[stage, kind] * share
        turns = forecast.turns[stage]
        if turns > 1.0:
            turns *= 1.0 - 0.5 * min(odds, _MOST_CLAIMED) * (turns - 1.0)
        graph.value[node, stage] = calm + turns * claimed


@kernel
def value_graph(
    graph: Graph,
    route: Route,
    own: Holding,
    forecast: Forecast,
    rules: np.void,
    luts: np.ndarray,
    locked: bool,
) -> None:
    """Find all that the nodes of a graph lead to, and write the values of all of them.

    Args:
        graph: Holds the hands to be valued, and no edges.
        route: Where they are to be won.
        own: The melds of the seat.
        forecast: What is to be expected of the others.
        rules: Rules.
        luts: Lookup tables.
        locked: Whether no discard wins in stage 0.
    """
    node, most = 0, 1
    while node < graph.size[0]:
        expand(graph, route, luts, node)
        most = max(most, int(graph.need[node]))
        node += 1
    wins = np.zeros((2, NUM_PLACES))
    # Edges lead to a lower need, or from a hand that may change to one that may not.
    for need in range(1, most + 1):
        for may_change in range(2):
            for node in range(int(graph.size[0])):
                if graph.need[node] == need and graph.may_change[node] == may_change:
                    _value_node(graph, route, own, forecast, rules, luts, node, wins, locked)

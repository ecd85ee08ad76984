"""``expected_value/1``: near a win, whatever is worth most; far from it, as ``greedy_plus/1``.

Frozen: a change in what it chooses is a new version. Close to a win it values every answer in
units: what the answer brings at once, and what the hand is worth after it
(:mod:`agents.hand_value`). No opponent is modelled by itself; what they do on average is in
:mod:`agents.forecast`.

Its choice:

1. The only answer, if there is only one.
2. Void suit, exchange, and a discard while void tiles are held: as ``greedy_plus/1``.
3. Its turn: the most valuable of its discards, kongs and the win. Once ``greedy_plus/1`` would shed
   a third suit, only discards of that suit count: the look ahead does not know of pigs.
4. A claim, or a kong to rob: the most valuable of win, kong, pung with the best discard after it,
   and passing.
5. Where no route of the hand counts, before a discard or if it passes: as ``greedy_plus/1``.

A kong is worth its income now and a hand that draws at once. A tile that brings several winners, a
kong that is robbed, income that is given back or transferred: all that is left out.

Equal values: win before kong before pung before passing; of discards and kongs the lowest kind.
"""

import numpy as np

from agents.forecast import new_forecast, turns_until, write_forecast
from agents.greedy_plus import choose as choose_greedy_plus
from agents.greedy_plus import suit_to_shed
from agents.hand_graph import Graph, Holding, new_graph
from agents.hand_value import (
    NO_VALUE,
    WHOLE,
    holding_of,
    lay_down,
    look_ahead,
    take_back,
)
from agents.lookahead import ADDED_KONG_UNITS, CONCEALED_KONG_UNITS, DIRECT_KONG_UNITS, units_of
from mjenv.agent import CompiledBot
from mjenv.core.batch import only_action
from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NO_TILE, NUM_RANKS
from mjenv.sichuan.actions import DISCARD_0, KONG, OWN_KONG_0, PASS, PUNG, WIN
from mjenv.sichuan.analysis import live_counts
from mjenv.sichuan.fan import Situation, score, score_with
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import DirectKongPayment, PassWinLock
from mjenv.sichuan.state import NO_SUIT, NUM_EXTRAS, NUM_KINDS, Meld, Phase

# ---------------------------------------------------------------------------------- own turn


@kernel
def _self_drawn(
    view: np.void, rules: np.void, luts: np.ndarray, own: Holding, others: int
) -> float:
    """Units of winning now in the own turn."""
    situation = 0 | Situation.SELF_DRAW
    if view["replacement"] != 0:
        situation |= Situation.AFTER_KONG
    if view["wall_count"] == 0:
        situation |= Situation.LAST_TILE
    fan, _ = score(
        int(view["suit_key"][0]),
        int(view["suit_key"][1]),
        int(view["suit_key"][2]),
        own.hand,
        NO_TILE,
        int(own.melds[0]),
        own.meld_type,
        own.meld_kind,
        situation,
        rules,
        luts,
        np.zeros(NUM_EXTRAS, np.int8),
    )
    return others * units_of(fan, True, rules)


@kernel
def _own_kong(
    view: np.void,
    rules: np.void,
    luts: np.ndarray,
    own: Holding,
    live: np.ndarray,
    graph: Graph,
    kind: int,
    others: int,
) -> float:
    """Value of an own kong."""
    forecast, out = new_forecast(), np.empty(NUM_KINDS + 1)
    write_forecast(view, rules, live, 0, forecast)
    if own.hand[kind] == COPIES:
        lay_down(own, kind, Meld.CONCEALED_KONG, COPIES)
        look_ahead(view, rules, luts, own, live, forecast, graph, False, out)
        take_back(own, COPIES)
        return float(others * CONCEALED_KONG_UNITS + out[WHOLE])
    pung = 0
    while own.meld_kind[pung] != kind:
        pung += 1
    own.hand[kind] -= 1
    own.meld_type[pung] = Meld.ADDED_KONG
    look_ahead(view, rules, luts, own, live, forecast, graph, False, out)
    own.hand[kind] += 1
    own.meld_type[pung] = Meld.PUNG
    return float(others * ADDED_KONG_UNITS + out[WHOLE])


@kernel
def _in_turn(view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """The answer in the own turn, -1 if no route counts (rule 3)."""
    me = int(view["seat"])
    void = int(view["void_suit"][me])
    if void != NO_SUIT and view["suit_key"][void] != 0:
        return -1
    own, live, others = holding_of(view), np.zeros(NUM_KINDS, np.int8), turns_until(view, me + 1)
    forecast, graph, out = new_forecast(), new_graph(), np.empty(NUM_KINDS + 1)
    live_counts(view, live)
    write_forecast(view, rules, live, others, forecast)
    locked = mask[WIN] != 0 and rules["pass_win_lock"] != PassWinLock.NONE
    if not look_ahead(view, rules, luts, own, live, forecast, graph, locked, out):
        return -1
    best, value, third = -1, NO_VALUE, suit_to_shed(view, rules)
    for kind in range(NUM_KINDS):
        shed = third < 0 or kind // NUM_RANKS == third
        if shed and mask[DISCARD_0 + kind] != 0 and out[kind] > value:
            best, value = DISCARD_0 + kind, out[kind]
    for kind in range(NUM_KINDS):
        if mask[OWN_KONG_0 + kind] != 0:
            worth = _own_kong(view, rules, luts, own, live, graph, kind, others)
            if worth > value or (worth == value and best < OWN_KONG_0):
                best, value = OWN_KONG_0 + kind, worth
    if mask[WIN] != 0 and _self_drawn(view, rules, luts, own, others) >= value:
        return int(WIN)
    return best


# ------------------------------------------------------------------------------------ claims


@kernel
def _claimed_win(view: np.void, rules: np.void, luts: np.ndarray, own: Holding) -> float:
    """Units of winning on the tile asked about."""
    situation = 0
    if view["phase"] == Phase.ROB:
        situation |= Situation.ROB_KONG
    elif view["kong_discard"] != 0:
        situation |= Situation.KONG_DISCARD
    if view["phase"] != Phase.ROB and view["wall_count"] == 0:
        situation |= Situation.LAST_TILE
    fan, _ = score_with(
        view["suit_key"],
        own.hand,
        int(view["claim_tile"]),
        int(own.melds[0]),
        own.meld_type,
        own.meld_kind,
        situation,
        rules,
        luts,
        np.zeros(NUM_EXTRAS, np.int8),
    )
    return units_of(fan, False, rules)


@kernel
def _claimed_kong(
    view: np.void,
    rules: np.void,
    luts: np.ndarray,
    own: Holding,
    live: np.ndarray,
    graph: Graph,
) -> float:
    """Value of claiming a kong, far below any if no route counts."""
    forecast, out = new_forecast(), np.empty(NUM_KINDS + 1)
    write_forecast(view, rules, live, 0, forecast)
    lay_down(own, int(view["claim_tile"]), Meld.DIRECT_KONG, COPIES - 1)
    look_ahead(view, rules, luts, own, live, forecast, graph, False, out)
    take_back(own, COPIES - 1)
    income = DIRECT_KONG_UNITS
    if rules["direct_kong_payment"] == DirectKongPayment.EVERYONE:
        income += turns_until(view, int(view["seat"]) + 1) - 1
    return float(income + out[WHOLE])


@kernel
def _pung(
    view: np.void,
    rules: np.void,
    luts: np.ndarray,
    own: Holding,
    live: np.ndarray,
    graph: Graph,
) -> float:
    """Value of a pung with the best discard after it, far below any if no route counts."""
    forecast, out = new_forecast(), np.empty(NUM_KINDS + 1)
    write_forecast(view, rules, live, turns_until(view, int(view["seat"]) + 1), forecast)
    lay_down(own, int(view["claim_tile"]), Meld.PUNG, COPIES - 2)
    look_ahead(view, rules, luts, own, live, forecast, graph, False, out)
    take_back(own, COPIES - 2)
    best = NO_VALUE
    for kind in range(NUM_KINDS):
        best = max(best, out[kind])
    return best


@kernel
def _claim(view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """The answer to a discard or an added kong, -1 if no route counts after passing (rule 4)."""
    own, live, first = holding_of(view), np.zeros(NUM_KINDS, np.int8), int(view["claim_from"])
    if view["phase"] != Phase.ROB:
        first += 1  # the konger goes on with its turn
    forecast, graph, out = new_forecast(), new_graph(), np.empty(NUM_KINDS + 1)
    live_counts(view, live)
    write_forecast(view, rules, live, turns_until(view, first), forecast)
    locked = rules["pass_win_lock"] != PassWinLock.NONE
    locked = locked and (mask[WIN] != 0 or view["lock_fan"] != 0)
    if not look_ahead(view, rules, luts, own, live, forecast, graph, locked, out):
        return -1
    best, value = int(PASS), out[WHOLE]
    if mask[PUNG] != 0:
        worth = _pung(view, rules, luts, own, live, graph)
        if worth >= value:
            best, value = int(PUNG), worth
    if mask[KONG] != 0:
        worth = _claimed_kong(view, rules, luts, own, live, graph)
        if worth >= value:
            best, value = int(KONG), worth
    if mask[WIN] != 0 and _claimed_win(view, rules, luts, own) >= value:
        best = int(WIN)
    return best


@kernel
def choose(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Choose as the module says; nothing is left to chance."""
    action = only_action(mask)
    if action >= 0:
        return action
    phase = view["phase"]
    if phase == Phase.TURN:
        action = _in_turn(view, rules, luts, mask)
    elif phase == Phase.CLAIM or phase == Phase.ROB:
        action = _claim(view, rules, luts, mask)
    if action >= 0:
        return action
    return int(choose_greedy_plus(view, rules, luts, mask, rng))


class ExpectedValue(CompiledBot):
    """The agent ``expected_value/1``."""

    def __init__(self) -> None:
        super().__init__("expected_value/1", choose, SICHUAN)

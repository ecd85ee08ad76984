"""Winning: when a win must be taken, self-drawn wins, and when wins end a deal (R34, R36-R38)."""

import numpy as np

from mjenv.core.cells import copy_row
from mjenv.core.kernel import kernel
from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.events import Event, log_event
from mjenv.sichuan.fan import Situation, score
from mjenv.sichuan.hand import is_win, meld_suits
from mjenv.sichuan.rules import LastFour, LastFourScope, Mode
from mjenv.sichuan.settlement import pay_claimed_win, pay_self_draw, pay_transfer, wall_count
from mjenv.sichuan.state import NUM_EXTRAS, NUM_SEATS, End, Win

WINS_OF_BLOOD = 3
_LAST_FOUR = 4


@kernel
def wins_are_forced(state: np.void, rules: np.void) -> bool:
    """Whether a legal win must be taken: among the last four tiles (R36, point 14)."""
    if rules["last_four"] != LastFour.FORCED:
        return False
    limit = _LAST_FOUR if rules["last_four_scope"] == LastFourScope.WINDOW else _LAST_FOUR - 1
    return wall_count(state) <= limit


@kernel
def num_kongs_and_pungs(state: np.void) -> int:
    """Melds of all seats."""
    total = 0
    for seat in range(NUM_SEATS):
        total += int(state["num_melds"][seat])
    return total


@kernel
def _self_draw_situation(state: np.void, seat: int) -> int:
    situation = 0 | Situation.SELF_DRAW
    if state["replacement"] != 0:
        situation |= Situation.AFTER_KONG
    if wall_count(state) == 0:
        situation |= Situation.LAST_TILE
    if num_kongs_and_pungs(state) == 0:
        if seat == state["dealer"] and state["num_draws"][seat] == 0:
            # An own first discard cannot have happened: the dealer would have drawn since.
            situation |= Situation.TIAN_HU
        elif seat != state["dealer"] and state["num_draws"][seat] == 1:
            situation |= Situation.DI_HU
    return situation


@kernel
def score_self_draw(
    state: np.void, rules: np.void, luts: np.ndarray, seat: int, extras: np.ndarray
) -> tuple[int, int]:
    """Fan and patterns of winning with the hand as it is."""
    keys = state["suit_key"][seat]
    return score(
        int(keys[0]),
        int(keys[1]),
        int(keys[2]),
        state["hand"][seat],
        NO_TILE,
        int(state["num_melds"][seat]),
        state["meld_type"][seat],
        state["meld_kind"][seat],
        _self_draw_situation(state, seat),
        rules,
        luts,
        extras,
    )


@kernel
def can_self_draw(state: np.void, rules: np.void, luts: np.ndarray, seat: int) -> bool:
    """Whether the seat to act holds a winning hand of enough fan."""
    keys = state["suit_key"][seat]
    num_melds = int(state["num_melds"][seat])
    complete = is_win(
        int(keys[0]),
        int(keys[1]),
        int(keys[2]),
        num_melds,
        meld_suits(state["meld_kind"][seat], num_melds),
        int(state["void_suit"][seat]),
        luts,
    )
    if not complete or rules["min_fan"] <= 1:
        return complete
    fan, _ = score_self_draw(state, rules, luts, seat, np.zeros(NUM_EXTRAS, np.int8))
    return fan >= int(rules["min_fan"])


@kernel
def record_win(
    state: np.void,
    log: np.ndarray,
    seat: int,
    how: int,
    source: int,
    tile: int,
    fan: int,
    patterns: int,
    extras: np.ndarray,
) -> None:
    """Note a win of the current win event; settling counts the event."""
    state["win_order"][seat] = int(state["num_win_events"]) + 1
    state["win_how"][seat] = how
    state["win_from"][seat] = source
    state["win_tile"][seat] = tile
    state["win_fan"][seat] = fan
    state["win_patterns"][seat] = patterns
    copy_row(extras, state["win_extras"][seat])
    state["num_wins"] += 1
    if state["num_win_events"] == 0:
        if state["first_win_size"] == 0:
            state["first_winner"] = seat
            state["first_payer"] = source
        state["first_win_size"] += 1
    number = int(state["num_events"])
    log_event(state, log, Event.WIN, seat, tile, source, how)
    if number < log.shape[0]:
        event = log[number]
        event["fan"] = fan
        event["patterns"] = patterns
        copy_row(extras, event["extras"])


@kernel
def settle_self_draw(state: np.void, rules: np.void, log: np.ndarray, winner: int) -> None:
    """Settle the recorded win of a seat on its own draw."""
    state["num_win_events"] += 1
    pay_self_draw(state, rules, log, winner)


@kernel
def settle_claimed_wins(
    state: np.void, rules: np.void, log: np.ndarray, payer: int, how: int
) -> None:
    """Settle the recorded wins on one tile together: they are one win event (R14, R25, R26)."""
    state["num_win_events"] += 1
    order = int(state["num_win_events"])
    pay_claimed_win(state, rules, log, payer, how, order)
    if how == Win.DISCARD and state["kong_discard"] != 0:
        pay_transfer(state, rules, log, payer, order)


@kernel
def deal_is_won(state: np.void, rules: np.void) -> bool:
    """Whether the wins so far end the deal, and why (R37, R38, point 22)."""
    if rules["mode"] == Mode.SINGLE:
        state["end_reason"] = End.FIRST_WIN
    elif state["num_wins"] >= WINS_OF_BLOOD:
        state["end_reason"] = End.THREE_WINS
    return bool(state["end_reason"] != End.NONE)

"""Answers to a discard and to an added kong: who is asked, and what happens (R12-R15, R25).

All menus are fixed when the tile appears, all asked seats answer before anything happens, and a
menu never depends on another seat's answer (points 4 to 7).
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.actions import KONG, PASS, PUNG, WIN
from mjenv.sichuan.events import Event, log_event
from mjenv.sichuan.fan import Situation, score_with
from mjenv.sichuan.hand import meld_suits, remove_tile, wins_with
from mjenv.sichuan.history import discarder, fate_of, note_deed
from mjenv.sichuan.rules import DiHu, NextAfterDiscardWin, PassWinLock
from mjenv.sichuan.settlement import is_active, wall_count
from mjenv.sichuan.state import (
    NO_ANSWER,
    NO_SEAT,
    NUM_EXTRAS,
    NUM_SEATS,
    Claim,
    Deed,
    Meld,
    Offer,
    Phase,
    Win,
)
from mjenv.sichuan.turn import (
    add_meld,
    added_kong,
    draw_tile,
    finish_kong,
    kong_has_wall,
    may_meld,
    next_active,
    own_pung,
    put_discard,
)
from mjenv.sichuan.wins import (
    deal_is_won,
    num_kongs_and_pungs,
    record_win,
    settle_claimed_wins,
    wins_are_forced,
)

_TILES_OF_PUNG = 2
_TILES_OF_KONG = 3


@kernel
def _claim_situation(state: np.void, rules: np.void) -> int:
    if state["phase"] == Phase.ROB:
        return 0 | Situation.ROB_KONG
    situation = 0
    if state["kong_discard"] != 0:
        situation |= Situation.KONG_DISCARD
    if wall_count(state) == 0:
        situation |= Situation.LAST_TILE
    first = state["num_discards"] == 1 and state["claim_from"] == state["dealer"]
    if rules["di_hu"] == DiHu.ALSO_FIRST_DISCARD and first and num_kongs_and_pungs(state) == 0:
        situation |= Situation.DI_HU
    return situation


@kernel
def score_claim(
    state: np.void, rules: np.void, luts: np.ndarray, seat: int, extras: np.ndarray
) -> tuple[int, int]:
    """Fan and patterns of winning on the tile asked about."""
    return score_with(
        state["suit_key"][seat],
        state["hand"][seat],
        int(state["claim_tile"]),
        int(state["num_melds"][seat]),
        state["meld_type"][seat],
        state["meld_kind"][seat],
        _claim_situation(state, rules),
        rules,
        luts,
        extras,
    )


@kernel
def can_claim_win(state: np.void, rules: np.void, luts: np.ndarray, seat: int) -> bool:
    """Whether a seat may win on the tile asked about: shape, least fan, pass lock."""
    num_melds = int(state["num_melds"][seat])
    complete = wins_with(
        state["suit_key"][seat],
        int(state["claim_tile"]),
        num_melds,
        meld_suits(state["meld_kind"][seat], num_melds),
        int(state["void_suit"][seat]),
        luts,
    )
    locked = int(state["lock_fan"][seat])
    if not complete or (rules["min_fan"] <= 1 and locked == 0):
        return complete
    fan, _ = score_claim(state, rules, luts, seat, np.zeros(NUM_EXTRAS, np.int8))
    return fan >= int(rules["min_fan"]) and fan > locked


@kernel
def offer_to(state: np.void, rules: np.void, luts: np.ndarray, seat: int) -> int:
    """What a seat may answer besides ``pass`` (Offer bits), 0 if it is not asked."""
    if seat == state["claim_from"] or not is_active(state, seat):
        return 0
    offer = 0
    if can_claim_win(state, rules, luts, seat):
        offer |= Offer.WIN
        if wins_are_forced(state, rules):
            return offer | Offer.FORCED
    if state["phase"] == Phase.ROB:
        return offer
    kind = int(state["claim_tile"])
    held = int(state["hand"][seat, kind])
    if held >= _TILES_OF_PUNG and may_meld(state, rules, seat, kind):
        offer |= Offer.PUNG
        if held >= _TILES_OF_KONG and kong_has_wall(state, rules):
            offer |= Offer.KONG
    return offer


@kernel
def _ask(
    state: np.void, rules: np.void, luts: np.ndarray, phase: int, source: int, kind: int
) -> bool:
    """Fix the menus for a tile; false if nobody could do anything with it."""
    state["phase"] = phase
    state["claim_tile"] = kind
    state["claim_from"] = source
    first = NO_SEAT
    for k in range(1, NUM_SEATS):
        seat = (source + k) % NUM_SEATS
        state["answer"][seat] = NO_ANSWER
        state["offer"][seat] = offer_to(state, rules, luts, seat)
        if first == NO_SEAT and state["offer"][seat] != 0:
            first = seat
    state["actor"] = first
    return first != NO_SEAT


@kernel
def end_question(state: np.void) -> None:
    """Forget the tile asked about, the menus and the answers."""
    state["claim_tile"] = NO_TILE
    state["claim_from"] = NO_SEAT
    state["offer"][:] = 0
    state["answer"][:] = NO_ANSWER


@kernel
def claim_menu(state: np.void, seat: int, mask: np.ndarray) -> None:
    """Mark what an asked seat may answer (points 5 and 6)."""
    offer = int(state["offer"][seat])
    if offer & Offer.WIN:
        mask[WIN] = 1
    if offer & Offer.FORCED:
        return
    mask[PASS] = 1
    if offer & Offer.PUNG:
        mask[PUNG] = 1
    if offer & Offer.KONG:
        mask[KONG] = 1


# ------------------------------------------------------------------------------------ questions


@kernel
def discard(
    state: np.void, rules: np.void, luts: np.ndarray, log: np.ndarray, seat: int, kind: int
) -> None:
    """Discard a tile and ask whoever could use it; else the next seat draws."""
    put_discard(state, log, seat, kind)
    if not _ask(state, rules, luts, Phase.CLAIM, seat, kind):
        end_question(state)
        draw_tile(state, rules, log, next_active(state, seat))


@kernel
def announce_added_kong(
    state: np.void, rules: np.void, luts: np.ndarray, log: np.ndarray, seat: int, kind: int
) -> None:
    """Ask whoever could rob the kong; else it happens (R25)."""
    if not _ask(state, rules, luts, Phase.ROB, seat, kind):
        end_question(state)
        added_kong(state, rules, log, seat, kind)


@kernel
def _note_declined_win(
    state: np.void, rules: np.void, luts: np.ndarray, seat: int, action: int
) -> None:
    """The pass lock remembers the fan of a win that was not taken (R15, point 17)."""
    if rules["pass_win_lock"] == PassWinLock.NONE:
        return
    if action == WIN or int(state["offer"][seat]) & Offer.WIN == 0:
        return
    fan, _ = score_claim(state, rules, luts, seat, np.zeros(NUM_EXTRAS, np.int8))
    state["lock_fan"][seat] = max(int(state["lock_fan"][seat]), fan)


@kernel
def answer(
    state: np.void, rules: np.void, luts: np.ndarray, log: np.ndarray, seat: int, action: int
) -> None:
    """Keep an answer secret; the last one resolves the question."""
    _note_declined_win(state, rules, luts, seat, action)
    state["answer"][seat] = action
    for k in range(1, NUM_SEATS):
        other = (seat + k) % NUM_SEATS
        if state["offer"][other] != 0 and state["answer"][other] == NO_ANSWER:
            state["actor"] = other
            return
    if state["phase"] == Phase.ROB:
        _resolve_rob(state, rules, luts, log)
    else:
        _resolve_discard(state, rules, luts, log)


# ----------------------------------------------------------------------------------- resolution


@kernel
def _first_answer(state: np.void, action: int) -> int:
    """The first seat in play order from the discarder that answered ``action``."""
    source = int(state["claim_from"])
    for k in range(1, NUM_SEATS):
        seat = (source + k) % NUM_SEATS
        if state["answer"][seat] == action:
            return seat
    return NO_SEAT


@kernel
def _win_together(
    state: np.void, rules: np.void, luts: np.ndarray, log: np.ndarray, how: int
) -> int:
    """Record every win on the tile and settle them; return the last winner in play order."""
    source, kind = int(state["claim_from"]), int(state["claim_tile"])
    extras = np.zeros(NUM_EXTRAS, np.int8)
    last = NO_SEAT
    for k in range(1, NUM_SEATS):
        seat = (source + k) % NUM_SEATS
        if state["answer"][seat] == WIN:
            fan, patterns = score_claim(state, rules, luts, seat, extras)
            record_win(state, log, seat, how, source, kind, fan, patterns, extras)
            last = seat
    settle_claimed_wins(state, rules, log, source, how)
    return last


@kernel
def _go_on_after_win(
    state: np.void, rules: np.void, log: np.ndarray, source: int, last: int
) -> None:
    """The deal ends, or the next seat draws (R17)."""
    if deal_is_won(state, rules):
        return
    if rules["next_after_discard_win"] == NextAfterDiscardWin.LAST_WINNER_NEXT:
        draw_tile(state, rules, log, next_active(state, last))
    else:
        draw_tile(state, rules, log, next_active(state, source))


@kernel
def _mark_claimed(state: np.void, claim: int, seat: int) -> None:
    """The claimed discard leaves the river (R18)."""
    latest = int(state["num_discards"]) - 1
    made_by = discarder(int(state["discard_fate"][latest]))
    state["discard_fate"][latest] = fate_of(made_by, claim, seat)


@kernel
def _take_pung(state: np.void, log: np.ndarray, seat: int, kind: int, source: int) -> None:
    """Two tiles of the hand and the discard; a discard must follow (R12)."""
    for _ in range(_TILES_OF_PUNG):
        remove_tile(state, seat, kind)
    add_meld(state, seat, Meld.PUNG, kind, source)
    state["turn_kongs"] = 0
    state["last_kong"] = -1
    state["must_discard"] = 1
    state["drawn"] = NO_TILE
    state["replacement"] = 0
    state["turn"] = seat
    state["actor"] = seat
    state["phase"] = Phase.TURN
    log_event(state, log, Event.PUNG, seat, kind, source, 0)


@kernel
def _take_kong(
    state: np.void, rules: np.void, log: np.ndarray, seat: int, kind: int, source: int
) -> None:
    """Three tiles of the hand and the discard; a replacement draw follows (R20, R21)."""
    for _ in range(_TILES_OF_KONG):
        remove_tile(state, seat, kind)
    meld = add_meld(state, seat, Meld.DIRECT_KONG, kind, source)
    state["turn_kongs"] = 0
    finish_kong(state, rules, log, seat, meld, True)


@kernel
def _resolve_discard(state: np.void, rules: np.void, luts: np.ndarray, log: np.ndarray) -> None:
    source, kind = int(state["claim_from"]), int(state["claim_tile"])
    winner = _first_answer(state, WIN)
    if winner != NO_SEAT:
        _mark_claimed(state, Claim.WIN, winner)
        last = _win_together(state, rules, luts, log, Win.DISCARD)
        end_question(state)
        _go_on_after_win(state, rules, log, source, last)
        return
    konger, punger = _first_answer(state, KONG), _first_answer(state, PUNG)
    end_question(state)
    if konger != NO_SEAT:
        _mark_claimed(state, Claim.KONG, konger)
        _take_kong(state, rules, log, konger, kind, source)
    elif punger != NO_SEAT:
        _mark_claimed(state, Claim.PUNG, punger)
        _take_pung(state, log, punger, kind, source)
    else:
        draw_tile(state, rules, log, next_active(state, source))


@kernel
def _resolve_rob(state: np.void, rules: np.void, luts: np.ndarray, log: np.ndarray) -> None:
    konger, kind = int(state["claim_from"]), int(state["claim_tile"])
    if _first_answer(state, WIN) == NO_SEAT:
        end_question(state)
        added_kong(state, rules, log, konger, kind)
        return
    remove_tile(state, konger, kind)
    note_deed(state, Deed.ROBBED_KONG, konger, own_pung(state, konger, kind))
    state["drawn"] = NO_TILE
    state["replacement"] = 0
    last = _win_together(state, rules, luts, log, Win.ROB_KONG)
    end_question(state)
    _go_on_after_win(state, rules, log, konger, last)

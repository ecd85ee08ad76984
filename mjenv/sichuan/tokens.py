"""The encoding ``tokens/1``: what has happened in its order, as ids of tokens.

Cell 0 is the number of tokens, which follow it; the rest is padding. Rules, dealer, exchange and
void suits come first, then the course of play, both of which only grow in the course of a deal.
Behind them stands what is now: the wall, the own hand, and what one is asked.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NO_TILE, NUM_SUITS
from mjenv.sichuan.history import claim_of, claimer_of, deed_of, discarder, doer_of, meld_of
from mjenv.sichuan.layout import TOKEN_CELLS, Row, put_token
from mjenv.sichuan.rule_tokens import MUCH_FAN, put_rules
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    NO_SEAT,
    NO_SUIT,
    NUM_KINDS,
    NUM_SEATS,
    Claim,
    Deed,
    End,
    Win,
)
from mjenv.sichuan.vocabulary import (
    ADDED_KONG_0,
    CLAIM_TILE_0,
    CONCEALED_KONG_0,
    DEALER_0,
    DEALT_WIN_0,
    DIRECT_KONG_0,
    DISCARD_0,
    DRAW_0,
    DRAWN_0,
    END_0,
    EXCHANGE_0,
    FAN_0,
    GIVE_0,
    HOLD_0,
    LEFT_0,
    LOCK_0,
    PAD,
    PHASE_0,
    PUNG_0,
    RECEIVE_0,
    REPLACEMENT_0,
    ROBBED_KONG_0,
    RULES_0,
    VOID_0,
    WALL_0,
    WIN_0,
)

_LAST_SEAT = NUM_SEATS - 1  # seats are taken modulo four by masking
_BY_KIND = NUM_SEATS * NUM_KINDS


CELLS: tuple[Row, ...] = (
    Row(0, ("length",), "how many tokens follow; the cells behind them are 0"),
    Row(1, ("token",), "ids of the tokens", tuple(str(i) for i in range(1, TOKEN_CELLS))),
)
"""Every cell of ``tokens/1``."""


@kernel
def _of(first: int, seat: int, me: int, kind: int) -> int:
    """The token of a seat and a kind, in a group that starts with ``first``."""
    return first + ((seat - me) & _LAST_SEAT) * NUM_KINDS + kind


# -------------------------------------------------------------------------------- before play


@kernel
def _put_opening(view: np.void, me: int, out: np.ndarray, number: int) -> int:
    """Dealer, exchange, void suits."""
    number = put_token(DEALER_0 + ((int(view["dealer"]) - me) & _LAST_SEAT), out, number)
    for i in range(EXCHANGE_SIZE):
        if view["given"][i] != NO_TILE:
            number = put_token(GIVE_0 + int(view["given"][i]), out, number)
    if view["direction"] >= 0:
        number = put_token(EXCHANGE_0 + int(view["direction"]), out, number)
        for i in range(EXCHANGE_SIZE):
            number = put_token(RECEIVE_0 + int(view["received"][i]), out, number)
    for relative in range(NUM_SEATS):
        suit = int(view["void_suit"][(me + relative) & _LAST_SEAT])
        if suit != NO_SUIT:
            number = put_token(VOID_0 + relative * NUM_SUITS + suit, out, number)
    return number


# ------------------------------------------------------------------------------------- in play


@kernel
def _put_draw(first: int, seat: int, me: int, left: int, out: np.ndarray, number: int) -> int:
    """A draw or replacement draw, unless all ``left`` to be written have been."""
    if left <= 0:
        return number
    return put_token(first + ((seat - me) & _LAST_SEAT), out, number)


@kernel
def _put_wins(view: np.void, me: int, source: int, order: int, out: np.ndarray, number: int) -> int:
    """The wins of one event, in play order from the seat whose tile it was."""
    for k in range(NUM_SEATS):
        seat = (source + k) & _LAST_SEAT
        if view["win_order"][seat] != order:
            continue
        tile = int(view["win_tile"][seat])
        if tile == NO_TILE:
            number = put_token(DEALT_WIN_0 + ((seat - me) & _LAST_SEAT), out, number)
        else:
            how = int(view["win_how"][seat]) - Win.DISCARD
            number = put_token(_of(WIN_0 + how * _BY_KIND, seat, me, tile), out, number)
        fan = min(int(view["win_fan"][seat]), MUCH_FAN)
        number = put_token(FAN_0 + fan - 1, out, number)
    return number


@kernel
def _put_kong(view: np.void, me: int, packed: int, out: np.ndarray, number: int) -> int:
    """A kong of the own turn, robbed or not."""
    deed, seat = deed_of(packed), doer_of(packed)
    first = ROBBED_KONG_0
    if deed == Deed.CONCEALED_KONG:
        first = CONCEALED_KONG_0
    elif deed == Deed.ADDED_KONG:
        first = ADDED_KONG_0
    kind = int(view["meld_kind"][seat, meld_of(packed)])
    return put_token(_of(first, seat, me, kind), out, number)


@kernel
def _put_deed(
    view: np.void,
    me: int,
    packed: int,
    due: int,
    left: int,
    wins: int,
    out: np.ndarray,
    number: int,
) -> tuple[int, int, int, int]:
    """A deed with the draw before it; return ``due``, ``left``, ``wins`` and ``number``."""
    seat, deed = doer_of(packed), deed_of(packed)
    if due != 0:
        number = _put_draw(DRAW_0, seat, me, left, out, number)
        left -= 1
    if deed != Deed.SELF_DRAW:
        number = _put_kong(view, me, packed, out, number)
    if deed == Deed.SELF_DRAW or deed == Deed.ROBBED_KONG:
        number = _put_wins(view, me, seat, wins + 1, out, number)
        return 1, left, wins + 1, number
    number = _put_draw(REPLACEMENT_0, seat, me, left, out, number)
    return 0, left - 1, wins, number


@kernel
def _put_claim(
    view: np.void, me: int, i: int, left: int, wins: int, out: np.ndarray, number: int
) -> tuple[int, int, int, int]:
    """What became of a claimed discard; the same is returned."""
    fate, kind = int(view["discard_fate"][i]), int(view["discard_kind"][i])
    claim, claimer = claim_of(fate), claimer_of(fate)
    if claim == Claim.PUNG:
        return 0, left, wins, put_token(_of(PUNG_0, claimer, me, kind), out, number)
    if claim == Claim.KONG:
        number = put_token(_of(DIRECT_KONG_0, claimer, me, kind), out, number)
        number = _put_draw(REPLACEMENT_0, claimer, me, left, out, number)
        return 0, left - 1, wins, number
    number = _put_wins(view, me, discarder(fate), wins + 1, out, number)
    return 1, left, wins + 1, number


@kernel
def _put_course(view: np.void, me: int, out: np.ndarray, number: int) -> int:
    """Discards, claims, deeds, and the draws between them.

    A draw is due after everything that ends a turn, and after a kong. Whose it was is known from
    what comes next, or from whose turn it is.
    """
    left = 0  # draws not yet written
    for seat in range(NUM_SEATS):
        left += int(view["num_draws"][seat])
    last, num_deeds = int(view["num_discards"]), int(view["num_deeds"])
    due, wins, done = 0, 0, 0
    for i in range(last + 1):
        while done < num_deeds and view["deed_after"][done] <= i:
            packed = int(view["deed"][done])
            due, left, wins, number = _put_deed(view, me, packed, due, left, wins, out, number)
            done += 1
        if i == last:
            break
        fate = int(view["discard_fate"][i])
        seat = discarder(fate)
        if due != 0:
            number = _put_draw(DRAW_0, seat, me, left, out, number)
            left -= 1
        number = put_token(_of(DISCARD_0, seat, me, int(view["discard_kind"][i])), out, number)
        due = 1
        if claim_of(fate) != Claim.NONE:
            due, left, wins, number = _put_claim(view, me, i, left, wins, out, number)
    if due != 0:
        number = _put_draw(DRAW_0, int(view["turn"]), me, left, out, number)
    return number


# ------------------------------------------------------------------------------------------ now


@kernel
def _put_hand(hand: np.ndarray, out: np.ndarray, number: int) -> int:
    """The tiles of the own hand.

    Each kind is written four times, and what is too much is overwritten: this spares the machine
    a guess about every kind.
    """
    for kind in range(NUM_KINDS):
        after = number
        for _ in range(COPIES):
            after = put_token(HOLD_0 + kind, out, after)
        number += int(hand[kind])
    after = number
    for _ in range(COPIES):
        after = put_token(PAD, out, after)
    return number


@kernel
def _put_present(view: np.void, me: int, out: np.ndarray, number: int) -> int:
    """The end of the deal, the wall, the own hand, and what one is asked."""
    if view["end_reason"] != End.NONE:
        number = put_token(END_0 + int(view["end_reason"]) - 1, out, number)
    if view["left_seat"] != NO_SEAT:
        number = put_token(LEFT_0 + ((int(view["left_seat"]) - me) & _LAST_SEAT), out, number)
    number = put_token(WALL_0 + int(view["wall_count"]), out, number)
    number = _put_hand(view["hand"], out, number)
    if view["drawn"] != NO_TILE:
        number = put_token(DRAWN_0 + int(view["drawn"]), out, number)
    if view["lock_fan"] > 0:
        number = put_token(LOCK_0 + min(int(view["lock_fan"]), MUCH_FAN) - 1, out, number)
    number = put_token(PHASE_0 + int(view["phase"]), out, number)
    if view["claim_tile"] != NO_TILE:
        number = put_token(CLAIM_TILE_0 + int(view["claim_tile"]), out, number)
    return number


@kernel
def observe_tokens(view: np.void, rules: np.void, luts: np.ndarray, out: np.ndarray) -> None:
    """Write ``tokens/1``: ``out`` is int16, ``(TOKEN_CELLS,)``. Contract function.

    This encoding needs no ``luts``.
    """
    me = int(view["seat"])
    out[:] = 0
    number = put_rules(rules, RULES_0, out, 0)
    number = _put_opening(view, me, out, number)
    number = _put_course(view, me, out, number)
    number = _put_present(view, me, out, number)
    out[0] = min(number, TOKEN_CELLS - 1)

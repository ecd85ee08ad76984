"""Who pays whom: wins, kongs, call transfer, the empty wall, leaving (R21, R26, R32, R40-R53).

Everything is counted in units of the base and sums to zero over the seats.
"""

import numpy as np

from mjenv.core.cells import copy_row
from mjenv.core.kernel import kernel
from mjenv.core.tiles import NO_TILE, NUM_SUITS
from mjenv.sichuan.events import Event, Reason, log_event
from mjenv.sichuan.fan import ready_fan
from mjenv.sichuan.hand import meld_suits
from mjenv.sichuan.rules import (
    AddedKongTiming,
    CallTransfer,
    DirectKongPayment,
    PigRule,
    RobKongPayer,
    SelfDrawBonus,
    TransferScope,
)
from mjenv.sichuan.state import (
    MAX_MELDS,
    NO_SEAT,
    NO_SUIT,
    NUM_EXTRAS,
    NUM_SEATS,
    Class,
    End,
    Ledger,
    Meld,
    Phase,
    Win,
)

LAST_TILES = 4  # leaving among the last four tiles is answered by the ready check too
ESCAPE_UNITS = 16
_DIRECT_UNITS = 2
_ADDED_UNITS = 1
_CONCEALED_UNITS = 2


@kernel
def wall_count(state: np.void) -> int:
    """Tiles left to draw."""
    return int(state["wall_end"]) - int(state["wall_next"])


@kernel
def is_active(state: np.void, seat: int) -> bool:
    """Whether a seat has not won yet."""
    return bool(state["win_order"][seat] == 0)


@kernel
def multiple(fan: int) -> int:
    """Units of a fan: 1, 2, 4, ... (R50)."""
    return 1 << (fan - 1)


@kernel
def book(
    state: np.void, log: np.ndarray, reason: int, units: np.ndarray, gain: int, loss: int
) -> None:
    """Add ``units`` of every seat to points and ledger, and log them unless all are zero."""
    moved = False
    for seat in range(NUM_SEATS):
        amount = int(units[seat])
        if amount != 0:
            moved = True
            state["points"][seat] += amount
            state["ledger"][seat, gain if amount > 0 else loss] += amount
    if not moved:
        return
    number = int(state["num_events"])
    log_event(state, log, Event.PAY, NO_SEAT, NO_TILE, NO_SEAT, reason)
    if number < log.shape[0]:
        copy_row(units, log[number]["units"])


@kernel
def pay_kong(
    state: np.void, rules: np.void, log: np.ndarray, seat: int, meld: int, paid: bool
) -> None:
    """Collect for a kong at once (R21). ``paid`` is false for a late added kong (point 13)."""
    kind = state["meld_type"][seat, meld]
    units = np.zeros(NUM_SEATS, np.int64)
    for other in range(NUM_SEATS):
        if other == seat or not is_active(state, other) or not paid:
            continue
        amount = 0
        if kind == Meld.CONCEALED_KONG:
            amount = _CONCEALED_UNITS
        elif kind == Meld.ADDED_KONG:
            amount = _ADDED_UNITS
        elif other == state["meld_from"][seat, meld]:
            amount = _DIRECT_UNITS
        elif rules["direct_kong_payment"] == DirectKongPayment.EVERYONE:
            amount = 1
        state["kong_paid"][seat, meld, other] = amount
        units[other] -= amount
        units[seat] += amount
    book(state, log, Reason.KONG, units, Ledger.KONG, Ledger.KONG)


@kernel
def book_kong(
    state: np.void, rules: np.void, log: np.ndarray, seat: int, meld: int, paid: bool
) -> None:
    """Log a kong that stands, collect for it, and open it to a call transfer (R21, R26)."""
    meld_type = int(state["meld_type"][seat, meld])
    source = NO_SEAT
    if meld_type == Meld.DIRECT_KONG:
        source = int(state["meld_from"][seat, meld])
    state["turn_kongs"] = int(state["turn_kongs"]) | (1 << meld)
    state["last_kong"] = meld
    log_event(state, log, Event.KONG, seat, int(state["meld_kind"][seat, meld]), source, meld_type)
    pay_kong(state, rules, log, seat, meld, paid)


@kernel
def added_kong_is_paid(state: np.void, rules: np.void, kind: int) -> bool:
    """Whether an added kong of ``kind`` in this turn collects (R22)."""
    if rules["added_kong_timing"] == AddedKongTiming.ANY_TURN_UNPAID:
        return bool(state["drawn"] == kind)
    return True


@kernel
def pay_self_draw(state: np.void, rules: np.void, log: np.ndarray, winner: int) -> None:
    """Every other active seat pays the multiple, and one base more with add_base (R32, R33)."""
    amount = multiple(int(state["win_fan"][winner]))
    if rules["self_draw_bonus"] == SelfDrawBonus.ADD_BASE:
        amount += 1
    units = np.zeros(NUM_SEATS, np.int64)
    for other in range(NUM_SEATS):
        if other != winner and is_active(state, other):
            units[other] -= amount
            units[winner] += amount
    book(state, log, Reason.WIN, units, Ledger.WIN, Ledger.SELF_DRAW_PAID)


@kernel
def pay_claimed_win(
    state: np.void, rules: np.void, log: np.ndarray, payer: int, how: int, order: int
) -> None:
    """The discarder or robbed konger pays every winner of win event ``order`` (R14, R25)."""
    shares = 1
    if how == Win.ROB_KONG and rules["rob_kong_payer"] == RobKongPayer.KONGER_FOR_ALL:
        shares = NUM_SEATS - int(state["num_wins"])
    units = np.zeros(NUM_SEATS, np.int64)
    for winner in range(NUM_SEATS):
        if state["win_order"][winner] == order:
            amount = shares * multiple(int(state["win_fan"][winner]))
            units[payer] -= amount
            units[winner] += amount
    book(state, log, Reason.WIN, units, Ledger.WIN, Ledger.DEAL_IN)


@kernel
def _move_kong_income(state: np.void, rules: np.void, seat: int) -> int:
    """Mark the kongs whose income moves as transferred and return that income (R26a)."""
    income = 0
    for meld in range(MAX_MELDS):
        if rules["transfer_scope"] == TransferScope.LAST_KONG:
            moves = meld == state["last_kong"]
        else:
            moves = (int(state["turn_kongs"]) >> meld) & 1 != 0
        if moves:
            state["kong_transferred"][seat, meld] = 1
            for payer in range(NUM_SEATS):
                income += int(state["kong_paid"][seat, meld, payer])
    return income


@kernel
def pay_transfer(state: np.void, rules: np.void, log: np.ndarray, payer: int, order: int) -> None:
    """Call transfer: the income of the kong just made goes to the winners (R26)."""
    if rules["call_transfer"] == CallTransfer.NONE:
        return
    income = _move_kong_income(state, rules, payer)
    winners = 0
    for seat in range(NUM_SEATS):
        if state["win_order"][seat] == order:
            winners += 1
    share = income
    if rules["call_transfer"] == CallTransfer.SPLIT_CEIL:
        share = (income + winners - 1) // winners
    units = np.zeros(NUM_SEATS, np.int64)
    for seat in range(NUM_SEATS):
        if state["win_order"][seat] == order:
            units[seat] += share
            units[payer] -= share
    book(state, log, Reason.TRANSFER, units, Ledger.TRANSFER, Ledger.TRANSFER)


# -------------------------------------------------------------------------------- end of a deal


@kernel
def is_pig(state: np.void, rules: np.void, seat: int) -> bool:
    """Flower pig: three suits in hand and melds, or tiles of the void suit (R41)."""
    void = int(state["void_suit"][seat])
    suits = meld_suits(state["meld_kind"][seat], int(state["num_melds"][seat]))
    for suit in range(NUM_SUITS):
        if state["suit_key"][seat, suit] != 0:
            suits |= 1 << suit
    three = suits == (1 << NUM_SUITS) - 1
    holds_void = void != NO_SUIT and state["suit_key"][seat, void] != 0
    if rules["pig_rule"] == PigRule.THREE_SUITS:
        return three
    if rules["pig_rule"] == PigRule.VOID_SUIT:
        return holds_void
    return three or holds_void


@kernel
def ready_fan_of(state: np.void, rules: np.void, luts: np.ndarray, seat: int) -> int:
    """Largest fan a seat could reach with one more tile, 0 if it is not ready."""
    num_melds = int(state["num_melds"][seat])
    meld_kind = state["meld_kind"][seat]
    return ready_fan(
        state["suit_key"][seat],
        state["hand"][seat],
        num_melds,
        state["meld_type"][seat],
        meld_kind,
        meld_suits(meld_kind, num_melds),
        int(state["void_suit"][seat]),
        rules,
        luts,
        np.zeros(NUM_EXTRAS, np.int8),
    )


@kernel
def classify(state: np.void, rules: np.void, luts: np.ndarray, fans: np.ndarray) -> None:
    """Write the class of every seat; ``fans`` receives the ready check fan of ready seats."""
    for seat in range(NUM_SEATS):
        fans[seat] = 0
        if not is_active(state, seat):
            state["classes"][seat] = Class.WON
        elif seat == state["left_seat"]:
            state["classes"][seat] = Class.LEFT
        elif is_pig(state, rules, seat):
            state["classes"][seat] = Class.PIG
        else:
            fans[seat] = ready_fan_of(state, rules, luts, seat)
            state["classes"][seat] = Class.READY if fans[seat] > 0 else Class.UNREADY


@kernel
def _pay_pigs(state: np.void, rules: np.void, log: np.ndarray) -> None:
    """Every pig pays every non-pig (R42)."""
    amount = int(rules["pig_multiple"])
    units = np.zeros(NUM_SEATS, np.int64)
    for pig in range(NUM_SEATS):
        if state["classes"][pig] != Class.PIG:
            continue
        for other in range(NUM_SEATS):
            other_class = state["classes"][other]
            paid = other_class == Class.READY
            if other_class == Class.WON:
                paid = rules["pig_pays_winners"] != 0
            elif other_class == Class.UNREADY:
                paid = rules["pig_pays_unready"] != 0
            if paid:
                units[pig] -= amount
                units[other] += amount
    book(state, log, Reason.PIG, units, Ledger.PIG, Ledger.PIG)


@kernel
def _pay_ready_check(state: np.void, log: np.ndarray, fans: np.ndarray) -> None:
    """Every unready seat pays every ready one its best hand (R43)."""
    units = np.zeros(NUM_SEATS, np.int64)
    for seat in range(NUM_SEATS):
        if state["classes"][seat] != Class.UNREADY:
            continue
        for other in range(NUM_SEATS):
            if state["classes"][other] == Class.READY:
                amount = multiple(int(fans[other]))
                units[seat] -= amount
                units[other] += amount
    book(state, log, Reason.READY_CHECK, units, Ledger.READY_CHECK, Ledger.READY_CHECK)


@kernel
def _give_back(state: np.void, seat: int, units: np.ndarray) -> None:
    """Return the kong income of a seat to those who paid it, transferred kongs excepted."""
    for meld in range(int(state["num_melds"][seat])):
        if state["kong_transferred"][seat, meld] != 0:
            continue
        for payer in range(NUM_SEATS):
            amount = int(state["kong_paid"][seat, meld, payer])
            units[seat] -= amount
            units[payer] += amount


@kernel
def _pay_refunds(state: np.void, rules: np.void, log: np.ndarray) -> None:
    """Seats that are not ready give back their kong income (R44)."""
    if rules["refund_on_draw"] == 0:
        return
    if rules["refund_requires_ready"] != 0:
        ready = 0
        for seat in range(NUM_SEATS):
            ready += 1 if state["classes"][seat] == Class.READY else 0
        if ready == 0:
            return
    units = np.zeros(NUM_SEATS, np.int64)
    for seat in range(NUM_SEATS):
        own = state["classes"][seat]
        if own == Class.UNREADY or (own == Class.PIG and rules["pigs_refund"] != 0):
            _give_back(state, seat, units)
    book(state, log, Reason.REFUND, units, Ledger.REFUND, Ledger.REFUND)


@kernel
def settle_empty_wall(state: np.void, rules: np.void, log: np.ndarray, fans: np.ndarray) -> None:
    """Pigs, ready check and refunds among classified seats (R42-R45).

    ``fans`` is ``(4,)`` int64: what each ready seat is paid for.
    """
    _pay_pigs(state, rules, log)
    _pay_ready_check(state, log, fans)
    _pay_refunds(state, rules, log)


@kernel
def end_deal(state: np.void, rules: np.void, luts: np.ndarray, log: np.ndarray) -> None:
    """Classify, settle if the wall is empty, and close the deal (R40-R45)."""
    reason = int(state["end_reason"])
    fans = np.zeros(NUM_SEATS, np.int64)
    classify(state, rules, luts, fans)
    if reason == End.WALL_EMPTY:
        settle_empty_wall(state, rules, log, fans)
    state["phase"] = Phase.OVER
    state["actor"] = NO_SEAT
    log_event(state, log, Event.END, NO_SEAT, NO_TILE, NO_SEAT, reason)


@kernel
def pay_escape(
    state: np.void, rules: np.void, log: np.ndarray, seat: int, fans: np.ndarray
) -> None:
    """A seat that leaves pays the larger of the two penalties (R53a, point 38).

    ``fans`` is ``(4,)`` int64: what each ready seat would be paid for, 0 if it is not ready.
    """
    penalty = np.zeros(NUM_SEATS, np.int64)
    check = np.zeros(NUM_SEATS, np.int64)
    for other in range(NUM_SEATS):
        if other == seat or not is_active(state, other):
            continue
        penalty[other] += ESCAPE_UNITS
        penalty[seat] -= ESCAPE_UNITS
        if fans[other] > 0 and wall_count(state) <= LAST_TILES:
            check[other] += multiple(int(fans[other]))
            check[seat] -= multiple(int(fans[other]))
    chosen = check if check[seat] < penalty[seat] else penalty
    book(state, log, Reason.ESCAPE, chosen, Ledger.ESCAPE, Ledger.ESCAPE)
    if rules["escape_refunds_kong"] != 0:
        units = np.zeros(NUM_SEATS, np.int64)
        _give_back(state, seat, units)
        book(state, log, Reason.REFUND, units, Ledger.REFUND, Ledger.REFUND)


@kernel
def escape(state: np.void, rules: np.void, luts: np.ndarray, log: np.ndarray, seat: int) -> None:
    """A seat leaves, pays, and ends the deal (R53a)."""
    state["left_seat"] = seat
    fans = np.zeros(NUM_SEATS, np.int64)
    classify(state, rules, luts, fans)
    pay_escape(state, rules, log, seat, fans)
    state["end_reason"] = End.ESCAPE

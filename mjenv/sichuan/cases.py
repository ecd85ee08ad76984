"""Rule cases of the blood battle, answered by the rules that play.

The format is described beside the cases, in ``tests/cases/README.md``.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from mjenv.core.cases import Case, Fields, Mismatch, Outcome
from mjenv.core.kernel import kernel
from mjenv.core.suits import load_tables
from mjenv.errors import CaseError
from mjenv.sichuan.booking import Booking
from mjenv.sichuan.holding import Holding, empty_tables
from mjenv.sichuan.match import DICE, coins, next_dealer_after
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.score import FLAGS, WAYS, ScoredHand, hand_waits, score_hand
from mjenv.sichuan.settlement import classify
from mjenv.sichuan.state import NO_SEAT, NUM_SEATS, Class, Meld, Win

KONGS = {
    "direct": Meld.DIRECT_KONG,
    "added": Meld.ADDED_KONG,
    "concealed": Meld.CONCEALED_KONG,
}
ENDS = dict.fromkeys(("discard_win", "self_draw", "rob_kong", "flow", "three_wins"))


@kernel
def classify_at(tables: np.ndarray, rules: np.ndarray, luts: np.ndarray, fans: np.ndarray) -> None:
    """Write the classes of the seats of ``tables[0]``, and the fans of ready ones."""
    classify(tables[0], rules[0], luts, fans)


@kernel
def dealer_after_at(
    rules: np.ndarray, dealer: int, first_winner: int, first_payer: int, first_win_size: int
) -> int:
    """The next dealer, from the first win of the deal."""
    return next_dealer_after(rules[0], dealer, first_winner, first_payer, first_win_size)


def run_case(case: Case) -> list[Mismatch]:
    """What comes out differently from what the case expects.

    Raises:
        CaseError: The case is broken; the message has its line and what is wrong.
    """
    return case.mismatches(answer)


def answer(case: Fields) -> Outcome:
    """What the rules say to a case."""
    kind = case.choice("type", ANSWERS)
    rules = Rules.preset(case.text("preset")).replace(**case.mapping("options"))
    return ANSWERS[kind](case, rules)


# ------------------------------------------------------------------------------------- one hand


def _fan(case: Fields, rules: Rules) -> Outcome:
    """A win: patterns, extras, fan, and what this win alone pays."""
    by = case.choice("by", WAYS)
    scored = _scored(case, rules, by, Holding.parse(*_holding(case)))
    if not scored.win:
        got = f"no win: {scored.reason}"
        return dict.fromkeys(("base", "extras", "fan", "multiple", "delta"), got)
    return {
        "base": lambda expected: _check_base(expected, scored, rules),
        "extras": lambda expected: _check_extras(expected, scored, case, rules),
        "fan": scored.fan,
        "multiple": scored.multiple,
        "delta": list(scored.points),
    }


def _not_win(case: Fields, rules: Rules) -> Outcome:
    """Tiles that are no win, and the first reason why not; a fifth tile may be among them."""
    by = case.choice("by", WAYS, "discard")
    holding = Holding.parse(*_holding(case), fifth_tile=True)
    scored = _scored(case, rules, by, holding)
    return {"win": scored.win, "reason": scored.reason}


def _waits(case: Fields, rules: Rules) -> Outcome:
    """What a hand waits for and what the ready check would pay it for."""
    waits = hand_waits(Holding.parse(*_holding(case)), rules=rules)
    return {"waits": list(waits.waits), "ready": waits.ready, "max_fan": waits.max_fan}


def _holding(fields: Fields, void: str | None = None) -> tuple[str, list[str], str | None]:
    if "void" in fields:
        void = fields.text("void")
    return fields.text("hand"), fields.texts("melds"), void


def _scored(case: Fields, rules: Rules, by: str, holding: Holding) -> ScoredHand:
    flags = case.texts("flags")
    for flag in flags:
        if flag not in FLAGS:
            raise CaseError(f"flags: got {flag!r}; known: {', '.join(FLAGS)}")
    return score_hand(
        holding,
        win=case.text("win"),
        by=by,
        rules=rules,
        flags=flags,
        won_before=case.seats("won_before"),
    )


def _check_base(expected: Any, scored: ScoredHand, rules: Rules) -> Any:
    """All parts in an additive table, else any of those that tie."""
    for reading in scored.readings:
        if _is_base(reading.patterns, expected, rules):
            return None
    return list(scored.patterns)


def _check_extras(expected: Any, scored: ScoredHand, case: Fields, rules: Rules) -> Any:
    """The extras must belong to a reading that is accepted, if there is one."""
    base = case.mapping("expect").get("base")
    accepted = [
        reading
        for reading in scored.readings
        if base is not None and _is_base(reading.patterns, base, rules)
    ]
    if any(reading.extras == expected for reading in accepted or scored.readings):
        return None
    return scored.extras


def _is_base(patterns: tuple[str, ...], base: Any, rules: Rules) -> bool:
    if not isinstance(base, list) or not all(isinstance(name, str) for name in base):
        raise CaseError(f"expect: base: got {base!r}; allowed: a list of patterns")
    if rules.table["additive"]:
        return sorted(patterns) == sorted(base)
    return patterns[0] in base


# ---------------------------------------------------------------------------------------- deals


def _settle(case: Fields, rules: Rules) -> Outcome:
    """Events in order, and the points they come to."""
    booking = Booking(rules)
    _book(booking, case.objects("events", "event", required=True))
    ended = booking.ended if booking.ended == "three_wins" else None
    return {"delta": booking.points, "ended": ended}


def _book(booking: Booking, events: Iterable[Fields]) -> None:
    for event in events:
        BOOKINGS[event.choice("ev", BOOKINGS)](booking, event)


def _book_kong(booking: Booking, event: Fields) -> None:
    meld = KONGS[event.choice("kind", KONGS)]
    source = event.seat("from") if meld == Meld.DIRECT_KONG else None
    booking.kong(event.seat("seat"), meld, source)


def _book_win(booking: Booking, event: Fields) -> None:
    how, source = Win.SELF_DRAW, None
    if event.get("from") is not None:
        how, source = Win.DISCARD, event.seat("from")
    winners, fans = _winners(event)
    booking.win(how, winners, fans, source, kong_discard=event.flag("kong_discard"))


def _book_rob_kong(booking: Booking, event: Fields) -> None:
    winners, fans = _winners(event)
    booking.win(Win.ROB_KONG, winners, fans, event.seat("from"))


def _winners(event: Fields) -> tuple[list[int], list[int]]:
    winners = event.seats("winners")
    return winners, event.wholes("fans", len(winners))


def _book_flow(booking: Booking, event: Fields) -> None:
    booking.empty_wall(event.seats("pigs"), event.seats("unready"), event.fans("ready"))


def _book_escape(booking: Booking, event: Fields) -> None:
    booking.escape(event.seat("seat"), last_four=event.flag("last_four"), ready=event.fans("ready"))


def _flow_hands(case: Fields, rules: Rules) -> Outcome:
    """Four hands at the empty wall: what they are, and what follows."""
    won = case.seats("won_before")
    booking = Booking(rules, won)
    _book(booking, case.objects("kongs", "event"))
    booking.close_window()
    classes, fans = _classes(case, rules, won)
    seats = range(NUM_SEATS)
    booking.empty_wall(
        [seat for seat in seats if classes[seat] == Class.PIG],
        [seat for seat in seats if classes[seat] == Class.UNREADY],
        {seat: fans[seat] for seat in seats if classes[seat] == Class.READY},
    )
    names = [
        f"ready:{fans[seat]}" if classes[seat] == Class.READY else classes[seat].name.lower()
        for seat in seats
    ]
    return {"classes": names, "delta": booking.points}


def _classes(case: Fields, rules: Rules, won: list[int]) -> tuple[list[Class], list[int]]:
    """Class of every seat, and its ready check fan; the hands of earlier winners do not matter."""
    players = case.objects("players", "player")
    if len(players) != NUM_SEATS:
        raise CaseError(f"players: got {len(players)}; allowed: {NUM_SEATS}")
    voids = case.get("void") if "void" in case else [None] * NUM_SEATS
    if not isinstance(voids, list) or len(voids) != NUM_SEATS:
        raise CaseError(f"void: got {voids!r}; allowed: a list of {NUM_SEATS} suits")
    tables = empty_tables()
    for seat, player in enumerate(players):
        if seat in won:
            tables[0]["win_order"][seat] = 1
        else:
            Holding.parse(*_holding(player, voids[seat])).place(tables, seat)
    fans = np.zeros(NUM_SEATS, np.int64)
    classify_at(tables, rules.pack(), load_tables(), fans)
    return [Class(int(value)) for value in tables[0]["classes"]], fans.tolist()


def _coins(case: Fields, rules: Rules) -> Outcome:
    """Points as coins; the room may be described in the case instead of the rules."""
    room = {name: case.whole(name) for name in ("room_coefficient", "table_fee") if name in case}
    by_seat, system = coins(case.wholes("points", NUM_SEATS), rules.replace(**room))
    return {"coins": by_seat, "system": system}


def _next_dealer(case: Fields, rules: Rules) -> Outcome:
    """The next dealer, from how the deal ended.

    ``winners`` are in the order of winning. If a discarder or konger is named, it paid all of
    them for one tile; without one, the first of them stands for the first win.
    """
    state = case.object("state")
    end = state.choice("end", ENDS)
    winners = state.seats("winners")
    payer = next((state.seat(name) for name in ("discarder", "konger") if name in state), NO_SEAT)
    if end != "flow" and not winners:
        raise CaseError(f"state: winners is missing; the deal ended by {end}")
    if end in ("discard_win", "rob_kong") and (payer == NO_SEAT or payer in winners):
        raise CaseError("state: the discarder or konger must be named, and be no winner")
    if end == "self_draw":
        payer = NO_SEAT
    first, size = (winners[0], 1) if winners else (NO_SEAT, 0)
    if payer != NO_SEAT:
        size = len(winners)
    seat = dealer_after_at(rules.pack(), state.seat("dealer"), first, payer, size)
    return {"next": "dice" if seat == DICE else int(seat)}


BOOKINGS: dict[str, Callable[[Booking, Fields], None]] = {
    "kong": _book_kong,
    "discard_passed": lambda booking, event: booking.close_window(),
    "win": _book_win,
    "rob_kong": _book_rob_kong,
    "leave": lambda booking, event: booking.leave(event.seat("seat")),
    "flow": _book_flow,
    "escape": _book_escape,
}
"""Events of ``settle`` and ``escape`` cases."""

ANSWERS: dict[str, Callable[[Fields, Rules], Outcome]] = {
    "fan": _fan,
    "not_win": _not_win,
    "waits": _waits,
    "settle": _settle,
    "escape": _settle,
    "flow_hands": _flow_hands,
    "coins": _coins,
    "next_dealer": _next_dealer,
}
"""Types of cases."""

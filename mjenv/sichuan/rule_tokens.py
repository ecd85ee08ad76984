"""The rule options that change play, as tokens.

An option has a token for each of its values. The value it has under the rules ``qq`` is not
written: the tokens of a table under these rules begin with the dealer.
"""

from enum import IntEnum

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.choices import (
    AddedKongTiming,
    CallTransfer,
    ClaimWithVoidTiles,
    DiHu,
    DirectKongPayment,
    KongDrawEnd,
    LastFour,
    LastFourScope,
    Mode,
    NextAfterDiscardWin,
    PassWinLock,
    PigRule,
    RobKongPayer,
    SelfDrawBonus,
    TransferScope,
)
from mjenv.sichuan.layout import Row, put_token
from mjenv.sichuan.patterns import EXTRA_FAN_NAMES, NUM_EXTRA_FANS, NUM_PATTERNS, PATTERN_NAMES

MUCH_FAN = 8
"""All fans from here on have the same token."""
_MUCH_EXTRA = 4
_MUCH_PIG = 64


def _values(members: type[IntEnum]) -> tuple[str, ...]:
    return tuple(member.name.lower() for member in members)


_FLAG = ("off", "on")
_CHOICES: tuple[tuple[str, tuple[str, ...], int], ...] = (
    ("mode", _values(Mode), Mode.BLOOD),
    ("swap_three", _FLAG, 0),
    ("void_suit", _FLAG, 1),
    ("void_auto", _FLAG, 1),
    ("claim_with_void_tiles", _values(ClaimWithVoidTiles), ClaimWithVoidTiles.ALLOWED),
    ("additive", _FLAG, 0),
    ("root_counts_kong", _FLAG, 0),
    ("self_draw_bonus", _values(SelfDrawBonus), SelfDrawBonus.ADD_BASE),
    ("direct_kong_payment", _values(DirectKongPayment), DirectKongPayment.DISCARDER_ONLY),
    ("call_transfer", _values(CallTransfer), CallTransfer.FULL_EACH),
    ("transfer_scope", _values(TransferScope), TransferScope.LAST_KONG),
    ("added_kong_timing", _values(AddedKongTiming), AddedKongTiming.JUST_DRAWN),
    ("kong_needs_wall", _FLAG, 1),
    ("kong_draw_end", _values(KongDrawEnd), KongDrawEnd.FRONT),
    ("rob_kong_payer", _values(RobKongPayer), RobKongPayer.KONGER_SINGLE),
    ("last_four", _values(LastFour)[:2], LastFour.OPTIONAL),
    ("last_four_scope", _values(LastFourScope), LastFourScope.TURN),
    ("pass_win_lock", _values(PassWinLock), PassWinLock.NONE),
    ("next_after_discard_win", _values(NextAfterDiscardWin), NextAfterDiscardWin.DISCARDER_NEXT),
    ("pig_rule", _values(PigRule), PigRule.THREE_SUITS),
    ("pig_pays_winners", _FLAG, 1),
    ("pig_pays_unready", _FLAG, 1),
    ("refund_on_draw", _FLAG, 1),
    ("pigs_refund", _FLAG, 1),
    ("refund_requires_ready", _FLAG, 0),
    ("di_hu", _values(DiHu), DiHu.FIRST_DRAW_UNINTERRUPTED),
    ("allow_quit", _FLAG, 0),
    ("escape_refunds_kong", _FLAG, 0),
)
# Below, options are meant by their place in this table.
_USUAL = tuple(int(usual) for _, _, usual in _CHOICES)
_SIZES = tuple(len(values) for _, values, _ in _CHOICES)
_FIRST = tuple(sum(_SIZES[:place]) for place in range(len(_SIZES)))

# Fans in the table of qq, 0 for a pattern that is not in it; fans that situations add there.
_USUAL_FANS = (1, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 0)
_USUAL_EXTRAS = (1, 1, 0, 1, 0)
_USUAL_PIG = 16

FAN_0 = sum(_SIZES)
EXTRA_0 = FAN_0 + NUM_PATTERNS * (MUCH_FAN + 1)
MIN_FAN_0 = EXTRA_0 + NUM_EXTRA_FANS * (_MUCH_EXTRA + 1)
CAP_0 = MIN_FAN_0 + MUCH_FAN
PIG_0 = CAP_0 + MUCH_FAN
NUM_RULE_IDS = PIG_0 + _MUCH_PIG + 1
MAX_RULE_TOKENS = len(_CHOICES) + NUM_PATTERNS + NUM_EXTRA_FANS + 3
"""Most tokens that rules can have: one for each option."""


def _upto(low: int, high: int) -> tuple[str, ...]:
    return tuple(str(value) for value in range(low, high + 1))


def rule_rows(first: int) -> tuple[Row, ...]:
    """The tokens of the rules, the first of them numbered ``first``."""
    patterns = tuple(f"rule fan {name}" for name in PATTERN_NAMES)
    extras = tuple(f"rule extra {name}" for name in EXTRA_FAN_NAMES)
    units = _upto(0, _MUCH_PIG)
    return (
        *(
            Row(first + _FIRST[place], (f"rule {name}",), f"{name}, if not {values[usual]}", values)
            for place, (name, values, usual) in enumerate(_CHOICES)
        ),
        Row(
            first + FAN_0,
            patterns,
            "fan of a pattern, if not that of fan table B; 0 if it has none, 8 for more too",
            _upto(0, MUCH_FAN),
        ),
        Row(
            first + EXTRA_0,
            extras,
            "fan that a situation adds, if not that of qq; 4 for more too",
            _upto(0, _MUCH_EXTRA),
        ),
        Row(first + MIN_FAN_0, ("rule min_fan",), "min_fan, if not 1", _upto(1, MUCH_FAN)),
        Row(first + CAP_0, ("rule fan_cap",), "fan_cap, if there is one", _upto(1, MUCH_FAN)),
        Row(first + PIG_0, ("rule pig_multiple",), "pig_multiple, if not 16", units),
    )


@kernel
def _put_choice(value: int, place: int, first: int, out: np.ndarray, number: int) -> int:
    if value == _USUAL[place]:
        return number
    return put_token(first + _FIRST[place] + value, out, number)


@kernel
def _put_choices_of_hands(rules: np.void, first: int, out: np.ndarray, number: int) -> int:
    """How a deal goes and what hands are worth."""
    number = _put_choice(int(rules["mode"]), 0, first, out, number)
    number = _put_choice(int(rules["swap_three"]), 1, first, out, number)
    number = _put_choice(int(rules["void_suit"]), 2, first, out, number)
    number = _put_choice(int(rules["void_auto"]), 3, first, out, number)
    number = _put_choice(int(rules["claim_with_void_tiles"]), 4, first, out, number)
    number = _put_choice(int(rules["additive"]), 5, first, out, number)
    number = _put_choice(int(rules["root_counts_kong"]), 6, first, out, number)
    return _put_choice(int(rules["self_draw_bonus"]), 7, first, out, number)


@kernel
def _put_choices_of_kongs(rules: np.void, first: int, out: np.ndarray, number: int) -> int:
    number = _put_choice(int(rules["direct_kong_payment"]), 8, first, out, number)
    number = _put_choice(int(rules["call_transfer"]), 9, first, out, number)
    number = _put_choice(int(rules["transfer_scope"]), 10, first, out, number)
    number = _put_choice(int(rules["added_kong_timing"]), 11, first, out, number)
    number = _put_choice(int(rules["kong_needs_wall"]), 12, first, out, number)
    number = _put_choice(int(rules["kong_draw_end"]), 13, first, out, number)
    return _put_choice(int(rules["rob_kong_payer"]), 14, first, out, number)


@kernel
def _put_choices_of_ends(rules: np.void, first: int, out: np.ndarray, number: int) -> int:
    """Wins that must or may not be taken, and what the end of a deal costs."""
    number = _put_choice(int(rules["last_four"]), 15, first, out, number)
    number = _put_choice(int(rules["last_four_scope"]), 16, first, out, number)
    number = _put_choice(int(rules["pass_win_lock"]), 17, first, out, number)
    number = _put_choice(int(rules["next_after_discard_win"]), 18, first, out, number)
    number = _put_choice(int(rules["pig_rule"]), 19, first, out, number)
    number = _put_choice(int(rules["pig_pays_winners"]), 20, first, out, number)
    number = _put_choice(int(rules["pig_pays_unready"]), 21, first, out, number)
    number = _put_choice(int(rules["refund_on_draw"]), 22, first, out, number)
    number = _put_choice(int(rules["pigs_refund"]), 23, first, out, number)
    number = _put_choice(int(rules["refund_requires_ready"]), 24, first, out, number)
    number = _put_choice(int(rules["di_hu"]), 25, first, out, number)
    number = _put_choice(int(rules["allow_quit"]), 26, first, out, number)
    return _put_choice(int(rules["escape_refunds_kong"]), 27, first, out, number)


@kernel
def _put_numbers(rules: np.void, first: int, out: np.ndarray, number: int) -> int:
    """Fans and units."""
    for pattern in range(NUM_PATTERNS):
        fan = min(max(int(rules["fans"][pattern]), 0), MUCH_FAN)
        if fan != _USUAL_FANS[pattern]:
            number = put_token(first + FAN_0 + pattern * (MUCH_FAN + 1) + fan, out, number)
    for extra in range(NUM_EXTRA_FANS):
        fan = min(int(rules["extra_fans"][extra]), _MUCH_EXTRA)
        if fan != _USUAL_EXTRAS[extra]:
            number = put_token(first + EXTRA_0 + extra * (_MUCH_EXTRA + 1) + fan, out, number)
    if rules["min_fan"] > 1:
        number = put_token(
            first + MIN_FAN_0 + min(int(rules["min_fan"]), MUCH_FAN) - 1, out, number
        )
    if rules["fan_cap"] > 0:
        number = put_token(first + CAP_0 + min(int(rules["fan_cap"]), MUCH_FAN) - 1, out, number)
    units = min(int(rules["pig_multiple"]), _MUCH_PIG)
    if units != _USUAL_PIG:
        number = put_token(first + PIG_0 + units, out, number)
    return number


@kernel
def put_rules(rules: np.void, first: int, out: np.ndarray, number: int) -> int:
    """Write the tokens of the rules, ids from ``first`` on; return the number of tokens."""
    number = _put_choices_of_hands(rules, first, out, number)
    number = _put_choices_of_kongs(rules, first, out, number)
    number = _put_choices_of_ends(rules, first, out, number)
    return _put_numbers(rules, first, out, number)

"""The rule options that change play, as numbers from 0 to 1."""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.layout import Row
from mjenv.sichuan.patterns import EXTRA_FAN_NAMES, NUM_EXTRA_FANS, NUM_PATTERNS, PATTERN_NAMES
from mjenv.sichuan.rules import (
    AddedKongTiming,
    CallTransfer,
    ClaimWithVoidTiles,
    DirectKongPayment,
    LastFour,
    Mode,
    NextAfterDiscardWin,
    PassWinLock,
    PigRule,
    RobKongPayer,
    SelfDrawBonus,
)

MUCH_FAN = 8
"""A fan that stands as 1; higher ones are cut off."""
_MUCH_EXTRA = 4
_MUCH_PIG = 64

FAN_0 = 0
EXTRA_0 = FAN_0 + NUM_PATTERNS
ADDITIVE = EXTRA_0 + NUM_EXTRA_FANS
KONG_ROOTS = ADDITIVE + 1
MIN_FAN = KONG_ROOTS + 1
CAP = MIN_FAN + 1
NO_CAP = CAP + 1
DRAW_BASE = NO_CAP + 1
DRAW_FAN = DRAW_BASE + 1
SINGLE = DRAW_FAN + 1
VOID_SUIT = SINGLE + 1
SWAP_THREE = VOID_SUIT + 1
CLAIMS_BARRED = SWAP_THREE + 1
KONG_PAID_BY_ALL = CLAIMS_BARRED + 1
KONG_NEEDS_WALL = KONG_PAID_BY_ALL + 1
LATE_KONG = KONG_NEEDS_WALL + 1
LATE_KONG_UNPAID = LATE_KONG + 1
ROB_FOR_ALL = LATE_KONG_UNPAID + 1
TRANSFER = ROB_FOR_ALL + 1
TRANSFER_SPLIT = TRANSFER + 1
FORCED_WINS = TRANSFER_SPLIT + 1
PASS_LOCK = FORCED_WINS + 1
LAST_WINNER_NEXT = PASS_LOCK + 1
PIG_SUITS = LAST_WINNER_NEXT + 1
PIG_VOID = PIG_SUITS + 1
PIG_UNITS = PIG_VOID + 1
PIG_PAYS_WINNERS = PIG_UNITS + 1
PIG_PAYS_UNREADY = PIG_PAYS_WINNERS + 1
REFUND = PIG_PAYS_UNREADY + 1
PIGS_REFUND = REFUND + 1
NUM_RULE_FEATURES = PIGS_REFUND + 1


def rule_rows(first: int) -> tuple[Row, ...]:
    """The cells of the rules, the first of them numbered ``first``."""
    fans = tuple(f"rule {name}" for name in PATTERN_NAMES)
    extras = tuple(f"rule {name}" for name in EXTRA_FAN_NAMES)
    return (
        Row(first + FAN_0, fans, "fan of each pattern / 8, 0 if it is not in the table"),
        Row(first + EXTRA_0, extras, "fan that each situation adds / 4"),
        Row(first + ADDITIVE, ("rule additive",), "the fan table adds patterns up"),
        Row(first + KONG_ROOTS, ("rule kong roots",), "root_counts_kong"),
        Row(first + MIN_FAN, ("rule min fan",), "min_fan / 8"),
        Row(first + CAP, ("rule fan cap",), "fan_cap / 8, 1 without a cap"),
        Row(first + NO_CAP, ("rule no cap",), "there is no fan_cap"),
        Row(first + DRAW_BASE, ("rule self-draw base",), "self_draw_bonus is add_base"),
        Row(first + DRAW_FAN, ("rule self-draw fan",), "self_draw_bonus is add_fan"),
        Row(first + SINGLE, ("rule single",), "mode is single"),
        Row(first + VOID_SUIT, ("rule void suit",), "void_suit"),
        Row(first + SWAP_THREE, ("rule exchange",), "swap_three"),
        Row(first + CLAIMS_BARRED, ("rule claims barred",), "claim_with_void_tiles is forbidden"),
        Row(first + KONG_PAID_BY_ALL, ("rule kong paid by all",), "all pay a direct kong"),
        Row(first + KONG_NEEDS_WALL, ("rule kong needs wall",), "kong_needs_wall"),
        Row(first + LATE_KONG, ("rule late kong",), "added kongs are allowed in any turn"),
        Row(first + LATE_KONG_UNPAID, ("rule late kong unpaid",), "late ones are not paid"),
        Row(first + ROB_FOR_ALL, ("rule rob for all",), "rob_kong_payer is konger_for_all"),
        Row(first + TRANSFER, ("rule transfer",), "there is a call_transfer"),
        Row(first + TRANSFER_SPLIT, ("rule transfer split",), "call_transfer is split_ceil"),
        Row(first + FORCED_WINS, ("rule forced wins",), "last_four is forced"),
        Row(first + PASS_LOCK, ("rule pass lock",), "there is a pass_win_lock"),
        Row(first + LAST_WINNER_NEXT, ("rule last winner next",), "who draws after discard wins"),
        Row(first + PIG_SUITS, ("rule pig by suits",), "holding three suits makes a pig"),
        Row(first + PIG_VOID, ("rule pig by void suit",), "holding void tiles makes a pig"),
        Row(first + PIG_UNITS, ("rule pig units",), "pig_multiple / 64"),
        Row(first + PIG_PAYS_WINNERS, ("rule pig pays winners",), "pig_pays_winners"),
        Row(first + PIG_PAYS_UNREADY, ("rule pig pays unready",), "pig_pays_unready"),
        Row(first + REFUND, ("rule refund",), "refund_on_draw"),
        Row(first + PIGS_REFUND, ("rule pigs refund",), "pigs_refund"),
    )


@kernel
def _flag(condition: bool) -> float:
    return 1.0 if condition else 0.0


@kernel
def _write_fan_rules(rules: np.void, out: np.ndarray) -> None:
    for pattern in range(NUM_PATTERNS):
        fan = max(int(rules["fans"][pattern]), 0)
        out[FAN_0 + pattern] = min(fan, MUCH_FAN) / MUCH_FAN
    for extra in range(NUM_EXTRA_FANS):
        out[EXTRA_0 + extra] = min(int(rules["extra_fans"][extra]), _MUCH_EXTRA) / _MUCH_EXTRA
    cap = int(rules["fan_cap"])
    out[ADDITIVE] = _flag(rules["additive"] != 0)
    out[KONG_ROOTS] = _flag(rules["root_counts_kong"] != 0)
    out[MIN_FAN] = min(int(rules["min_fan"]), MUCH_FAN) / MUCH_FAN
    out[CAP] = (min(cap, MUCH_FAN) if cap > 0 else MUCH_FAN) / MUCH_FAN
    out[NO_CAP] = _flag(cap == 0)
    out[DRAW_BASE] = _flag(rules["self_draw_bonus"] == SelfDrawBonus.ADD_BASE)
    out[DRAW_FAN] = _flag(rules["self_draw_bonus"] == SelfDrawBonus.ADD_FAN)


@kernel
def _write_kong_rules(rules: np.void, out: np.ndarray) -> None:
    timing = rules["added_kong_timing"]
    transfer = rules["call_transfer"]
    out[KONG_PAID_BY_ALL] = _flag(rules["direct_kong_payment"] == DirectKongPayment.EVERYONE)
    out[KONG_NEEDS_WALL] = _flag(rules["kong_needs_wall"] != 0)
    out[LATE_KONG] = _flag(timing != AddedKongTiming.JUST_DRAWN)
    out[LATE_KONG_UNPAID] = _flag(timing == AddedKongTiming.ANY_TURN_UNPAID)
    out[ROB_FOR_ALL] = _flag(rules["rob_kong_payer"] == RobKongPayer.KONGER_FOR_ALL)
    out[TRANSFER] = _flag(transfer != CallTransfer.NONE)
    out[TRANSFER_SPLIT] = _flag(transfer == CallTransfer.SPLIT_CEIL)


@kernel
def _write_play_rules(rules: np.void, out: np.ndarray) -> None:
    pig = rules["pig_rule"]
    last = NextAfterDiscardWin.LAST_WINNER_NEXT
    out[SINGLE] = _flag(rules["mode"] == Mode.SINGLE)
    out[VOID_SUIT] = _flag(rules["void_suit"] != 0)
    out[SWAP_THREE] = _flag(rules["swap_three"] != 0)
    out[CLAIMS_BARRED] = _flag(rules["claim_with_void_tiles"] == ClaimWithVoidTiles.FORBIDDEN)
    out[FORCED_WINS] = _flag(rules["last_four"] == LastFour.FORCED)
    out[PASS_LOCK] = _flag(rules["pass_win_lock"] != PassWinLock.NONE)
    out[LAST_WINNER_NEXT] = _flag(rules["next_after_discard_win"] == last)
    out[PIG_SUITS] = _flag(pig != PigRule.VOID_SUIT)
    out[PIG_VOID] = _flag(pig != PigRule.THREE_SUITS)
    out[PIG_UNITS] = min(int(rules["pig_multiple"]), _MUCH_PIG) / _MUCH_PIG
    out[PIG_PAYS_WINNERS] = _flag(rules["pig_pays_winners"] != 0)
    out[PIG_PAYS_UNREADY] = _flag(rules["pig_pays_unready"] != 0)
    out[REFUND] = _flag(rules["refund_on_draw"] != 0)
    out[PIGS_REFUND] = _flag(rules["pigs_refund"] != 0)


@kernel
def write_rules(rules: np.void, out: np.ndarray) -> None:
    """Write the cells of the rules to ``out``, ``(NUM_RULE_FEATURES,)``."""
    _write_fan_rules(rules, out)
    _write_kong_rules(rules, out)
    _write_play_rules(rules, out)

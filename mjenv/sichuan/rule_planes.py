"""The rule options that change play, as planes that are all 0 or all 1."""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.layout import Row, at_least, fill_if
from mjenv.sichuan.rules import (
    AddedKongTiming,
    CallTransfer,
    ClaimWithVoidTiles,
    DirectKongPayment,
    Extra,
    LastFour,
    Mode,
    PassWinLock,
    Pattern,
    PigRule,
    SelfDrawBonus,
)

FAN_CAPS = (4, 5, 6)
_TRIPLET_FAN = 2
_SUIT_FAN = 3
_PAIRS_FAN = 3

SINGLE = 0
VOID_SUIT = SINGLE + 1
SWAP_THREE = VOID_SUIT + 1
CLAIMS_BARRED = SWAP_THREE + 1
MIN_FAN = CLAIMS_BARRED + 1
CAP_0 = MIN_FAN + 1
NO_CAP = CAP_0 + len(FAN_CAPS)
DRAW_BASE = NO_CAP + 1
DRAW_FAN = DRAW_BASE + 1
ADDITIVE = DRAW_FAN + 1
TRIPLETS = ADDITIVE + 1
ONE_SUIT = TRIPLETS + 1
SEVEN_PAIRS = ONE_SUIT + 1
ROOTS = SEVEN_PAIRS + 1
KONG_ROOTS = ROOTS + 1
KONG_DRAW = KONG_ROOTS + 1
KONG_DISCARD = KONG_DRAW + 1
KONG_PAID_BY_ALL = KONG_DISCARD + 1
TRANSFER = KONG_PAID_BY_ALL + 1
LATE_KONG = TRANSFER + 1
LATE_KONG_UNPAID = LATE_KONG + 1
LAST_FOUR = LATE_KONG_UNPAID + 1
PASS_LOCK = LAST_FOUR + 1
PIG_SUITS = PASS_LOCK + 1
PIG_VOID = PIG_SUITS + 1
REFUND = PIG_VOID + 1
NUM_RULE_PLANES = REFUND + 1


def rule_rows(first: int) -> tuple[Row, ...]:
    """The channels of the rules, the first of them numbered ``first``."""
    return (
        Row(first + SINGLE, ("rule single",), "mode is single"),
        Row(first + VOID_SUIT, ("rule void suit",), "void_suit"),
        Row(first + SWAP_THREE, ("rule exchange",), "swap_three"),
        Row(first + CLAIMS_BARRED, ("rule claims barred",), "claim_with_void_tiles forbidden"),
        Row(first + MIN_FAN, ("rule min fan",), "min_fan is 2 or more"),
        Row(first + CAP_0, at_least("rule fan cap", FAN_CAPS), "fan_cap; all 1 without a cap"),
        Row(first + NO_CAP, ("rule no cap",), "there is no fan_cap"),
        Row(first + DRAW_BASE, ("rule self-draw base",), "self_draw_bonus is add_base"),
        Row(first + DRAW_FAN, ("rule self-draw fan",), "self_draw_bonus is add_fan"),
        Row(first + ADDITIVE, ("rule additive",), "the fan table adds patterns up"),
        Row(first + TRIPLETS, ("rule triplets",), "dui_dui_hu is worth 2 fan or more"),
        Row(first + ONE_SUIT, ("rule one suit",), "qing_yi_se is worth 3 fan or more"),
        Row(first + SEVEN_PAIRS, ("rule seven pairs",), "qi_dui is worth 3 fan or more"),
        Row(first + ROOTS, ("rule roots",), "a root adds fan"),
        Row(first + KONG_ROOTS, ("rule kong roots",), "root_counts_kong"),
        Row(first + KONG_DRAW, ("rule kong draw",), "gang_shang_hua adds fan"),
        Row(first + KONG_DISCARD, ("rule kong discard",), "gang_shang_pao adds fan"),
        Row(first + KONG_PAID_BY_ALL, ("rule kong paid by all",), "all pay a direct kong"),
        Row(first + TRANSFER, ("rule transfer",), "there is a call_transfer"),
        Row(first + LATE_KONG, ("rule late kong",), "added kongs are allowed in any turn"),
        Row(first + LATE_KONG_UNPAID, ("rule late kong unpaid",), "late ones are not paid"),
        Row(first + LAST_FOUR, ("rule forced wins",), "last_four is forced"),
        Row(first + PASS_LOCK, ("rule pass lock",), "there is a pass_win_lock"),
        Row(first + PIG_SUITS, ("rule pig by suits",), "holding three suits makes a pig"),
        Row(first + PIG_VOID, ("rule pig by void suit",), "holding void tiles makes a pig"),
        Row(first + REFUND, ("rule refund",), "refund_on_draw"),
    )


@kernel
def _write_play_rules(rules: np.void, out: np.ndarray, first: int) -> None:
    timing = rules["added_kong_timing"]
    pig = rules["pig_rule"]
    fill_if(out, first + SINGLE, rules["mode"] == Mode.SINGLE)
    fill_if(out, first + VOID_SUIT, rules["void_suit"] != 0)
    fill_if(out, first + SWAP_THREE, rules["swap_three"] != 0)
    barred = rules["claim_with_void_tiles"] == ClaimWithVoidTiles.FORBIDDEN
    fill_if(out, first + CLAIMS_BARRED, barred)
    by_all = rules["direct_kong_payment"] == DirectKongPayment.EVERYONE
    fill_if(out, first + KONG_PAID_BY_ALL, by_all)
    fill_if(out, first + TRANSFER, rules["call_transfer"] != CallTransfer.NONE)
    fill_if(out, first + LATE_KONG, timing != AddedKongTiming.JUST_DRAWN)
    fill_if(out, first + LATE_KONG_UNPAID, timing == AddedKongTiming.ANY_TURN_UNPAID)
    fill_if(out, first + LAST_FOUR, rules["last_four"] == LastFour.FORCED)
    fill_if(out, first + PASS_LOCK, rules["pass_win_lock"] != PassWinLock.NONE)
    fill_if(out, first + PIG_SUITS, pig != PigRule.VOID_SUIT)
    fill_if(out, first + PIG_VOID, pig != PigRule.THREE_SUITS)
    fill_if(out, first + REFUND, rules["refund_on_draw"] != 0)


@kernel
def _write_fan_rules(rules: np.void, out: np.ndarray, first: int) -> None:
    cap = int(rules["fan_cap"])
    fans = rules["fans"]
    extra = rules["extra_fans"]
    fill_if(out, first + MIN_FAN, rules["min_fan"] > 1)
    for i in range(len(FAN_CAPS)):
        fill_if(out, first + CAP_0 + i, cap == 0 or cap >= FAN_CAPS[i])
    fill_if(out, first + NO_CAP, cap == 0)
    fill_if(out, first + DRAW_BASE, rules["self_draw_bonus"] == SelfDrawBonus.ADD_BASE)
    fill_if(out, first + DRAW_FAN, rules["self_draw_bonus"] == SelfDrawBonus.ADD_FAN)
    fill_if(out, first + ADDITIVE, rules["additive"] != 0)
    fill_if(out, first + TRIPLETS, fans[Pattern.DUI_DUI_HU] >= _TRIPLET_FAN)
    fill_if(out, first + ONE_SUIT, fans[Pattern.QING_YI_SE] >= _SUIT_FAN)
    fill_if(out, first + SEVEN_PAIRS, fans[Pattern.QI_DUI] >= _PAIRS_FAN)
    fill_if(out, first + ROOTS, extra[Extra.GEN] > 0)
    fill_if(out, first + KONG_ROOTS, rules["root_counts_kong"] != 0)
    fill_if(out, first + KONG_DRAW, extra[Extra.GANG_SHANG_HUA] > 0)
    fill_if(out, first + KONG_DISCARD, extra[Extra.GANG_SHANG_PAO] > 0)


@kernel
def write_rules(rules: np.void, out: np.ndarray, first: int) -> None:
    """Write the channels of the rules, from channel ``first`` on."""
    _write_play_rules(rules, out, first)
    _write_fan_rules(rules, out, first)

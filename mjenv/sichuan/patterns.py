"""Names of what a win is worth, and the fan tables as data (section 2 of the rules).

The identifiers in records and options are the member names in lower case.
"""

from enum import IntEnum
from typing import TypedDict


class Pattern(IntEnum):
    """Base patterns of a winning hand."""

    PING_HU = 0  # 平胡: four sets and a pair
    DUI_DUI_HU = 1  # 对对胡: all sets triplets or kongs
    QING_YI_SE = 2  # 清一色: one suit
    DAI_YAO_JIU = 3  # 带幺九: a 1 or 9 in every set and the pair
    QI_DUI = 4  # 七对: seven pairs
    QING_DUI = 5  # 清对: dui_dui_hu in one suit
    JIANG_DUI = 6  # 将对: dui_dui_hu of 2, 5 and 8 only
    LONG_QI_DUI = 7  # 龙七对: seven pairs with four of a kind
    QING_QI_DUI = 8  # 清七对: seven pairs in one suit
    QING_YAO_JIU = 9  # 清幺九: dai_yao_jiu in one suit
    QING_LONG_QI_DUI = 10  # 清龙七对: long_qi_dui in one suit
    TIAN_HU = 11  # 天胡: the dealer wins on the dealt tiles (R34)
    DI_HU = 12  # 地胡: another seat wins on its first draw (R34)
    JIN_GOU_DIAO = 13  # 金钩钓: four melds, one concealed tile


class Extra(IntEnum):
    """What adds fan to the base pattern."""

    GANG_SHANG_HUA = 0  # 杠上花: won on a replacement tile
    GANG_SHANG_PAO = 1  # 杠上炮: won on the discard after a replacement tile
    QIANG_GANG = 2  # 抢杠: won by robbing a kong
    GEN = 3  # 根: each four of a kind
    HAI_DI = 4  # 海底: won with an empty wall
    SELF_DRAW = 5  # 自摸加番: self-draw under self_draw_bonus = add_fan, no item of extra_fans


PATTERN_NAMES = tuple(pattern.name.lower() for pattern in Pattern)
EXTRA_NAMES = tuple(extra.name.lower() for extra in Extra)
EXTRA_FAN_NAMES = EXTRA_NAMES[: Extra.SELF_DRAW]
"""The items of the option ``extra_fans``."""
ALONE = ("tian_hu", "di_hu")
"""Patterns that an additive table does not add to others."""
NUM_PATTERNS = len(PATTERN_NAMES)
NUM_EXTRAS = len(EXTRA_NAMES)
NUM_EXTRA_FANS = len(EXTRA_FAN_NAMES)


class FanTable(TypedDict):
    """How base patterns are valued.

    ``additive`` tables add all patterns of a hand, others count the best one. In an additive
    table tian_hu and di_hu stand alone: they are worth the fan cap, or without one the number here.
    """

    additive: bool
    fans: dict[str, int]


_TABLE_A: dict[str, int] = {
    "ping_hu": 1,
    "dui_dui_hu": 2,
    "qing_yi_se": 3,
    "dai_yao_jiu": 3,
    "qi_dui": 3,
    "qing_dui": 4,
    "jiang_dui": 4,
    "long_qi_dui": 4,
    "qing_qi_dui": 5,
    "qing_yao_jiu": 5,
    "qing_long_qi_dui": 6,
    "tian_hu": 6,
    "di_hu": 6,
}

FAN_TABLES: dict[str, FanTable] = {
    "A": {"additive": False, "fans": _TABLE_A},
    "B": {"additive": False, "fans": {**_TABLE_A, "long_qi_dui": 5}},
    "C": {
        "additive": True,
        "fans": {
            "ping_hu": 1,
            "dui_dui_hu": 1,
            "qing_yi_se": 2,
            "qi_dui": 2,
            "tian_hu": 6,
            "di_hu": 6,
            "jin_gou_diao": 1,
        },
    },
}
"""Tables by name: A and B follow the source documents, C is today's usual online counting."""

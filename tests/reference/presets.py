"""The four presets and the three fan tables, typed from the rules page (1.8, section 2).

Every option of point 43 stands in every preset. Options that a preset marks with a dash
(`void_auto` without `void_suit`, `root_counts_kong` without roots) are off. `room_coefficient`
and `table_fee` are a display layer (R52) that play never reads; 0 says that they are off.
"""

from typing import Any

RulesMapping = dict[str, Any]

FAN_TABLES: dict[str, dict[str, Any]] = {
    "A": {
        "additive": False,
        "fans": {
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
        },
    },
    "B": {
        "additive": False,
        "fans": {
            "ping_hu": 1,
            "dui_dui_hu": 2,
            "qing_yi_se": 3,
            "dai_yao_jiu": 3,
            "qi_dui": 3,
            "qing_dui": 4,
            "jiang_dui": 4,
            "long_qi_dui": 5,
            "qing_qi_dui": 5,
            "qing_yao_jiu": 5,
            "qing_long_qi_dui": 6,
            "tian_hu": 6,
            "di_hu": 6,
        },
    },
    "C": {
        "additive": True,
        "fans": {
            "ping_hu": 1,
            "dui_dui_hu": 1,
            "jin_gou_diao": 1,
            "qi_dui": 2,
            "qing_yi_se": 2,
        },
    },
}


def _extra_fans(hua: int, pao: int, rob: int, gen: int, hai: int) -> dict[str, int]:
    """The five situational items, in the order of the preset table."""
    return {
        "gang_shang_hua": hua,
        "gang_shang_pao": pao,
        "qiang_gang": rob,
        "gen": gen,
        "hai_di": hai,
    }


STANDALONE: RulesMapping = {
    "mode": "blood",
    "base_points": 6,
    "min_fan": 1,
    "swap_three": False,
    "void_suit": False,
    "void_auto": False,
    "claim_with_void_tiles": "allowed",
    "fan_table": "A",
    "extra_fans": _extra_fans(0, 0, 0, 0, 0),
    "root_counts_kong": False,
    "fan_cap": None,
    "self_draw_bonus": "none",
    "direct_kong_payment": "discarder_only",
    "call_transfer": "full_each",
    "transfer_scope": "last_kong",
    "added_kong_timing": "just_drawn",
    "kong_needs_wall": True,
    "kong_draw_end": "front",
    "rob_kong_payer": "konger_single",
    "last_four": "forced",
    "last_four_scope": "turn",
    "pass_win_lock": "none",
    "next_after_discard_win": "discarder_next",
    "pig_rule": "three_suits",
    "pig_multiple": 16,
    "pig_pays_winners": True,
    "pig_pays_unready": True,
    "refund_on_draw": True,
    "pigs_refund": True,
    "refund_requires_ready": False,
    "di_hu": "first_draw_uninterrupted",
    "allow_quit": False,
    "escape_refunds_kong": False,
    "next_dealer": "dice",
    "dealer_after_self_draw": "dice",
    "room_coefficient": 0,
    "table_fee": 0,
}

STANDALONE_SINGLE: RulesMapping = {**STANDALONE, "mode": "single", "next_dealer": "shooter"}

QQ: RulesMapping = {
    **STANDALONE,
    "void_suit": True,
    "void_auto": True,
    "fan_table": "B",
    "extra_fans": _extra_fans(1, 1, 0, 1, 0),
    "self_draw_bonus": "add_base",
    "last_four": "optional_if_void",
}

SICHUAN_MODERN: RulesMapping = {
    **STANDALONE,
    "base_points": 1,
    "swap_three": True,
    "void_suit": True,
    "void_auto": False,
    "fan_table": "C",
    "extra_fans": _extra_fans(1, 1, 1, 1, 1),
    "root_counts_kong": True,
    "fan_cap": 5,
    "self_draw_bonus": "add_base",
    "call_transfer": "split_ceil",
    "transfer_scope": "kong_chain",
    "added_kong_timing": "any_turn_unpaid",
    "last_four": "optional",
    "pass_win_lock": "same_or_lower_until_own_draw",
    "next_after_discard_win": "last_winner_next",
    "pig_rule": "void_suit",
    "next_dealer": "first_winner",
}

PRESETS: dict[str, RulesMapping] = {
    "standalone": STANDALONE,
    "standalone_single": STANDALONE_SINGLE,
    "qq": QQ,
    "sichuan_modern": SICHUAN_MODERN,
}


def fan_table(rules: RulesMapping) -> dict[str, Any]:
    """The table the rules name, or the mapping they hold (point 25)."""
    named = rules["fan_table"]
    return FAN_TABLES[named] if isinstance(named, str) else named


def with_options(preset: str, options: RulesMapping) -> RulesMapping:
    """A preset with overrides; `extra_fans` may name only some of its items."""
    base = PRESETS[preset]
    unknown = sorted(set(options) - set(base))
    if unknown:
        raise ValueError(f"unknown options {unknown}")
    extras = {**base["extra_fans"], **options.get("extra_fans", {})}
    return {**base, **options, "extra_fans": extras}

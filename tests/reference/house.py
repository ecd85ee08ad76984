"""House rules by chance: every value of every option that play reads comes up."""

import random
from typing import Any

from tests.reference.presets import FAN_TABLES, PRESETS, RulesMapping, with_options

CHOICES: dict[str, list[Any]] = {
    "mode": ["blood", "blood", "single"],
    "base_points": [1, 6],
    "min_fan": [1, 1, 2],
    "swap_three": [False, True],
    "void_suit": [False, True],
    "void_auto": [False, True],
    "claim_with_void_tiles": ["allowed", "forbidden"],
    "fan_table": ["A", "B", "C"],
    "root_counts_kong": [False, True],
    "fan_cap": [None, 3, 5],
    "self_draw_bonus": ["none", "add_base", "add_fan"],
    "direct_kong_payment": ["discarder_only", "everyone"],
    "call_transfer": ["none", "full_each", "split_ceil"],
    "transfer_scope": ["last_kong", "kong_chain"],
    "added_kong_timing": ["just_drawn", "any_turn_paid", "any_turn_unpaid"],
    "kong_needs_wall": [True, False],
    "kong_draw_end": ["front", "back"],
    "rob_kong_payer": ["konger_single", "konger_for_all"],
    "last_four": ["forced", "optional", "optional_if_void"],
    "last_four_scope": ["turn", "window"],
    "pass_win_lock": ["none", "same_or_lower_until_own_draw"],
    "next_after_discard_win": ["discarder_next", "last_winner_next"],
    "pig_multiple": [16, 8],
    "pig_pays_winners": [True, False],
    "pig_pays_unready": [True, False],
    "refund_on_draw": [True, False],
    "pigs_refund": [True, False],
    "refund_requires_ready": [False, True],
    "di_hu": ["first_draw_uninterrupted", "also_first_discard"],
    "allow_quit": [False, True],
    "escape_refunds_kong": [False, True],
    "next_dealer": ["dice", "shooter", "first_winner"],
    "dealer_after_self_draw": ["dice", "winner", "stay"],
}
PIG_RULES = ["three_suits", "void_suit", "either"]
PATTERNS = [*FAN_TABLES["A"]["fans"], "jin_gou_diao"]
NEEDED = ("ping_hu", "qi_dui")


def house_rules(rng: random.Random) -> RulesMapping:
    """A valid mapping with every option of point 43, each drawn by itself."""
    options = {name: rng.choice(values) for name, values in CHOICES.items()}
    if options["void_suit"]:  # point 37: the other two pig rules need it
        options["pig_rule"] = rng.choice(PIG_RULES)
    else:
        options["void_auto"] = False
    options["extra_fans"] = {name: rng.randrange(3) for name in PRESETS["qq"]["extra_fans"]}
    if rng.random() < 0.3:
        options["fan_table"] = house_fan_table(rng)
    return with_options("qq", options)


def house_fan_table(rng: random.Random) -> dict[str, Any]:
    """Some of the patterns at any worth; plain and seven-pair hands always have one."""
    additive = rng.random() < 0.5
    most = 2 if additive else 6  # sums stay small enough to be paid
    names = [name for name in PATTERNS if name in NEEDED or rng.random() < 0.6]
    return {"additive": additive, "fans": {name: rng.randint(1, most) for name in names}}

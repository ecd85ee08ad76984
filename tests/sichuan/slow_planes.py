"""``planes/1`` from a view and rules, channel by channel, in plain Python."""

import numpy as np

from mjenv.sichuan.history import fates
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NUM_KINDS, Claim, Phase
from tests.sichuan.slow_hand import visible_tiles

SEATS = ("self", "next", "across", "previous")
Planes = dict[str, np.ndarray]


def counts(kinds: list[int]) -> np.ndarray:
    """How many tiles there are of each kind, those that are none left out."""
    return np.bincount([kind for kind in kinds if kind >= 0], minlength=NUM_KINDS)


def seats_of(view: np.void) -> list[tuple[str, int]]:
    """Name and number of every seat, the observer first."""
    return [(name, (int(view["seat"]) + k) % 4) for k, name in enumerate(SEATS)]


def thermometer(name: str, count: np.ndarray, levels: int) -> Planes:
    return {f"{name} >= {level}": count >= level for level in range(1, levels + 1)}


def tile_planes(view: np.void) -> Planes:
    planes = {
        **thermometer("hand", view["hand"], 4),
        "drawn": counts([view["drawn"]]),
        "claim tile": counts([view["claim_tile"]]),
        **thermometer("live", 4 - counts(visible_tiles(view)), 4),
        **thermometer("given", counts(list(view["given"])), 3),
        **thermometer("received", counts(list(view["received"])), 3),
        "direct kong": counts([]),
        "added kong": counts([]),
        "concealed kong": counts([]),
    }
    discards = [
        (seat, int(view["discard_kind"][i]), claim)
        for i, (seat, claim, _) in enumerate(fates(view))
    ]
    for name, seat in seats_of(view):
        number = view["num_melds"][seat]
        melds = list(zip(view["meld_type"][seat], view["meld_kind"][seat], strict=True))[:number]
        planes[f"meld {name}"] = counts([kind for _, kind in melds])
        for i, kong in enumerate(("direct kong", "added kong", "concealed kong")):
            planes[kong] = planes[kong] + counts([kind for made, kind in melds if made == 2 + i])
        river = [kind for who, kind, claim in discards if who == seat and claim == Claim.NONE]
        planes.update(thermometer(f"river {name}", counts(river), 3))
        made = [kind for who, kind, _ in discards if who == seat]
        planes[f"latest {name}"] = counts(made[-1:])
        planes[f"second latest {name}"] = counts(made[-2:-1])
        planes[f"winning tile {name}"] = counts([view["win_tile"][seat]])
        suit = view["void_suit"][seat]
        planes[f"void suit {name}"] = np.array([kind // 9 == suit for kind in range(NUM_KINDS)])
    return planes


def table_flags(view: np.void) -> dict[str, bool]:
    wall = view["wall_count"]
    flags = {f"wall >= {left}": wall >= left for left in (1, 2, 3, 4, 8, 12, 16, 24, 32, 44)}
    flags |= {f"phase {phase.name.lower()}": view["phase"] == phase for phase in Phase}
    del flags["phase wait"]
    for name, seat in seats_of(view):
        flags[f"won {name}"] = view["win_order"][seat] > 0
        flags[f"dealer {name}"] = view["dealer"] == seat
        flags[f"turn {name}"] = view["turn"] == seat
    for number, name in enumerate(("next", "previous", "across")):
        flags[f"exchanged {name}"] = view["direction"] == number
    flags["must discard"] = view["must_discard"] == 1
    flags["replacement"] = view["replacement"] == 1
    flags["kong discard"] = view["kong_discard"] == 1
    flags["pass lock"] = view["lock_fan"] > 0
    return flags


def rule_flags(rules: Rules) -> dict[str, bool]:
    fans = rules.table["fans"]
    cap = rules.fan_cap or 99
    return {
        "rule single": rules.mode == "single",
        "rule void suit": rules.void_suit,
        "rule exchange": rules.swap_three,
        "rule claims barred": rules.claim_with_void_tiles == "forbidden",
        "rule min fan": rules.min_fan > 1,
        **{f"rule fan cap >= {fan}": cap >= fan for fan in (4, 5, 6)},
        "rule no cap": rules.fan_cap is None,
        "rule self-draw base": rules.self_draw_bonus == "add_base",
        "rule self-draw fan": rules.self_draw_bonus == "add_fan",
        "rule additive": rules.table["additive"],
        "rule triplets": fans.get("dui_dui_hu", 0) >= 2,
        "rule one suit": fans.get("qing_yi_se", 0) >= 3,
        "rule seven pairs": fans.get("qi_dui", 0) >= 3,
        "rule roots": rules.extra_fans["gen"] > 0,
        "rule kong roots": rules.root_counts_kong,
        "rule kong draw": rules.extra_fans["gang_shang_hua"] > 0,
        "rule kong discard": rules.extra_fans["gang_shang_pao"] > 0,
        "rule kong paid by all": rules.direct_kong_payment == "everyone",
        "rule transfer": rules.call_transfer != "none",
        "rule late kong": rules.added_kong_timing != "just_drawn",
        "rule late kong unpaid": rules.added_kong_timing == "any_turn_unpaid",
        "rule forced wins": rules.last_four == "forced"
        or (rules.last_four == "optional_if_void" and not rules.void_suit),
        "rule pass lock": rules.pass_win_lock != "none",
        "rule pig by suits": rules.pig_rule in ("three_suits", "either"),
        "rule pig by void suit": rules.pig_rule in ("void_suit", "either"),
        "rule refund": rules.refund_on_draw,
    }


def slow_planes(view: np.void, rules: Rules) -> Planes:
    """Every channel by name, shape ``(27,)`` each, any integer type."""
    flags = {**table_flags(view), **rule_flags(rules)}
    return {
        **tile_planes(view),
        **{name: np.full(NUM_KINDS, flag) for name, flag in flags.items()},
    }

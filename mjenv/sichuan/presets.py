"""The presets of section 1.8 of the rules, as what each changes in ``qq``.

``standalone`` and ``standalone_single`` are the offline game in blood and in ordinary mode, ``qq``
the online rooms, ``sichuan_modern`` the counting that is usual today.
"""

from typing import Any

NO_EXTRA_FANS = {
    "gang_shang_hua": 0,
    "gang_shang_pao": 0,
    "qiang_gang": 0,
    "gen": 0,
    "hai_di": 0,
}

_STANDALONE: dict[str, Any] = {
    "void_suit": False,
    "void_auto": False,
    "fan_table": "A",
    "extra_fans": NO_EXTRA_FANS,
    "self_draw_bonus": "none",
    "last_four": "forced",
}

PRESET_CHANGES: dict[str, dict[str, Any]] = {
    "standalone": _STANDALONE,
    "standalone_single": {**_STANDALONE, "mode": "single", "next_dealer": "shooter"},
    "qq": {},
    "sichuan_modern": {
        "base_points": 1,
        "swap_three": True,
        "void_auto": False,
        "fan_table": "C",
        "extra_fans": dict.fromkeys(NO_EXTRA_FANS, 1),
        "root_counts_kong": True,
        "fan_cap": 5,
        "call_transfer": "split_ceil",
        "transfer_scope": "kong_chain",
        "added_kong_timing": "any_turn_unpaid",
        "last_four": "optional",
        "pass_win_lock": "same_or_lower_until_own_draw",
        "next_after_discard_win": "last_winner_next",
        "pig_rule": "void_suit",
        "next_dealer": "first_winner",
    },
}

PRESETS: tuple[str, ...] = tuple(PRESET_CHANGES)
"""Names of the presets."""

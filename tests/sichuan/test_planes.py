import numpy as np
import pytest

from mjenv.sichuan.observation import ENCODINGS
from mjenv.sichuan.planes import observe_planes
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import VIEW
from tests.sichuan.positions import PRESETS, Play
from tests.sichuan.slow_planes import rule_flags, slow_planes

PLANES = ENCODINGS["planes/1"]
NO_LUTS = np.zeros(0, np.int64)


def compare(view: np.void, rules: Rules) -> None:
    out = np.full(PLANES.size, -7, np.int8)
    observe_planes(view, rules.pack()[0], NO_LUTS, out)
    expected = slow_planes(view, rules)
    assert set(expected) == set(PLANES.channels)
    for channel, cells in zip(PLANES.channels, out.reshape(-1, 27), strict=True):
        np.testing.assert_array_equal(cells, expected[channel].astype(np.int8), channel)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", [1, 20])
def test_every_channel_is_what_it_says(preset: str, seed: int) -> None:
    play = Play(preset, 3, seed=seed, every=3)
    for _ in play:
        for view in play.views():
            compare(view, Rules.preset(preset))


def test_rare_sights() -> None:
    play = Play("sichuan_modern", 1, every=20)
    for _ in play:
        for view in play.views():
            rare = np.array([view], VIEW)
            rare["given"], rare["received"] = (4, 4, 4), (20, 20, 20)
            rare["lock_fan"] = 3
            compare(rare[0], Rules.preset("sichuan_modern"))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mode": "single"},
        {"void_suit": False, "void_auto": False},
        {"swap_three": True, "void_auto": False},
        {"claim_with_void_tiles": "forbidden"},
        {"min_fan": 2},
        *({"fan_cap": cap} for cap in (3, 4, 5, 6, 7)),
        {"self_draw_bonus": "none"},
        {"self_draw_bonus": "add_fan"},
        {"fan_table": "C", "fan_cap": 5},
        {"fan_table": {"additive": False, "fans": {"ping_hu": 1, "qi_dui": 2}}},
        {"extra_fans": {"gen": 0}},
        {"extra_fans": {"gang_shang_hua": 0}},
        {"extra_fans": {"gang_shang_pao": 0}},
        {"root_counts_kong": True},
        {"direct_kong_payment": "everyone"},
        {"call_transfer": "none"},
        {"added_kong_timing": "any_turn_paid"},
        {"added_kong_timing": "any_turn_unpaid"},
        {"last_four": "forced"},
        {"last_four": "optional"},
        {"pass_win_lock": "same_or_lower_until_own_draw"},
        {"pig_rule": "void_suit"},
        {"pig_rule": "either"},
        {"refund_on_draw": False},
    ],
    ids=str,
)
def test_rule_channels(options: dict[str, object]) -> None:
    rules = Rules().replace(**options)
    play = Play("qq", 1, every=1000)
    next(iter(play))
    compare(play.view(0, 0), rules)
    changed = rule_flags(rules) != rule_flags(Rules())
    assert changed == (options not in ({}, {"last_four": "optional"}))

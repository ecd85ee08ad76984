import numpy as np
import pytest

from mjenv.core.suits import load_tables
from mjenv.sichuan.observation import ENCODINGS
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import VIEW, Phase
from mjenv.sichuan.vector import observe_vector
from tests.sichuan.positions import PRESETS, Play
from tests.sichuan.slow_features import slow_features

VECTOR = ENCODINGS["vector/1"]
LUTS = load_tables()


def compare(view: np.void, rules: Rules) -> dict[str, float]:
    out = np.full(VECTOR.size, -7, np.float32)
    observe_vector(view, rules.pack()[0], LUTS, out)
    expected = slow_features(view, rules)
    assert set(expected) == set(VECTOR.channels)
    wanted = np.array([expected[name] for name in VECTOR.channels], np.float32)
    wrong = np.flatnonzero(~np.isclose(out, wanted, rtol=0, atol=1e-6))
    assert [(VECTOR.channels[i], out[i], wanted[i]) for i in wrong] == []
    return expected


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", [1, 20])
def test_every_cell_is_what_it_says(preset: str, seed: int) -> None:
    play = Play(preset, 2, seed=seed, every=8)
    for _ in play:
        for view in play.views():
            compare(view, Rules.preset(preset))


@pytest.mark.parametrize("preset", PRESETS)
def test_turns_calls_and_wins(preset: str) -> None:
    """Those asked about a claim, and those with a finished hand, of many more decisions."""
    play = Play(preset, 12, seed=7, every=1)
    left = {"call": 25, "kong": 10, "win": 15, "ready": 15}
    met = dict.fromkeys(left, 0)
    for tables in play:
        for i, table in enumerate(tables):
            if table["actor"] < 0:
                continue
            view = play.view(i, int(table["actor"]))
            out = np.empty(VECTOR.size, np.float32)
            VECTOR.observe(view, play.rules[0], LUTS, out)
            cells = dict(zip(VECTOR.channels, out, strict=True))
            sort = (
                "win" if cells["can win"]
                else "kong" if any(out[VECTOR.channels.index("own kong keeps 1m") :][:27])
                else "call" if view["phase"] == Phase.CLAIM
                else "ready" if cells["fan"] > 0
                else ""
            )  # fmt: skip
            if sort and met[sort] < left[sort]:
                met[sort] += 1
                compare(view, Rules.preset(preset))
    assert met["call"] == left["call"]
    assert min(met.values()) > 0


def test_rare_sights() -> None:
    play = Play("sichuan_modern", 1, every=25)
    for _ in play:
        for view in play.views():
            rare = np.array([view], VIEW)
            rare["given"], rare["received"] = (4, 4, 4), (20, 20, 20)
            rare["lock_fan"], rare["points"] = 3, (-100, 40, 30, 30)
            compare(rare[0], Rules.preset("sichuan_modern"))


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "single"},
        {"claim_with_void_tiles": "forbidden"},
        {"min_fan": 2},
        {"fan_cap": 3},
        {"fan_cap": 12},
        {"self_draw_bonus": "add_fan"},
        {"fan_table": "C", "fan_cap": 5},
        {"fan_table": {"additive": False, "fans": {"ping_hu": 1, "qi_dui": 9}}},
        {"extra_fans": {"gen": 6, "hai_di": 2}, "fan_cap": 8},
        {"root_counts_kong": True},
        {"direct_kong_payment": "everyone"},
        {"kong_needs_wall": False},
        {"call_transfer": "split_ceil"},
        {"rob_kong_payer": "konger_for_all"},
        {"last_four": "forced"},
        {"next_after_discard_win": "last_winner_next"},
        {"pig_rule": "either", "pig_multiple": 128},
        {"pig_pays_winners": False},
        {"pig_pays_unready": False},
        {"refund_on_draw": False, "pigs_refund": False},
    ],
    ids=str,
)
def test_rules_as_numbers(options: dict[str, object]) -> None:
    rules = Rules().replace(**options)
    play = Play("qq", 1, every=1000)
    next(iter(play))
    here, there = compare(play.view(0, 0), rules), compare(play.view(0, 0), Rules())
    changed = {name for name in here if here[name] != there[name]}
    assert changed
    assert all(name.startswith("rule ") for name in changed)

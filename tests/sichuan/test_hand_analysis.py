"""Winning, waits, deficiency and fan of hands, held against the reference."""

import random
from collections import Counter
from typing import Any

import pytest

from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.patterns import EXTRA_NAMES, PATTERN_NAMES
from tests.differential.deals import house_of, new_rules
from tests.differential.hands import Hand, compare_hands, engine_results, new_hand
from tests.reference.fan import READY_CHECK, Situation
from tests.reference.presets import with_options
from tests.reference.tiles import KIND, count, parse_meld, parse_tiles

HANDS_PER_RULES = 250
NUM_RULES = 2 if JIT_DISABLED else 200


def analysed(
    tiles: str,
    melds: tuple[str, ...] = (),
    situation: Situation = READY_CHECK,
    void: int | None = None,
    preset: str = "qq",
    **options: Any,
) -> dict[str, Any]:
    """What the engine makes of a hand, its last tile the one won on, after both agree on it."""
    kinds = parse_tiles(tiles)
    hand = Hand(count(kinds), kinds[-1], tuple(parse_meld(text) for text in melds), void, situation)
    house = house_of(with_options(preset, options))
    compare_hands([hand], house, Counter())
    result = engine_results([hand], house)[0]
    names = result.dtype.names
    return {name: result[name].tolist() for name in names}


def patterns(*names: str) -> int:
    return sum(1 << PATTERN_NAMES.index(name) for name in names)


def test_random_hands_agree_with_the_reference() -> None:
    rng = random.Random("hands")
    seen: Counter[str] = Counter()
    for _ in range(NUM_RULES):
        house = new_rules(rng)
        compare_hands([new_hand(rng) for _ in range(HANDS_PER_RULES)], house, seen)
    assert seen["hand"] == HANDS_PER_RULES * NUM_RULES
    assert min(seen["won"], seen["not won"], seen["ready"], seen["not ready"]) > seen["hand"] / 10
    if not JIT_DISABLED:
        missing = [name for name in PATTERN_NAMES if seen[f"pattern {name}"] < 10]
        missing += [name for name in EXTRA_NAMES if seen[f"extra {name}"] < 10]
        missing += [str(steps) for steps in range(8) if seen[f"deficiency {steps}"] < 10]
        assert not missing


def test_an_adding_table_sums_one_reading() -> None:
    # Four triplets, or three equal runs beside a triplet: dui_dui_hu and dai_yao_jiu at once not.
    fans = {"ping_hu": 1, "dui_dui_hu": 1, "dai_yao_jiu": 2, "qi_dui": 2}
    table = {"additive": True, "fans": fans}
    result = analysed("11122233399m111p", fan_table=table, extra_fans={"gen": 0})
    assert (result["fan"], result["patterns"]) == (3, patterns("ping_hu", "dai_yao_jiu"))
    table = {"additive": True, "fans": {**fans, "dui_dui_hu": 4}}
    result = analysed("11122233399m111p", fan_table=table, extra_fans={"gen": 0})
    assert (result["fan"], result["patterns"]) == (5, patterns("ping_hu", "dui_dui_hu"))


def test_an_adding_table_names_parts_that_add_nothing() -> None:
    fans = {"ping_hu": 2, "dui_dui_hu": 1, "dai_yao_jiu": 0, "qi_dui": 1}
    table = {"additive": True, "fans": fans}
    result = analysed("123778899m11999p", fan_table=table)
    assert (result["fan"], result["patterns"]) == (2, patterns("ping_hu", "dai_yao_jiu"))


@pytest.mark.parametrize("suit", "mps")
def test_nobody_waits_for_a_fifth_tile(suit: str) -> None:
    # Three runs, three nines and a single nine: only another nine could make the pair.
    other = "p" if suit == "m" else "m"
    result = analysed(f"123456789{other}9999{suit}1{other}")
    assert (result["waits"], result["ready_fan"]) == (0, 0)


def test_a_wait_owned_four_times_does_not_count() -> None:
    # Waits for 5m alone, and owns all four: three in the pung, one in the run.
    result = analysed("46m123p99p1m", melds=("pung:5m", "pung:1p"))
    assert result["waits"] == 1 << KIND["5m"]
    result = analysed("5m1m", melds=("pung:5m", "pung:1p", "pung:2p", "pung:3p"))
    assert (result["waits"], result["ready_fan"]) == (0, 0)


@pytest.mark.parametrize(("cap", "fan"), [(None, 3), (2, 2), (8, 8)])
def test_the_cap_is_what_a_heavenly_hand_is_worth_in_an_adding_table(
    cap: int | None, fan: int
) -> None:
    fans = {"ping_hu": 1, "qi_dui": 2, "tian_hu": 3}
    result = analysed(
        "123456789m11122p",
        situation=Situation(how="self_draw", tian_hu=True, last_tile=True),
        fan_table={"additive": True, "fans": fans},
        fan_cap=cap,
    )
    assert (result["fan"], result["patterns"]) == (fan, patterns("tian_hu"))
    assert not any(result["extras"])


def test_a_heavenly_hand_stands_alone_where_another_reading_would_be_worth_more() -> None:
    situation = Situation(how="self_draw", tian_hu=True)
    modern = {"preset": "sichuan_modern", "fan_cap": None}
    result = analysed("1111222233334m4m", situation=situation, **modern)
    assert (result["fan"], result["patterns"]) == (6, patterns("tian_hu"))
    plain = analysed("1111222233334m4m", situation=Situation(how="self_draw"), **modern)
    assert plain["fan"] > 6

"""The reference's hand analysis, each function against a second way to the same answer."""

import random
from typing import Any

import pytest

from tests.reference.fan import Situation, best_fan, readings
from tests.reference.hand import deficiency, has_shape, is_win, splits, waits, why_not_win
from tests.reference.presets import PRESETS, RulesMapping, with_options
from tests.reference.tiles import KINDS, Meld, count, parse_meld, parse_tiles


def random_hand(rng: random.Random, size: int, suits: int = 3) -> list[int]:
    wall = [kind for kind in range(9 * suits) for _ in range(4)]
    return count(rng.sample(wall, size))


def random_sets(rng: random.Random, num_sets: int) -> list[int]:
    while True:
        tiles = 2 * [rng.randrange(18)]
        for _ in range(num_sets):
            kind = rng.randrange(18)
            run = kind % 9 <= 6 and rng.random() < 0.5
            tiles += [kind, kind + 1, kind + 2] if run else 3 * [kind]
        hand = count(tiles)
        if max(hand) <= 4:
            return hand


@pytest.mark.parametrize("num_melds", range(5))
def test_what_is_built_of_sets_and_a_pair_has_the_shape(num_melds: int) -> None:
    rng = random.Random(num_melds)
    for _ in range(200):
        hand = random_sets(rng, 4 - num_melds)
        assert has_shape(hand, num_melds)
        assert splits(hand)
        assert deficiency(hand, num_melds) == 0


def test_shape_is_deficiency_zero_and_ready_is_deficiency_one() -> None:
    rng = random.Random(1)
    for _ in range(400):
        num_melds = rng.randrange(5)
        hand = random_hand(rng, 14 - 3 * num_melds, suits=rng.choice((1, 1, 2, 3)))
        assert has_shape(hand, num_melds) == (deficiency(hand, num_melds) == 0)
        drop = rng.choice([kind for kind in range(KINDS) if hand[kind]])
        hand[drop] -= 1
        completing = [kind for kind in range(KINDS) if hand[kind] < 4 and adds(hand, kind)]
        assert bool(completing) == (deficiency(hand, num_melds) == 1)


def adds(hand: list[int], kind: int) -> bool:
    longer = [held + (place == kind) for place, held in enumerate(hand)]
    return has_shape(longer, (14 - sum(longer)) // 3)


def test_deficiency_falls_by_one_with_the_best_tile_and_never_by_more() -> None:
    rng = random.Random(2)
    for _ in range(150):
        num_melds = rng.randrange(5)
        hand = random_hand(rng, 13 - 3 * num_melds)
        before = deficiency(hand, num_melds)
        after = []
        for kind in range(KINDS):
            if hand[kind] < 4:
                hand[kind] += 1
                after.append(deficiency(hand, num_melds))
                hand[kind] -= 1
        assert min(after) == before - 1
        assert max(after) <= before


@pytest.mark.parametrize(
    ("text", "num_melds", "expected"),
    [
        ("2222335577m11p9p", 0, 1),  # a quad is two pairs
        ("147m258p369s1234m", 0, 5),
        ("1111m", 3, 2),  # no fifth copy: neither a pair nor a set is missing only one tile
        ("1m", 4, 1),
        ("19m", 4, 1),
        ("123456789m1111p", 0, 2),  # the pair would be a fifth 1p
    ],
)
def test_known_deficiency(text: str, num_melds: int, expected: int) -> None:
    assert deficiency(count(parse_tiles(text)), num_melds) == expected


def test_cheap_win_test_agrees_with_the_full_one() -> None:
    rng = random.Random(3)
    for _ in range(2000):
        melds = [Meld("pung", rng.randrange(KINDS)) for _ in range(rng.randrange(3))]
        hand = random_sets(rng, 4 - len(melds))
        void = rng.choice((None, 0, 1, 2))
        assert is_win(hand, melds, void) == (why_not_win(hand, melds, void) is None)


def test_waits_leave_out_what_the_seat_owns_four_times() -> None:
    hand = count(parse_tiles("1111456789m123p"))
    assert waits(hand, []) == []
    tanki = count(parse_tiles("1m"))
    assert waits(tanki, [parse_meld(text) for text in ("pung:1m", "pung:2m", "pung:3m")]) == []


def best(
    text: str, rules: RulesMapping, melds: tuple[str, ...] = (), **situation: Any
) -> tuple[tuple[str, ...], dict[str, int], int]:
    hand = count(parse_tiles(text))
    reading = best_fan(rules, hand, [parse_meld(m) for m in melds], Situation(**situation))
    return reading.patterns, reading.extras, reading.fan


def house(additive: bool, fans: dict[str, int], preset: str = "qq", **options: Any) -> RulesMapping:
    return with_options(preset, {"fan_table": {"additive": additive, "fans": fans}, **options})


def test_plain_seven_pairs_may_hold_a_quad_only_where_no_dragon_is_listed() -> None:
    dragon = "11112233557799m"
    without = house(False, {"ping_hu": 1, "qi_dui": 3, "qing_qi_dui": 5})
    assert best(dragon, without) == (("qing_qi_dui",), {"gen": 1}, 6)
    with_dragon = house(False, {"ping_hu": 1, "qi_dui": 3, "long_qi_dui": 2})
    assert best(dragon, with_dragon) == (("long_qi_dui",), {}, 2)


def test_a_house_table_takes_the_best_pattern_it_lists() -> None:
    rules = house(False, {"ping_hu": 1, "qi_dui": 2, "jin_gou_diao": 4})
    melds = ("pung:1m", "pung:2m", "pung:3m", "pung:4m")
    assert best("55m", rules, melds) == (("jin_gou_diao",), {}, 4)


def test_an_adding_table_sums_one_split() -> None:
    fans = {"ping_hu": 1, "dui_dui_hu": 1, "dai_yao_jiu": 2, "qi_dui": 2}
    rules = house(True, fans)
    found = readings(rules, count(parse_tiles("11122233399m111p")), [], Situation())
    assert [reading.patterns for reading in found] == [("ping_hu", "dai_yao_jiu")]
    assert found[0].fan == 3


def test_heaven_in_an_adding_table() -> None:
    hand = "1122444455779m9m"
    modern = PRESETS["sichuan_modern"]
    assert best(hand, modern, how="self_draw", tian_hu=True) == (("tian_hu",), {}, 5)
    uncapped = {**modern, "fan_cap": None}
    assert best(hand, uncapped, how="self_draw", di_hu=True) == (("di_hu",), {}, 6)
    fans = {"ping_hu": 1, "qi_dui": 2, "tian_hu": 3}
    named, under_a_cap = house(True, fans), house(True, fans, fan_cap=8)
    assert best(hand, named, how="self_draw", tian_hu=True) == (("tian_hu",), {}, 3)
    assert best(hand, under_a_cap, how="self_draw", tian_hu=True) == (("tian_hu",), {}, 8)


def test_situational_items_add_up_and_the_cap_cuts_the_sum() -> None:
    modern = PRESETS["sichuan_modern"]
    hand = "123456789m55p"
    situation: dict[str, Any] = {"how": "self_draw", "after_kong": True, "last_tile": True}
    got = best(hand, modern, ("kong_concealed:1p",), **situation)
    assert got == (("ping_hu",), {"gang_shang_hua": 1, "gen": 1, "hai_di": 1}, 4)
    got = best(hand, {**modern, "fan_cap": 2}, ("kong_concealed:1p",), **situation)
    assert got[2] == 2


def test_self_draw_fan() -> None:
    rules = with_options("qq", {"self_draw_bonus": "add_fan"})
    assert best("123456789m55p111p", rules, how="self_draw") == (("ping_hu",), {"self_draw": 1}, 2)
    assert best("123456789m55p111p", rules, how="discard") == (("ping_hu",), {}, 1)

import random

import pytest

from mjenv.errors import PositionError, RulesError, TileError
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.sichuan.score import FLAGS, hand_waits, score_hand
from tests.reference.fan import Situation, readings, ready_fan
from tests.reference.hand import waits, why_not_win
from tests.reference.house import house_rules
from tests.reference.tiles import KINDS, TEXT, Meld, count

PING_HU = "123m456m789m11p55p"
SETS = [(kind,) * 3 for kind in range(KINDS)] + [
    (kind, kind + 1, kind + 2) for kind in range(KINDS) if kind % 9 <= 6
]


def test_a_plain_hand():
    scored = score_hand(PING_HU, win="5p", void="s")
    assert scored.win
    assert scored.reason is None
    assert scored.patterns == ("ping_hu",)
    assert (scored.extras, scored.fan, scored.multiple) == ({}, 1, 1)
    assert scored.points == (6, -6, 0, 0)
    assert scored.reasons == (
        "sets: 123m, 456m, 789m, 555p; pair 11p",
        "ping_hu 平胡: four sets and a pair, 1 fan",
        "1 fan: 1 unit of 6 points: seat 1, the discarder, pays 6 points",
    )


def test_every_fan_has_its_reason():
    scored = score_hand(
        "34m55p", ["pung:5m", "kong_added:9p", "kong_direct:1p"], "5m", "self_draw", "qq", "s",
        ["after_kong"], [2],
    )  # fmt: skip
    assert scored.extras == {"gang_shang_hua": 1, "gen": 1}
    assert scored.fan == 3
    assert scored.points == (60, -30, 0, -30)
    text = "\n".join(scored.reasons)
    assert "gen 根: four 5m, +1 fan" in text
    assert "gang_shang_hua 杠上花: won on the replacement tile of a kong, +1 fan" in text
    assert "pung 5m, added kong 9p, direct kong 1p" in text
    assert "one unit more on a self-draw: seats 1, 3 pay 30 points each" in text


def test_a_tie_is_told():
    scored = score_hand("1111223377889m", win="9m", void="s")
    found = {reading.patterns: reading.extras for reading in scored.readings}
    assert found == {("qing_yao_jiu",): {"gen": 1}, ("qing_long_qi_dui",): {}}
    assert scored.fan == 6
    assert "qing_long_qi_dui (6 fan)" in "\n".join(scored.reasons)


def test_the_division_shows_the_pattern():
    """111222333 is three triplets or three runs; only the runs all have a 1 or a 9."""
    scored = score_hand("1112223337899s", win="9s", void="m")
    assert scored.patterns == ("qing_yao_jiu",)
    assert scored.reasons[0] == "sets: 123s, 123s, 123s, 789s; pair 99s"
    assert score_hand("1112223335557s", win="7s", void="m").reasons[0] == (
        "sets: 111s, 222s, 333s, 555s; pair 77s"
    )
    assert score_hand("1122335577m999p", win="9p").reasons[0] == (
        "pairs: 11m 22m 33m 55m 77m 99p 99p"
    )


def test_the_cap_is_told():
    scored = score_hand("1122444455779m", win="9m", rules="sichuan_modern", void="s")
    assert scored.fan == 5
    assert "fan_cap: 6 fan count as 5" in scored.reasons


def test_a_limit_hand_stands_alone_in_an_additive_table():
    scored = score_hand(
        PING_HU, win="5p", by="self_draw", rules="sichuan_modern", void="s", flags=["tian_hu"]
    )
    assert (scored.patterns, scored.extras, scored.fan) == (("tian_hu",), {}, 5)
    assert scored.points == (51, -17, -17, -17)


def test_a_robbed_konger_can_pay_for_all():
    rules = Rules.preset("qq").replace(rob_kong_payer="konger_for_all")
    scored = score_hand(PING_HU, win="5p", by="rob_kong", rules=rules, won_before=[3])
    assert scored.points == (12, -12, 0, 0)
    assert "once for each of 2 seats in play" in scored.reasons[-1]


@pytest.mark.parametrize(
    ("hand", "melds", "win", "void", "reason"),
    [
        ("1111m456789m123p", [], "1m", None, "fifth_tile"),
        ("123m456p789s11m23m", [], "1m", None, "three_suits"),
        ("2344567p345789s", [], "7p", "p", "void_suit"),
        ("1122446688p", ["pung:9m"], "9m", None, "bad_shape"),
        ("1122335577m999p", [], "1p", "m", "void_suit"),
    ],
)
def test_no_win(hand, melds, win, void, reason):
    scored = score_hand(hand, melds, win, void=void)
    assert not scored.win
    assert scored.reason == reason
    assert scored.points == (0, 0, 0, 0)
    assert scored.reasons[0].startswith(reason)


def test_too_few_fan_are_no_win():
    scored = score_hand(PING_HU, win="5p", rules=Rules.preset("qq").replace(min_fan=2))
    assert (scored.win, scored.reason) == (False, "min_fan")
    assert scored.reasons == ("1 fan; a win needs min_fan = 2",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hand": "123m"}, r"the hand has 3 tiles; with 0 melds it must have 13 concealed ones"),
        ({"hand": "123m456m789m11p555p"}, r"14 tiles.*leave out the winning tile"),
        ({"hand": "11111m456m789m11p"}, "5 tiles 1m in one hand"),
        ({"hand": "111m456m789m1p", "melds": ["pung:1m"]}, "6 tiles 1m in one hand"),
        ({"hand": "123x"}, "'123x' in '123x' is no tile"),
        ({"win": "E"}, "is no tile"),
        ({"win": ""}, "exactly one is wanted"),
        ({"melds": ["chow:1m"]}, "'chow:1m' is no meld"),
        ({"melds": ["pung:1m"] * 5}, "5 melds; a seat has at most 4"),
        ({"void": "z"}, "'z' is no suit"),
    ],
)
def test_tiles_that_cannot_be(change, message):
    with pytest.raises(TileError, match=message):
        score_hand(**{"hand": PING_HU, "win": "5p", **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"by": "luck"}, "by: got 'luck'; allowed: discard, self_draw, rob_kong"),
        ({"flags": ["moon"]}, "flags: got 'moon'"),
        ({"flags": ["after_kong"]}, "after_kong goes with self_draw, not with discard"),
        ({"flags": ["kong_discard"], "by": "rob_kong"}, "kong_discard goes with discard"),
        ({"flags": ["tian_hu", "di_hu"], "by": "self_draw"}, "not both"),
        ({"won_before": [0]}, "the winner is seat 0"),
        ({"won_before": [1]}, "the discarder or konger seat 1"),
        ({"won_before": [7]}, "won_before"),
        ({"won_before": [2, 2]}, "won_before"),
        ({"won_before": [1, 2, 3], "by": "self_draw"}, "after three wins"),
    ],
)
def test_circumstances_that_cannot_be(change, message):
    with pytest.raises(PositionError, match=message):
        score_hand(**{"hand": PING_HU, "win": "5p", **change})


def test_di_hu_on_a_discard_needs_its_option():
    with pytest.raises(RulesError, match="also_first_discard"):
        score_hand(PING_HU, win="5p", flags=["di_hu"])
    rules = Rules.preset("qq").replace(di_hu="also_first_discard")
    assert score_hand(PING_HU, win="5p", flags=["di_hu"], rules=rules).patterns == ("di_hu",)


def test_unknown_rules():
    with pytest.raises(RulesError, match="unknown preset 'qqq'"):
        score_hand(PING_HU, win="5p", rules="qqq")


def test_waits():
    found = hand_waits("2223334445556m")
    assert found.waits == ("1m", "3m", "4m", "5m", "6m", "7m")
    assert found.fans == (3, 4, 4, 4, 4, 3)
    assert found.max_fan == 4
    assert found.ready
    own_all = hand_waits("1m", ["pung:1m", "pung:9p", "pung:5p", "pung:7m"])
    assert (own_all.waits, own_all.max_fan, own_all.ready) == ((), 0, False)


# ------------------------------------------------------------------------ against the reference


def random_win(rng: random.Random) -> tuple[list[int], list[Meld], int]:
    """Counts of 3n+2 concealed tiles, melds, and one of the concealed tiles; all of two suits."""
    while True:
        suits = rng.sample(range(3), rng.choice([1, 2, 2]))
        if rng.random() < 0.3:
            kinds = [kind for kind in range(KINDS) if kind // 9 in suits]
            counts = count([kind for kind in rng.choices(kinds, k=7) for _ in range(2)])
            melds = []
        else:
            sets = rng.choices([item for item in SETS if item[0] // 9 in suits], k=4)
            pair = rng.choice([kind for kind in range(KINDS) if kind // 9 in suits])
            melds = [
                Meld(rng.choice(["pung", "kong_direct", "kong_concealed"]), item[0])
                for item in sets
                if item[0] == item[1] and rng.random() < 0.4
            ]
            tiles = [pair, pair]
            left = list(melds)
            for item in sets:
                meld = next((m for m in left if item == (m.tile,) * 3), None)
                if meld:
                    left.remove(meld)
                else:
                    tiles += item
            counts = count(tiles)
        total = list(counts)
        for meld in melds:
            total[meld.tile] += meld.copies
        if max(total) <= 4:
            return counts, melds, rng.choice([kind for kind in range(KINDS) if counts[kind]])


def text_of(counts: list[int]) -> str:
    return "".join(TEXT[kind] for kind in range(KINDS) for _ in range(counts[kind]))


@pytest.mark.parametrize("seed", range(40))
def test_readings_are_those_of_the_reference(seed):
    """Every reading that ties, with its extras, in presets and random house rules."""
    rng = random.Random(seed)
    options = house_rules(rng)
    if seed < len(PRESETS):
        options = Rules.preset(PRESETS[seed]).to_dict()
    rules = Rules.from_dict({**options, "min_fan": 1})
    for _ in range(25):
        counts, melds, tile = random_win(rng)
        by = rng.choice(["discard", "self_draw", "rob_kong"])
        flags = [name for name, (_, ways) in FLAGS.items() if by in ways and rng.random() < 0.2]
        if "tian_hu" in flags or by == "discard":
            flags = [name for name in flags if name != "di_hu"]
        hand = list(counts)
        hand[tile] -= 1
        scored = score_hand(
            text_of(hand), [str(meld) for meld in melds], TEXT[tile], by, rules, flags=flags
        )
        situation = Situation(
            how=by,
            tian_hu="tian_hu" in flags,
            di_hu="di_hu" in flags,
            after_kong="after_kong" in flags or "kong_discard" in flags,
            last_tile="last_tile" in flags,
        )
        expected = readings(options, counts, melds, situation)
        key = [(set(item.patterns), item.extras) for item in expected]
        got = [(set(item.patterns), item.extras) for item in scored.readings]
        assert all(item in key for item in got), (text_of(counts), melds)
        assert all(item in got for item in key), (text_of(counts), melds)
        assert scored.fan == expected[0].fan


@pytest.mark.parametrize("seed", range(10))
def test_waits_and_refusals_are_those_of_the_reference(seed):
    rng = random.Random(1000 + seed)
    options = Rules.preset(rng.choice(PRESETS)).to_dict()
    for _ in range(30):
        counts, melds, tile = random_win(rng)
        counts[tile] -= 1
        void = rng.choice([None, 0, 1, 2])
        letter = None if void is None else "mps"[void]
        texts = [str(meld) for meld in melds]
        found = hand_waits(text_of(counts), texts, letter, Rules.from_dict(options))
        assert [TEXT[kind] for kind in waits(counts, melds, void)] == list(found.waits)
        assert found.max_fan == ready_fan(options, counts, melds, void)
        drawn = rng.randrange(KINDS)
        whole = list(counts)
        whole[drawn] += 1
        scored = score_hand(text_of(counts), texts, TEXT[drawn], rules=options, void=letter)
        assert scored.reason == why_not_win(whole, melds, void)

import copy
import dataclasses
import json
import pickle

import numpy as np
import pytest

from mjenv.core.kernel import kernel
from mjenv.errors import RulesError
from mjenv.sichuan.patterns import PATTERN_NAMES
from mjenv.sichuan.rules import (
    FAN_TABLES,
    OPTIONS,
    PRESETS,
    RULES_DTYPE,
    Extra,
    LastFour,
    Pattern,
    PigRule,
    Rules,
    preset_differences,
)

QQ = Rules.preset("qq")
MODERN = Rules.preset("sichuan_modern")
HOUSE = {"additive": False, "fans": {"qi_dui": 4, "ping_hu": 1, "dui_dui_hu": 2}}

FINGERPRINTS = {
    "standalone": "2e150cfb6d0e",
    "standalone_single": "7f413af363d2",
    "qq": "7cf4e195d710",
    "sichuan_modern": "a550bb51631b",
}

POINT_43 = """
    mode base_points min_fan swap_three void_suit void_auto claim_with_void_tiles fan_table
    extra_fans root_counts_kong fan_cap self_draw_bonus direct_kong_payment call_transfer
    transfer_scope added_kong_timing kong_needs_wall kong_draw_end rob_kong_payer last_four
    last_four_scope pass_win_lock next_after_discard_win pig_rule pig_multiple pig_pays_winners
    pig_pays_unready refund_on_draw pigs_refund refund_requires_ready di_hu allow_quit
    escape_refunds_kong next_dealer dealer_after_self_draw room_coefficient table_fee
"""
OPTION_NAMES = POINT_43.split()


def test_options_are_complete_and_in_order():
    assert list(OPTIONS) == OPTION_NAMES
    assert list(QQ.to_dict()) == OPTION_NAMES
    assert all(option.meaning and option.allowed for option in OPTIONS.values())


def test_names_in_records():
    assert PATTERN_NAMES[Pattern.QING_LONG_QI_DUI] == "qing_long_qi_dui"
    assert [extra.name.lower() for extra in Extra][:5] == list(QQ.extra_fans)


def test_the_default_is_qq():
    assert Rules() == QQ == Rules.of("qq") == Rules.from_dict({})
    assert PRESETS == ("standalone", "standalone_single", "qq", "sichuan_modern")


@pytest.mark.parametrize("name", PRESETS)
def test_presets_survive_round_trips(name, tmp_path):
    rules = Rules.preset(name)
    assert rules.preset_name == name
    assert rules.fingerprint == FINGERPRINTS[name]
    assert Rules.from_dict(rules.to_dict()) == rules
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert Rules.from_yaml(rules.to_yaml()) == rules
    assert Rules.from_dict({"preset": name}) == rules
    rules.save(tmp_path / "rules.yaml")
    assert Rules.load(tmp_path / "rules.yaml") == rules
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules
    assert hash(copy.deepcopy(rules)) == hash(rules)


def test_house_rules_survive_round_trips():
    house = QQ.replace(fan_table=HOUSE, extra_fans={"hai_di": 2}, fan_cap=6)
    assert house.preset_name is None
    assert Rules.from_yaml(house.to_yaml()) == house
    assert Rules.from_dict(json.loads(json.dumps(house.to_dict()))) == house
    assert pickle.loads(pickle.dumps(house)) == house
    assert house.fan_table == HOUSE
    assert list(house.to_dict()["fan_table"]["fans"]) == ["ping_hu", "dui_dui_hu", "qi_dui"]
    assert house.fingerprint == "346f936d0e10"


def test_fingerprints_depend_on_every_option_and_on_nothing_else():
    assert QQ.replace(fan_cap=8).fingerprint != QQ.fingerprint
    assert QQ.replace(fan_cap=8).replace(fan_cap=None).fingerprint == QQ.fingerprint
    assert len({rules.fingerprint for rules in map(Rules.preset, PRESETS)}) == len(PRESETS)


def test_rules_cannot_be_changed_in_place():
    with pytest.raises(dataclasses.FrozenInstanceError):
        QQ.fan_cap = 3
    with pytest.raises(TypeError):
        QQ.extra_fans["gen"] = 3
    given = {"additive": False, "fans": dict(HOUSE["fans"])}
    house = QQ.replace(fan_table=given)
    given["fans"]["ping_hu"] = 9
    QQ.to_dict()["extra_fans"]["gen"] = 9
    assert house.fan_table["fans"]["ping_hu"] == 1
    assert QQ.extra_fans["gen"] == 1
    house.table["fans"]["ping_hu"] = 9
    QQ.table["fans"]["ping_hu"] = 9
    assert FAN_TABLES["B"]["fans"]["ping_hu"] == 1


def test_items_of_extra_fans_left_out_keep_their_value():
    assert QQ.replace(extra_fans={"qiang_gang": 1}).extra_fans == {
        "gang_shang_hua": 1,
        "gang_shang_pao": 1,
        "qiang_gang": 1,
        "gen": 1,
        "hai_di": 0,
    }
    assert MODERN.replace(extra_fans={"gen": 0}).extra_fans["hai_di"] == 1
    assert Rules(extra_fans={"gen": 2}) == QQ.replace(extra_fans={"gen": 2})


def test_numpy_scalars_become_plain_values():
    rules = QQ.replace(fan_cap=np.int64(7), swap_three=np.True_)
    assert type(rules.fan_cap) is int
    assert type(rules.swap_three) is bool
    json.dumps(rules.to_dict())


def test_of_takes_whatever_names_rules(tmp_path):
    file = tmp_path / "house.yaml"
    file.write_text("preset: standalone\nfan_cap: 4\nswap_three: on\n", encoding="utf-8")
    house = Rules.preset("standalone").replace(fan_cap=4, swap_three=True)
    assert Rules.of(file) == Rules.of(str(file)) == house
    assert Rules.of({"game": "sichuan", "preset": "standalone", "fan_cap": 4}).fan_cap == 4
    assert Rules.of({"preset": None}) == QQ
    assert Rules.of(house) is house


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mode": "blod"}, "mode: got 'blod'; allowed: blood, single"),
        ({"mode": 0}, "mode: got 0; allowed: blood, single"),
        ({"call_transfer": False}, "call_transfer: got False; allowed: none, full_each"),
        ({"swap_three": 1}, "swap_three: got 1; allowed: true or false"),
        ({"swap_three": "on"}, "swap_three: got 'on'; allowed: true or false"),
        ({"base_points": True}, "base_points: got True; allowed: a whole number from 1 to 1000"),
        ({"base_points": 0}, "base_points: got 0; allowed: a whole number from 1 to 1000"),
        ({"base_points": 6.0}, "base_points: got 6.0"),
        ({"base_points": 1001}, "base_points: got 1001"),
        ({"base_points": None}, "base_points: got None"),
        ({"min_fan": 0}, "min_fan: got 0; allowed: a whole number from 1 to 24"),
        ({"fan_cap": 0}, "fan_cap: got 0; allowed: null or a whole number from 1 to 24"),
        ({"fan_cap": 25}, "fan_cap: got 25"),
        ({"fan_cap": "none"}, "fan_cap: got 'none'; allowed: null or"),
        ({"pig_multiple": -1}, "pig_multiple: got -1; allowed: a whole number from 0 to 1024"),
        ({"pig_multiple": 1025}, "pig_multiple: got 1025"),
        ({"table_fee": -1}, "table_fee: got -1; allowed: a whole number from 0 up"),
        ({"room_coefficient": 0.5}, "room_coefficient: got 0.5"),
        ({"extra_fans": 1}, "extra_fans: got 1; allowed: a mapping from gang_shang_hua"),
        ({"extra_fans": {"gen": 13}}, "extra_fans.gen: got 13; allowed: a whole number from 0 to"),
        ({"extra_fans": {"gen": True}}, "extra_fans.gen: got True"),
        ({"extra_fans": {"genn": 1}}, "unknown item 'genn' (did you mean 'gen'?)"),
        ({"extra_fans": {"self_draw": 1}}, "extra_fans: unknown item 'self_draw'"),
        ({"fan_table": "D"}, "fan_table: got 'D'; allowed: A, B, C, or"),
        ({"fan_table": {"fans": {}}}, "allowed: A, B, C, or"),
        ({"fan_table": {"additive": 0, "fans": {}}}, "fan_table.additive: got 0; allowed: true or"),
        (
            {"fan_table": {"additive": False, "fans": 3}},
            "fan_table.fans: got 3; allowed: a mapping",
        ),
        ({"fan_table": {"additive": False, "fans": {"ping_hu": 1}}}, "qi_dui is missing"),
        ({"fan_table": {"additive": True, "fans": {"qi_dui": 1}}}, "ping_hu is missing"),
        (
            {"fan_table": {"additive": False, "fans": {**HOUSE["fans"], "peng_hu": 2}}},
            "unknown pattern 'peng_hu' (did you mean 'ping_hu'?); known: ping_hu, dui_dui_hu,",
        ),
        (
            {"fan_table": {"additive": False, "fans": {**HOUSE["fans"], "qing_dui": 25}}},
            "fan_table.fans.qing_dui: got 25; allowed: a whole number from 1 to 24",
        ),
        (
            {"fan_table": {"additive": True, "fans": {"ping_hu": 0, "qi_dui": 0}}},
            "fan_table.fans.ping_hu: got 0; allowed: a whole number from 1 to 24",
        ),
        (
            {"fan_table": {"additive": True, "fans": {"ping_hu": 1, "qi_dui": 0, "di_hu": 0}}},
            "fan_table.fans.di_hu: got 0; allowed: a whole number from 1 to 24",
        ),
        ({"fan_cpa": 3}, "unknown option 'fan_cpa' (did you mean 'fan_cap'?); options: mode,"),
        ({"void_suit": False, "pig_rule": "either"}, "got 'either' with void_suit off; allowed"),
        ({"void_suit": False, "pig_rule": "void_suit"}, "pig_rule: got 'void_suit' with void_suit"),
        ({"fan_cap": 2, "min_fan": 3}, "fan_cap: got 2 with min_fan 3; allowed then: null or"),
        ({"min_fan": 20}, "min_fan: got 20; allowed: 1 to 11, the most"),
        ({"extra_fans": {"gen": 5}}, "fan_cap: got null, but a win could reach 27 fan; allowed"),
        (
            {"base_points": 1000, "extra_fans": {"gen": 4}},
            "base_points: got 1000, but a win could reach 23 fan; allowed then: 1 to 32",
        ),
    ],
)
def test_wrong_options_are_refused_with_what_is_allowed(options, words):
    with pytest.raises(RulesError) as caught:
        QQ.replace(**options)
    assert words in str(caught.value)


def test_a_cap_makes_high_tables_legal():
    assert QQ.replace(extra_fans={"gen": 5}, fan_cap=24).highest_fan == 24
    assert QQ.replace(base_points=1000).highest_fan == 11
    assert QQ.replace(self_draw_bonus="add_fan").highest_fan == 12
    # Without its cap: seven fan of patterns, four roots, one kong situation, one last tile.
    assert MODERN.replace(fan_cap=None).highest_fan == 13


def test_without_a_void_suit_the_options_about_it_have_no_effect():
    rules = QQ.replace(void_suit=False)
    assert rules.void_auto
    assert rules.pack()["last_four"][0] == LastFour.FORCED


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("qqq", "unknown preset 'qqq' (did you mean 'qq'?); presets: standalone,"),
        ("nowhere.yaml", "cannot read the rules in 'nowhere.yaml': No such file"),
        ({"game": "cixi"}, "game: got 'cixi'; allowed here: sichuan"),
        ({"preset": "tenhou"}, "unknown preset 'tenhou'"),
        ({"preset": 3}, "unknown preset 3"),
        ({1: 2}, "unknown option '1'"),
        (7, "rules: got 7; allowed: a preset (standalone"),
    ],
)
def test_what_names_no_rules_is_refused(value, words):
    with pytest.raises(RulesError) as caught:
        Rules.of(value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fan_cap: [", "not YAML"),
        ("- qq", "option: value"),
        ("", "option: value"),
        ("fan_cap: 2020-13-41", "not YAML: month must be"),
        (f"fan_cap: {'9' * 5000}", "not YAML: Exceeds the limit"),
        (f"fan_cap: {'[' * 5000}", "not YAML: nested too deeply"),
    ],
)
def test_a_file_that_holds_no_options_is_named(text, words, tmp_path):
    file = tmp_path / "house.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError, match=r"house\.yaml") as caught:
        Rules.load(file)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", PRESETS)
def test_packing_keeps_every_option_that_kernels_need(name):
    rules = Rules.preset(name)
    packed = rules.pack()
    assert packed.shape == (1,)
    assert packed.dtype == RULES_DTYPE
    row = packed[0]
    for option, value in rules.to_dict().items():
        if option in ("fan_table", "extra_fans", "room_coefficient", "table_fee"):
            assert option == "extra_fans" or option not in RULES_DTYPE.names
        elif isinstance(value, str) and option != "last_four":
            assert OPTIONS[option].members(row[option]).name.lower() == value
        elif option != "last_four":
            assert row[option] == (value or 0)
    assert row["extra_fans"].tolist() == list(rules.extra_fans.values())
    for pattern in Pattern:
        fan = rules.table["fans"].get(pattern.name.lower(), -1)
        assert row["fans"][pattern] == fan
    assert row["additive"] == (name == "sichuan_modern")


def test_packing_resolves_what_depends_on_other_options():
    assert QQ.pack()["last_four"][0] == LastFour.OPTIONAL
    assert MODERN.pack()["pig_rule"][0] == PigRule.VOID_SUIT
    assert MODERN.pack()["fans"][0, Pattern.TIAN_HU] == 5
    assert MODERN.replace(fan_cap=None).pack()["fans"][0, Pattern.DI_HU] == 6
    assert MODERN.replace(fan_cap=9).pack()["fans"][0, Pattern.DI_HU] == 9
    bare = {"additive": True, "fans": {"ping_hu": 1, "qi_dui": 0}}
    assert QQ.replace(fan_table=bare).pack()["fans"][0, Pattern.TIAN_HU] == 6
    assert QQ.replace(fan_cap=7).pack()["fans"][0, Pattern.TIAN_HU] == 6


def test_packed_rules_are_a_copy():
    packed = QQ.pack()
    packed["base_points"] = 99
    assert packed.flags.writeable
    assert QQ.pack()["base_points"][0] == 6


@kernel
def _read(rules: np.ndarray) -> int:
    row = rules[0]
    if row["pig_rule"] == PigRule.VOID_SUIT:
        return int(row["fans"][Pattern.QI_DUI]) + int(row["extra_fans"][Extra.GEN])
    return int(row["base_points"])


def test_kernels_read_the_packed_rules():
    assert _read(QQ.pack()) == 6
    assert _read(MODERN.pack()) == 3


def test_differences_between_presets():
    table = preset_differences()
    assert list(table) == [name for name in OPTION_NAMES if name in table]
    assert table["mode"] == {
        "standalone": "blood",
        "standalone_single": "single",
        "qq": "blood",
        "sichuan_modern": "blood",
    }
    assert "pig_multiple" not in table
    assert len(table) == 18

import json

import pytest

from mjenv.sichuan.score import score_hand
from train.cli import main

HAND = "123m456m789m11p55p"


def test_a_hand_with_reasons(capsys):
    assert main(["score", HAND, "--win", "5p", "--by", "discard", "--rules", "qq"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [
        "1 fan, 1 x base: points by seat +6, -6, +0, +0",
        "  sets: 123m, 456m, 789m, 555p; pair 11p",
        "  ping_hu 平胡: four sets and a pair, 1 fan",
        "  1 fan: 1 unit of 6 points: seat 1, the discarder, pays 6 points",
    ]


def test_every_option(capsys):
    words = ["score", "34m55p", "--melds", "pung:5m", "kong_added:9p", "--melds", "kong_direct:1p"]
    words += ["--win", "5m", "--by", "self_draw", "--void", "s", "--flags", "after_kong"]
    assert main([*words, "--won-before", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    scored = score_hand(
        "34m55p", ["pung:5m", "kong_added:9p", "kong_direct:1p"], "5m", "self_draw", "qq", "s",
        ["after_kong"], [2],
    )  # fmt: skip
    assert found["win"] is True
    assert found["patterns"] == ["ping_hu"]
    assert found["extras"] == {"gang_shang_hua": 1, "gen": 1}
    assert (found["fan"], found["multiple"], found["points"]) == (3, 4, [60, -30, 0, -30])
    assert found["reasons"] == list(scored.reasons)
    assert found["readings"] == [{"patterns": ["ping_hu"], "extras": found["extras"]}]


def test_house_rules_from_a_file(tmp_path, capsys):
    file = tmp_path / "house.yaml"
    file.write_text("base_points: 1\nself_draw_bonus: none\n", encoding="utf-8")
    assert main(["score", HAND, "--win", "5p", "--by", "self_draw", "--rules", str(file)]) == 0
    assert "points by seat +3, -1, -1, -1" in capsys.readouterr().out


def test_no_win_is_exit_code_1(capsys):
    assert main(["score", HAND, "--win", "9p"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "no win",
        "  bad_shape: neither four sets and a pair nor seven pairs (R30c)",
    ]
    assert main(["score", HAND, "--win", "9p", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["reason"] == "bad_shape"


def test_without_a_winning_tile_what_it_waits_for(capsys):
    assert main(["score", "2223334445556m", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "ready": True,
        "waits": ["1m", "3m", "4m", "5m", "6m", "7m"],
        "fans": [3, 4, 4, 4, 4, 3],
        "max_fan": 4,
    }
    assert main(["score", HAND]) == 0
    assert capsys.readouterr().out.split() == ["waits", "for", "fan", "1p", "1", "5p", "1"]
    assert main(["score", "1m", "--melds", "pung:1m", "pung:9p", "pung:5p", "pung:7m"]) == 0
    assert capsys.readouterr().out == "not ready\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: hand"),
        (["123m", "--win", "5p"], "the hand has 3 tiles; with 0 melds it must have 13"),
        (["123m456m789m11p555p", "--win", "5p"], "leave out the winning tile"),
        (["11111m456m789m11p", "--win", "5p"], "5 tiles 1m in one hand"),
        (["123m456m789m11z55p", "--win", "5p"], "'11z' in '123m456m789m11z55p' is no tile"),
        ([HAND, "--win", "55p"], "'55p' is 2 tiles; exactly one is wanted"),
        ([HAND, "--win", "5p", "--by", "luck"], "argument --by: invalid choice: 'luck'"),
        ([HAND, "--win", "5p", "--flags", "moon"], "argument --flags: invalid choice: 'moon'"),
        ([HAND, "--win", "5p", "--flags", "after_kong"], "after_kong goes with self_draw"),
        ([HAND, "--win", "5p", "--melds", "pung"], "'pung'"),
        ([HAND, "--win", "5p", "--void", "x"], "argument --void: invalid choice: 'x'"),
        ([HAND, "--win", "5p", "--won-before", "one"], "argument --won-before: invalid int"),
        ([HAND, "--win", "5p", "--won-before", "1"], "won_before: got [1]"),
        ([HAND, "--win", "5p", "--rules", "tokyo"], "unknown preset 'tokyo'"),
        ([HAND, "--rules", "standalone", "--void", "s"], "these rules have no void suits"),
    ],
)
def test_mistakes(arguments, message, capsys):
    assert main(["score", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1

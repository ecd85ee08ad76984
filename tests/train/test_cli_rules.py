import json

import pytest

from mjenv.sichuan.rules import OPTIONS, PRESETS, Rules, preset_differences
from train.cli import main


def test_without_a_name_where_presets_differ(capsys):
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["option", *PRESETS]
    shown = {
        line.split()[0].partition(".")[0] for line in lines[1:] if line and "." not in line[:3]
    }
    assert set(preset_differences()) <= shown
    (cap,) = [line for line in lines if line.startswith("fan_cap")]
    assert cap.split() == ["fan_cap", "none", "none", "none", "5"]
    assert [line for line in lines if line.startswith("extra_fans.hai_di")]


def test_differences_as_json(capsys):
    assert main(["rules", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {"presets": list(PRESETS), "differences": preset_differences()}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_shows_every_option_and_its_meaning(preset, capsys):
    assert main(["rules", preset]) == 0
    text = capsys.readouterr().out
    for name, option in OPTIONS.items():
        assert name in text
        assert option.meaning in text
    assert Rules.preset(preset).fingerprint in text
    assert ("* differs from qq" in text) == (preset != "qq")


@pytest.mark.parametrize("preset", PRESETS)
def test_json_and_yaml_give_the_rules_back(preset, capsys):
    rules = Rules.preset(preset)
    assert main(["rules", preset, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["preset"] == preset
    assert found["fingerprint"] == rules.fingerprint
    assert Rules.from_dict(found["rules"]) == rules
    assert main(["rules", preset, "--yaml"]) == 0
    assert Rules.from_yaml(capsys.readouterr().out) == rules


def test_a_file_of_house_rules(tmp_path, capsys):
    file = tmp_path / "house.yaml"
    fans = "{ping_hu: 1, qi_dui: 3}"
    file.write_text(f"fan_cap: 3\nfan_table: {{additive: false, fans: {fans}}}\n", encoding="utf-8")
    assert main(["rules", str(file)]) == 0
    text = capsys.readouterr().out
    assert "house rules" in text
    assert "own table" in text
    assert "fan table: the best pattern counts: ping_hu 1, qi_dui 3" in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("fancap: 3\n", "unknown option 'fancap' (did you mean 'fan_cap'?)"),
        ("fan_cap: 99\n", "fan_cap: got 99"),
        ("void_suit: false\npig_rule: void_suit\n", "pig_rule: got 'void_suit' with void_suit off"),
        ("just words\n", "got 'just words'"),
        (
            "fan_cap: 3\nmode: blood\nfan_cap: 6\n",
            "line 3: 'fan_cap' is given twice, first in line 1",
        ),
        ("extra_fans: {gen: 1,\n  gen: 0}\n", "line 2: 'gen' is given twice, first in line 1"),
    ],
)
def test_a_file_that_is_wrong(content, message, tmp_path, capsys):
    file = tmp_path / "house.yaml"
    file.write_text(content, encoding="utf-8")
    assert main(["rules", str(file)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert str(file) in captured.err


@pytest.mark.parametrize("name", ["absent.yaml", "folder.yaml", "binary.yaml"])
def test_a_file_that_cannot_be_read(name, tmp_path, capsys):
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    assert main(["rules", str(tmp_path / name)]) == 2
    errors = capsys.readouterr().err
    assert f"cannot read the rules in '{tmp_path / name}'" in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("name", ["", "/", "/qq"])
def test_a_directory_is_not_taken_for_a_preset(name, tmp_path, capsys):
    (tmp_path / "qq").mkdir()
    assert main(["rules", f"{tmp_path}{name}"]) == 2
    assert "Is a directory" in capsys.readouterr().err


def test_a_path_that_leads_nowhere_is_not_taken_for_a_preset(tmp_path, capsys):
    assert main(["rules", str(tmp_path / "house")]) == 2
    assert "No such file" in capsys.readouterr().err

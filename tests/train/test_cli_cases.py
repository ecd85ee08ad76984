import json
from pathlib import Path

import pytest

from train.cli import main

CASES = Path(__file__).parents[1] / "cases"
SICHUAN = CASES / "sichuan.jsonl"


def case(name: str, **changes) -> str:
    for line in SICHUAN.read_text(encoding="utf-8").splitlines():
        values = json.loads(line)
        if values["id"] == name:
            return json.dumps({**values, **changes})
    raise KeyError(name)


@pytest.fixture
def file(tmp_path):
    def write(*lines: str):
        path = tmp_path / "cases.jsonl"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    return write


def test_all_written_cases_pass(capsys):
    assert main(["cases", str(SICHUAN)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    number = len(SICHUAN.read_text(encoding="utf-8").splitlines())
    assert captured.err.splitlines()[-1] == f"{number} cases, all right"


def test_mismatches_are_a_line_each_and_exit_code_1(file, capsys):
    path = file(
        case("A01"),
        "",
        case("D02", expect={"delta": [0, 0, 0, 0]}),
        case("A02", expect={"fan": 2, "multiple": 2}),
    )
    assert main(["cases", path, str(SICHUAN)]) == 1
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [
        f"{path}: line 3: case D02: delta: expected [0, 0, 0, 0], got [18, -6, -6, -6]",
        f"{path}: line 4: case A02: fan: expected 2, got 1",
        f"{path}: line 4: case A02: multiple: expected 2, got 1",
    ]
    assert "2 of them with mismatches" in captured.err


def test_json(file, capsys):
    path = file(case("A01"), case("A02", expect={"fan": 2}))
    assert main(["cases", "--json", path]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "cases": 2,
        "mismatches": [
            {"file": path, "line": 2, "case": "A02", "field": "fan", "expected": 2, "got": 1}
        ],
    }
    assert main(["cases", "--json", file(case("A01"))]) == 0
    assert json.loads(capsys.readouterr().out) == {"cases": 1, "mismatches": []}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not JSON"),
        ('{"id": "X", "type": "fan"}', "line 2: game is missing"),
        (case("A01", type="riddle"), "line 2: case A01: type: got 'riddle'"),
        (case("A01", game="tokyo"), "line 2: case A01: unknown game 'tokyo'; games: sichuan"),
        (case("A01", preset="tokyo"), "line 2: case A01: unknown preset 'tokyo'"),
        (case("A01", options={"fancap": 3}), "line 2: case A01: unknown option 'fancap'"),
        (case("A01", flags=["moon"]), "line 2: case A01: flags: got 'moon'"),
        (case("A01", hand="123m"), "line 2: case A01: the hand has 3 tiles"),
        (case("D02", events=[{"ev": "chow"}]), "line 2: case D02: event 1 of events: ev"),
        (case("D02", events=None), "line 2: case D02: events: got null; allowed: a list of events"),
        (case("A01", expect=None), "line 2: case A01: expect names nothing"),
        ("[" * 100_000, "line 2: not JSON that can be read: nested too deeply"),
        ('{"id": ' + "9" * 5_000 + "}", "line 2: not JSON that can be read: Exceeds the limit"),
        (case("A01", expect={"base": [1, "ping_hu"]}), "line 2: case A01: expect: base: got [1"),
        (
            case("A01", preset="sichuan_modern", expect={"base": [1, "ping_hu"]}),
            "line 2: case A01: expect: base: got [1",
        ),
        (
            case("D09", events=[{"ev": "win", "winners": [1], "fans": [62], "from": 0}]),
            "line 2: case D09: seat 1: got 62 fan; allowed: 1 to 24",
        ),
    ],
)
def test_a_broken_file_is_exit_code_2_with_line_and_reason(line, message, file, capsys):
    path = file(case("A01"), line, case("A02"))
    assert main(["cases", path]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith(f"mjenv: {path}: {message}")


def test_mismatches_before_a_broken_line_are_told(file, capsys):
    path = file(case("A01", expect={"fan": 2}), "{")
    assert main(["cases", path]) == 2
    assert "case A01: fan" in capsys.readouterr().out


def test_a_game_that_is_not_built(capsys):
    path = CASES / "cixi.jsonl"
    assert main(["cases", str(path)]) == 2
    assert "line 1: case" in (errors := capsys.readouterr().err)
    assert "unknown game 'cixi'; games: sichuan" in errors


def test_files_that_cannot_be_read(tmp_path, file, capsys):
    missing = str(tmp_path / "none.jsonl")
    for path, reason in [
        (missing, "No such file or directory"),
        (str(tmp_path), "Is a directory"),
        (file(""), "no cases in it"),
    ]:
        assert main(["cases", path]) == 2
        assert capsys.readouterr().err == f"mjenv: {path}: {reason}\n"
    assert main(["cases"]) == 2
    assert "the following arguments are required: FILE" in capsys.readouterr().err


@pytest.mark.parametrize("field", ["expect", "game", "options"])
def test_what_would_steer_the_terminal_is_shown_as_an_escape(field, file, capsys):
    changes = {"expect": {"fan": "\x1b[2J\u202e"}, "game": "tokyo", "options": {"a\x9b": 1}}
    main(["cases", file(case("A01", id="A\x1b]0;x\x07", **{field: changes[field]}))])
    captured = capsys.readouterr()
    shown = (captured.out + captured.err).replace("\n", "")
    assert "case A\\x1b]0;x\\x07: " in shown
    assert shown.isprintable()

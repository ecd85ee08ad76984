"""``mjenv selfplay`` and ``mjenv replay``."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agents.play import play_deals
from mjenv.records import replay
from mjenv.registry import make_agent
from mjenv.sichuan.rules import Rules
from train.cli import main

FOUR = ["greedy/1", "random_legal/1", "greedy/1", "random_legal/1"]


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def record(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    assert main(["selfplay", *FOUR, "--deals", "3", "--seed", "7", "--out", str(path)]) == 0
    return path


def test_what_was_played_is_told(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    assert main(["selfplay", "random_legal/1", "--deals", "2", "--out", str(path)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    ends = [line["points"] for line in lines(path) if line["type"] == "end"]
    totals = " ".join(f"{sum(points):+d}" for points in zip(*ends, strict=True))
    assert captured.err == f"2 deals in {path}; points by seat {totals}\n"


def test_the_record_names_agents_rules_and_seed(record):
    headers = [line for line in lines(record) if line["type"] == "deal"]
    assert [header["agents"] for header in headers] == [FOUR] * 3
    assert {header["preset"] for header in headers} == {"qq"}
    assert {header["seed"] for header in headers} == {7}
    assert "legal" not in next(line for line in lines(record) if line["type"] == "decide")


def test_deals_are_those_of_the_batch(record):
    """At a table or a thousand at once, an agent chooses the same."""
    played = play_deals([make_agent(name) for name in FOUR], "qq", deals=3, seed=7)
    finals = [deal.final.tobytes() for deal in replay(record)]
    assert finals == [state.tobytes() for state in played.finished]


def test_house_rules_and_menus(tmp_path, capsys):
    file = tmp_path / "house.yaml"
    file.write_text("fan_cap: 3\nbase_points: 1\n", encoding="utf-8")
    path = tmp_path / "games.jsonl"
    words = ["--rules", str(file), "--menus", "--out", str(path)]
    assert main(["selfplay", "random_legal/1", *words]) == 0
    header = lines(path)[0]
    assert header["preset"] is None
    assert Rules.from_dict(header["rules"]) == Rules(fan_cap=3, base_points=1)
    decisions = [line for line in lines(path) if line["type"] == "decide"]
    assert all(line["action"] in line["legal"] for line in decisions)
    assert main(["replay", str(path), "--verify"]) == 0


def test_the_same_call_writes_the_same_file(record, tmp_path):
    path = tmp_path / "again.jsonl"
    assert main(["selfplay", *FOUR, "--deals", "3", "--seed", "7", "--out", str(path)]) == 0
    assert path.read_bytes() == record.read_bytes()


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no such device here")
def test_a_record_can_go_into_a_pipe():
    done = subprocess.run(
        [sys.executable, "-m", "train.cli", "selfplay", "random_legal/1", "--out", "/dev/stdout"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    written = done.stdout.splitlines()
    assert json.loads(written[0])["type"] == "deal"
    assert json.loads(written[-1])["type"] == "end"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["greedy/1"], "the following arguments are required: --out"),
        (["greedy/9", "--out", "x"], "unknown agent 'greedy/9' (did you mean 'greedy/1'?)"),
        (["greedy/1", "greedy/1", "--out", "x"], "got 2 agents; give one for all seats, or four"),
        (["greedy/1", "--rules", "tokyo", "--out", "x"], "unknown preset 'tokyo'"),
        (["greedy/1", "--deals", "0", "--out", "x"], "deals: got 0"),
        (["greedy/1", "--deals", "some", "--out", "x"], "argument --deals: invalid int"),
        (["greedy/1", "--seed", "-1", "--out", "x"], "seed: got -1"),
        (["greedy/1", "--out", "none/games.jsonl"], "--out none/games.jsonl: there is no folder"),
        (["greedy/1", "--out", "."], ".: Is a directory"),
        (["module:no_such:Bot", "--out", "x"], "agent 'module:no_such:Bot'"),
    ],
)
def test_selfplay_mistakes(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["selfplay", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_seat_keyed_walls_are_told_by_draws(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    words = ["--walls", "seat-keyed", "--deals", "2", "--menus", "--out", str(path)]
    assert main(["selfplay", *FOUR, *words]) == 0
    header = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert "wall" not in header
    assert [len(hand) for hand in header["hands"]].count(13) == 3
    assert main(["replay", "--verify", str(path)]) == 0
    assert "2 deals, verified" in capsys.readouterr().err


def test_an_interrupted_run_leaves_the_old_file(record, tmp_path, monkeypatch, capsys):
    path = tmp_path / "games.jsonl"
    path.write_bytes(record.read_bytes())

    def interrupted(*told):
        raise KeyboardInterrupt

    monkeypatch.setattr("agents.recorded.recorded", interrupted)
    assert main(["selfplay", "random_legal/1", "--out", str(path)]) == 130
    assert capsys.readouterr().err == "mjenv: interrupted\n"
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == record.read_bytes()


# ---------------------------------------------------------------------------------------- replay


@pytest.mark.parametrize("verify", [[], ["--verify"]])
def test_a_deal_is_a_line(verify, record, capsys):
    assert main(["replay", str(record), *verify]) == 0
    captured = capsys.readouterr()
    shown = captured.out.splitlines()
    assert len(shown) == 3
    end = next(line for line in lines(record) if line["type"] == "end")
    points = " ".join(f"{amount:+d}" for amount in end["points"])
    assert shown[0] == f"deal 1 (line 1): qq, {' '.join(FOUR)}: {end['reason']}, {points}"
    assert captured.err == f"3 deals, {'verified' if verify else 'not verified (--verify)'}\n"


def test_replay_json(record, capsys):
    assert main(["replay", str(record), "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [item["deal"] for item in found] == [1, 2, 3]
    assert found[1]["line"] == 1 + next(
        number for number, line in enumerate(lines(record), 1) if line["type"] == "end"
    )
    for item in found:
        assert item["agents"] == FOUR
        assert sum(item["points"]) == 0
        assert item["decisions"] > 0


def test_replay_text_shows_boards_and_every_line(record, capsys):
    assert main(["replay", str(record), "--text"]) == 0
    text = capsys.readouterr().out
    assert "seat 0 decides: void " in text
    assert text.count("wall 55 ") == 3
    assert text.count("over: ") == 3
    shown = [line for line in text.splitlines() if line.startswith("  ") and line[2] != " "]
    assert len(shown) >= len(lines(record)) - 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": [1, -1, 0, 0]}, "points"),
        ({"reason": "bribe"}, "reason"),
    ],
)
def test_a_record_that_is_wrong_is_exit_code_1(change, message, record, tmp_path, capsys):
    told = lines(record)
    number = next(i for i, line in enumerate(told) if line["type"] == "pay")
    told[number].update(change)
    path = tmp_path / "wrong.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in told), encoding="utf-8")
    assert main(["replay", str(path), "--verify"]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith(f"mjenv: {path}: line {number + 1}: ")
    assert message in errors
    assert errors.count("\n") == 1


def test_the_deals_before_a_fault_are_shown(record, tmp_path, capsys):
    path = tmp_path / "cut.jsonl"
    path.write_bytes(record.read_bytes()[:-40])
    assert main(["replay", str(path), "--verify"]) == 1
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 2
    assert "line " in captured.err


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{}\n", b"not a record\n"])
def test_what_is_no_record_is_exit_code_1(content, tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    assert main(["replay", str(path)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"mjenv: {path}: ")
    assert captured.err.count("\n") == 1


def test_what_cannot_be_read_is_exit_code_2(tmp_path, capsys):
    for path, reason in [
        (tmp_path / "none.jsonl", "No such file or directory"),
        (tmp_path, "Is a directory"),
    ]:
        assert main(["replay", str(path)]) == 2
        assert capsys.readouterr().err == f"mjenv: {path}: {reason}\n"

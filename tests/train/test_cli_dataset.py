"""``mjenv dataset``."""

import pytest

from mjenv import load_dataset
from train.cli import main


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    words = ["random_legal/1", "greedy/1", "greedy/1", "greedy/1", "--deals", "2"]
    assert main(["selfplay", *words, "--out", str(path)]) == 0
    return path


def test_records_become_arrays(record, tmp_path, capsys):
    out = tmp_path / "set"
    words = ["dataset", str(record), str(record), "--observation", "vector/1", "--out", str(out)]
    assert main([*words, "--agents", "greedy/1", "--skip-forced"]) == 0
    captured = capsys.readouterr()
    data = load_dataset(out)
    assert captured.out == ""
    assert captured.err == f"{len(data)} decisions of 4 deals in {out}\n"
    assert {data.names[number] for number in data.agents} == {"greedy/1"}
    assert (data.masks.sum(axis=1) > 1).all()
    assert data.description["only_agents"] == ["greedy/1"]
    assert main(words) == 2
    assert capsys.readouterr().err.endswith(
        "is there already; choose another name, or remove it first\n"
    )


def test_a_broken_record_is_exit_code_1(record, tmp_path, capsys):
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(record.read_bytes()[:-40])
    out = tmp_path / "set"
    words = ["--observation", "planes/1", "--out", str(out)]
    assert main(["dataset", str(record), str(broken), *words]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith(f"mjenv: {broken}: line ")
    assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == [broken]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--observation", "planes/9"], "observation: got 'planes/9'; allowed: planes/1"),
        (["--agents", "greedy/9"], "agents: no decision of greedy/9; the records hold greedy/1"),
        (["--out", "none/set"], "none/set: there is no folder"),
        (["--agents"], "argument --agents: expected at least one argument"),
        (["none.jsonl"], "none.jsonl: No such file or directory"),
    ],
)
def test_mistakes_in_the_call(record, tmp_path, monkeypatch, capsys, change, message):
    monkeypatch.chdir(tmp_path)
    words = [str(record), "--observation", "planes/1", "--out", "set", *change]
    if change == ["none.jsonl"]:
        words = ["none.jsonl", *words[1:-1]]
    assert main(["dataset", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []

"""An agent that fails ends an arena with a line, and what was played before is told."""

import csv
import json
import re

import pytest

from agents.failure import AgentFailedError
from mjenv.core.kernel import JIT_DISABLED
from tests.train.evaluation.players import HERE
from train.arena import arena, play_lineup
from train.cli import main
from train.evaluation.lineup import LineUp
from train.evaluation.sequential import Stop
from train.evaluation.workers import Workers

compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
PROCESSES = ["1", pytest.param("2", marks=compiled_only)]


@pytest.mark.parametrize("processes", PROCESSES)
@pytest.mark.parametrize(
    ("name", "raised"),
    [
        ("Failing", "agent 'failing/1' failed in seat 2 of deal "),
        ("Exiting", "agent 'exiting/1' failed in seat "),
    ],
)
def test_what_was_played_before_is_told(name, raised, processes, tmp_path, capsys):
    """Three agents in which the last fails: the first match is whole."""
    table = tmp_path / "figures.csv"
    line_up = ["greedy/1", "random_legal/1", f"{HERE}:{name}", "--deals", "5"]
    options = ["--json", "--csv", str(table), "--processes", processes]
    assert main(["arena", *line_up, *options]) == 2
    captured = capsys.readouterr()
    (pair,) = json.loads(captured.out)
    assert (pair["challenger"], pair["reference"]) == ("greedy/1", "random_legal/1")
    assert pair["stopped"] == "played"
    with table.open(encoding="utf-8", newline="") as file:
        assert {row["challenger"] for row in csv.DictReader(file)} == {"greedy/1"}
    written, note, line = captured.err.splitlines()
    assert written == f"written: {table}"
    assert note == (
        f"mjenv: ended in match 2 of 6, greedy/1 against {HERE}:{name}, qq; "
        "the results are those of the deal sets played so far"
    )
    assert line.startswith(f"mjenv: {raised}")


def test_the_match_it_failed_in_is_told_up_to_there(monkeypatch):
    monkeypatch.setattr("train.evaluation.run.CHUNK_SETS", 1)
    with Workers(1) as workers:
        result = play_lineup(LineUp((f"{HERE}:Failing", "random_legal/1"), deals=20), workers)
    (only,) = result.outcomes
    assert only.stop == Stop.INTERRUPTED
    assert result.interrupted
    assert f"in seat 2 of deal {only.deals} of seed" in str(result.failure)
    assert result.failure.__notes__ == [
        f"in match 1 of 2, {HERE}:Failing against random_legal/1, qq"
    ]
    whole = arena(["greedy/1", "random_legal/1"], deals=only.deals).outcomes[0]
    assert only.values.tolist() == whole.values.tolist()


@pytest.mark.parametrize("processes", PROCESSES)
def test_without_anything_to_tell_it_is_one_line(processes, capsys):
    options = ["--deals", "1", "--json", "--processes", processes]
    assert main(["arena", f"{HERE}:Exiting", "greedy/1", *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("mjenv: agent 'exiting/1' failed in seat ")
    at = re.escape(" of deal 0 of seed 6000000000000000: SystemExit: 3 (players.py:")
    assert re.search(rf"{at}\d+\)$", line)


def test_debug_shows_where_it_failed(capsys):
    assert main(["arena", f"{HERE}:Exiting", "greedy/1", "--deals", "1", "--debug"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert "    raise SystemExit(3)" in lines
    assert sum(line.startswith("Traceback") for line in lines) == 1
    assert lines[-1].startswith("mjenv: agent 'exiting/1' failed")


@compiled_only
def test_an_agent_that_cannot_be_made_in_another_process(capsys):
    options = ["--deals", "1", "--reference", "greedy/1", "--processes", "2"]
    assert main(["arena", f"{HERE}:UnmadeElsewhere", *options]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        f"mjenv: agent '{HERE}:UnmadeElsewhere' cannot be made from "
        "tests.train.evaluation.players:UnmadeElsewhere: RuntimeError: no room here"
    )


def test_an_agent_that_fails_when_its_time_is_measured(capsys):
    """It is asked much more then, and has already played."""
    options = ["--deals", "1", "--reference", "random_legal/1", "--json", "--times"]
    assert main(["arena", f"{HERE}:Impatient", *options, "--processes", "1"]) == 2
    captured = capsys.readouterr()
    (pair,) = json.loads(captured.out)
    assert "seconds_per_decision" not in pair
    assert captured.err.splitlines()[-1].startswith(
        f"mjenv: agent '{HERE}:Impatient' failed when its time was measured: TimeoutError ("
    )


def test_in_python_it_is_an_error():
    with pytest.raises(AgentFailedError, match=r"agent 'exiting/1' failed in seat \d of deal 0"):
        arena(["greedy/1", f"{HERE}:Exiting"], deals=1, processes=1)

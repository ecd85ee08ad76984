import json

import pytest

import train.commands.agents
from mjenv.registry import Registered, list_agents, registered
from train.cli import main


def test_every_agent_has_a_line(capsys):
    assert main(["agents"]) == 0
    output = capsys.readouterr()
    heading, *lines = output.out.splitlines()
    assert heading.split() == ["agent", "plays", "from", "is"]
    assert [line.split()[0] for line in lines] == [item.name for item in registered()]
    assert [line.split()[0] for line in lines if ":" not in line.split()[0]] == list_agents()
    (greedy,) = [line for line in lines if line.startswith("greedy/1 ")]
    assert "sichuan" in greedy
    assert "the fewest tiles from a win" in greedy
    assert output.err == ""


def test_as_json(capsys):
    assert main(["agents", "--json"]) == 0
    found = {item["name"]: item for item in json.loads(capsys.readouterr().out)}
    assert found["greedy/1"]["games"] == ["sichuan"]
    assert found["greedy/1"]["fault"] == ""
    assert set(found) == {item.name for item in registered()}


def test_one_that_cannot_be_made_is_told(capsys, monkeypatch: pytest.MonkeyPatch):
    odd = Registered("odd/1", (), "odd 2.0", "", "agent 'odd/1' cannot be made:\nno licence")
    monkeypatch.setattr(train.commands.agents, "registered", lambda: [odd])
    assert main(["agents"]) == 1
    output = capsys.readouterr()
    assert output.out.splitlines()[1].split(maxsplit=4) == [
        "odd/1", "-", "odd", "2.0",
        "cannot be used: agent 'odd/1' cannot be made: no licence",
    ]  # fmt: skip

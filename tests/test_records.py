"""Playing for the record, and reading it back."""

import errno
import json
import os

import pytest

import mjenv
from mjenv.core import jsonl
from mjenv.errors import AgentError, OptionError, RecordError, RulesError
from mjenv.records import replay, selfplay, verify
from mjenv.table import Table
from tests.at_table import Bot


def first(table):
    return table.legal_actions()[0]


def test_selfplay_writes_the_deals_of_a_seed(tmp_path):
    out = tmp_path / "games.jsonl"
    told = []
    totals = selfplay(Bot("tidy", 3), "qq", 4, 7, out, progress=told.append)
    assert told == [1, 2, 3, 4]
    deals = list(replay(out))
    assert [int(deal.start["deal"][0]) for deal in deals] == [0, 1, 2, 3]
    for deal in deals:
        assert Table.from_deal(deal) == Table("qq", 7, int(deal.start["deal"][0]))
        assert deal.header["agents"] == ["tidy"] * 4
        assert deal.header["seed"] == 7
        assert deal.header["engine"] == mjenv.__version__
        assert not any("legal" in line for line in deal.lines)
    points = sum(deal.final["points"][0] * 6 for deal in deals)
    assert totals == points.tolist()
    assert verify(out) == 4


def test_four_agents_sit_in_their_seats(tmp_path):
    seen = [set() for _ in range(4)]

    def player(seat):
        def choose(table):
            seen[seat].add(table.actor)
            return first(table)

        return choose

    out = tmp_path / "games.jsonl"
    selfplay([player(seat) for seat in range(4)], "standalone", 2, 1, str(out), menus=True)
    assert seen == [{0}, {1}, {2}, {3}]
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert all("legal" in line for line in lines if line["type"] == "decide")
    assert lines[0]["agents"] == ["unnamed"] * 4
    selfplay(first, "standalone", 1, 1, out, names=["a", "b", "c", "d"])
    assert json.loads(out.read_text(encoding="utf-8").splitlines()[0])["agents"] == list("abcd")


@pytest.mark.parametrize(
    ("change", "error", "reason"),
    [
        ({"agents": [first] * 3}, AgentError, "agents: got 3; allowed: one, or 4"),
        ({"agents": "greedy/1"}, AgentError, "got 'greedy/1'; allowed: functions of a table"),
        ({"names": ["a", "b"]}, AgentError, "names: got 2"),
        ({"deals": 0}, OptionError, "deals: got 0"),
        ({"deals": -1}, OptionError, "deals: got -1; allowed: an integer from 1 to"),
        ({"seed": -1}, OptionError, "seed: got -1"),
        ({"rules": "riichi"}, RulesError, "riichi"),
        ({"agents": lambda table: "surrender"}, AgentError, "'surrender' is no action.*at <Table"),
    ],
)
def test_what_cannot_be_played(tmp_path, change, error, reason):
    out = tmp_path / "games.jsonl"
    arguments = {"agents": first, "rules": "qq", "deals": 1, "seed": 1, "out": out} | change
    with pytest.raises(error, match=reason):
        selfplay(**arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_the_older_file(tmp_path):
    out = tmp_path / "games.jsonl"
    selfplay(first, "standalone_single", 1, 1, out)
    before = out.read_bytes()

    def stops(deal):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        selfplay(first, "standalone_single", 5, 2, out, progress=stops)
    assert out.read_bytes() == before
    assert list(tmp_path.iterdir()) == [out]


class SmallDisk:
    """A file on a disk that is full after some bytes."""

    def __init__(self, file, left):
        self.file, self.left = file, left

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        self.file.__enter__()
        return self

    def __exit__(self, *error):
        return self.file.__exit__(*error)

    def writelines(self, lines):
        for line in lines:
            self.left -= len(line)
            if self.left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self.file.write(line)


@pytest.mark.parametrize("left", [0, 100, 9_000])
def test_a_full_disk_loses_nothing(tmp_path, monkeypatch, left):
    out = tmp_path / "games.jsonl"
    selfplay(first, "standalone_single", 1, 1, out)
    before = out.read_bytes()
    opened = jsonl.Path.open
    with monkeypatch.context() as patch:
        patch.setattr(jsonl.Path, "open", lambda *args: SmallDisk(opened(*args), left))
        with pytest.raises(OSError, match="No space left"):
            selfplay(first, "standalone_single", 9, 1, out)
    assert out.read_bytes() == before
    assert list(tmp_path.iterdir()) == [out]


def test_a_disk_that_is_full_at_the_last_moment(tmp_path, monkeypatch):
    out = tmp_path / "games.jsonl"

    def full(number):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(jsonl.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        selfplay(first, "standalone_single", 1, 1, out)
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_bytes(b"old")
    link.symlink_to(target)
    selfplay(first, "standalone_single", 1, 1, link)
    assert link.is_symlink()
    assert verify(target) == 1


def test_what_is_no_file_is_written_to_directly():
    selfplay(first, "standalone_single", 1, 1, os.devnull)
    assert not os.path.isfile(os.devnull)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError):
        verify(tmp_path / "nowhere.jsonl")
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    with pytest.raises(RecordError, match="the file is empty"):
        verify(empty)


def test_reading_stops_at_the_first_fault(tmp_path):
    out = tmp_path / "games.jsonl"
    selfplay(first, "standalone_single", 3, 1, out)
    lines = out.read_text(encoding="utf-8").splitlines()
    out.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    deals = replay(out)
    assert len([next(deals), next(deals)]) == 2
    with pytest.raises(RecordError) as caught:
        next(deals)
    assert caught.value.line == len(lines) - 1
    with pytest.raises(RecordError):
        list(replay(out, verify=False))

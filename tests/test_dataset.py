"""Data sets hold what was seen and done while records were played."""

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

from mjenv import load_dataset, write_dataset
from mjenv.core import columns
from mjenv.errors import DatasetError, OptionError, RecordError
from mjenv.records import replay, selfplay
from mjenv.sichuan.game import SICHUAN
from mjenv.table import Table
from tests.at_table import Bot

RULES = ("qq", "standalone")
NAMES = ["a", "b", "a", "c"]


@pytest.fixture(scope="module")
def records(tmp_path_factory) -> list[Path]:
    folder = tmp_path_factory.mktemp("records")
    paths = [folder / f"{rules}.jsonl" for rules in RULES]
    for rules, path in zip(RULES, paths, strict=True):
        selfplay([Bot("tidy", seat) for seat in range(4)], rules, 2, 7, path, names=NAMES)
    return paths


def rows_by_hand(records, observation):
    """Every decision, taken at a table: what the data set should say of it."""
    relabelling = SICHUAN.encodings[observation].relabelling
    for path in records:
        for deal in replay(path):
            table, final = Table.from_deal(deal), deal.final["points"][0]
            for action in deal.actions:
                seat, mask = table.actor, table.legal_mask()
                shown, menu = action, mask.copy()
                if relabelling is not None:
                    order = relabelling.shown[int(table.state[relabelling.field][0, seat]) + 1]
                    shown = int(order[action])
                    menu[order] = mask
                yield {
                    "observations": table.observe(seat, observation),
                    "masks": menu,
                    "actions": shown,
                    "seats": seat,
                    "agents": "abc".index(NAMES[seat]),
                    "returns": int(final[seat]) - table.units[seat],
                }
                table.step(action)


@pytest.mark.parametrize("observation", SICHUAN.encodings)
def test_rows_are_what_a_table_shows(records, observation, tmp_path):
    told = []
    out = tmp_path / "set"
    number = write_dataset(records, observation, out, progress=told.append)
    assert told == [1, 2, 3, 4]
    data = load_dataset(out)
    rows = list(rows_by_hand(records, observation))
    assert len(data) == len(rows) == number
    for name in rows[0]:
        assert (getattr(data, name) == np.array([row[name] for row in rows])).all()
    form = SICHUAN.encodings[observation]
    assert data.observations.dtype == form.dtype
    assert data.observations.shape[1:] == form.shape
    assert data.masks[np.arange(number), data.actions].all()
    deals = [deal for path in records for deal in replay(path)]
    lengths = [len(deal.actions) for deal in deals]
    assert data.deals.tolist() == np.repeat(range(4), lengths).tolist()
    assert data.units.tolist() == [deal.final["points"][0].tolist() for deal in deals]
    assert (data.units.sum(axis=1) == 0).all()
    assert data.deal_rules.tolist() == [0, 0, 1, 1]


def test_the_folder_says_what_it_holds(records, tmp_path):
    out = tmp_path / "set"
    write_dataset(records, "vector/1", out)
    data = load_dataset(str(out))
    told = data.description
    assert told["observation"] == "vector/1"
    assert told["shape"] == list(data.observations.shape[1:])
    assert data.names == told["agents"] == ["a", "b", "c"]
    assert [rules["preset"] for rules in told["rules"]] == list(RULES)
    headers = [next(replay(path)).header for path in records]
    assert [rules["fingerprint"] for rules in told["rules"]] == [
        header["fingerprint"] for header in headers
    ]
    assert told["engine"] == headers[0]["engine"]
    assert (told["decisions"], told["deals"]) == (len(data), 4)
    assert told["records"] == ["qq.jsonl", "standalone.jsonl"]
    assert {path.name for path in out.iterdir()} == {
        "dataset.json",
        *(f"{name}.npy" for name in vars(data) if name != "description"),
    }


def test_arrays_are_mapped_and_cannot_be_changed(records, tmp_path):
    write_dataset(records[0], "planes/1", tmp_path / "set")
    data = load_dataset(tmp_path / "set")
    assert isinstance(data.observations, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        data.actions[0] = 1


@pytest.mark.parametrize("skip_forced", [False, True])
@pytest.mark.parametrize("agents", [None, ["a"], "a", ["c", "b"]])
def test_decisions_can_be_left_out(records, tmp_path, agents, skip_forced):
    write_dataset(records, "planes/1", tmp_path / "all")
    write_dataset(records, "planes/1", tmp_path / "some", agents=agents, skip_forced=skip_forced)
    whole, some = load_dataset(tmp_path / "all"), load_dataset(tmp_path / "some")
    keep = np.ones(len(whole), bool)
    if agents is not None:
        keep &= np.isin(whole.agents, [whole.names.index(name) for name in agents])
    if skip_forced:
        keep &= whole.masks.sum(axis=1) > 1
    assert 0 < len(some) == keep.sum()
    for name in ("observations", "masks", "actions", "seats", "deals", "agents", "returns"):
        assert (getattr(some, name) == getattr(whole, name)[keep]).all()
    assert (some.units == whole.units).all()
    assert some.names == whole.names


# ------------------------------------------------------------------------------------ what fails


@pytest.mark.parametrize(
    ("change", "error", "reason"),
    [
        ({"observation": "planes/9"}, OptionError, "observation: got 'planes/9'; allowed: planes"),
        ({"observation": ["planes/1"]}, OptionError, "observation: got .*allowed: planes"),
        ({"agents": []}, OptionError, "agents: got no names; allowed"),
        ({"agents": "zy"}, OptionError, "agents: no decision of zy; the records hold a, b, c"),
        ({"agents": ["z"]}, OptionError, "agents: no decision of z; the records hold a, b, c"),
        ({"records": []}, OptionError, "records: got none"),
        ({"records": "none.jsonl"}, FileNotFoundError, "none.jsonl"),
        ({"out": "."}, FileExistsError, "is there already"),
        ({"out": "none/set"}, FileNotFoundError, "there is no folder"),
    ],
)
def test_what_cannot_be_written(records, tmp_path, monkeypatch, change, error, reason):
    monkeypatch.chdir(tmp_path)
    arguments = {"records": records, "observation": "planes/1", "out": "set"} | change
    with pytest.raises(error, match=reason):
        write_dataset(**arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_fault_is_told_with_file_and_line(records, tmp_path):
    lines = records[1].read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines) if '"pay"' in line)
    wrong = json.loads(lines[number]) | {"points": [1, -1, 0, 0]}
    lines[number] = json.dumps(wrong)
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match=rf"broken\.jsonl: line {number + 1}: pay: ") as caught:
        write_dataset([records[0], broken], "planes/1", tmp_path / "set")
    assert caught.value.line == number + 1
    assert list(tmp_path.iterdir()) == [broken]


class SmallDisk:
    """A file on a disk that is full after some bytes."""

    left = 0

    def __init__(self, file):
        self.file = file

    def __getattr__(self, name):
        return getattr(self.file, name)

    def write(self, text):
        SmallDisk.left -= len(text)
        if SmallDisk.left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self.file.write(text)


@pytest.mark.parametrize("left", [0, 5_000, 300_000])
def test_a_full_disk_leaves_nothing(records, tmp_path, monkeypatch, left):
    opened = columns.Path.open
    SmallDisk.left = left

    def small(path, mode="r", *rest):
        file = opened(path, mode, *rest)
        return SmallDisk(file) if mode == "xb" else file

    monkeypatch.setattr(columns.Path, "open", small)
    with pytest.raises(OSError, match="No space left"):
        write_dataset(records, "planes/1", tmp_path / "set")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stops", [KeyboardInterrupt, OSError])
def test_an_interruption_leaves_nothing(records, tmp_path, stops):
    def stop(deals):
        if deals == 3:
            raise stops

    with pytest.raises(stops):
        write_dataset(records, "planes/1", tmp_path / "set", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_data_set(records, tmp_path):
    out = tmp_path / "set"
    with pytest.raises(FileNotFoundError):
        load_dataset(out)
    with pytest.raises(DatasetError, match=r"is no data set: there is no dataset\.json"):
        load_dataset(tmp_path)
    write_dataset(records[0], "planes/1", out)
    description = out / "dataset.json"
    text = description.read_text(encoding="utf-8")
    for wrong, reason in [
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ('{"format": 1}', "is damaged: KeyError"),
        (text.replace('"format": 1', '"format": 2'), "format is 2; this mjenv reads 1"),
        (text.replace('"deals": 2', '"deals": 3'), r"units\.npy has the shape \(2, 4\); it must"),
    ]:
        description.write_text(wrong, encoding="utf-8")
        with pytest.raises(DatasetError, match=reason):
            load_dataset(out)
    description.write_text(text, encoding="utf-8")
    masks = (out / "masks.npy").read_bytes()
    for wrong in (masks[:-1], masks[:40], b"", b"no array"):
        (out / "masks.npy").write_bytes(wrong)
        with pytest.raises(DatasetError, match=r"masks\.npy is missing or damaged"):
            load_dataset(out)
    (out / "masks.npy").unlink()
    with pytest.raises(DatasetError, match=r"masks\.npy is missing or damaged"):
        load_dataset(out)

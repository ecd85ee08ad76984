"""A batch pickled, saved and loaded, and arrays of the caller in it."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mjenv.envs.batch import Batch
from mjenv.envs.batch_file import read_batch
from mjenv.errors import OptionError, RecordError
from mjenv.registry import make_agent
from mjenv.sichuan.game import SICHUAN

MIXED = ["qq", "standalone", "sichuan_modern"]
BOTS = [None, "greedy/1", "random_legal/1", None]


def first_legal(batch: Batch) -> np.ndarray:
    return batch.masks.argmax(axis=1)


def play_alike(one: Batch, other: Batch, steps: int = 30) -> None:
    for _ in range(steps):
        assert one.tables.tobytes() == other.tables.tobytes()
        assert (one.masks == other.masks).all()
        assert (one.actors == other.actors).all()
        assert (one.observe() == other.observe()).all()
        steps_ = one.step(first_legal(one)), other.step(first_legal(other))
        assert (steps_[0].rewards == steps_[1].rewards).all()


@pytest.mark.parametrize("bots", [None, BOTS])
def test_a_batch_is_pickled_and_saved_in_the_middle(bots: Any, tmp_path: Path) -> None:
    batch = Batch(7, MIXED, 9, "vector/1", bots=bots, rotate=bots is not None, skip_forced=True)
    for _ in range(20):
        batch.step(first_legal(batch))
    play_alike(pickle.loads(pickle.dumps(batch)), pickle.loads(pickle.dumps(batch)))
    batch.save(tmp_path / "batch.npz")
    assert [file.name for file in tmp_path.iterdir()] == ["batch.npz"]
    loaded = Batch.load(tmp_path / "batch.npz", num_threads=2)
    assert loaded.num_threads == 2
    assert loaded.rules == batch.rules
    again = Batch(7, MIXED, 0, "vector/1", bots=bots, rotate=bots is not None, skip_forced=True)
    again.load_state_dict(batch.state_dict())
    play_alike(pickle.loads(pickle.dumps(batch)), again)
    play_alike(batch, loaded)


def test_a_bot_that_is_no_name_is_pickled_and_not_saved(tmp_path: Path) -> None:
    batch = Batch(3, "qq", 9, bots=[None, make_agent("greedy/1"), None, None])
    play_alike(pickle.loads(pickle.dumps(batch)), batch)
    with pytest.raises(OptionError, match="if its bots are given by name"):
        batch.save(tmp_path / "batch.npz")
    assert not list(tmp_path.iterdir())


def test_a_damaged_or_foreign_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "batch.npz"
    Batch(3, "qq").save(path)
    whole = path.read_bytes()
    for content in (b"", b"no batch", whole[:200], whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(RecordError, match="is damaged or holds no batch"):
            Batch.load(path)
    np.savez(path, tables=np.zeros(3))
    with pytest.raises(RecordError, match="is damaged or holds no batch"):
        Batch.load(path)
    path.write_bytes(whole)
    raw, fresh, options = read_batch(path)
    assert raw.shape == (3, SICHUAN.state.itemsize)
    assert options["observation"] == "planes/1"
    about = np.load(path)["about"].tobytes()
    for old, new, message in (
        (b'"format": 1', b'"format": 2', "format 2; this version reads 1"),
        (b"num_decisions", b"num_questions", "whose tables are of another form"),
    ):
        np.savez(
            path, tables=raw, fresh=fresh, about=np.frombuffer(about.replace(old, new), np.uint8)
        )
        with pytest.raises(RecordError, match=message):
            Batch.load(path)
    with pytest.raises(FileNotFoundError):
        Batch.load(tmp_path / "nothing.npz")


@pytest.mark.parametrize("name", ["num_tables", "threads"])
def test_what_is_no_option_of_a_saved_batch_is_refused(name: str, tmp_path: Path) -> None:
    Batch(3, "qq").save(tmp_path / "batch.npz")
    with pytest.raises(OptionError, match=f"{name}: got by load; allowed: rules, seed"):
        Batch.load(tmp_path / "batch.npz", **{name: 2})


# ------------------------------------------------------------------------------------- buffers


def test_arrays_of_the_caller_are_used() -> None:
    own = {
        "tables": np.zeros(5, SICHUAN.state),
        "masks": np.zeros((5, SICHUAN.num_actions), np.int8),
        "actors": np.zeros(5, np.int8),
        "rewards": np.zeros((5, 4), np.int32),
        "observations": np.zeros((5, 114, 3, 9), np.int8),
    }
    batch = Batch(5, "qq", 1, buffers=own)
    batch.observe()
    assert own["masks"].sum() > 0
    assert own["observations"].sum() > 0
    other = Batch(5, "qq", 1)
    for _ in range(200):
        step = batch.step(first_legal(batch))
        assert step.rewards is own["rewards"]
        other.step(first_legal(other))
    assert (own["tables"] == other.tables).all()
    assert (own["masks"] == other.masks).all()
    out = np.zeros((5, 114, 3, 9), np.int8)
    before = own["observations"].copy()
    assert batch.observe(out=out) is out
    assert (own["observations"] == before).all()
    assert (out == other.observe()).all()


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("array", "fault"),
    [
        (np.zeros((4, 62), np.int8), r"got int8 \(4, 62\)"),
        (np.zeros((5, 61), np.int8), r"got int8 \(5, 61\)"),
        (np.zeros((5, 62), bool), r"got bool \(5, 62\)"),
        (np.zeros((62, 5), np.int8).T, r"got int8 \(5, 62\) not C-contiguous"),
        (np.zeros((5, 124), np.int8)[:, ::2], "not C-contiguous"),
        (read_only(np.zeros((5, 62), np.int8)), "read-only"),
        ([[0] * 62] * 5, "got list"),
    ],
)
def test_a_buffer_that_cannot_be_used_is_refused(array: Any, fault: str) -> None:
    with pytest.raises(OptionError, match=fault) as caught:
        Batch(5, "qq", buffers={"masks": array})
    assert "buffers['masks']" in str(caught.value)
    assert "allowed: a writeable C-contiguous int8 array (5, 62)" in str(caught.value)
    batch = Batch(5, "qq", observation="vector/1")
    with pytest.raises(OptionError, match="out: got"):
        batch.observe(out=array)


def test_an_unknown_buffer_is_refused() -> None:
    with pytest.raises(OptionError, match="got 'mask'; allowed: tables, masks"):
        Batch(5, "qq", buffers={"mask": np.zeros((5, 62), np.int8)})

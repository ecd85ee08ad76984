"""What a batch must not hand to compiled code, which trusts the form of every array."""

import errno
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

from mjenv.core.setup import SEED_LIMIT
from mjenv.envs.batch import Batch
from mjenv.envs.batch_file import read_batch
from mjenv.errors import OptionError, RecordError
from mjenv.registry import make_agent

TABLES = 4


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("players", "actions", "message"),
    [
        (np.zeros((4, 3), np.int8), None, r"players: got int8 \(4, 3\); allowed: int8 \(4, 4\)"),
        (np.zeros((3, 4), np.int8), None, r"players: got int8 \(3, 4\)"),
        (np.zeros(4, np.int8), None, r"players: got int8 \(4,\)"),
        (np.zeros((4, 4)), None, r"players: got float64 \(4, 4\)"),
        (None, np.zeros(3, np.int64), r"actions: got int64 \(3,\)"),
        (None, np.zeros((4, 1), np.int64), r"actions: got int64 \(4, 1\)"),
        (None, np.zeros(4, np.int8), r"actions: got int8 \(4,\)"),
        (None, np.zeros(8, np.int64)[::2], "actions: got .* not C-contiguous"),
        (None, read_only(np.zeros(4, np.int64)), "actions: got .* read-only"),
        (None, [0] * 4, "actions: got list"),
    ],
)
def test_a_bot_only_writes_where_there_is_room(players: Any, actions: Any, message: str) -> None:
    batch = Batch(TABLES, "qq")
    bot = make_agent("greedy/1").kernel  # type: ignore[attr-defined]
    players = np.zeros((TABLES, 4), np.int8) if players is None else players
    actions = np.zeros(TABLES, np.int64) if actions is None else actions
    with pytest.raises(OptionError, match=message):
        batch.choose(bot, 0, players, actions)


def test_players_may_lie_in_memory_as_they_like() -> None:
    batch = Batch(TABLES, "qq", 1)
    bot = make_agent("greedy/1").kernel  # type: ignore[attr-defined]
    found = []
    for players in (np.zeros((TABLES, 4), np.int8), np.zeros((4, TABLES), np.int8).T):
        actions = np.full(TABLES, -1, np.int64)
        batch.choose(bot, 0, players, actions)
        found.append(actions.tolist())
    assert found[0] == found[1]
    assert (batch.masks[range(TABLES), found[0]] == 1).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda raw, fresh: {"tables": raw}, r"fresh: got none; allowed: bool \(4,\)"),
        (lambda raw, fresh: {"fresh": fresh}, "tables: got none"),
        (lambda raw, fresh: {"tables": raw[:1], "fresh": fresh}, r"tables: got uint8 \(1, "),
        (lambda raw, fresh: {"tables": raw[:, :-1], "fresh": fresh}, "tables: got uint8"),
        (lambda raw, fresh: {"tables": raw.astype(float), "fresh": fresh}, "tables: got float64"),
        (lambda raw, fresh: {"tables": raw, "fresh": fresh[:1]}, r"fresh: got bool \(1,\)"),
        (lambda raw, fresh: {"tables": raw, "fresh": fresh.astype(int)}, "fresh: got int64"),
    ],
)
def test_arrays_of_another_form_are_no_state(change: Callable[..., Any], message: str) -> None:
    other = Batch(TABLES, "qq", 9)
    saved = other.state_dict()
    batch = Batch(TABLES, "qq", 1)
    before = batch.tables.tobytes()
    with pytest.raises(OptionError, match=message):
        batch.load_state_dict(change(saved["tables"], saved["fresh"]))
    assert batch.tables.tobytes() == before
    batch.load_state_dict(saved)
    assert batch.tables.tobytes() == other.tables.tobytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda raw, fresh: (raw[:, :-1], fresh),
        lambda raw, fresh: (raw[:-1], fresh),
        lambda raw, fresh: (raw.astype(np.int64), fresh),
        lambda raw, fresh: (raw.reshape(-1), fresh),
        lambda raw, fresh: (raw, fresh.astype(np.int8)),
        lambda raw, fresh: (raw, fresh.reshape(2, 2)),
        lambda raw, fresh: (raw, fresh[0]),
    ],
)
def test_a_file_with_arrays_of_another_form_is_refused(
    change: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "batch.npz"
    Batch(TABLES, "qq").save(path)
    raw, fresh, _ = read_batch(path)
    with np.load(path) as file:
        about = file["about"]
    tables, fresh = change(raw, fresh)
    np.savez(path, tables=tables, fresh=fresh, about=about)
    with pytest.raises(RecordError, match="is damaged or holds no batch: its arrays"):
        Batch.load(path)


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    batch = Batch(TABLES, "qq", 3)
    with pytest.raises(IsADirectoryError):
        batch.save(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        content = reader.submit(pipe.read_bytes)
        batch.save(pipe)
        (tmp_path / "read.npz").write_bytes(content.result(timeout=60))
    assert pipe.is_fifo()
    assert Batch.load(tmp_path / "read.npz").tables.tobytes() == batch.tables.tobytes()


def test_a_file_behind_a_link_is_replaced_and_an_older_one_kept_until_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, link = tmp_path / "batch.npz", tmp_path / "link"
    link.symlink_to(file)
    batch = Batch(TABLES, "qq", 3)
    batch.save(link)
    assert link.is_symlink()
    before = file.read_bytes()
    play(batch, 3)
    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(OSError, match="No space left"):
        batch.save(file)
    assert file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"batch.npz", "link"}


def full(file: IO[bytes], **arrays: np.ndarray) -> None:
    """A disk that is full after the first bytes."""
    file.write(b"PK")
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": []}, "rules: got an empty list"),
        ({"observation": ["vector/1"]}, "observation: got .* allowed: planes/1"),
        ({"observation": None}, "observation: got None"),
        ({"buffers": [np.zeros(4)]}, "buffers: got .* allowed: arrays by name"),
        ({"seed": SEED_LIMIT - 1}, "seed: got 9007199254740994; allowed"),
    ],
)
def test_options_of_another_kind_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Batch(TABLES, **options)


def test_the_last_seed_is_one() -> None:
    batch = Batch(TABLES, "qq", SEED_LIMIT - TABLES)
    assert batch.tables["seed"][-1] == SEED_LIMIT - 1


def play(batch: Batch, steps: int) -> bytes:
    for _ in range(steps):
        batch.step(batch.masks.argmax(axis=1))
    return batch.tables.tobytes()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_batch_with_threads_plays_on_after_a_fork() -> None:
    batch, alone = Batch(TABLES, "qq", 2, num_threads=2), Batch(TABLES, "qq", 2)
    play(batch, 3)
    play(alone, 3)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=lambda: answers.put(play(batch, 5)), daemon=True)
    child.start()
    try:
        assert answers.get(timeout=60) == play(alone, 5)
    finally:
        child.kill()
        child.join()


def test_threads_have_finished_when_a_call_is_interrupted() -> None:
    batch = Batch(TABLES, "qq", num_threads=2)
    finished: list[Any] = []

    def call(part: Any) -> int:
        if part is first:
            raise KeyboardInterrupt
        for _ in range(20):
            part.observe(batch.actors, shown, batch.encoding)
        finished.append(part)
        return 0

    shown = np.zeros((TABLES, batch.encoding.size), batch.encoding.dtype)
    first, second = batch._parts._parts
    with pytest.raises(KeyboardInterrupt):
        batch._parts.run(call)
    assert finished == [second]

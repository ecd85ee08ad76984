"""The table of suits against other ways to find the same: building up, and spreading out."""

import itertools
import random
from pathlib import Path

import numpy as np
import pytest

from mjenv.core import suits
from mjenv.core.suits import (
    MAX_SETS,
    MAX_TILES,
    NUM_KEYS,
    NUM_RANKS,
    build_table,
    load_tables,
    power_of_five,
    suit_complete,
    suit_may_win,
    suit_need,
    suit_pairs,
    suit_quads,
    suit_size,
    suit_terminal,
    suit_triplets,
    suit_waits,
)
from tests.reference.hand import only_sets, sets_and_pair

LUTS = load_tables()
WORDS = LUTS[:NUM_KEYS]
Counts = tuple[int, ...]

# Counts of every key: the key is a number to the base 5, rank 1 its last digit.
COUNTS = np.stack(np.unravel_index(np.arange(NUM_KEYS), (5,) * NUM_RANKS)[::-1], axis=1)
SIZES = COUNTS.sum(axis=1)
POSSIBLE = SIZES <= MAX_TILES
"""Keys that a hand can have; the others mean nothing."""


def run(rank: int) -> Counts:
    return tuple(int(rank <= place <= rank + 2) for place in range(NUM_RANKS))


def copies(rank: int, number: int) -> Counts:
    return tuple(number if place == rank else 0 for place in range(NUM_RANKS))


TRIPLETS = [copies(rank, 3) for rank in range(NUM_RANKS)]
RUNS = [run(rank) for rank in range(NUM_RANKS - 2)]
PAIRS = [copies(rank, 2) for rank in range(NUM_RANKS)]
TERMINAL_SETS = [TRIPLETS[0], TRIPLETS[8], RUNS[0], RUNS[6]]
TERMINAL_PAIRS = [PAIRS[0], PAIRS[8]]


def key_of(counts: Counts) -> int:
    return sum(count * 5**rank for rank, count in enumerate(counts))


def built_up(sets: list[Counts], pairs: list[Counts], num_sets: int, num_pairs: int) -> set[int]:
    """Keys of every suit that is exactly so many of these sets and pairs."""
    keys = set()
    for parts in itertools.combinations_with_replacement(sets, num_sets):
        for pair in itertools.combinations(pairs, num_pairs):
            counts = tuple(map(sum, zip(copies(0, 0), *parts, *pair, strict=True)))
            if max(counts) <= 4:
                keys.add(key_of(counts))
    return keys


def all_built_up(sets: list[Counts], pairs: list[Counts]) -> np.ndarray:
    marked = np.zeros(NUM_KEYS, bool)
    for num_sets, num_pairs in itertools.product(range(MAX_SETS + 1), range(2)):
        marked[list(built_up(sets, pairs, num_sets, num_pairs))] = True
    return marked


COMPLETE = all_built_up(TRIPLETS + RUNS, PAIRS)


def column(function: object) -> np.ndarray:
    """What one accessor says of every key."""
    assert callable(function)
    return np.asarray(function(np.array(WORDS)))


def test_there_are_405350_suits_of_at_most_14_tiles() -> None:
    assert POSSIBLE.sum() == 405350


def test_complete_suits() -> None:
    assert (column(suit_complete)[POSSIBLE] == COMPLETE[POSSIBLE]).all()


def test_complete_suits_agree_with_taking_apart() -> None:
    counts = COUNTS[POSSIBLE & (SIZES % 3 != 1)]
    taken_apart = [
        only_sets(tuple(row)) if sum(row) % 3 == 0 else sets_and_pair(tuple(row))
        for row in counts.tolist()
    ]
    complete = column(suit_complete)[POSSIBLE & (SIZES % 3 != 1)]
    assert (complete == np.array(taken_apart)).all()
    assert not column(suit_complete)[POSSIBLE & (SIZES % 3 == 1)].any()


def test_suits_of_triplets() -> None:
    expected = all_built_up(TRIPLETS, PAIRS)
    assert (column(suit_triplets)[POSSIBLE] == expected[POSSIBLE]).all()


def test_suits_with_terminals_in_every_part() -> None:
    expected = all_built_up(TERMINAL_SETS, TERMINAL_PAIRS)
    assert (column(suit_terminal)[POSSIBLE] == expected[POSSIBLE]).all()


def test_waits() -> None:
    waits = column(suit_waits)
    for rank in range(NUM_RANKS):
        can_take = POSSIBLE & (COUNTS[:, rank] < 4) & (SIZES < MAX_TILES)
        completed = COMPLETE[np.flatnonzero(can_take) + 5**rank]
        assert (((waits[can_take] >> rank) & 1).astype(bool) == completed).all()
        assert not ((waits[COUNTS[:, rank] == 4] >> rank) & 1).any()


def test_pairs_quads_and_size() -> None:
    counts = COUNTS[POSSIBLE]
    pairs = sum((counts[:, rank] >= 2).astype(int) + (counts[:, rank] == 4) for rank in range(9))
    assert (column(suit_pairs)[POSSIBLE] == pairs).all()
    assert (column(suit_quads)[POSSIBLE] == (counts == 4).sum(axis=1)).all()
    assert (column(suit_size)[POSSIBLE] == SIZES[POSSIBLE]).all()


def tiles_to_add(targets: set[int]) -> np.ndarray:
    """Fewest tiles to add to every key until it holds one of the targets, by spreading out.

    Level 0 are the keys that hold a target. One tile less than a key of level n is level n + 1,
    unless it was reached before.
    """
    reached = np.zeros((5,) * NUM_RANKS, bool)
    reached.reshape(-1)[list(targets)] = True
    for axis in range(NUM_RANKS):
        np.logical_or.accumulate(reached, axis=axis, out=reached)
    level = np.where(reached, 0, -1)
    for tiles in range(1, MAX_TILES + 1):
        before = reached.copy()
        for axis in range(NUM_RANKS):
            less = np.moveaxis(reached, axis, 0)
            less[:4] |= np.moveaxis(before, axis, 0)[1:]
        level[reached & (level < 0)] = tiles
    return level.reshape(-1)


@pytest.mark.parametrize("pairs", range(2))
@pytest.mark.parametrize("sets", range(MAX_SETS + 1))
def test_fewest_tiles_to_add(sets: int, pairs: int) -> None:
    expected = tiles_to_add(built_up(TRIPLETS + RUNS, PAIRS, sets, pairs))
    assert expected.min() == 0
    got = suit_need(np.array(WORDS), sets, pairs)  # type: ignore[arg-type]
    assert (got[POSSIBLE] == expected[POSSIBLE]).all()


def test_fewest_tiles_to_add_agrees_with_trying_every_target() -> None:
    rng = random.Random(3)
    for sets, pairs in ((1, 1), (3, 0), (4, 1)):
        targets = COUNTS[sorted(built_up(TRIPLETS + RUNS, PAIRS, sets, pairs))]
        for key in rng.sample(np.flatnonzero(POSSIBLE).tolist(), 60):
            missing = np.maximum(targets - COUNTS[key], 0).sum(axis=1).min()
            assert suit_need(int(WORDS[key]), sets, pairs) == missing


def test_a_tile_adds_a_power_of_five() -> None:
    assert [power_of_five(rank) for rank in range(9)] == [5**rank for rank in range(9)]
    assert key_of((2, 0, 1, 0, 0, 0, 0, 0, 4)) == 2 + 25 + 4 * 5**8


# ---------------------------------------------------------------------------------- the file


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a table that is quick to build."""
    monkeypatch.setenv("MJENV_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(suits, "build_table", lambda: np.array(LUTS))
    load_tables.cache_clear()
    yield tmp_path / "mjenv"
    load_tables.cache_clear()


def test_the_built_table_is_the_loaded_one() -> None:
    assert (build_table() == LUTS).all()


def test_the_table_is_read_only() -> None:
    assert not LUTS.flags.writeable


def test_the_table_is_built_once_and_kept(folder: Path) -> None:
    first = load_tables()
    files = list(folder.iterdir())
    assert [file.suffix for file in files] == [".npy"], "no temporary file is left"
    load_tables.cache_clear()
    again = load_tables()
    assert not again.flags.writeable
    assert (again == first).all()
    assert again.dtype == first.dtype


@pytest.mark.parametrize("damage", [b"", b"not an array", None])
def test_a_damaged_file_is_built_again(folder: Path, damage: bytes | None) -> None:
    load_tables()
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    load_tables.cache_clear()
    assert (load_tables() == LUTS).all()
    assert file.read_bytes() == whole


def test_without_a_folder_the_table_is_kept_in_memory(folder: Path) -> None:
    folder.write_text("a file where the folder should be", encoding="utf-8")
    table = load_tables()
    assert (table == LUTS).all()
    assert not table.flags.writeable


def test_the_bits_say_which_suits_may_be_part_of_a_win():
    all_pairs = (COUNTS % 2 == 0).all(axis=1)
    complete = np.array([suit_complete(word) for word in WORDS.tolist()])
    expected = complete | all_pairs
    found = np.array([suit_may_win(LUTS, key) for key in range(NUM_KEYS)])
    assert np.array_equal(found[POSSIBLE], expected[POSSIBLE])
    assert 0 < found[POSSIBLE].sum() < POSSIBLE.sum() / 10

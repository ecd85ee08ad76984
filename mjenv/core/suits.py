"""What can be known of one suit from its nine counts, looked up.

The counts of ranks 1..9 of a suit are the digits of a base-5 number, the *key*. A table with one
64-bit word for every key answers everything the rules ask of a suit: is it complete, what does
it wait for, how far is it from ``m`` sets and ``j`` pairs. Adding a tile adds a power of five to
the key.

The word of a key, from the lowest bit::

    40 bits   need[m][j], 4 bits each: fewest tiles to add for m sets (0..4) and j pairs (0, 1)
     9 bits   waits: ranks whose addition completes the suit
     1 bit    complete: the suit is sets, or sets and one pair
     1 bit    triplets: complete with triplets only (and the pair)
     1 bit    terminal: complete with a 1 or a 9 in every set and in the pair
     3 bits   pairs: two equal tiles, four equal tiles are two pairs
     2 bits   quads: kinds held four times (3 stands for three)
     4 bits   size: number of tiles

Keys of more than 14 tiles cannot occur; their words mean nothing.

Behind the words of all keys stands one bit for every key: whether the suit is complete or all
pairs. Nearly every question for a win ends there, and the bits are few enough to stay close to the
processor, which the words are not.
"""

import itertools
import os
import tempfile
from functools import lru_cache

import numpy as np

from mjenv.core.kernel import cache_directory, content_hash, kernel
from mjenv.core.tiles import COPIES, NUM_RANKS

NUM_KEYS = 5**NUM_RANKS
NUM_BIT_WORDS = -(-NUM_KEYS // 64)
MAX_SETS = 4
MAX_TILES = 14
_POWERS = tuple(5**rank for rank in range(NUM_RANKS))

_BIT_SHIFT = 6
_BIT_MASK = 63
_NEED_BITS = 4
_NEED_MASK = 15
_WAITS_SHIFT = 40
_WAITS_MASK = (1 << NUM_RANKS) - 1
_COMPLETE_SHIFT = 49
_TRIPLETS_SHIFT = 50
_TERMINAL_SHIFT = 51
_PAIRS_SHIFT = 52
_PAIRS_MASK = 7
_QUADS_SHIFT = 55
_QUADS_MASK = 3
_SIZE_SHIFT = 57
_SIZE_MASK = 15


@kernel
def power_of_five(rank: int) -> int:
    """What one tile of ``rank`` (0..8) adds to the key of its suit."""
    return int(_POWERS[rank])


@kernel
def suit_may_win(luts: np.ndarray, key: int) -> bool:
    """Whether the suit of ``key`` is complete or all pairs, as every suit of a winning hand is."""
    return bool((luts[NUM_KEYS + (key >> _BIT_SHIFT)] >> (key & _BIT_MASK)) & 1)


@kernel
def suit_need(word: int, sets: int, pairs: int) -> int:
    """Fewest tiles to add so that the suit holds ``sets`` sets and ``pairs`` (0, 1) pairs."""
    return (word >> (_NEED_BITS * (2 * sets + pairs))) & _NEED_MASK


@kernel
def suit_waits(word: int) -> int:
    """Bit r is set if one more tile of rank r makes the suit complete."""
    return (word >> _WAITS_SHIFT) & _WAITS_MASK


@kernel
def suit_complete(word: int) -> bool:
    """Whether the suit is sets only, or sets and one pair (by its size; empty is complete)."""
    return ((word >> _COMPLETE_SHIFT) & 1) != 0


@kernel
def suit_triplets(word: int) -> bool:
    """Whether the suit is complete with triplets (and the pair) alone."""
    return ((word >> _TRIPLETS_SHIFT) & 1) != 0


@kernel
def suit_terminal(word: int) -> bool:
    """Whether the suit is complete with a 1 or a 9 in every set and in the pair."""
    return ((word >> _TERMINAL_SHIFT) & 1) != 0


@kernel
def suit_pairs(word: int) -> int:
    """Number of pairs; four equal tiles are two."""
    return (word >> _PAIRS_SHIFT) & _PAIRS_MASK


@kernel
def suit_quads(word: int) -> int:
    """Number of kinds held four times."""
    return (word >> _QUADS_SHIFT) & _QUADS_MASK


@kernel
def suit_size(word: int) -> int:
    """Number of tiles."""
    return (word >> _SIZE_SHIFT) & _SIZE_MASK


# ------------------------------------------------------------------------- building the table


def _digits() -> np.ndarray:
    """Counts of every key, shape ``(9, NUM_KEYS)`` int8; row r is the count of rank r."""
    keys = np.arange(NUM_KEYS)
    return np.stack([(keys // 5**rank % 5).astype(np.int8) for rank in range(NUM_RANKS)])


def _needs() -> np.ndarray:
    """``need[m, j]`` of every key, shape ``(5, 2, NUM_KEYS)`` int8.

    Ranks are taken one after the other. A state is (runs that still need this rank, of them
    runs that also need the next, sets so far, pairs so far); its value the fewest tiles added.
    """
    counts = np.arange(5, dtype=np.int8)
    # For ``used`` tiles of a rank, the tiles missing to each count 0..4.
    missing = [np.maximum(used - counts, 0).astype(np.int8) for used in range(5)]
    states = {(0, 0, 0, 0): np.zeros(1, np.int8)}
    for rank in range(NUM_RANKS):
        following: dict[tuple[int, int, int, int], np.ndarray] = {}
        for (older, newer, sets, pairs), cost in states.items():
            runs_allowed = MAX_SETS - sets if rank < NUM_RANKS - 2 else 0
            for runs, triplets, pair in itertools.product(
                range(runs_allowed + 1), range(2), range(2 - pairs)
            ):
                used = older + newer + runs + 3 * triplets + 2 * pair
                if used > COPIES or sets + runs + triplets > MAX_SETS:
                    continue
                target = (newer, runs, sets + runs + triplets, pairs + pair)
                # The new rank is the highest digit: the key grows by count * 5**rank.
                value = (cost[None, :] + missing[used][:, None]).reshape(-1)
                if target in following:
                    np.minimum(following[target], value, out=following[target])
                else:
                    following[target] = value
        states = following
    result = np.empty((MAX_SETS + 1, 2, NUM_KEYS), np.int8)
    for sets, pairs in itertools.product(range(MAX_SETS + 1), range(2)):
        result[sets, pairs] = states[0, 0, sets, pairs]
    return np.minimum(result, _NEED_MASK)


def _complete(need: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Keys that are sets alone or sets and a pair, by their size."""
    complete = np.zeros(NUM_KEYS, bool)
    for sets, pairs in itertools.product(range(MAX_SETS + 1), range(2)):
        complete |= (size == 3 * sets + 2 * pairs) & (need[sets, pairs] == 0)
    return complete


def _waits(complete: np.ndarray) -> np.ndarray:
    """Nine bits: ranks whose addition completes the key."""
    waits = np.zeros(NUM_KEYS, np.int64)
    for rank in range(NUM_RANKS):
        grid = complete.reshape(-1, 5, 5**rank)
        completed = np.zeros_like(grid)
        completed[:, :4] = grid[:, 1:]
        waits |= completed.reshape(-1).astype(np.int64) << rank
    return waits


def _terminal() -> np.ndarray:
    """Keys made of 123, 789, 111, 999 and at most one pair 11 or 99."""
    terminal = np.zeros(NUM_KEYS, bool)
    low_run, high_run = 1 + 5 + 25, 5**6 + 5**7 + 5**8
    one, nine = 1, 5**8
    for low, high, ones, nines, pair in itertools.product(
        range(5), range(5), range(2), range(2), (0, 2 * one, 2 * nine)
    ):
        of_one = low + 3 * ones + (2 if pair == 2 * one else 0)
        of_nine = high + 3 * nines + (2 if pair == 2 * nine else 0)
        if low + high + ones + nines <= MAX_SETS and of_one <= COPIES and of_nine <= COPIES:
            terminal[low * low_run + high * high_run + 3 * (ones * one + nines * nine) + pair] = (
                True
            )
    return terminal


def build_table() -> np.ndarray:
    """Compute the table: shape ``(NUM_KEYS + NUM_BIT_WORDS,)``, int64. Takes about a second."""
    digits = _digits()
    size = digits.sum(axis=0, dtype=np.int64)
    need = _needs()
    complete = _complete(need, size)
    ones, twos, fours = (np.sum(digits == count, axis=0) for count in (1, 2, COPIES))
    triplets = (ones == 0) & (fours == 0) & (twos <= 1)
    pairs = np.sum(digits // 2, axis=0)
    word = np.zeros(NUM_KEYS, np.int64)
    for sets, pair in itertools.product(range(MAX_SETS + 1), range(2)):
        word |= need[sets, pair].astype(np.int64) << (_NEED_BITS * (2 * sets + pair))
    word |= _waits(complete) << _WAITS_SHIFT
    word |= complete.astype(np.int64) << _COMPLETE_SHIFT
    word |= triplets.astype(np.int64) << _TRIPLETS_SHIFT
    word |= _terminal().astype(np.int64) << _TERMINAL_SHIFT
    word |= np.minimum(pairs, _PAIRS_MASK).astype(np.int64) << _PAIRS_SHIFT
    word |= np.minimum(fours, _QUADS_MASK).astype(np.int64) << _QUADS_SHIFT
    word |= np.minimum(size, _SIZE_MASK) << _SIZE_SHIFT
    return np.concatenate([word, _bits(complete | (2 * pairs == size))])


def _bits(flags: np.ndarray) -> np.ndarray:
    """Pack flags into words, the first in the lowest bit of the first word."""
    padded = np.zeros(NUM_BIT_WORDS * (_BIT_MASK + 1), bool)
    padded[: len(flags)] = flags
    return np.packbits(padded, bitorder="little").view("<i8").astype(np.int64)


@lru_cache(maxsize=1)
def load_tables() -> np.ndarray:
    """Return the table of suits, shape ``(NUM_KEYS + NUM_BIT_WORDS,)`` int64, read-only.

    Built once and kept in the user's cache directory; mapped into memory afterwards, so that
    processes share it. Where the directory cannot be written it is built in memory.
    """
    path = cache_directory() / f"suits-{content_hash(__file__)[:12]}.npy"
    try:
        table = np.load(path, mmap_mode="r")
        if table.shape == (NUM_KEYS + NUM_BIT_WORDS,) and table.dtype == np.int64:
            return np.frombuffer(memoryview(table), np.int64)
    except (OSError, ValueError, EOFError):
        pass  # absent or damaged: built again
    table = build_table()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            np.save(file, table)
        os.replace(file.name, path)
    except OSError:
        pass  # no writable folder: this process keeps its own copy
    table.flags.writeable = False
    return table

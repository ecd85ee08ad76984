"""The generator: golden values, the same compiled or not, and what randomness must look like."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

from mjenv.core.rng import (
    Stream,
    below,
    new_generator,
    next_bits,
    policy_stream,
    shuffle,
    start_stream,
)

ROOT = Path(__file__).parents[2]
LEAST_P = 1e-3

# (seed, deal, stream): the first three words.
WORDS = {
    (0, 0, 0): [12976847220212546683, 6820533430081311683, 5140304689948367780],
    (1, 0, 0): [7047319974998881499, 12473744888990549874, 6848357911331707772],
    (0, 1, 0): [4710077823610163756, 2774206827773225992, 12329584633549499344],
    (0, 0, 1): [16259384955611244967, 1753778813225694132, 17380096954837616211],
    (12345, 678, 0): [3464298597954054998, 15203653598469857280, 16509849017320695104],
    (9007199254740991, 2147483648, 2): [
        9996283335925376848,
        2210264748335630622,
        14582850270995461260,
    ],
    (-1, 0, 0): [14723632516127537622, 13779516026831819813, 4719808901468341453],
}
# Three each below 2, 3, 4, 27, 108 and 2^30.
NUMBERS = [0, 0, 1, 0, 1, 0, 0, 2, 2, 6, 24, 25, 16, 106, 49, 137041205, 842262720, 804553888]
# The first 15 of 20 numbers.
SHUFFLED = [12, 8, 9, 5, 1, 13, 7, 11, 2, 0, 3, 6, 14, 10, 4, 15, 16, 17, 18, 19]
# (seed, deal, seat, decision): the generator.
POLICY = {
    (0, 0, 0, 0): 2858520052233127535,
    (0, 0, 1, 0): 14023406000541394878,
    (0, 0, 0, 1): 5314645347095355170,
    (987654321, 12, 3, 45): 11239821747726418729,
}


def at(seed: int, deal: int = 0, stream: int = Stream.DEAL) -> np.ndarray:
    rng = new_generator()
    start_stream(rng, seed, deal, stream)
    return rng


def words(rng: np.ndarray, number: int) -> list[int]:
    return [int(next_bits(rng)) for _ in range(number)]


def policy_word(seed: int, deal: int, seat: int, decision: int) -> int:
    rng = new_generator()
    policy_stream(rng, seed, deal, seat, decision)
    return int(rng[0])


def measured() -> dict[str, list[list[int]]]:
    """Every number that has a golden value, as JSON can carry it."""
    rng = at(5)
    numbers = [int(below(rng, bound)) for bound in (2, 3, 4, 27, 108, 1 << 30) for _ in range(3)]
    tiles = np.arange(20)
    shuffle(at(6), tiles, 15)
    return {
        "words": [words(at(*key), 3) for key in WORDS],
        "numbers": [numbers],
        "shuffled": [tiles.tolist()],
        "policy": [[policy_word(*key) for key in POLICY]],
    }


def golden() -> dict[str, list[list[int]]]:
    return {
        "words": list(WORDS.values()),
        "numbers": [NUMBERS],
        "shuffled": [SHUFFLED],
        "policy": [list(POLICY.values())],
    }


def test_golden_values() -> None:
    assert measured() == golden()


def test_golden_values_without_compilation() -> None:
    script = "import json, tests.core.test_rng as t; print(json.dumps(t.measured()))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == golden()


def test_streams_of_neighbours_have_nothing_in_common() -> None:
    """About half of the bits differ, whichever of the three numbers differs by one."""
    differing = []
    for seed in range(50):
        for other in (at(seed + 1), at(seed, 1), at(seed, 0, Stream.HIDDEN)):
            first, second = words(at(seed), 1)[0], words(other, 1)[0]
            differing.append((first ^ second).bit_count())
    assert 30 < np.mean(differing) < 34
    assert min(differing) > 10


def test_no_two_of_many_streams_are_the_same() -> None:
    starts = {int(at(seed, deal)[0]) for seed in range(100) for deal in range(50)}
    starts |= {
        policy_word(s, 0, seat, d) for s in range(10) for seat in range(4) for d in range(50)
    }
    starts |= {int(at(-seed - 1)[0]) for seed in range(100)}
    starts |= {int(at(1 << 52, 1 << 39)[0]), int(at(1 << 62)[0])}
    assert len(starts) == 100 * 50 + 10 * 4 * 50 + 100 + 2
    assert 0 not in starts, "xorshift would stay at zero"


@pytest.mark.parametrize("bound", [1, 2, 3, 4, 27, 108])
def test_numbers_below_a_bound_are_equally_likely(bound: int) -> None:
    rng = at(11, bound)
    counts = np.bincount([below(rng, bound) for _ in range(20_000)], minlength=bound)
    assert len(counts) == bound
    assert bound == 1 or chisquare(counts).pvalue > LEAST_P


def test_numbers_below_a_large_bound_have_no_bias() -> None:
    """Without rejection, the lower third of 3 * 2^29 would come twice as often."""
    rng = at(12)
    bound = 3 << 29
    numbers = np.array([below(rng, bound) for _ in range(10_000)])
    assert numbers.max() < bound
    counts = np.bincount(numbers // (1 << 29), minlength=3)
    assert chisquare(counts).pvalue > LEAST_P


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    rng = at(13)
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(24_000):
        tiles = np.arange(4)
        shuffle(rng, tiles, 4)
        order = tuple(tiles.tolist())
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert chisquare(list(counts.values())).pvalue > LEAST_P


def test_a_shuffle_leaves_the_rest_alone() -> None:
    tiles = np.arange(108, dtype=np.int8)
    shuffle(at(14), tiles, 53)
    assert tiles[53:].tolist() == list(range(53, 108))
    assert sorted(tiles[:53].tolist()) == list(range(53))


def test_a_new_generator_can_be_used_at_once() -> None:
    assert len(set(words(new_generator(), 100))) == 100

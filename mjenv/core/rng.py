"""Random numbers that are the same compiled or not, one table at a time or in a batch.

A generator is an array of one ``uint64``. The stream of deal ``k`` of seed ``s`` depends on
``(s, k)`` alone. No multiplication and no addition of ``uint64``: NumPy scalars warn when they
overflow, compiled code wraps.
"""

from enum import IntEnum

import numpy as np

from mjenv.core.kernel import kernel

_ROUNDS = 40
_ROUND_KEY = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_EIGHT = np.uint64(8)
_WORD = np.uint64(64)
_13 = np.uint64(13)
_7 = np.uint64(7)
_17 = np.uint64(17)
_TOP_BITS = np.uint64(33)
_RANGE = 1 << 31
_STREAM_SHIFT = 40
_SEED_BITS = (1 << 63) - 1  # NumPy refuses what compiled code wraps: a negative seed


class Stream(IntEnum):
    """What the randomness of a deal is used for; streams do not share numbers."""

    DEAL = 0
    HIDDEN = 1
    POLICY = 2  # and on, one for each decision
    DRAW = 1 << 20  # and on, one for each draw from a seat-keyed wall


@kernel
def new_generator() -> np.ndarray:
    """Return an unseeded generator, an array of shape ``(1,)`` and dtype ``uint64``."""
    return np.ones(1, np.uint64)


@kernel
def _rotate(word: np.uint64, bits: np.uint64) -> np.uint64:
    return (word << bits) | (word >> (_WORD - bits))


@kernel
def start_stream(rng: np.ndarray, seed: int, deal: int, stream: int) -> None:
    """Put ``rng`` at the start of a stream of deal ``deal`` of ``seed``.

    The two numbers pass through a Feistel network (the round function of the SIMON cipher), so
    that neighbouring seeds and deals have unrelated streams.
    """
    left = np.uint64(seed & _SEED_BITS)
    right = np.uint64(deal) | (np.uint64(stream) << np.uint64(_STREAM_SHIFT))
    key = _ROUND_KEY
    for _ in range(_ROUNDS):
        mixed = (_rotate(left, _ONE) & _rotate(left, _EIGHT)) ^ _rotate(left, _TWO)
        left, right = right ^ mixed ^ key, left
        key = _rotate(key, _13)
    if left == np.uint64(0):
        left = _ROUND_KEY
    rng[0] = left


@kernel
def policy_stream(rng: np.ndarray, seed: int, deal: int, seat: int, decision: int) -> None:
    """Put ``rng`` at the stream of one decision: it depends on nothing a policy did before."""
    start_stream(rng, seed, deal, Stream.POLICY + seat + 4 * decision)


@kernel
def next_bits(rng: np.ndarray) -> np.uint64:
    """Advance the generator (Marsaglia's xorshift64) and return its 64 bits."""
    word: np.uint64 = rng[0]
    word ^= word << _13
    word ^= word >> _7
    word ^= word << _17
    rng[0] = word
    return word


@kernel
def below(rng: np.ndarray, bound: int) -> int:
    """Return a number from 0 to ``bound - 1``, each equally likely."""
    limit = _RANGE - _RANGE % bound
    while True:
        number = np.int64(next_bits(rng) >> _TOP_BITS)
        if number < limit:
            return int(number % bound)


@kernel
def shuffle(rng: np.ndarray, items: np.ndarray, size: int) -> None:
    """Shuffle the first ``size`` items in place (Fisher and Yates)."""
    for last in range(size - 1, 0, -1):
        other = below(rng, last + 1)
        held = items[last]
        items[last] = items[other]
        items[other] = held

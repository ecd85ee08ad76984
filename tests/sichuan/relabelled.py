"""Records in which suits have changed places, in plain Python."""

import itertools

import numpy as np

PERMUTATIONS = tuple(itertools.permutations(range(3)))
"""``permutation[suit]`` is what becomes of a suit."""

# Of states as well as of views.
KIND_VALUES = (
    "drawn", "given", "received", "meld_kind", "discard_kind", "claim_tile", "win_tile", "wall",
)  # fmt: skip
SUIT_VALUES = ("void_suit",)
BY_KIND = ("hand",)
BY_SUIT = ("suit_key",)


def relabelled(record: np.void, permutation: tuple[int, ...]) -> np.ndarray:
    """The same record with its suits permuted, as an array of one.

    The last axis of what is counted by kind or suit, and every kind and suit, are permuted. An
    answer still secret is a pung, a kong, a win or a pass: it has no suit.
    """
    result = np.array([record])
    suits = np.array(permutation)
    kinds = np.array([9 * suits[kind // 9] + kind % 9 for kind in range(27)])
    for name in record.dtype.names:
        value = np.array(record[name])
        if name in KIND_VALUES:
            value = np.where(value >= 0, kinds[value], value)
        elif name in SUIT_VALUES:
            value = np.where(value >= 0, suits[value], value)
        elif name in BY_KIND:
            value = value[..., np.argsort(kinds)]
        elif name in BY_SUIT:
            value = value[..., np.argsort(suits)]
        result[0][name] = value
    return result


def relabelled_action(action: int, permutation: tuple[int, ...]) -> int:
    """The same decision in a world whose suits are permuted."""
    if action >= 57:
        return action
    if action >= 54:
        return 54 + permutation[action - 54]
    first, kind = action // 27 * 27, action % 27
    return first + 9 * permutation[kind // 9] + kind % 9


def keeps_order(permutation: tuple[int, ...], void: int) -> bool:
    """Whether the two suits beside the void suit keep their order; without one, all three."""
    rest = [permutation[suit] for suit in range(3) if suit != void]
    return rest == sorted(rest)


def last(void: int) -> tuple[int, ...]:
    """The permutation that puts a suit last."""
    if void < 0:
        return (0, 1, 2)
    return next(p for p in PERMUTATIONS if p[void] == 2 and keeps_order(p, void))

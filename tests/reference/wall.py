"""Walls arranged by hand, so that a situation can be played and not only imagined."""

import random
from collections.abc import Sequence

from tests.reference.tiles import COPIES, KINDS, TEXT, count, parse_tiles

FILLER_SEED = 1


def arrange_wall(
    hands: Sequence[str], dealer: int = 0, draws: str = "", last: str = ""
) -> list[str]:
    """A wall that deals these hands by seat, then these draws; `last` are its final tiles.

    A hand may be shorter than 13 (dealer 14) tiles: tiles not named anywhere fill it, always in
    the same shuffled order. The dealer's tiles are dealt in the order written.
    """
    named = [parse_tiles(hand) for hand in hands]
    first, final = parse_tiles(draws), parse_tiles(last)
    used = count([*first, *final, *(tile for hand in named for tile in hand)])
    if max(used) > COPIES:
        raise ValueError(f"{TEXT[used.index(max(used))]} is named more than four times")
    spare = [kind for kind in range(KINDS) for _ in range(COPIES - used[kind])]
    random.Random(FILLER_SEED).shuffle(spare)
    for seat, hand in enumerate(named):
        size = 14 if seat == dealer else 13
        hand += [spare.pop() for _ in range(size - len(hand))]
        if len(hand) != size:
            raise ValueError(f"seat {seat} is dealt {size} tiles, got {len(hand)}")
    wall = list(named[dealer][:13])
    for turn in (1, 2, 3):
        wall += named[(dealer + turn) % 4]
    wall += [named[dealer][13], *first, *spare, *final]
    return [TEXT[tile] for tile in wall]


def clustered_wall(rng: random.Random, noise: float) -> list[str]:
    """A random wall in which equal tiles lie near each other, the more so the less noise.

    Such walls bring kongs, robbed kongs, seven pairs and wins on the first tiles, which a fair
    shuffle shows once in thousands of deals. A noise of 27 or more is close to fair.
    """
    places = list(range(KINDS))
    rng.shuffle(places)
    tiles = [kind for kind in range(KINDS) for _ in range(COPIES)]
    tiles.sort(key=lambda kind: places[kind] + rng.gauss(0, noise))
    return [TEXT[tile] for tile in tiles]

"""Walls by chance: fair ones, and ones that bring rare situations about.

A fair wall shows a robbed kong or a heavenly hand once in thousands of deals.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

from tests.reference.tiles import COPIES, KINDS, TEXT, rank_of, suit_of
from tests.reference.wall import clustered_wall

NOISES = (0.5, 1.5, 4, 10)
ATTEMPTS = 100
Hand = list[int]


def new_wall(rng: random.Random) -> list[str]:
    """A wall in the order of the records."""
    chance = rng.random()
    if chance < 0.35:
        return clustered_wall(rng, rng.choice(NOISES))
    if chance < 0.7:
        return _ready_wall(rng)
    tiles = [TEXT[kind] for kind in range(KINDS) for _ in range(COPIES)]
    rng.shuffle(tiles)
    return tiles


def _ready_wall(rng: random.Random) -> list[str]:
    """Deals hands at most two tiles from complete, in one or two suits."""
    left = [COPIES] * KINDS
    hands = [_complete_hand(left, rng) for _ in range(4)]
    spare = [kind for kind in range(KINDS) for _ in range(left[kind])]
    rng.shuffle(spare)
    for hand in hands:
        for place in range(rng.choice([0, 1, 1, 2])):
            hand[place], spare[place] = spare[place], hand[place]
    last = hands[0].pop()
    spare += [hand.pop() for hand in hands[1:]]
    rng.shuffle(spare)
    return _text([*hands, [last], spare])


def shared_wait_wall(rng: random.Random) -> list[str]:
    """Two seats wait for a kind that the third holds twice and the dealer will not keep.

    The fourth is where the third seat draws it if it made a pung at once, or near an end.
    """
    left = [COPIES] * KINDS
    wanted = rng.choice([kind for kind in range(KINDS) if 2 <= rank_of(kind) <= 8])
    suit = suit_of(wanted)
    starts = [[wanted], [wanted] * 2, *([wanted - 1, wanted + 1] for _ in range(2))]
    left[wanted] = 0
    for near in (wanted - 1, wanted + 1):
        left[near] -= 2
    hands = []
    for start in starts:
        others = [other for other in range(3) if other != suit]
        suits = others if start == [wanted] else [suit, rng.choice(others)]
        kinds = [kind for kind in range(KINDS) if suit_of(kind) in suits]
        hands.append(start + sets_of(left, rng, kinds, 13 - len(start), SHAPES["any"]))
    players = hands[1:]
    rng.shuffle(players)
    spare = [kind for kind in range(KINDS) for _ in range(left[kind])]
    rng.shuffle(spare)
    place = rng.choice([4, 4, rng.randrange(1, 13), len(spare) - rng.randrange(4)])
    spare.insert(place, wanted)
    return _text([hands[0], *players, spare])


def _text(parts: list[Hand]) -> list[str]:
    return [TEXT[tile] for part in parts for tile in part]


def _any_set(kind: int, rng: random.Random) -> Hand:
    if rank_of(kind) <= 7 and rng.random() < 0.5:
        return [kind, kind + 1, kind + 2]
    return [kind] * 3


def _triplet(kind: int, rng: random.Random) -> Hand:
    return [kind] * 3


def _outer_set(kind: int, rng: random.Random) -> Hand:
    """With a 1 or a 9 in it."""
    if rank_of(kind) in (1, 7):
        return [kind, kind + 1, kind + 2]
    return [kind] * 3


class Shape(NamedTuple):
    """Which hands to make: ranks of the pair, lowest ranks of the sets, and the sets."""

    pairs: tuple[int, ...]
    sets: tuple[int, ...]
    set_from: Callable[[int, random.Random], Hand]


RANKS = tuple(range(1, 10))
SHAPES = {
    "any": Shape(RANKS, RANKS, _any_set),
    "triplets": Shape(RANKS, RANKS, _triplet),
    "outer": Shape((1, 9), (1, 7, 9), _outer_set),
    "258": Shape((2, 5, 8), (2, 5, 8), _triplet),
}


def _complete_hand(left: Hand, rng: random.Random) -> Hand:
    """Fourteen of the tiles left: sets and a pair or seven pairs, or whatever there is."""
    suits = rng.sample(range(3), rng.choice([1, 2, 2]))
    kinds = [kind for kind in range(KINDS) if suit_of(kind) in suits]
    name = rng.choice(["any", "any", "triplets", "outer", "258", "pairs"])
    if name == "pairs":
        hand = pairs_of(left, rng, kinds)
    else:
        hand = sets_of(left, rng, kinds, 14, SHAPES[name])
    rng.shuffle(hand)
    return hand


def pairs_of(left: Hand, rng: random.Random, kinds: Hand) -> Hand:
    """Seven pairs of these kinds out of the tiles left; any tiles where there are none."""
    hand: Hand = []
    for _ in range(ATTEMPTS):
        kind = rng.choice(kinds)
        if left[kind] >= 2:
            hand += _take(left, [kind, kind])
        if len(hand) == 14:
            break
    return hand + _any_tiles(left, rng, 14 - len(hand))


def sets_of(left: Hand, rng: random.Random, kinds: Hand, size: int, shape: Shape) -> Hand:
    """A pair and sets of a shape until there are that many tiles; any tiles if none are found."""
    hand: Hand = []
    for _ in range(ATTEMPTS):
        kind = rng.choice(kinds)
        if rank_of(kind) not in (shape.sets if hand else shape.pairs):
            continue
        tiles = shape.set_from(kind, rng) if hand else [kind, kind]
        if len(hand) + len(tiles) <= size and all(
            left[tile] >= tiles.count(tile) for tile in tiles
        ):
            hand += _take(left, tiles)
        if len(hand) == size:
            break
    return hand + _any_tiles(left, rng, size - len(hand))


def _any_tiles(left: Hand, rng: random.Random, number: int) -> Hand:
    hand: Hand = []
    for _ in range(number):
        hand += _take(left, [rng.choice([kind for kind in range(KINDS) if left[kind]])])
    return hand


def _take(left: Hand, tiles: Hand) -> Hand:
    for tile in tiles:
        left[tile] -= 1
    return tiles

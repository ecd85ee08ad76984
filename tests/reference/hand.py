"""Winning shapes, their splits and waits, by trying everything (R30)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tests.reference.tiles import COPIES, KINDS, Meld, owned, suit_of

CACHE = 200_000
Suit = tuple[int, ...]
Set = tuple[str, int]


class Split(NamedTuple):
    """One way to read the concealed tiles: ("run" | "triplet", lowest kind) sets and a pair."""

    sets: tuple[Set, ...]
    pair: int


@lru_cache(maxsize=CACHE)
def only_sets(suit: Suit) -> bool:
    """True if nine counts fall apart into triplets and runs, nothing left."""
    rank = next((rank for rank, held in enumerate(suit) if held), None)
    if rank is None:
        return True
    if suit[rank] >= 3 and only_sets(_less(suit, rank, rank, rank)):
        return True
    run = rank <= 6 and suit[rank + 1] and suit[rank + 2]
    return bool(run) and only_sets(_less(suit, rank, rank + 1, rank + 2))


@lru_cache(maxsize=CACHE)
def sets_and_pair(suit: Suit) -> bool:
    """True if nine counts fall apart into sets and exactly one pair."""
    return any(held >= 2 and only_sets(_less(suit, rank, rank)) for rank, held in enumerate(suit))


def _less(counts: tuple[int, ...], *taken: int) -> tuple[int, ...]:
    """The counts without the tiles taken."""
    left = list(counts)
    for place in taken:
        left[place] -= 1
    return tuple(left)


def is_standard(concealed: Sequence[int]) -> bool:
    """Sets and one pair, no run across suits; the caller knows the number of tiles."""
    pairs = 0
    for start in (0, 9, 18):
        suit = tuple(concealed[start : start + 9])
        left_over = sum(suit) % 3
        if left_over == 0:
            if not only_sets(suit):
                return False
        elif left_over == 2 and pairs == 0:
            pairs = 1
            if not sets_and_pair(suit):
                return False
        else:
            return False
    return pairs == 1


def is_seven_pairs(concealed: Sequence[int]) -> bool:
    """Fourteen concealed tiles in pairs; four of a kind are two pairs (R30 c)."""
    return sum(concealed) == 14 and all(held in (0, 2, 4) for held in concealed)


def has_shape(concealed: Sequence[int], num_melds: int) -> bool:
    """R30 (c): four sets and a pair, or seven pairs without a meld."""
    if sum(concealed) != 14 - 3 * num_melds:
        return False
    return is_standard(concealed) or is_seven_pairs(concealed)


def why_not_win(concealed: Sequence[int], melds: Iterable[Meld], void: int | None) -> str | None:
    """None for a winning hand, else the first of R30's conditions that it breaks."""
    melds = tuple(melds)
    counts = owned(concealed, melds)
    suits = {suit_of(kind) for kind in range(KINDS) if counts[kind]}
    if max(counts) > COPIES:
        return "fifth_tile"
    if len(suits) > 2:
        return "three_suits"
    if void in suits:
        return "void_suit"
    return None if has_shape(concealed, len(melds)) else "bad_shape"


def is_win(concealed: Sequence[int], melds: Sequence[Meld], void: int | None = None) -> bool:
    """R30, with cheap tests first; `concealed` holds the winning tile."""
    m, p, s = sum(concealed[0:9]), sum(concealed[9:18]), sum(concealed[18:27])
    if m and p and s:
        return False
    if void is not None and (m, p, s)[void]:
        return False
    if not has_shape(concealed, len(melds)):
        return False
    return why_not_win(concealed, melds, void) is None


def waits(concealed: Sequence[int], melds: Sequence[Meld], void: int | None = None) -> list[int]:
    """Kinds that complete a legal win and are not owned four times (R41, point 31)."""
    counts = owned(concealed, melds)
    hand = list(concealed)
    found = []
    for kind in range(KINDS):
        if counts[kind] == COPIES:
            continue
        hand[kind] += 1
        if is_win(hand, melds, void):
            found.append(kind)
        hand[kind] -= 1
    return found


def splits(concealed: Sequence[int]) -> list[Split]:
    """Every reading of the concealed tiles as sets and a pair, each once."""
    found = set()
    for pair in range(KINDS):
        if concealed[pair] >= 2:
            for sets in _set_readings(_less(tuple(concealed), pair, pair)):
                found.add(Split(tuple(sorted(sets)), pair))
    return sorted(found)


def _set_readings(counts: tuple[int, ...]) -> Iterator[tuple[Set, ...]]:
    """Every way to take the counts apart into sets; the same way may come twice."""
    kind = next((kind for kind in range(KINDS) if counts[kind]), None)
    if kind is None:
        yield ()
        return
    if counts[kind] >= 3:
        for rest in _set_readings(_less(counts, kind, kind, kind)):
            yield (("triplet", kind), *rest)
    if kind % 9 <= 6 and counts[kind + 1] and counts[kind + 2]:
        for rest in _set_readings(_less(counts, kind, kind + 1, kind + 2)):
            yield (("run", kind), *rest)


def deficiency(concealed: Sequence[int], num_melds: int) -> int:
    """Fewest tiles to add until some of the tiles are a complete hand: 0 won, 1 ready.

    Standard form over all 27 kinds and, without melds, seven pairs. No kind goes above four
    copies among concealed and added tiles; melds, void suits and the two-suit limit do not enter.
    """
    m, p, s = (tuple(concealed[start : start + 9]) for start in (0, 9, 18))
    sets = 4 - num_melds
    best = 99
    for in_m in range(sets + 1):
        for in_p in range(sets + 1 - in_m):
            in_s = sets - in_m - in_p
            for pair_suit in range(3):
                best = min(
                    best,
                    _cost(m, in_m, pair_suit == 0)
                    + _cost(p, in_p, pair_suit == 1)
                    + _cost(s, in_s, pair_suit == 2),
                )
    if num_melds == 0:
        best = min(best, _pairs_cost(concealed))
    return best


def one_suit_deficiency(suit: Suit, num_melds: int) -> int:
    """The same for a win with all concealed tiles in one suit, of which these are the counts."""
    best = _cost(suit, 4 - num_melds, True)
    return min(best, _pairs_cost(suit)) if num_melds == 0 else best


def _cost(suit: Suit, sets: int, pair: bool) -> int:
    """Fewest tiles to add to one suit so that it contains that many sets (and a pair)."""
    return _cost_from(suit, sets, pair, 0, 0)


@lru_cache(maxsize=CACHE)
def _cost_from(suit: Suit, sets: int, pair: bool, two_before: int, before: int) -> int:
    """The same for the ranks left, when runs that began one and two ranks earlier reach in."""
    if not suit:
        return 99 if sets or pair or two_before or before else 0
    best = 99
    most_runs = sets if len(suit) >= 3 else 0
    for runs in range(most_runs + 1):
        for triplet in range(min(1, sets - runs) + 1):
            for pairs in range(int(pair) + 1):
                needed = two_before + before + runs + 3 * triplet + 2 * pairs
                if needed <= COPIES:
                    rest = _cost_from(
                        suit[1:], sets - runs - triplet, pair and not pairs, before, runs
                    )
                    best = min(best, max(0, needed - suit[0]) + rest)
    return best


def _pairs_cost(concealed: Sequence[int]) -> int:
    """Missing pairs cost one tile each while odd tiles last, then two."""
    missing = max(0, 7 - sum(held // 2 for held in concealed))
    odd = sum(held % 2 for held in concealed)
    return missing + max(0, missing - odd)

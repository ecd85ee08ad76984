"""Every way to read a winning hand, where the score counts the best of them.

Seven pairs may be four sets and a pair too, and tables A and B count a single pattern of several.
"""

from dataclasses import dataclass

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import NUM_SUITS
from mjenv.sichuan.fan import (
    Situation,
    count_roots,
    pair_patterns,
    readings_of,
    score_with,
    set_patterns,
    single_total,
    sum_of_patterns,
)
from mjenv.sichuan.hand import key_with, suit_of
from mjenv.sichuan.patterns import EXTRA_NAMES, NUM_EXTRAS, NUM_PATTERNS, PATTERN_NAMES, Extra
from mjenv.sichuan.rules import Pattern


@dataclass(frozen=True)
class Reading:
    """One way to read a hand.

    Attributes:
        patterns: Names of its patterns.
        extras: Fan added by each extra that adds any.
    """

    patterns: tuple[str, ...]
    extras: dict[str, int]


@dataclass(frozen=True)
class Readings:
    """The readings of one hand.

    Attributes:
        best: All that are worth the most, before the cap.
        total: What these are worth, before the cap.
        others: The patterns of every other reading, and what it is worth with its extras.
    """

    best: tuple[Reading, ...]
    total: int
    others: tuple[tuple[tuple[str, ...], int], ...]


@kernel
def readings_at(
    tables: np.ndarray,
    tile: int,
    situation: int,
    rules: np.ndarray,
    luts: np.ndarray,
    extras: np.ndarray,
    patterns: np.ndarray,
    totals: np.ndarray,
    gens: np.ndarray,
) -> int:
    """Write every reading of seat 0 winning with ``tile``; return how many there are.

    Args:
        tables: ``(1,)`` states.
        tile: The winning tile, beside the hand.
        situation: ``Situation`` bits.
        rules: ``(1,)`` packed rules.
        luts: Lookup tables.
        extras: ``(NUM_EXTRAS,)`` int8, receives the extras; all but the roots are the same in
            every reading.
        patterns: ``(NUM_PATTERNS,)`` int64, receives the pattern bits of each reading.
        totals: ``(NUM_PATTERNS,)`` int64, receives their fan with all extras, before the cap.
        gens: ``(NUM_PATTERNS,)`` int64, receives the part of it that roots add.
    """
    state, rule = tables[0], rules[0]
    hand, meld_type, meld_kind = state["hand"][0], state["meld_type"][0], state["meld_kind"][0]
    num_melds, suit_key = int(state["num_melds"][0]), state["suit_key"][0]
    keys = np.zeros(NUM_SUITS, np.int64)
    keys[:] = suit_key
    keys[suit_of(tile)] = key_with(int(keys[suit_of(tile)]), tile)
    key0, key1, key2 = int(keys[0]), int(keys[1]), int(keys[2])
    score_with(suit_key, hand, tile, num_melds, meld_type, meld_kind, situation, rule, luts, extras)
    added = -int(extras[Extra.GEN])
    for extra in range(NUM_EXTRAS):
        added += int(extras[extra])
    roots = count_roots(key0, key1, key2, hand, tile, num_melds, meld_type, meld_kind, rule, luts)
    sets = set_patterns(key0, key1, key2, hand, tile, num_melds, meld_kind, luts)
    pairs = pair_patterns(key0, key1, key2, num_melds, rule, luts)
    if rule["additive"] != 0:
        gen = roots * int(rule["extra_fans"][Extra.GEN])
        number = 0
        for found in readings_of(sets, pairs):
            if found != 0:
                total, named = sum_of_patterns(found, rule)
                patterns[number], totals[number], gens[number] = named, total + gen + added, gen
                number += 1
        return number
    found = sets | pairs
    if situation & Situation.TIAN_HU:
        found |= 1 << Pattern.TIAN_HU
    if situation & Situation.DI_HU:
        found |= 1 << Pattern.DI_HU
    number = 0
    for pattern in range(NUM_PATTERNS):
        if (found >> pattern) & 1 and rule["fans"][pattern] >= 0:
            total, left = single_total(pattern, roots, rule)
            patterns[number], totals[number] = 1 << pattern, total + added
            gens[number] = left * int(rule["extra_fans"][Extra.GEN])
            number += 1
    return number


def all_readings(
    tables: np.ndarray, tile: int, situation: int, rules: np.ndarray, luts: np.ndarray
) -> Readings:
    """The readings of seat 0 of ``tables[0]`` winning with ``tile``.

    In an additive table tian_hu and di_hu are not read: they stand alone (point 28).
    """
    extras = np.zeros(NUM_EXTRAS, np.int8)
    if rules[0]["additive"] and situation & (Situation.TIAN_HU | Situation.DI_HU):
        return Readings((), 0, ())
    patterns, totals, gens = np.zeros((3, NUM_PATTERNS), np.int64)
    number = readings_at(tables, tile, situation, rules, luts, extras, patterns, totals, gens)
    total = int(totals[:number].max())
    best, others = [], []
    for i in range(number):
        extras[Extra.GEN] = gens[i]
        names = named_patterns(int(patterns[i]))
        if totals[i] == total:
            best.append(Reading(names, named_extras(extras)))
        else:
            others.append((names, int(totals[i])))
    return Readings(tuple(best), total, tuple(others))


def named_patterns(bits: int) -> tuple[str, ...]:
    """Names of pattern bits, in the order of the patterns."""
    return tuple(name for i, name in enumerate(PATTERN_NAMES) if (bits >> i) & 1)


def named_extras(extras: np.ndarray) -> dict[str, int]:
    """The extras that add fan, by name."""
    return {name: int(fan) for name, fan in zip(EXTRA_NAMES, extras, strict=True) if fan}

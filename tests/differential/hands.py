"""Hands by chance, and what the engine and the reference make of them."""

import json
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.suits import load_tables
from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.fan import Situation as Bit
from mjenv.sichuan.fan import ready_fan, score, score_with
from mjenv.sichuan.hand import deficiency, is_win, meld_suits, owned, waits
from mjenv.sichuan.patterns import EXTRA_NAMES, NUM_EXTRAS, PATTERN_NAMES
from mjenv.sichuan.state import MAX_MELDS, NO_SUIT, NUM_KINDS
from tests.differential.compare import DifferenceError
from tests.differential.deals import HouseRules
from tests.differential.engine import MELD_NAMES
from tests.differential.walls import SHAPES, pairs_of, sets_of
from tests.reference import fan as reference_fan
from tests.reference import hand as reference_hand
from tests.reference.fan import Situation
from tests.reference.tiles import COPIES, KINDS, Meld, count, rank_of, suit_of

NUM_SUITS = 3
ONE_DISTANCE_IN = 20
"""Of so many hands the deficiency of one is compared: the reference is slow at it."""
MELD_NUMBERS = {name: meld for meld, name in MELD_NAMES.items()}
HAND = np.dtype(
    [
        ("concealed", "i1", NUM_KINDS),  # 3n + 2 tiles
        ("last", "i1"),  # one of them, the one won on
        ("num_melds", "i1"),
        ("meld_type", "i1", MAX_MELDS),
        ("meld_kind", "i1", MAX_MELDS),
        ("void", "i1"),
        ("situation", "i1"),
    ],
    align=True,
)
RESULT = np.dtype(
    [
        ("win", "i1"),
        ("fan", "i4"),
        ("fan_with", "i4"),  # the same, the winning tile told apart
        ("patterns", "i4"),
        ("extras", "i1", NUM_EXTRAS),
        ("waits", "i4"),  # of the 3n + 1 tiles without the last
        ("ready_fan", "i4"),
        ("full_deficiency", "i4"),
        ("deficiency", "i4"),  # of the 3n + 1 tiles
    ],
    align=True,
)
_POWERS = np.array([5**rank for rank in range(9)], np.int64)


@dataclass(frozen=True)
class Hand:
    """A hand of 3n + 2 concealed tiles, and how it came about."""

    concealed: list[int]
    last: int
    melds: tuple[Meld, ...]
    void: int | None
    situation: Situation


def new_hand(rng: random.Random) -> Hand:
    """Often complete or a tile away from it, of one, two or now and then three suits."""
    left = [COPIES] * KINDS
    suits = rng.sample(range(NUM_SUITS), rng.choice([1, 1, 2, 2, 2, 2, 3]))
    kinds = [kind for kind in range(KINDS) if suit_of(kind) in suits]
    name = rng.choice(["any", "any", "triplets", "outer", "258", "pairs"])
    shape = SHAPES["any" if name == "pairs" else name]
    num_melds = 0 if name == "pairs" else rng.choice([0, 0, 0, 1, 2, 3, 4])
    starts = [kind for kind in kinds if rank_of(kind) in shape.sets]
    melds = []
    for kind in rng.sample(starts, min(num_melds, len(starts))):
        meld = Meld(rng.choice(["pung", "pung", *MELD_NUMBERS]), kind)
        left[kind] -= meld.copies
        melds.append(meld)
    size = 14 - 3 * len(melds)
    tiles = (
        pairs_of(left, rng, kinds) if name == "pairs" else sets_of(left, rng, kinds, size, shape)
    )
    rng.shuffle(tiles)
    for place in range(rng.choice([0, 0, 0, 1, 1, 2])):
        left[tiles[place]] += 1
        tiles[place] = rng.choice([kind for kind in kinds if left[kind]])
        left[tiles[place]] -= 1
    return Hand(count(tiles), rng.choice(tiles), tuple(melds), _void(rng, suits), _situation(rng))


def _void(rng: random.Random, suits: list[int]) -> int | None:
    if rng.random() < 0.5:
        return None
    absent = [suit for suit in range(NUM_SUITS) if suit not in suits]
    return rng.choice(absent) if absent and rng.random() < 0.9 else rng.randrange(NUM_SUITS)


def _situation(rng: random.Random) -> Situation:
    how = rng.choice(["", "self_draw", "discard", "rob_kong"])
    first = rng.choice(["tian_hu", "di_hu", *[""] * 14])
    claimed = how == "discard"
    own = how == "self_draw"
    return Situation(
        how=how,
        tian_hu=own and first == "tian_hu",
        di_hu=(own or claimed) and first == "di_hu",
        after_kong=(own or claimed) and rng.random() < 0.3,
        last_tile=how != "" and rng.random() < 0.3,
    )


def _bits(situation: Situation) -> int:
    """The engine's situation."""
    kong = Bit.AFTER_KONG if situation.how == "self_draw" else Bit.KONG_DISCARD
    bits = (
        (situation.how == "self_draw", Bit.SELF_DRAW),
        (situation.how == "rob_kong", Bit.ROB_KONG),
        (situation.after_kong, kong),
        (situation.last_tile, Bit.LAST_TILE),
        (situation.tian_hu, Bit.TIAN_HU),
        (situation.di_hu, Bit.DI_HU),
    )
    return sum(int(bit) for holds, bit in bits if holds)


# --------------------------------------------------------------------------------- the engine


@kernel
def keys_of(hand: np.ndarray, powers: np.ndarray, keys: np.ndarray) -> None:
    """The key of each suit."""
    keys[:] = 0
    for kind in range(hand.shape[0]):
        keys[kind // powers.shape[0]] += int(hand[kind]) * powers[kind % powers.shape[0]]


@kernel
def evaluate(
    hands: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    powers: np.ndarray,
    results: np.ndarray,
) -> None:
    """Everything the engine says of every hand."""
    keys = np.zeros(NUM_SUITS, np.int32)
    for i in range(hands.shape[0]):
        _evaluate_one(hands[i], rules[0], luts, powers, keys, results[i])


@kernel
def _evaluate_one(
    hand: np.void,
    rules: np.void,
    luts: np.ndarray,
    powers: np.ndarray,
    keys: np.ndarray,
    result: np.void,
) -> None:
    concealed, last, void = hand["concealed"], int(hand["last"]), int(hand["void"])
    num_melds, meld_type, meld_kind = int(hand["num_melds"]), hand["meld_type"], hand["meld_kind"]
    situation, extras = int(hand["situation"]), result["extras"]
    melded = meld_suits(meld_kind, num_melds)
    keys_of(concealed, powers, keys)
    key0, key1, key2 = int(keys[0]), int(keys[1]), int(keys[2])
    win = is_win(key0, key1, key2, num_melds, melded, void, luts)
    result["win"] = 1 if win else 0
    result["full_deficiency"] = deficiency(key0, key1, key2, num_melds, melded, void, luts)
    concealed[last] -= 1
    keys_of(concealed, powers, keys)
    if win:
        fan, _ = score_with(
            keys, concealed, last, num_melds, meld_type, meld_kind, situation, rules, luts, extras
        )
        result["fan_with"] = fan
    result["deficiency"] = deficiency(
        int(keys[0]), int(keys[1]), int(keys[2]), num_melds, melded, void, luts
    )
    result["ready_fan"] = ready_fan(
        keys, concealed, num_melds, meld_type, meld_kind, melded, void, rules, luts, extras
    )
    found = waits(keys, num_melds, melded, void, luts)
    for kind in range(NUM_KINDS):
        if owned(concealed, meld_type, meld_kind, num_melds, kind) >= COPIES:
            found &= ~(1 << kind)
    result["waits"] = found
    concealed[last] += 1
    extras[:] = 0
    if win:
        fan, patterns = score(
            key0,
            key1,
            key2,
            concealed,
            NO_TILE,
            num_melds,
            meld_type,
            meld_kind,
            situation,
            rules,
            luts,
            extras,
        )
        result["fan"] = fan
        result["patterns"] = patterns


def engine_results(hands: list[Hand], house: HouseRules) -> np.ndarray:
    """What the engine makes of the hands: ``(N,)`` of RESULT."""
    rows = np.zeros(len(hands), HAND)
    rows["concealed"] = [hand.concealed for hand in hands]
    rows["last"] = [hand.last for hand in hands]
    rows["num_melds"] = [len(hand.melds) for hand in hands]
    rows["void"] = [NO_SUIT if hand.void is None else hand.void for hand in hands]
    rows["situation"] = [_bits(hand.situation) for hand in hands]
    for row, hand in zip(rows, hands, strict=True):
        for place, meld in enumerate(hand.melds):
            row["meld_type"][place] = MELD_NUMBERS[meld.kind]
            row["meld_kind"][place] = meld.tile
    results = np.zeros(len(hands), RESULT)
    evaluate(rows, house.packed, load_tables(), _POWERS, results)
    return results


# ------------------------------------------------------------------------------ the comparison


def compare_hands(hands: list[Hand], house: HouseRules, seen: Counter[str]) -> None:
    """Hold the engine's results against the reference.

    Raises:
        DifferenceError: They disagree about a hand.
    """
    results = engine_results(hands, house)
    columns = [results[name].tolist() for name in _COMPARED]
    for number, (hand, row) in enumerate(zip(hands, zip(*columns, strict=True), strict=True)):
        got = dict(zip(_COMPARED, row, strict=True))
        want = _expected(hand, house, number % ONE_DISTANCE_IN == 0, got)
        if any(got[name] != value for name, value in want.items()):
            shown = {name: got[name] for name in want}
            report = json.dumps({"rules": house.mapping, "hand": [*vars(hand).values()]})
            raise DifferenceError(f"{report}\nengine:    {shown}\nreference: {want}")
        _note(seen, hand, want)


_COMPARED = tuple(RESULT.names or ())


def _note(seen: Counter[str], hand: Hand, want: dict[str, Any]) -> None:
    """Count what a compared hand was."""
    seen["hand"] += 1
    seen["won" if want["win"] else "not won"] += 1
    seen["ready" if want["waits"] else "not ready"] += 1
    if want["win"]:
        for bit, name in enumerate(PATTERN_NAMES):
            seen[f"pattern {name}"] += want["patterns"] >> bit & 1
        for name, worth in zip(EXTRA_NAMES, want["extras"], strict=True):
            seen[f"extra {name}"] += worth > 0
    if "deficiency" in want:
        seen["deficiency compared"] += 1
        seen[f"deficiency {want['deficiency']}"] += 1
        seen[f"deficiency {want['full_deficiency']}"] += 1
    seen["void suit"] += hand.void is not None
    seen[f"melds {len(hand.melds)}"] += 1


def _expected(
    hand: Hand, house: HouseRules, distances: bool, got: dict[str, Any]
) -> dict[str, Any]:
    """What the reference makes of a hand; any of the readings that tie is as good (point 26)."""
    win = reference_hand.is_win(hand.concealed, hand.melds, hand.void)
    ready = list(hand.concealed)
    ready[hand.last] -= 1
    waiting = reference_hand.waits(ready, hand.melds, hand.void)
    fan = reference_fan.ready_fan(house.mapping, ready, hand.melds, hand.void) if waiting else 0
    want: dict[str, Any] = {
        "win": int(win),
        "waits": sum(1 << kind for kind in waiting),
        "ready_fan": fan,
    }
    if win:
        readings = reference_fan.readings(house.mapping, hand.concealed, hand.melds, hand.situation)
        want["fan"] = want["fan_with"] = readings[0].fan
        named = [
            (_pattern_bits(reading.patterns), [reading.extras.get(name, 0) for name in EXTRA_NAMES])
            for reading in readings
        ]
        best = (got["patterns"], got["extras"])
        want["patterns"], want["extras"] = best if best in named else named[0]
    if distances:
        want["full_deficiency"] = _deficiency(hand.concealed, hand.melds, hand.void)
        want["deficiency"] = _deficiency(ready, hand.melds, hand.void)
    return want


def _pattern_bits(names: tuple[str, ...]) -> int:
    return sum(1 << PATTERN_NAMES.index(name) for name in names)


def _deficiency(concealed: list[int], melds: tuple[Meld, ...], void: int | None) -> int:
    """The reference knows no suits, so it is shown two of them at a time."""
    best = 99
    for unused in range(NUM_SUITS):
        melded = any(suit_of(meld.tile) == unused for meld in melds)
        if not melded and void in (None, unused):
            useful = [0 if suit_of(kind) == unused else held for kind, held in enumerate(concealed)]
            best = min(best, reference_hand.deficiency(useful, len(melds)))
    return best

"""What a winning hand is worth: patterns, roots and extras (section 2, points 26 to 31 and 45).

A reading is one acceptable way to name a win. Several readings may tie in total before the cap
(point 26); `readings` returns all of them, so that a comparison can accept any.

Where the pages are open this module reads them as follows. A named fan mapping that adds up
behaves as table C does: no root is taken off for a dragon, `qi_dui` and `qing_qi_dui` are any
seven pairs (of one suit). Point 28 is taken at its word: with such a table a win on the first
tiles is `tian_hu` or `di_hu` alone, even where another reading would total more.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tests.reference.hand import Split, is_seven_pairs, splits, waits
from tests.reference.ledger import Ledger
from tests.reference.presets import RulesMapping, fan_table
from tests.reference.tiles import COPIES, KINDS, Meld, owned, rank_of, suit_of

DRAGONS = ("long_qi_dui", "qing_long_qi_dui")
HEAVEN_WITHOUT_CAP = 6


class Situation(NamedTuple):
    """How a win came about; the default is the ready check's, which knows no situation (R43)."""

    how: str = ""
    tian_hu: bool = False
    di_hu: bool = False
    after_kong: bool = False
    last_tile: bool = False


READY_CHECK = Situation()


class Reading(NamedTuple):
    """Names and worth of a win: `total` before the cap, `fan` after it."""

    patterns: tuple[str, ...]
    extras: dict[str, int]
    total: int
    fan: int


def readings(
    rules: RulesMapping,
    concealed: Sequence[int],
    melds: Sequence[Meld],
    situation: Situation = READY_CHECK,
) -> list[Reading]:
    """All readings with the largest total before the cap (point 26)."""
    table = fan_table(rules)
    heaven = _heaven(situation)
    if table["additive"] and heaven:
        return [_heaven_alone(rules, table["fans"], heaven)]
    matched = _added_up if table["additive"] else _best_one_of
    found = []
    for patterns in matched(table["fans"], concealed, melds, heaven):
        worth = sum(table["fans"][name] for name in patterns)
        roots = count_roots(rules, concealed, melds)
        if not table["additive"] and patterns[0] in DRAGONS:
            roots -= 1
        extras = _extras(rules, situation, roots)
        total = worth + sum(extras.values())
        found.append(Reading(patterns, extras, total, capped(rules, total)))
    best = max(reading.total for reading in found)
    return [reading for reading in found if reading.total == best]


def best_fan(
    rules: RulesMapping,
    concealed: Sequence[int],
    melds: Sequence[Meld],
    situation: Situation = READY_CHECK,
) -> Reading:
    """One of the best readings; `concealed` holds the winning tile."""
    return readings(rules, concealed, melds, situation)[0]


def ready_fan(
    rules: RulesMapping, concealed: Sequence[int], melds: Sequence[Meld], void: int | None
) -> int:
    """Largest capped fan over the waits, 0 without any (R43, point 31)."""
    best = 0
    hand = list(concealed)
    for kind in waits(concealed, melds, void):
        hand[kind] += 1
        best = max(best, best_fan(rules, hand, melds).fan)
        hand[kind] -= 1
    return best


def score(
    rules: RulesMapping,
    concealed: Sequence[int],
    melds: Sequence[Meld],
    situation: Situation,
    won_before: Sequence[int] = (),
) -> dict[str, Any]:
    """A win by seat 0 as the `fan` cases state it; seat 1 discards or has its kong robbed."""
    reading = best_fan(rules, concealed, melds, situation)
    ledger = Ledger(rules)
    for seat in won_before:
        ledger.won[seat] = True
    payer = None if situation.how == "self_draw" else 1
    ledger.win(situation.how, [0], [reading.fan], payer)
    return {
        "patterns": list(reading.patterns),
        "extras": reading.extras,
        "fan": reading.fan,
        "multiple": 2 ** (reading.fan - 1),
        "delta": ledger.points,
    }


def capped(rules: RulesMapping, total: int) -> int:
    """`fan_cap` cuts every total (point 45)."""
    cap = rules["fan_cap"]
    return total if cap is None else min(total, cap)


def count_roots(rules: RulesMapping, concealed: Sequence[int], melds: Sequence[Meld]) -> int:
    """Kinds owned four times; declared kongs only with `root_counts_kong` (2.2)."""
    counts = owned(concealed, melds)
    roots = sum(1 for held in counts if held == COPIES)
    if not rules["root_counts_kong"]:
        roots -= sum(1 for meld in melds if meld.is_kong)
    return roots


def _extras(rules: RulesMapping, situation: Situation, roots: int) -> dict[str, int]:
    """Items that add more than nothing (points 26, 27, 30)."""
    fans = rules["extra_fans"]
    how = situation.how
    items = {
        "gang_shang_hua": fans["gang_shang_hua"] * (how == "self_draw" and situation.after_kong),
        "gang_shang_pao": fans["gang_shang_pao"] * (how == "discard" and situation.after_kong),
        "qiang_gang": fans["qiang_gang"] * (how == "rob_kong"),
        "gen": fans["gen"] * roots,
        "hai_di": fans["hai_di"] * (how in ("self_draw", "discard") and situation.last_tile),
        "self_draw": int(how == "self_draw" and rules["self_draw_bonus"] == "add_fan"),
    }
    return {name: worth for name, worth in items.items() if worth > 0}


def _heaven(situation: Situation) -> str | None:
    """The name of a win on the first tiles (R34), if this is one."""
    if situation.tian_hu:
        return "tian_hu"
    return "di_hu" if situation.di_hu else None


def _heaven_alone(rules: RulesMapping, fans: dict[str, int], heaven: str) -> Reading:
    """Point 28: the cap; without one the number the table names, or 6."""
    cap = rules["fan_cap"]
    worth = fans.get(heaven, HEAVEN_WITHOUT_CAP) if cap is None else cap
    return Reading((heaven,), {}, worth, worth)


def _best_one_of(
    fans: dict[str, int], concealed: Sequence[int], melds: Sequence[Meld], heaven: str | None
) -> Iterator[tuple[str, ...]]:
    """Tables A and B: each matched pattern that the table knows, by itself (2.1)."""
    names: set[str] = {heaven} if heaven else set()
    for split in splits(concealed):
        names |= standard_patterns(split, concealed, melds)
    if not melds and is_seven_pairs(concealed):
        pairs = pair_patterns(concealed)
        if "long_qi_dui" in pairs and "long_qi_dui" in fans:
            pairs.discard("qi_dui")
        if "qing_long_qi_dui" in pairs and "qing_long_qi_dui" in fans:
            pairs.discard("qing_qi_dui")
        names |= pairs
    for name in fans:
        if name in names:
            yield (name,)


def _added_up(
    fans: dict[str, int], concealed: Sequence[int], melds: Sequence[Meld], heaven: str | None
) -> Iterator[tuple[str, ...]]:
    """Table C: all matched patterns of one split together, `ping_hu` among them (2.3)."""
    seen = [standard_patterns(split, concealed, melds) for split in splits(concealed)]
    if not melds and is_seven_pairs(concealed):
        pairs = pair_patterns(concealed) | {"ping_hu"}
        if "qing_qi_dui" in pairs:
            pairs.add("qing_yi_se")
        seen.append(pairs)
    yielded = set()
    for names in seen:
        patterns = tuple(name for name in fans if name in names)
        if patterns not in yielded:
            yielded.add(patterns)
            yield patterns


def standard_patterns(split: Split, concealed: Sequence[int], melds: Sequence[Meld]) -> set[str]:
    """Every definition of section 2 that this split of four sets and a pair fulfils."""
    names = {"ping_hu"}
    counts = owned(concealed, melds)
    one_suit = _one_suit(counts)
    sets = [*split.sets, *(("triplet", meld.tile) for meld in melds)]
    if one_suit:
        names.add("qing_yi_se")
    if all(shape == "triplet" for shape, _ in sets):
        names.add("dui_dui_hu")
        if one_suit:
            names.add("qing_dui")
        if all(rank_of(kind) in (2, 5, 8) for kind in range(KINDS) if counts[kind]):
            names.add("jiang_dui")
    if rank_of(split.pair) in (1, 9) and all(_has_end(shape, kind) for shape, kind in sets):
        names.add("dai_yao_jiu")
        if one_suit:
            names.add("qing_yao_jiu")
    if len(melds) == 4:
        names.add("jin_gou_diao")
    return names


def pair_patterns(concealed: Sequence[int]) -> set[str]:
    """The seven-pairs family; a dragon matches the plain names too."""
    names = {"qi_dui"}
    dragon = COPIES in concealed
    if dragon:
        names.add("long_qi_dui")
    if _one_suit(concealed):
        names.add("qing_qi_dui")
        if dragon:
            names.add("qing_long_qi_dui")
    return names


def _one_suit(counts: Sequence[int]) -> bool:
    """True if all tiles are of one suit."""
    return len({suit_of(kind) for kind in range(KINDS) if counts[kind]}) == 1


def _has_end(shape: str, kind: int) -> bool:
    """True if the set contains a 1 or a 9."""
    return rank_of(kind) in ((1, 7) if shape == "run" else (1, 9))

"""A score in words: why each fan counts, and who pays what."""

from collections.abc import Callable, Iterator, Sequence

from mjenv.core.tiles import COPIES, NUM_RANKS, tile_text, tiles_text
from mjenv.sichuan.holding import Holding
from mjenv.sichuan.readings import Reading, Readings
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NUM_KINDS, Meld

Division = tuple[tuple[tuple[int, ...], ...], int]
"""Sets of three kinds each, and the kind of the pair."""

PATTERNS = {
    "ping_hu": ("平胡", "four sets and a pair"),
    "dui_dui_hu": ("对对胡", "all four sets are triplets or kongs"),
    "qing_yi_se": ("清一色", "all tiles are of one suit"),
    "dai_yao_jiu": ("带幺九", "a 1 or a 9 in every set and in the pair"),
    "qi_dui": ("七对", "seven pairs"),
    "qing_dui": ("清对", "triplets or kongs of one suit"),
    "jiang_dui": ("将对", "triplets or kongs, and all tiles are 2, 5 or 8"),
    "long_qi_dui": ("龙七对", "seven pairs, two of them four of a kind"),
    "qing_qi_dui": ("清七对", "seven pairs of one suit"),
    "qing_yao_jiu": ("清幺九", "one suit, with a 1 or a 9 in every set and in the pair"),
    "qing_long_qi_dui": ("清龙七对", "seven pairs of one suit, two of them four of a kind"),
    "tian_hu": ("天胡", "the dealer wins on the dealt tiles"),
    "di_hu": ("地胡", "a win on the first draw, before any pung or kong"),
    "jin_gou_diao": ("金钩钓", "four melds and a single concealed tile"),
}
"""Chinese name and meaning of every pattern."""

EXTRAS = {
    "gang_shang_hua": ("杠上花", "won on the replacement tile of a kong"),
    "gang_shang_pao": ("杠上炮", "won on the discard after a replacement tile"),
    "qiang_gang": ("抢杠", "won by robbing a kong"),
    "gen": ("根", "four of a kind"),
    "hai_di": ("海底", "won with an empty wall"),
    "self_draw": ("自摸加番", "a self-draw adds a fan"),
}
"""Chinese name and meaning of every extra."""

_TRIPLETS = {"dui_dui_hu", "qing_dui", "jiang_dui"}
_TERMINALS = {"dai_yao_jiu", "qing_yao_jiu"}
_PAIRS = {"qi_dui", "long_qi_dui", "qing_qi_dui", "qing_long_qi_dui"}
_DRAGONS = {"long_qi_dui", "qing_long_qi_dui"}
_MELD_WORDS = {
    Meld.PUNG: "pung",
    Meld.DIRECT_KONG: "direct kong",
    Meld.ADDED_KONG: "added kong",
    Meld.CONCEALED_KONG: "concealed kong",
}


def explain_loss(reason: str, hand: Holding, tile: int) -> tuple[str, ...]:
    """Why tiles are no win."""
    if reason == "fifth_tile":
        fifth = [k for k in range(NUM_KINDS) if hand.owned(k) + (k == tile) > COPIES]
        return (f"fifth_tile: there is no fifth {tile_text(fifth[0])} (R30d)",)
    if reason == "three_suits":
        return ("three_suits: hand and melds may hold two suits at most (R30a)",)
    if reason == "void_suit":
        return (f"void_suit: there are tiles of the void suit {'mps'[hand.void]} (R30b)",)
    return ("bad_shape: neither four sets and a pair nor seven pairs (R30c)",)


def explain_win(
    hand: Holding,
    tile: int,
    by: str,
    rules: Rules,
    chosen: Reading,
    readings: Readings,
    fan: int,
    points: Sequence[int],
) -> tuple[str, ...]:
    """Every fan and every payment of a win, a line each."""
    lines = [_division_text(hand, tile, chosen)]
    fans = rules.table["fans"]
    for name in chosen.patterns:
        chinese, meaning = PATTERNS[name]
        lines.append(f"{name} {chinese}: {meaning}, {fans[name]} fan")
    lines += _extra_lines(hand, tile, chosen, rules)
    others = [f"{' + '.join(patterns)} ({total} fan)" for patterns, total in readings.others]
    others += [
        f"{' + '.join(reading.patterns)} ({readings.total} fan)"
        for reading in readings.best
        if reading.patterns != chosen.patterns
    ]
    if others:
        lines.append(f"not counted, since only the best reading is: {', '.join(others)}")
    if readings.best and fan < readings.total:
        lines.append(f"fan_cap: {readings.total} fan count as {fan}")
    lines.append(_payment_text(by, rules, fan, points))
    return tuple(lines)


def _extra_lines(hand: Holding, tile: int, chosen: Reading, rules: Rules) -> Iterator[str]:
    for name, fan in chosen.extras.items():
        chinese, meaning = EXTRAS[name]
        if name == "gen":
            quads = _quads(hand, tile, rules)
            meaning = "four " + ", four ".join(tile_text(kind) for kind in quads)
            if _DRAGONS.intersection(chosen.patterns) and not rules.table["additive"]:
                meaning += ", one of them within the pattern"
        yield f"{name} {chinese}: {meaning}, +{fan} fan"


def _quads(hand: Holding, tile: int, rules: Rules) -> list[int]:
    """The kinds that may count as roots."""
    kongs = {kind for meld, kind in hand.melds if meld != Meld.PUNG}
    return [
        kind
        for kind in range(NUM_KINDS)
        if hand.owned(kind) + (kind == tile) == COPIES
        and (rules.root_counts_kong or kind not in kongs)
    ]


def _payment_text(by: str, rules: Rules, fan: int, points: Sequence[int]) -> str:
    units, base = 2 ** (fan - 1), rules.base_points
    text = f"{fan} fan: {units} unit{'s' if units > 1 else ''} of {_points_text(base)}"
    payers = [seat for seat in range(1, len(points)) if points[seat] < 0]
    if by == "self_draw":
        bonus = ", one unit more on a self-draw" if rules.self_draw_bonus == "add_base" else ""
        seats = ", ".join(str(seat) for seat in payers)
        return f"{text}{bonus}: seats {seats} pay {_points_text(-points[payers[0]])} each"
    role = "discarder" if by == "discard" else "seat whose kong is robbed"
    shares = points[0] // (units * base)
    share = f", once for each of {shares} seats in play" if shares > 1 else ""
    return f"{text}{share}: seat 1, the {role}, pays {_points_text(points[0])}"


def _points_text(points: int) -> str:
    return f"{points} point{'s' if points > 1 else ''}"


# ------------------------------------------------------------------------------------- the tiles


def _division_text(hand: Holding, tile: int, chosen: Reading) -> str:
    """The concealed tiles as the reading sees them, then the melds."""
    counts = list(hand.counts)
    counts[tile] += 1
    if _PAIRS.intersection(chosen.patterns):
        pairs = [kind for kind in range(NUM_KINDS) for _ in range(counts[kind] // 2)]
        return "pairs: " + " ".join(tiles_text([kind, kind]) for kind in pairs)
    division = next(
        (found for found in _divisions(counts) if _fits(found, chosen.patterns)),
        None,
    )
    if division is None:
        # tian_hu and di_hu name no shape, and the tiles may be seven pairs.
        return "tiles: " + tiles_text(
            kind for kind in range(NUM_KINDS) for _ in range(counts[kind])
        )
    sets, pair = division
    words = [tiles_text(kinds) for kinds in sets]
    words += [f"{_MELD_WORDS[meld]} {tile_text(kind)}" for meld, kind in hand.melds]
    return f"sets: {', '.join(words)}; pair {tiles_text([pair, pair])}"


def _divisions(counts: list[int]) -> Iterator[Division]:
    """Every division of 3n+2 concealed tiles into sets and a pair."""
    for pair in range(NUM_KINDS):
        if counts[pair] >= 2:  # noqa: PLR2004  # a pair
            counts[pair] -= 2
            for sets in _sets(counts, 0):
                yield sets, pair
            counts[pair] += 2


def _sets(counts: list[int], first: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every division of the tiles from kind ``first`` on into triplets and runs."""
    while first < NUM_KINDS and counts[first] == 0:
        first += 1
    if first == NUM_KINDS:
        yield ()
        return
    triplet = (first, first, first)
    run = (first, first + 1, first + 2)
    candidates = [triplet] if counts[first] >= len(triplet) else []
    if first % NUM_RANKS <= NUM_RANKS - len(run) and all(counts[kind] > 0 for kind in run):
        candidates.append(run)
    for kinds in candidates:
        for kind in kinds:
            counts[kind] -= 1
        for rest in _sets(counts, first):
            yield (kinds, *rest)
        for kind in kinds:
            counts[kind] += 1


def _fits(division: Division, patterns: tuple[str, ...]) -> bool:
    """Whether a division shows what the patterns claim."""
    sets, _ = division
    shown: list[Callable[[tuple[int, ...]], bool]] = []
    if _TRIPLETS.intersection(patterns):
        shown.append(lambda kinds: kinds[0] == kinds[-1])
    if _TERMINALS.intersection(patterns):
        shown.append(
            lambda kinds: kinds[0] % NUM_RANKS == 0 or kinds[-1] % NUM_RANKS == NUM_RANKS - 1
        )
    return all(test(kinds) for test in shown for kinds in sets)

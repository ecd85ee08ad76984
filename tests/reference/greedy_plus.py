"""What `greedy_plus/1` chooses, in plain Python from its definition.

Worth, prospect and suit deficiency are found by trying every tile, with `tests.reference.hand` and
`tests.reference.fan` as judges.
"""

from collections.abc import Sequence

from tests.reference.fan import Situation, best_fan
from tests.reference.greedy import (
    NOT_WINNABLE,
    OWN_KONG,
    after_discards,
    give,
    hand_deficiency,
    hand_without,
    live_counts,
    lowest_by,
    only_suits,
    own_deficiency,
    two_suit_deficiency,
    useful_tiles,
)
from tests.reference.hand import deficiency, waits
from tests.reference.table import ReferenceTable
from tests.reference.tiles import COPIES, KIND, KINDS, SUITS, Meld, suit_of

ALL_SUITS = (0, 1, 2)


def choose(table: ReferenceTable, menu: Sequence[str]) -> str:
    """The first of its eleven rules that the menu offers."""
    if len(menu) == 1:
        return menu[0]
    if "win" in menu:
        return "pass" if table.phase == "CLAIM" and _lets_go(table, menu) else "win"
    if table.phase == "VOID":
        return f"void {SUITS[_void(table, [SUITS.index(action[-1]) for action in menu])]}"
    if table.phase == "EXCHANGE":
        return give(table, menu)
    if table.phase == "TURN":
        return _own_kong(table, menu) or _discard(table, menu)
    return _claim(table, menu)


# What a hand may win


def _opponents(table: ReferenceTable) -> int:
    return len(table.others(table.actor))


def _draws_left(table: ReferenceTable) -> int:
    return table.wall_left // (_opponents(table) + 1)


def _units(
    table: ReferenceTable, hand: Sequence[int], melds: Sequence[Meld], how: str, kong: bool = False
) -> int:
    """What one opponent pays for a win with these tiles; nothing if the win is too small."""
    fan = best_fan(table.rules, hand, melds, Situation(how, after_kong=kong)).fan
    if fan < table.rules["min_fan"]:
        return 0
    bonus = how == "self_draw" and table.rules["self_draw_bonus"] == "add_base"
    return int(2 ** (fan - 1)) + bonus


def _worth(
    table: ReferenceTable,
    hand: Sequence[int],
    melds: Sequence[Meld],
    live: Sequence[int],
    ways: Sequence[str] = ("self_draw", "discard"),
) -> int:
    total = 0
    for kind in waits(hand, melds, table.void[table.actor]):
        won = list(hand)
        won[kind] += 1
        total += live[kind] * sum(_units(table, won, melds, way) for way in ways)
    return total


def _most_worth(
    table: ReferenceTable,
    hand: Sequence[int],
    melds: Sequence[Meld],
    live: Sequence[int],
    kept: int | None = None,
) -> int:
    return max(
        _worth(table, hand_without(hand, kind), melds, live)
        for kind in range(KINDS)
        if hand[kind] and kind != kept
    )


def _prospect(table: ReferenceTable, hand: Sequence[int], live: Sequence[int]) -> int:
    """Of a hand one tile from ready: the most worth after each tile that makes it ready."""
    melds = table.sets[table.actor]
    total = 0
    for kind in range(KINDS):
        more, rest = list(hand), list(live)
        more[kind] += 1
        rest[kind] -= 1
        if live[kind] > 0 and hand_deficiency(table, more, melds) == 1:
            total += live[kind] * _most_worth(table, more, melds, rest, kind)
    return total


# Hands of one suit


def _suit_deficiency(hand: Sequence[int], suit: int, num_melds: int) -> int:
    """Fewest tiles to add for a win in a suit, whatever else is held."""
    return deficiency(only_suits(hand, {suit}), num_melds)


def _suit_useful(hand: Sequence[int], suit: int, num_melds: int, live: Sequence[int]) -> int:
    now = _suit_deficiency(hand, suit, num_melds)
    total = 0
    for kind in range(9 * suit, 9 * suit + 9):
        more = list(hand)
        more[kind] += 1
        if live[kind] > 0 and _suit_deficiency(more, suit, num_melds) < now:
            total += live[kind]
    return total


def _aimed_suit(table: ReferenceTable, nearest: int) -> int | None:
    seat, draws = table.actor, _draws_left(table)
    melds = table.sets[seat]
    lacks = {}
    for suit in ALL_SUITS:
        if suit == table.void[seat] or any(suit_of(meld.tile) != suit for meld in melds):
            continue
        left = max(1, _suit_deficiency(table.held[seat], suit, len(melds)))
        further = 2 if draws >= 2.5 * left else 1
        if left <= draws and left <= nearest + further:
            lacks[suit] = left
    return lowest_by(list(lacks), lambda suit: (lacks[suit],)) if lacks else None


# Rules 1 to 6


def _lets_go(table: ReferenceTable, menu: Sequence[str]) -> bool:
    seat, tile = table.actor, table.offer[1]
    opponents = _opponents(table)
    first = sum(1 for event in table.events if event["type"] == "discard") == 1
    if table.rules["mode"] != "blood" or first or opponents < 2 or "pass" not in menu:
        return False
    hand, melds, live = table.held[seat], table.sets[seat], live_counts(table)
    won = list(hand)
    won[tile] += 1
    now = _units(table, won, melds, "discard", kong=table.after_kong)
    later = _worth(table, hand, melds, live, ("self_draw",))
    return _draws_left(table) * opponents * later > 2 * now * sum(live)


def _own_kong(table: ReferenceTable, menu: Sequence[str]) -> str | None:
    hand, melds = table.held[table.actor], table.sets[table.actor]
    now = max(1, hand_deficiency(table, hand, melds))
    found = []
    for action in menu:
        if not action.startswith("kong"):
            continue
        kind = KIND[action[OWN_KONG:]]
        if hand[kind] == COPIES:
            rest = hand_without(hand, *[kind] * COPIES)
            left = hand_deficiency(table, rest, [*melds, Meld("kong_concealed", kind)])
            may = left <= 1 if now == 1 else left < NOT_WINNABLE
        else:
            left = hand_deficiency(table, hand_without(hand, kind), melds)
            may = left <= now
        if may:
            found.append((left, kind, action))
    return min(found)[-1] if found else None


def _claim(table: ReferenceTable, menu: Sequence[str]) -> str:
    seat, tile = table.actor, table.offer[1]
    hand, melds = table.held[seat], table.sets[seat]
    now = hand_deficiency(table, hand, melds)
    suit = _aimed_suit(table, now)
    if suit is not None and suit_of(tile) != suit:
        return "pass"
    if "kong" in menu:
        taken = [*melds, Meld("kong_direct", tile)]
        if hand_deficiency(table, hand_without(hand, tile, tile, tile), taken) <= now:
            return "kong"
    if "pung" in menu:
        takes = _pungs(table, tile, now) if suit is None else _pungs_in_suit(table, tile, suit)
        return "pung" if takes else "pass"
    return "pass"


def _pungs(table: ReferenceTable, tile: int, now: int) -> bool:
    seat, live = table.actor, live_counts(table)
    hand, melds, void = table.held[seat], table.sets[seat], table.void[seat]
    rest, taken = hand_without(hand, tile, tile), [*melds, Meld("pung", tile)]
    left = {
        kind: hand_deficiency(table, hand_without(rest, kind), taken)
        for kind in range(KINDS)
        if rest[kind]
    }
    least = min(left.values())
    if least != now:
        return least < now
    if now == 1:
        return _most_worth(table, rest, taken, live) > _worth(table, hand, melds, live)
    kinds = [kind for kind in left if suit_of(kind) == void] or list(left)
    after = [
        _useful_with(table, hand_without(rest, kind), taken, live)
        for kind in kinds
        if left[kind] == least
    ]
    return max(after) > useful_tiles(table, list(hand), live)


def _useful_with(
    table: ReferenceTable, hand: list[int], melds: Sequence[Meld], live: Sequence[int]
) -> int:
    """Useful tiles of a hand with other melds than those on the table."""
    void = table.void[table.actor]
    now = two_suit_deficiency(hand, melds, void)
    total = 0
    for kind in range(KINDS):
        more = list(hand)
        more[kind] += 1
        if live[kind] > 0 and two_suit_deficiency(more, melds, void) < now:
            total += live[kind]
    return total


def _pungs_in_suit(table: ReferenceTable, tile: int, suit: int) -> bool:
    hand, melds, live = table.held[table.actor], table.sets[table.actor], live_counts(table)
    rest, number = hand_without(hand, tile, tile), len(melds)
    kinds = [kind for kind in range(KINDS) if rest[kind]]
    kinds = [kind for kind in kinds if suit_of(kind) != suit] or kinds
    left = {kind: _suit_deficiency(hand_without(rest, kind), suit, number + 1) for kind in kinds}
    now, least = _suit_deficiency(hand, suit, number), min(left.values())
    if least != now:
        return least < now
    after = [
        _suit_useful(hand_without(rest, kind), suit, number + 1, live)
        for kind in kinds
        if left[kind] == least
    ]
    return max(after) > _suit_useful(hand, suit, number, live)


# Rules 7 to 9


def _discard(table: ReferenceTable, menu: Sequence[str]) -> str:
    seat, live = table.actor, live_counts(table)
    hand, void = table.held[seat], table.void[seat]
    kinds = [KIND[action[-2:]] for action in menu if action.startswith("discard")]
    third = _third_suit(table)
    if void is not None and suit_of(kinds[0]) == void:
        kind = lowest_by(kinds, lambda kind: (-live[kind],))
    elif third is not None and 2 * sum(only_suits(hand, {third})) >= _draws_left(table):
        kind = _shed(table, [kind for kind in kinds if suit_of(kind) == third], live)
    else:
        kind = _best_discard(table, kinds, live)
    return next(a for a in menu if a.startswith("discard") and KIND[a[-2:]] == kind)


def _third_suit(table: ReferenceTable) -> int | None:
    seat = table.actor
    if table.void[seat] is not None or table.rules["pig_multiple"] == 0:
        return None
    held = {suit: sum(only_suits(table.held[seat], {suit})) for suit in ALL_SUITS}
    melded = {suit_of(meld.tile) for meld in table.sets[seat]}
    suits = [suit for suit in ALL_SUITS if held[suit] and suit not in melded]
    if not suits or any(not held[suit] and suit not in melded for suit in ALL_SUITS):
        return None
    return lowest_by(suits, lambda suit: (held[suit],))


def _shed(table: ReferenceTable, kinds: Sequence[int], live: Sequence[int]) -> int:
    hand = table.held[table.actor]
    left = after_discards(table)
    nearest = min(left.values())

    def key(kind: int) -> tuple[int, ...]:
        # As everywhere, no tiles are useful where a discard leaves more than the least deficiency.
        helps = left[kind] == nearest
        useful = useful_tiles(table, hand_without(hand, kind), live) if helps else 0
        return left[kind], -useful

    return lowest_by(kinds, key)


def _best_discard(table: ReferenceTable, kinds: Sequence[int], live: Sequence[int]) -> int:
    seat = table.actor
    hand, melds = table.held[seat], table.sets[seat]
    left = after_discards(table)
    nearest = min(left.values())
    suit = _aimed_suit(table, nearest)
    pure = suit is not None and all(suit_of(kind) == suit for kind in kinds)
    if suit is not None and pure:
        left = {kind: _suit_deficiency(hand_without(hand, kind), suit, len(melds)) for kind in left}
    elif suit is not None:
        kinds = [kind for kind in kinds if suit_of(kind) != suit]
    least = min(left[kind] for kind in kinds)
    kinds = [kind for kind in kinds if left[kind] == least]

    def useful(kind: int) -> int:
        rest = hand_without(hand, kind)
        if suit is not None and pure:
            return _suit_useful(rest, suit, len(melds), live)
        return useful_tiles(table, rest, live) if least == nearest else 0

    if least == 1:
        return lowest_by(
            kinds, lambda kind: (-_worth(table, hand_without(hand, kind), melds, live),)
        )
    if least == 2 and suit is None:
        most = max(useful(kind) for kind in kinds)
        kinds = [kind for kind in kinds if 10 * useful(kind) >= 7 * most]
        return lowest_by(kinds, lambda kind: (-_prospect(table, hand_without(hand, kind), live),))
    return lowest_by(kinds, lambda kind: (-useful(kind),))


# Rule 10


def _void(table: ReferenceTable, suits: Sequence[int]) -> int:
    hand = table.held[table.actor]
    return lowest_by(
        suits,
        lambda suit: (two_suit_deficiency(hand, [], suit), -own_deficiency(hand, suit)),
    )

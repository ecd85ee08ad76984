"""What `greedy/1` chooses, in plain Python from its definition.

Every hand is judged anew, by the deficiency of `tests.reference.hand`.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from tests.reference.hand import CACHE, deficiency
from tests.reference.table import ReferenceTable
from tests.reference.tiles import COPIES, KIND, KINDS, SUITS, Meld, suit_of

NOT_WINNABLE = 99
OWN_KONG = 5  # `kong 5p` is longer than `kong`, the claim


def choose(table: ReferenceTable, menu: Sequence[str]) -> str:
    """The first of its nine rules that the menu offers."""
    if "win" in menu:
        return "win"
    if table.phase == "VOID":
        return f"void {SUITS[_shortest(table, [SUITS.index(action[-1]) for action in menu])]}"
    if table.phase == "EXCHANGE":
        return give(table, menu)
    if table.phase == "TURN":
        return _own_kong(table, menu) or _discard(table, menu)
    return _claim(table, menu)


# The hand and what can be seen


def two_suit_deficiency(hand: Sequence[int], melds: Sequence[Meld], void: int | None) -> int:
    """Fewest tiles to add for a win that does without one suit: the void suit if there is one."""
    melded = {suit_of(meld.tile) for meld in melds}
    unused = {0, 1, 2} if void is None else {void}
    return min(
        (
            _deficiency_of(tuple(only_suits(hand, {0, 1, 2} - {suit})), len(melds))
            for suit in unused
            if suit not in melded
        ),
        default=NOT_WINNABLE,
    )


@lru_cache(maxsize=CACHE)
def _deficiency_of(hand: tuple[int, ...], num_melds: int) -> int:
    return deficiency(hand, num_melds)


def hand_deficiency(table: ReferenceTable, hand: Sequence[int], melds: Sequence[Meld]) -> int:
    return two_suit_deficiency(hand, melds, table.void[table.actor])


def only_suits(hand: Sequence[int], suits: set[int]) -> list[int]:
    """The tiles of some suits alone."""
    left = list(hand)
    for suit in {0, 1, 2} - suits:
        left[9 * suit : 9 * suit + 9] = [0] * 9
    return left


def hand_without(hand: Sequence[int], *kinds: int) -> list[int]:
    left = list(hand)
    for kind in kinds:
        left[kind] -= 1
    return left


def live_counts(table: ReferenceTable) -> list[int]:
    """Copies of every kind that the acting seat does not see."""
    live = [COPIES - held for held in table.held[table.actor]]
    for melds in table.sets:
        for meld in melds:
            live[meld.tile] -= meld.copies
    for river in table.discards:
        for tile in river:
            live[tile] -= 1
    for tile in table.taken:
        live[tile] -= 1
    for event in table.events:
        if event["type"] == "win" and event["how"] == "self_draw" and event["tile"] is not None:
            live[KIND[event["tile"]]] -= 1
    return live


def useful_tiles(table: ReferenceTable, hand: list[int], live: Sequence[int]) -> int:
    """Live copies of all kinds that lower the deficiency."""
    melds = table.sets[table.actor]
    now = hand_deficiency(table, hand, melds)
    total = 0
    for kind in range(KINDS):
        if live[kind] > 0:
            hand[kind] += 1
            if hand_deficiency(table, hand, melds) < now:
                total += live[kind]
            hand[kind] -= 1
    return total


# Rules 2, 6 and 7


def after_discards(table: ReferenceTable) -> dict[int, int]:
    """Deficiency after each discard that may be made."""
    seat = table.actor
    hand, void = table.held[seat], table.void[seat]
    kinds = [kind for kind in range(KINDS) if hand[kind]]
    kinds = [kind for kind in kinds if suit_of(kind) == void] or kinds
    return {
        kind: hand_deficiency(table, hand_without(hand, kind), table.sets[seat]) for kind in kinds
    }


def _own_kong(table: ReferenceTable, menu: Sequence[str]) -> str | None:
    hand, melds = table.held[table.actor], list(table.sets[table.actor])
    found = []
    for action in menu:
        if not action.startswith("kong"):
            continue
        kind = KIND[action[OWN_KONG:]]
        if hand[kind] == COPIES:
            left = hand_deficiency(
                table, hand_without(hand, *[kind] * COPIES), [*melds, Meld("kong_concealed", kind)]
            )
        else:
            left = hand_deficiency(table, hand_without(hand, kind), melds)
        found.append((left, kind, action))
    if found and min(found)[0] <= min(after_discards(table).values()):
        return min(found)[-1]
    return None


def _discard(table: ReferenceTable, menu: Sequence[str]) -> str:
    seat = table.actor
    hand, void = table.held[seat], table.void[seat]
    live = live_counts(table)
    kinds = [KIND[action[-2:]] for action in menu if action.startswith("discard")]
    if void is not None and suit_of(kinds[0]) == void:
        kind = lowest_by(kinds, lambda kind: (-live[kind],))
    else:
        left = after_discards(table)
        least = min(left.values())
        kinds = [kind for kind in kinds if left[kind] == least]
        kind = lowest_by(
            kinds, lambda kind: (-useful_tiles(table, hand_without(hand, kind), live),)
        )
    return next(a for a in menu if a.startswith("discard") and KIND[a[-2:]] == kind)


# Rules 3 to 5


def _claim(table: ReferenceTable, menu: Sequence[str]) -> str:
    seat, tile = table.actor, table.offer[1]
    hand, melds = table.held[seat], table.sets[seat]
    now = hand_deficiency(table, hand, melds)
    if "kong" in menu:
        taken = [*melds, Meld("kong_direct", tile)]
        if hand_deficiency(table, hand_without(hand, tile, tile, tile), taken) <= now:
            return "kong"
    if "pung" in menu:
        rest, taken = hand_without(hand, tile, tile), [*melds, Meld("pung", tile)]
        after = [
            hand_deficiency(table, hand_without(rest, kind), taken)
            for kind in range(KINDS)
            if rest[kind]
        ]
        if min(after) < now:
            return "pung"
    return "pass"


# Rules 8 and 9


def own_deficiency(hand: Sequence[int], suit: int) -> int:
    """Deficiency of the tiles of one suit alone."""
    return two_suit_deficiency(only_suits(hand, {suit}), [], None)


def _shortest(table: ReferenceTable, suits: Sequence[int]) -> int:
    hand = table.held[table.actor]
    return lowest_by(
        suits, lambda suit: (sum(only_suits(hand, {suit})), -own_deficiency(hand, suit))
    )


def give(table: ReferenceTable, menu: Sequence[str]) -> str:
    hand = table.held[table.actor]
    kinds = [KIND[action[-2:]] for action in menu]
    suit = _shortest(table, sorted({suit_of(kind) for kind in kinds}))
    kinds = [kind for kind in kinds if suit_of(kind) == suit]
    kind = lowest_by(kinds, lambda kind: (own_deficiency(hand_without(hand, kind), suit),))
    return menu[[KIND[action[-2:]] for action in menu].index(kind)]


def lowest_by(options: Sequence[int], key: Callable[[int], tuple[int, ...]]) -> int:
    """The least by a key, of equal ones the lowest."""
    return min(options, key=lambda option: (*key(option), option))

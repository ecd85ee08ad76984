"""What a seat may do, phase by phase, in action-id order (points 1 to 18).

Where the page is open: `just_drawn` and the paid half of `any_turn_unpaid` look at the latest draw
alone, so a fourth tile drawn before another kong of the same turn counts as held earlier.
"""

from tests.reference.fan import Reading, Situation, best_fan
from tests.reference.hand import is_win
from tests.reference.state import TableState
from tests.reference.tiles import KINDS, SUITS, TEXT, suit_of

GIVE = [f"give {text}" for text in TEXT]
DISCARD = [f"discard {text}" for text in TEXT]
KONG = [f"kong {text}" for text in TEXT]
VOID = [f"void {suit}" for suit in SUITS]
LAST_FOUR_WALL = 3


def exchange_menu(hand: list[int], given: list[int]) -> list[str]:
    """Point 3: a suit held at least three times, then that same suit."""
    menu = []
    for kind in range(KINDS):
        suit = suit_of(kind)
        if given:
            allowed = suit == suit_of(given[0])
        else:
            allowed = _suit_sum(hand, suit) >= 3
        if hand[kind] and allowed:
            menu.append(GIVE[kind])
    return menu


def void_menu(table: TableState, seat: int) -> list[str]:
    """Point 2: with `void_auto` the suits absent from the hand, if any is absent."""
    absent = [suit for suit in range(3) if not _suit_sum(table.held[seat], suit)]
    if table.rules["void_auto"] and absent:
        return [VOID[suit] for suit in absent]
    return list(VOID)


def turn_menu(table: TableState, seat: int) -> list[str]:
    """Points 8 to 10, 14 and 16; keeps the reading of an offered win for the step."""
    table.own_win = None if table.after_pung else self_draw_win(table, seat)
    if table.own_win and forced(table):
        menu = ["win"]
    else:
        menu = _discards(table, seat)
        if not table.after_pung:
            menu += _own_kongs(table, seat)
        if table.own_win:
            menu.append("win")
    if table.rules["allow_quit"]:
        menu.append("quit")
    return menu


def _discards(table: TableState, seat: int) -> list[str]:
    """R7: tiles of the void suit first."""
    hand = table.held[seat]
    void = table.void[seat]
    if void is not None and _suit_sum(hand, void):
        return [DISCARD[kind] for kind in range(9 * void, 9 * void + 9) if hand[kind]]
    return [DISCARD[kind] for kind in range(KINDS) if hand[kind]]


def _own_kongs(table: TableState, seat: int) -> list[str]:
    """Points 9, 11, 12 and 13: concealed quads and the fourth tile of an own pung."""
    hand = table.held[seat]
    pungs = [meld.tile for meld in table.sets[seat] if meld.kind == "pung"]
    if not (4 in hand or pungs) or not _kong_has_tile(table):
        return []
    kinds = {kind for kind in range(KINDS) if hand[kind] == 4}
    just_drawn = table.rules["added_kong_timing"] == "just_drawn"
    kinds |= {kind for kind in pungs if hand[kind] and (not just_drawn or kind == table.drawn)}
    return [KONG[kind] for kind in sorted(kinds) if may_meld(table, seat, kind)]


def _kong_has_tile(table: TableState) -> bool:
    """Point 12."""
    return table.wall_left > 0 or not table.rules["kong_needs_wall"]


def may_meld(table: TableState, seat: int, kind: int) -> bool:
    """Point 11: never the void suit; with `forbidden` nothing while void tiles are held."""
    void = table.void[seat]
    if void is None:
        return True
    if suit_of(kind) == void:
        return False
    if table.rules["claim_with_void_tiles"] == "allowed":
        return True
    return not _suit_sum(table.held[seat], void)


def claim_menu(table: TableState, seat: int, tile: int, win: Reading | None) -> list[str]:
    """Points 4, 6, 12 and 14; empty if nothing but `pass` could be said."""
    if win and forced(table):
        return ["win"]
    menu = []
    held = table.held[seat][tile]
    if held >= 2 and may_meld(table, seat, tile):
        menu.append("pung")
        if held >= 3 and _kong_has_tile(table):
            menu.append("kong")
    if win:
        menu.append("win")
    return [*menu, "pass"] if menu else []


def rob_menu(table: TableState, win: Reading | None) -> list[str]:
    """Points 5 and 6; empty for a seat that cannot win."""
    if not win:
        return []
    return ["win"] if forced(table) else ["win", "pass"]


def forced(table: TableState) -> bool:
    """R36, points 14 and 15: whoever may win must."""
    rule = table.rules["last_four"]
    if rule == "optional" or (rule == "optional_if_void" and table.rules["void_suit"]):
        return False
    window = table.rules["last_four_scope"] == "window"
    return table.wall_left <= LAST_FOUR_WALL + int(window)


def self_draw_win(table: TableState, seat: int) -> Reading | None:
    """The win on the tiles held, after a draw or on the dealt fourteen (R30, R34)."""
    hand = table.held[seat]
    if not is_win(hand, table.sets[seat], table.void[seat]):
        return None
    situation = self_draw_situation(table, seat)
    return _enough(table, best_fan(table.rules, hand, table.sets[seat], situation))


def self_draw_situation(table: TableState, seat: int) -> Situation:
    """How a self-draw now would come about (R34, point 27)."""
    dealt = seat == table.dealer and not any(table.draws)
    first_draw = seat != table.dealer and table.draws[seat] == 1
    return Situation(
        how="self_draw",
        tian_hu=dealt and not table.melded,
        di_hu=first_draw and not table.melded,
        after_kong=table.after_kong,
        last_tile=table.wall_left == 0,
    )


def claimed_win(table: TableState, seat: int, how: str, tile: int) -> Reading | None:
    """The win on another seat's discard or added kong, pass lock and `min_fan` included."""
    hand = table.held[seat]
    hand[tile] += 1
    try:
        if not is_win(hand, table.sets[seat], table.void[seat]):
            return None
        situation = claim_situation(table, how)
        reading = _enough(table, best_fan(table.rules, hand, table.sets[seat], situation))
    finally:
        hand[tile] -= 1
    if reading and reading.fan <= table.lock[seat]:
        table.locked_out += 1
        return None
    return reading


def claim_situation(table: TableState, how: str) -> Situation:
    """How a win on another seat's tile would come about, `how` is discard or rob_kong."""
    return Situation(
        how=how,
        di_hu=how == "discard" and _is_first_discard(table),
        after_kong=table.after_kong,
        last_tile=table.wall_left == 0,
    )


def _is_first_discard(table: TableState) -> bool:
    """Point 24, `also_first_discard`: the dealer's first, nothing melded before."""
    allowed = table.rules["di_hu"] == "also_first_discard"
    return allowed and not any(table.draws) and not table.melded


def _enough(table: TableState, reading: Reading) -> Reading | None:
    """Point 18: `min_fan` against the full fan after the cap."""
    if reading.fan >= table.rules["min_fan"]:
        return reading
    table.too_small += 1
    return None


def _suit_sum(hand: list[int], suit: int) -> int:
    """Tiles of one suit in a hand."""
    return sum(hand[9 * suit : 9 * suit + 9])

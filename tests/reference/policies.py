"""Players that need no thought: one plays anything, one plays towards wins.

Uniform play alone hardly ever wins, so whole families of situations would stay unseen.
"""

import random
from collections.abc import Callable, Sequence

from tests.reference.hand import deficiency
from tests.reference.table import ReferenceTable
from tests.reference.tiles import KIND, suit_of

Policy = Callable[[ReferenceTable, Sequence[str], random.Random], str]
SELDOM = 0.1
CLAIMS = ("pung", "kong")


def uniform(table: ReferenceTable, menu: Sequence[str], rng: random.Random) -> str:
    """Any legal action, all equally likely."""
    return rng.choice(menu)


def tidy(table: ReferenceTable, menu: Sequence[str], rng: random.Random) -> str:
    """Drops its rarest suit, then lonely tiles; takes most wins, kongs and pungs; never leaves."""
    if len(menu) == 1:
        return menu[0]
    if "win" in menu and rng.random() > SELDOM:
        return "win"
    melding = [action for action in menu if action.startswith(CLAIMS)]
    if melding and rng.random() > 3 * SELDOM:
        return rng.choice(melding)
    if "pass" in menu:
        return "pass"
    hand = table.held[table.actor]
    if table.phase == "VOID":
        return min(menu, key=lambda action: _suit_total(hand, "mps".index(action[-1])))
    droppable = [action for action in menu if action.startswith(("discard", "give"))]
    return min(droppable, key=lambda action: (_worth(hand, KIND[action[-2:]]), rng.random()))


def patient(table: ReferenceTable, menu: Sequence[str], rng: random.Random) -> str:
    """As `tidy`, but lets most discards and own draws go by, so that kongs get robbed."""
    if "win" in menu and table.phase != "ROB" and len(menu) > 1 and rng.random() < 8 * SELDOM:
        menu = [action for action in menu if action != "win"]
    return tidy(table, menu, rng)


def sharp(table: ReferenceTable, menu: Sequence[str], rng: random.Random) -> str:
    """As `tidy`, but discards so that the deficiency stays least; slower, wins far more."""
    action = tidy(table, menu, rng)
    if table.phase != "TURN" or not action.startswith("discard"):
        return action
    seat = table.actor
    hand = list(table.held[seat])
    scored = []
    for option in menu:
        if option.startswith("discard"):
            kind = KIND[option[-2:]]
            hand[kind] -= 1
            rare = _suit_total(hand, suit_of(kind)) if _three_suits(hand) else 0
            missing = deficiency(hand, len(table.sets[seat]))
            scored.append((rare, missing, rng.random(), option))
            hand[kind] += 1
    return min(scored)[-1]


def _worth(hand: Sequence[int], kind: int) -> float:
    """Tiles of the same suit count most, then copies, then neighbours."""
    suit = suit_of(kind)
    near = [near for near in range(kind - 2, kind + 3) if 0 <= near < 27 and suit_of(near) == suit]
    return _suit_total(hand, suit) + 3 * hand[kind] + sum(hand[place] for place in near)


def _suit_total(hand: Sequence[int], suit: int) -> int:
    """Tiles of one suit in a hand."""
    return sum(hand[9 * suit : 9 * suit + 9])


def _three_suits(hand: Sequence[int]) -> bool:
    """True while the hand cannot win because of its suits."""
    return all(_suit_total(hand, suit) for suit in range(3))

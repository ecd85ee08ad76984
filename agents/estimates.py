"""What is likely of the other seats, from what they show: readiness, waits, discards, wins.

Read from the tables of :mod:`agents.fitted`, which ``python -m train.fit_tables`` fits on self-play
of a bot of the ladder. Amounts are in units of the base.
"""

import numpy as np

from agents.fitted import (
    BECOMES_READY,
    CHECK_UNITS,
    DISCARD_RANK,
    DISCARD_RATE,
    LIVE_SHARE,
    READY_WEIGHTS,
    WAIT_CHANCE,
    WIN_UNITS,
)
from agents.signs import (
    NUM_SIGNS,
    WALL_STEP,
    discarded_kinds,
    rank_class,
    ready_signs,
    wall_share,
)
from mjenv.core.kernel import kernel
from mjenv.core.tiles import NUM_SUITS
from mjenv.sichuan.hand import meld_suits, suit_of
from mjenv.sichuan.state import NUM_SEATS

_ALL_SUITS = (1 << NUM_SUITS) - 1
_NO_VOID, _VOID, _EXCHANGE = 0, 1, 2


@kernel
def rule_family(rules: np.void) -> int:
    """The row of the tables: without void suits, with them, with void suits and an exchange."""
    if rules["void_suit"] == 0:
        return _NO_VOID
    return _EXCHANGE if rules["swap_three"] != 0 else _VOID


@kernel
def is_live(view: np.void, seat: int) -> bool:
    """Whether a seat is another than the observer and has not won."""
    return bool(seat != view["seat"] and view["win_order"][seat] == 0)


@kernel
def ready_chance(view: np.void, rules: np.void, seat: int) -> float:
    """Chance that another seat is ready, 0 if it has won."""
    if not is_live(view, seat):
        return 0.0
    family = rule_family(rules)
    signs = np.empty(NUM_SIGNS)
    ready_signs(view, seat, signs)
    left = wall_share(int(view["wall_count"]))
    score = 0.0
    for i in range(NUM_SIGNS):
        weight = READY_WEIGHTS[family, 0, i] + left * READY_WEIGHTS[family, 1, i]
        score += weight * signs[i]
    return float(1.0 / (1.0 + np.exp(-score)))


@kernel
def ready_at_end_chance(view: np.void, rules: np.void, seat: int) -> float:
    """Chance that another seat is ready when the wall ends, if it has not won by then."""
    if not is_live(view, seat):
        return 0.0
    now = ready_chance(view, rules, seat)
    row = int(view["wall_count"]) // WALL_STEP
    return float(now + (1.0 - now) * BECOMES_READY[rule_family(rules), row])


@kernel
def live_opponents(view: np.void, rules: np.void, wall_count: int) -> float:
    """Mean number of others that have not won when the wall has shrunk to ``wall_count`` tiles."""
    live = 0
    for seat in range(NUM_SEATS):
        live += 1 if is_live(view, seat) else 0
    family = rule_family(rules)
    stay = LIVE_SHARE[family, wall_count] / LIVE_SHARE[family, int(view["wall_count"])]
    return float(live * stay)


@kernel
def check_units(view: np.void, rules: np.void, seat: int) -> float:
    """Mean units that the ready check pays a seat for, if it is ready."""
    return float(CHECK_UNITS[rule_family(rules), int(view["num_melds"][seat])])


@kernel
def wait_chance(view: np.void, rules: np.void, seat: int, kind: int, live: int) -> float:
    """Chance that another seat, if it is ready, wins with ``kind``, which the observer holds.

    0 for its void suit, and for the third suit beside melds of two. ``live`` is the number of
    copies that the observer cannot see.
    """
    suits = meld_suits(view["meld_kind"][seat], int(view["num_melds"][seat]))
    suit = suit_of(kind)
    if suit == view["void_suit"][seat] or suits | (1 << suit) == _ALL_SUITS:
        return 0.0
    before = (discarded_kinds(view, seat) >> kind) & 1
    return float(WAIT_CHANCE[rule_family(rules), rank_class(kind), live, before])


@kernel
def deal_in_cost(view: np.void, rules: np.void, kind: int, live: int) -> float:
    """Mean units that discarding ``kind`` costs at once, 0 if nobody can win with it."""
    cost = 0.0
    family = rule_family(rules)
    for seat in range(NUM_SEATS):
        if is_live(view, seat):
            units = WIN_UNITS[family, int(view["num_melds"][seat])]
            chance = ready_chance(view, rules, seat) * wait_chance(view, rules, seat, kind, live)
            cost += units * chance
    return float(cost)


@kernel
def discard_chance(
    rules: np.void, wall_count: int, kind: int, live: int, hidden: int, of_void: bool
) -> float:
    """Chance that a discard of another seat is ``kind``.

    Args:
        rules: The rules.
        wall_count: Tiles in the wall when it discards.
        kind: A kind of a suit that the observer may use.
        live: Copies that the observer cannot see, 1 to 4; with 0 there is no chance.
        hidden: All tiles that it cannot see.
        of_void: Whether the kind is of the void suit of the seat.
    """
    if live == 0:
        return 0.0
    family = rule_family(rules)
    void = 1 if of_void else 0
    rate = DISCARD_RATE[family, void, wall_count // WALL_STEP, live - 1]
    return float(min(1.0, rate * DISCARD_RANK[family, void, rank_class(kind)] * live / hidden))

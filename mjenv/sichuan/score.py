"""What a hand wins, and why: the rules of the table asked about one hand.

The winner is seat 0; seat 1 is the discarder, or the seat whose kong is robbed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.suits import load_tables
from mjenv.core.tiles import COPIES, parse_tile, tile_text
from mjenv.errors import PositionError, RulesError
from mjenv.sichuan.booking import Booking
from mjenv.sichuan.fan import Situation, ready_fan, score_with
from mjenv.sichuan.hand import is_win, key_with, meld_suits, owned, suit_of, suits_allowed, waits
from mjenv.sichuan.holding import Holding, empty_tables
from mjenv.sichuan.readings import Reading, all_readings, named_extras, named_patterns
from mjenv.sichuan.reasons import explain_loss, explain_win
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NO_SUIT, NUM_EXTRAS, NUM_KINDS, NUM_SEATS, Win

WINNER, PAYER = 0, 1

WAYS = {"discard": Win.DISCARD, "self_draw": Win.SELF_DRAW, "rob_kong": Win.ROB_KONG}
"""How a hand is won."""

FLAGS = {
    "after_kong": (Situation.AFTER_KONG, ("self_draw",)),
    "kong_discard": (Situation.KONG_DISCARD, ("discard",)),
    "tian_hu": (Situation.TIAN_HU, ("self_draw",)),
    "di_hu": (Situation.DI_HU, ("self_draw", "discard")),
    "last_tile": (Situation.LAST_TILE, ("self_draw", "discard", "rob_kong")),
}
"""Circumstances of a win, each with the ways of winning it goes with."""


class Refusal(IntEnum):
    """Why tiles are no win; where several apply, the first."""

    NONE = 0
    FIFTH_TILE = 1
    THREE_SUITS = 2
    VOID_SUIT = 3
    BAD_SHAPE = 4
    MIN_FAN = 5


@dataclass(frozen=True)
class ScoredHand:
    """What a hand wins.

    Attributes:
        win: Whether it is a win.
        reason: Why not: ``fifth_tile``, ``three_suits``, ``void_suit``, ``bad_shape`` or
            ``min_fan``, the first that applies; None for a win.
        patterns: Names of the patterns counted: one, or in an additive table all of them.
        extras: Fan added by each extra that adds any.
        fan: Total after the cap.
        multiple: Units that fan is worth.
        points: What each seat wins or loses by this win alone, without call transfer.
        readings: Every reading of the tiles that is worth as much; the first is the one above.
        reasons: Why, in words: a line for each pattern, extra and payment.
    """

    win: bool
    reason: str | None
    patterns: tuple[str, ...]
    extras: dict[str, int]
    fan: int
    multiple: int
    points: tuple[int, ...]
    readings: tuple[Reading, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class HandWaits:
    """What a hand without its last tile waits for.

    Attributes:
        waits: The kinds that complete it, in the order m, p, s; none that it owns four times.
        fans: Fan of each of them in the ready check: patterns and roots, after the cap.
        max_fan: The largest of these, 0 if the hand is not ready.
    """

    waits: tuple[str, ...]
    fans: tuple[int, ...]
    max_fan: int

    @property
    def ready(self) -> bool:
        """Whether there is anything to wait for."""
        return bool(self.waits)


@kernel
def refusal_at(tables: np.ndarray, tile: int, luts: np.ndarray) -> int:
    """Why the tiles of seat 0 and ``tile`` are no win: a ``Refusal``, 0 for a win (R30)."""
    state = tables[0]
    hand, meld_type, meld_kind = state["hand"][0], state["meld_type"][0], state["meld_kind"][0]
    num_melds = int(state["num_melds"][0])
    for kind in range(NUM_KINDS):
        copies = owned(hand, meld_type, meld_kind, num_melds, kind)
        if copies + (1 if kind == tile else 0) > COPIES:
            return 0 | Refusal.FIFTH_TILE
    keys = np.zeros(3, np.int64)
    keys[:] = state["suit_key"][0]
    keys[suit_of(tile)] = key_with(int(keys[suit_of(tile)]), tile)
    key0, key1, key2 = int(keys[0]), int(keys[1]), int(keys[2])
    melded, void = meld_suits(meld_kind, num_melds), int(state["void_suit"][0])
    if not suits_allowed(key0, key1, key2, melded, NO_SUIT):
        return 0 | Refusal.THREE_SUITS
    if not suits_allowed(key0, key1, key2, melded, void):
        return 0 | Refusal.VOID_SUIT
    if not is_win(key0, key1, key2, num_melds, melded, void, luts):
        return 0 | Refusal.BAD_SHAPE
    return 0 | Refusal.NONE


@kernel
def score_at(
    tables: np.ndarray,
    tile: int,
    situation: int,
    rules: np.ndarray,
    luts: np.ndarray,
    extras: np.ndarray,
) -> tuple[int, int]:
    """Fan and patterns of seat 0 winning with ``tile``; writes ``extras``."""
    state = tables[0]
    return score_with(
        state["suit_key"][0],
        state["hand"][0],
        tile,
        int(state["num_melds"][0]),
        state["meld_type"][0],
        state["meld_kind"][0],
        situation,
        rules[0],
        luts,
        extras,
    )


@kernel
def waits_at(tables: np.ndarray, luts: np.ndarray) -> int:
    """Kinds (bits) that seat 0 waits for and does not own four times."""
    state = tables[0]
    num_melds = int(state["num_melds"][0])
    meld_type, meld_kind = state["meld_type"][0], state["meld_kind"][0]
    melded = meld_suits(meld_kind, num_melds)
    found = waits(state["suit_key"][0], num_melds, melded, int(state["void_suit"][0]), luts)
    for kind in range(NUM_KINDS):
        if owned(state["hand"][0], meld_type, meld_kind, num_melds, kind) >= COPIES:
            found &= ~(1 << kind)
    return found


@kernel
def ready_fan_at(
    tables: np.ndarray, rules: np.ndarray, luts: np.ndarray, extras: np.ndarray
) -> int:
    """What the ready check would pay seat 0 for; ``extras`` is scratch."""
    state = tables[0]
    num_melds = int(state["num_melds"][0])
    meld_kind = state["meld_kind"][0]
    return ready_fan(
        state["suit_key"][0],
        state["hand"][0],
        num_melds,
        state["meld_type"][0],
        meld_kind,
        meld_suits(meld_kind, num_melds),
        int(state["void_suit"][0]),
        rules[0],
        luts,
        extras,
    )


def score_hand(
    hand: str | Iterable[str] | Holding,
    melds: Iterable[str] = (),
    win: str = "",
    by: str = "discard",
    rules: Any = "qq",
    void: str | None = None,
    flags: Iterable[str] = (),
    won_before: Sequence[int] = (),
) -> ScoredHand:
    """Score a hand.

    Args:
        hand: Concealed tiles without the winning tile, ``"123m456m789m11p55p"``; or a holding.
        melds: For example ``["pung:1m"]``; also ``kong_direct``, ``kong_added``,
            ``kong_concealed``.
        win: The winning tile.
        by: ``discard``, ``self_draw`` or ``rob_kong``.
        rules: Rules, a preset, a YAML file or a mapping of options.
        void: Letter of the void suit.
        flags: Of ``after_kong``, ``kong_discard``, ``tian_hu``, ``di_hu``, ``last_tile``.
        won_before: Seats 1 to 3 that have won before and pay nothing.

    Raises:
        TileError: The tiles, melds or suit are not understood, or no seat can hold them.
        PositionError: The circumstances contradict each other.
        RulesError: The rules are not understood.

    Example:
        >>> score_hand("1122335577m999p", win="9p", void="s").patterns
        ('long_qi_dui',)
    """
    table = Rules.of(rules)
    if not isinstance(hand, Holding):
        hand = Holding.parse(hand, melds, void)
    tile = parse_tile(win, NUM_KINDS)
    situation = _situation(by, tuple(flags), table)
    booking = _booking(by, won_before, table)
    tables = empty_tables()
    hand.place(tables, WINNER)
    packed, luts, extras = table.pack(), load_tables(), np.zeros(NUM_EXTRAS, np.int8)
    refusal = Refusal(refusal_at(tables, tile, luts))
    if refusal != Refusal.NONE:
        return _no_win(refusal, explain_loss(refusal.name.lower(), hand, tile))
    fan, patterns = map(int, score_at(tables, tile, situation, packed, luts, extras))
    if fan < table.min_fan:
        return _no_win(Refusal.MIN_FAN, (f"{fan} fan; a win needs min_fan = {table.min_fan}",))
    source = None if by == "self_draw" else PAYER
    booking.win(WAYS[by], [WINNER], [fan], source)
    chosen = Reading(named_patterns(patterns), named_extras(extras))
    others = all_readings(tables, tile, situation, packed, luts)
    tied = [reading for reading in others.best if reading != chosen]
    return ScoredHand(
        win=True,
        reason=None,
        patterns=chosen.patterns,
        extras=chosen.extras,
        fan=fan,
        multiple=2 ** (fan - 1),
        points=tuple(booking.points),
        readings=(chosen, *tied),
        reasons=explain_win(hand, tile, by, table, chosen, others, fan, booking.points),
    )


def hand_waits(
    hand: str | Iterable[str] | Holding,
    melds: Iterable[str] = (),
    void: str | None = None,
    rules: Any = "qq",
) -> HandWaits:
    """What a hand waits for, and what the ready check would pay it for (R41, R43).

    The arguments are those of :func:`score_hand`, as are the errors.
    """
    table = Rules.of(rules)
    if not isinstance(hand, Holding):
        hand = Holding.parse(hand, melds, void)
    tables = empty_tables()
    hand.place(tables, WINNER)
    packed, luts, extras = table.pack(), load_tables(), np.zeros(NUM_EXTRAS, np.int8)
    bits = waits_at(tables, luts)
    kinds = [kind for kind in range(NUM_KINDS) if (bits >> kind) & 1]
    return HandWaits(
        waits=tuple(tile_text(kind) for kind in kinds),
        fans=tuple(int(score_at(tables, kind, 0, packed, luts, extras)[0]) for kind in kinds),
        max_fan=int(ready_fan_at(tables, packed, luts, extras)),
    )


def _situation(by: str, flags: tuple[str, ...], rules: Rules) -> int:
    """Bits of a way of winning and its flags."""
    if by not in WAYS:
        raise PositionError(f"by: got {by!r}; allowed: {', '.join(WAYS)}")
    situation = {"self_draw": int(Situation.SELF_DRAW), "rob_kong": int(Situation.ROB_KONG)}.get(
        by, 0
    )
    for flag in flags:
        if flag not in FLAGS:
            raise PositionError(f"flags: got {flag!r}; allowed: {', '.join(FLAGS)}")
        bit, ways = FLAGS[flag]
        if by not in ways:
            raise PositionError(f"{flag} goes with {' or '.join(ways)}, not with {by}")
        situation |= bit
    if {"tian_hu", "di_hu"} <= set(flags):
        raise PositionError("tian_hu is the dealer's win, di_hu another seat's; not both")
    if by == "discard" and "di_hu" in flags and rules.di_hu != "also_first_discard":
        raise RulesError("di_hu by discard needs the option di_hu = also_first_discard")
    return situation


def _booking(by: str, won_before: Sequence[int], rules: Rules) -> Booking:
    """The books before this win."""
    taken = {WINNER} if by == "self_draw" else {WINNER, PAYER}
    for seat in won_before:
        if seat in taken or seat not in range(NUM_SEATS) or list(won_before).count(seat) > 1:
            raise PositionError(
                f"won_before: got {list(won_before)}; the winner is seat {WINNER}, the discarder "
                f"or konger seat {PAYER}, and others stand there once"
            )
    if len(won_before) >= NUM_SEATS - 1:
        raise PositionError("won_before: after three wins the deal has ended")
    return Booking(rules, won_before)


def _no_win(refusal: Refusal, reasons: tuple[str, ...]) -> ScoredHand:
    return ScoredHand(False, refusal.name.lower(), (), {}, 0, 0, (0,) * NUM_SEATS, (), reasons)

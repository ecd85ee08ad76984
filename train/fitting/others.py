"""What the seats of a bot do on average as the wall gets shorter, counted in self-play.

The averages of :mod:`agents.forecast` are shares of these counts.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from agents.forecast import wall_shares
from mjenv.core.batch import only_action
from mjenv.core.game import NOBODY, NUM_SEATS
from mjenv.core.kernel import kernel, loop
from mjenv.core.rng import new_generator, policy_stream
from mjenv.core.tiles import NUM_RANKS, NUM_SUITS
from mjenv.envs.bots import bot_kernel
from mjenv.sichuan.actions import DISCARD_0
from mjenv.sichuan.analysis import live_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import suit_of
from mjenv.sichuan.settlement import is_active, multiple, wall_count
from mjenv.sichuan.state import NUM_DRAWS, NUM_KINDS, STATE, Class, End, Phase, Win

Function = Callable[..., Any]

SIZES = NUM_DRAWS + 1
"""Sizes that the wall can have."""

COUNTS = np.dtype(
    [
        # By the tiles left in the wall: seats that were still in at a draw, that won before the
        # next one, and that won by the draw itself.
        ("draws", "f8", SIZES),
        ("wins", "f8", SIZES),
        ("self_draws", "f8", SIZES),
        # Others that were still in at a discard and might use its suit, and that won on it.
        ("offered", "f8", SIZES),
        ("dealt_in", "f8", SIZES),
        # Discards as another seat sees them, of suits that it may use, and how many there would
        # be if all tiles that it cannot see were as likely: by tiles left, by rank.
        ("kept", "f8", (SIZES, NUM_RANKS)),  # of suits that the discarder may keep
        ("kept_by_chance", "f8", (SIZES, NUM_RANKS)),
        # The same of the void suit of the discarder, if all tiles of the wall were.
        ("void", "f8", SIZES),
        ("void_by_chance", "f8", SIZES),
        ("units_won", "f8"),  # of all wins, by payer, without a bonus
        ("stayed", "f8"),  # seats that had not won when the wall ended
        ("ready", "f8"),  # of these, that were ready
    ]
)
"""What is counted."""


@kernel
def _add_discard(state: np.void, seat: int, view: np.void, kind: int, counts: np.void) -> None:
    """Count a discard of a seat as another sees it, who has the view."""
    wall, void = int(view["wall_count"]), int(state["void_suit"][seat])
    live, shares = np.empty(NUM_KINDS, np.int8), np.zeros(NUM_SUITS)
    live_counts(view, live)
    wall_shares(view, live, shares)
    unseen, in_wall = 0.0, 0.0
    for other in range(NUM_KINDS):
        unseen += int(live[other])
        in_wall += int(live[other]) * shares[suit_of(other)]
    if suit_of(kind) != view["void_suit"][int(view["seat"])]:
        counts["offered"][wall] += 1.0
    for other in range(NUM_KINDS):
        suit = suit_of(other)
        if suit == view["void_suit"][int(view["seat"])]:
            continue
        made = 1.0 if other == kind else 0.0
        if suit != void:
            counts["kept"][wall, other % NUM_RANKS] += made
            counts["kept_by_chance"][wall, other % NUM_RANKS] += int(live[other]) / unseen
        elif in_wall > 0.0:
            counts["void"][wall] += made
            counts["void_by_chance"][wall] += int(live[other]) * shares[suit] / in_wall


@kernel
def _add_wins(state: np.void, before: np.ndarray, wall: int, counts: np.void) -> None:
    """Count the seats that have won since ``before`` was written, and write it anew."""
    for seat in range(NUM_SEATS):
        if state["win_order"][seat] == before[seat]:
            continue
        before[seat] = state["win_order"][seat]
        counts["wins"][wall] += 1.0
        counts["units_won"] += multiple(int(state["win_fan"][seat]))
        if state["win_how"][seat] == Win.SELF_DRAW:
            counts["self_draws"][wall] += 1.0
        elif state["win_how"][seat] == Win.DISCARD:
            counts["dealt_in"][wall] += 1.0


@kernel
def _add_draw(state: np.void, counts: np.void) -> None:
    """Count who is still in when a tile has been drawn."""
    for seat in range(NUM_SEATS):
        if is_active(state, seat):
            counts["draws"][wall_count(state)] += 1.0


@kernel
def _add_end(state: np.void, counts: np.void) -> None:
    """Count who was ready when the wall ended."""
    if state["end_reason"] != End.WALL_EMPTY:
        return
    for seat in range(NUM_SEATS):
        if is_active(state, seat):
            counts["stayed"] += 1.0
            counts["ready"] += 1.0 if state["classes"][seat] == Class.READY else 0.0


@loop
def _play(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    mask: np.ndarray,
    views: np.ndarray,
    rng: np.ndarray,
    log: np.ndarray,
    out: np.ndarray,
    bot: Function,
    new_deal: Function,
    legal: Function,
    step: Function,
    view: Function,
) -> None:
    """Play the deal of every table to its end, and count."""
    rule, counts = rules[0], out[0]
    before = np.empty(NUM_SEATS, np.int8)
    for i in range(tables.shape[0]):
        state = tables[i]
        new_deal(state, rule, luts)
        before[:] = 0
        wall = wall_count(state)
        _add_draw(state, counts)  # the dealer's last tile
        while state["actor"] != NOBODY:
            legal(state, rule, luts, mask)
            seat = int(state["actor"])
            action = only_action(mask)
            if action < 0:
                decision = int(state["num_decisions"][seat])
                policy_stream(rng, int(state["seed"]), int(state["deal"]), seat, decision)
                view(state, rule, seat, views[0])
                action = bot(views[0], rule, luts, mask, rng)
            if state["phase"] == Phase.TURN and DISCARD_0 <= action < DISCARD_0 + NUM_KINDS:
                for other in range(NUM_SEATS):
                    if other != seat and is_active(state, other):
                        view(state, rule, other, views[0])
                        _add_discard(state, seat, views[0], action - DISCARD_0, counts)
            step(state, rule, luts, action, log)
            _add_wins(state, before, wall, counts)
            if wall_count(state) < wall:
                wall = wall_count(state)
                _add_draw(state, counts)
        _add_end(state, counts)


def count_others(bot: str, rules: Any, deals: int, seed: int) -> np.void:
    """Count :data:`COUNTS` in deals 0 to ``deals - 1`` of a seed, one bot in all four seats."""
    tables, counts = np.zeros(deals, STATE), np.zeros(1, COUNTS)
    tables["seed"], tables["deal"], tables["dealer"] = seed, np.arange(deals), NOBODY
    _play(
        tables,
        SICHUAN.rules.of(rules).pack(),
        SICHUAN.luts(),
        np.zeros(SICHUAN.num_actions, np.int8),
        np.zeros(1, SICHUAN.view_dtype),
        new_generator(),
        np.zeros(0, SICHUAN.event),
        counts,
        bot_kernel(bot, SICHUAN),
        SICHUAN.new_deal,
        SICHUAN.legal,
        SICHUAN.step,
        SICHUAN.view,
    )
    total: np.void = counts[0]
    return total

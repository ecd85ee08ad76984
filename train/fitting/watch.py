"""Self-play of one bot, watched: what its seats showed, and what they held.

Tables for bots are fitted on what is written down here. Whatever a table is read by comes out of
a view, whatever it foretells out of the state.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.signs import NUM_SIGNS, discarded_kinds, ready_signs
from mjenv.core.batch import only_action
from mjenv.core.game import NOBODY, NUM_SEATS
from mjenv.core.kernel import kernel, loop
from mjenv.core.rng import new_generator, policy_stream
from mjenv.envs.bots import bot_kernel
from mjenv.sichuan.actions import DISCARD_0
from mjenv.sichuan.analysis import live_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import meld_suits, waits
from mjenv.sichuan.settlement import is_active, ready_fan_of
from mjenv.sichuan.state import NUM_KINDS, STATE, Phase

Function = Callable[..., Any]

DISCARD = np.dtype(
    [
        ("deal", "i4"),
        ("seat", "i1"),  # who discards
        ("wall", "i1"),  # tiles left
        ("kind", "i1"),  # what it discards
        ("hand", "i1", NUM_KINDS),  # before the discard
        ("live", "i1", NUM_KINDS),  # copies it cannot see
        ("active", "i1", NUM_SEATS),  # has not won yet
        ("void", "i1", NUM_SEATS),
        ("melds", "i1", NUM_SEATS),
        ("melded", "i1", NUM_SEATS),  # suits of the melds, bits
        ("discarded", "i4", NUM_SEATS),  # discarded_kinds
        ("signs", "f4", (NUM_SEATS, NUM_SIGNS)),  # ready_signs
        ("hands", "i1", (NUM_SEATS, NUM_KINDS)),  # everybody's, hidden from the discarder
        ("waits", "i4", NUM_SEATS),  # kinds that win, bits; 0 for the discarder
        ("fan", "i1", NUM_SEATS),  # the best of them, 0 if not ready
    ]
)
"""One discard. Seats are those of the table."""

MAX_DISCARDS_A_DEAL = 72


@kernel
def _watch_seat(state: np.void, rules: np.void, luts: np.ndarray, seat: int, out: np.void) -> None:
    """What another seat holds."""
    melds = int(state["num_melds"][seat])
    melded = meld_suits(state["meld_kind"][seat], melds)
    void = int(state["void_suit"][seat])
    kinds = waits(state["suit_key"][seat], melds, melded, void, luts)
    out["waits"][seat] = kinds
    out["fan"][seat] = ready_fan_of(state, rules, luts, seat) if kinds != 0 else 0


@kernel
def _watch_discard(
    state: np.void, rules: np.void, luts: np.ndarray, view: np.void, kind: int, out: np.void
) -> None:
    """Write down a discard that is about to be made."""
    me = int(view["seat"])
    out["deal"], out["seat"], out["kind"] = state["deal"], me, kind
    out["wall"] = view["wall_count"]
    live_counts(view, out["live"])
    signs = np.empty(NUM_SIGNS)
    out["hand"][:] = view["hand"]
    for seat in range(NUM_SEATS):
        out["active"][seat] = 1 if is_active(state, seat) else 0
        out["void"][seat] = view["void_suit"][seat]
        out["melds"][seat] = view["num_melds"][seat]
        out["melded"][seat] = meld_suits(view["meld_kind"][seat], int(view["num_melds"][seat]))
        out["discarded"][seat] = discarded_kinds(view, seat)
        ready_signs(view, seat, signs)
        out["signs"][seat][:] = signs
        out["hands"][seat][:] = state["hand"][seat]
        out["waits"][seat], out["fan"][seat] = 0, 0
        if seat != me and is_active(state, seat):
            _watch_seat(state, rules, luts, seat, out)


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
) -> int:
    """Play the deal of every table to its end; return how many discards were written down."""
    number = 0
    rule = rules[0]
    for i in range(tables.shape[0]):
        state = tables[i]
        new_deal(state, rule, luts)
        while state["actor"] != NOBODY:
            legal(state, rule, luts, mask)
            seat = int(state["actor"])
            decision = int(state["num_decisions"][seat])
            view(state, rule, seat, views[0])
            action = only_action(mask)
            if action < 0:
                policy_stream(rng, int(state["seed"]), int(state["deal"]), seat, decision)
                action = bot(views[0], rule, luts, mask, rng)
            if state["phase"] == Phase.TURN and DISCARD_0 <= action < DISCARD_0 + NUM_KINDS:
                _watch_discard(state, rule, luts, views[0], action - DISCARD_0, out[number])
                number += 1
            step(state, rule, luts, action, log)
    return number


@dataclass(frozen=True)
class Watched:
    """Deals played by one bot in all four seats.

    Attributes:
        discards: ``(M,)`` of :data:`DISCARD`, in the order of play.
        finished: ``(D,)`` states as the deals ended; ``discards["deal"]`` counts from the first.
    """

    discards: np.ndarray
    finished: np.ndarray


def watch(bot: str, rules: Any, deals: int, first: int = 0, seed: int = 1) -> Watched:
    """Play deals ``first`` to ``first + deals - 1`` of a seed, and write down every discard.

    Args:
        bot: Name of a compiled bot.
        rules: Rules, or whatever names them.
        deals: How many.
        first: Number of the first.
        seed: Of the deals.
    """
    tables = np.zeros(deals, STATE)
    tables["seed"], tables["deal"], tables["dealer"] = seed, first + np.arange(deals), NOBODY
    discards = np.zeros(deals * MAX_DISCARDS_A_DEAL, DISCARD)
    number = _play(
        tables,
        SICHUAN.rules.of(rules).pack(),
        SICHUAN.luts(),
        np.zeros(SICHUAN.num_actions, np.int8),
        np.zeros(1, SICHUAN.view_dtype),
        new_generator(),
        np.zeros(0, SICHUAN.event),
        discards,
        bot_kernel(bot, SICHUAN),
        SICHUAN.new_deal,
        SICHUAN.legal,
        SICHUAN.step,
        SICHUAN.view,
    )
    discards = discards[:number]
    discards["deal"] -= first
    return Watched(discards, tables)

"""Menus and transitions: what the acting seat may do, and one decision."""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.actions import DISCARD_0, NUM_DISCARDS, OWN_KONG_0, QUIT, VOID_0, WIN
from mjenv.sichuan.claims import announce_added_kong, answer, claim_menu, discard
from mjenv.sichuan.deal import declare_void, exchange_menu, give_tile, void_menu
from mjenv.sichuan.settlement import end_deal, escape
from mjenv.sichuan.state import End, Phase
from mjenv.sichuan.turn import concealed_kong, own_pung, turn_menu, win_by_self_draw


@kernel
def legal(state: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray) -> None:
    """Write the menu of the acting seat: ``mask``, shape ``(62,)`` int8, 1 = legal."""
    mask[:] = 0
    seat = int(state["actor"])
    phase = state["phase"]
    if phase == Phase.TURN:
        turn_menu(state, rules, luts, seat, mask)
    elif phase == Phase.CLAIM or phase == Phase.ROB:
        claim_menu(state, seat, mask)
    elif phase == Phase.VOID:
        void_menu(state, rules, seat, mask, VOID_0)
    elif phase == Phase.EXCHANGE:
        exchange_menu(state, seat, mask)


@kernel
def _act_in_turn(
    state: np.void, rules: np.void, luts: np.ndarray, log: np.ndarray, seat: int, action: int
) -> None:
    if action == WIN:
        win_by_self_draw(state, rules, luts, log, seat)
    elif action == QUIT:
        escape(state, rules, luts, log, seat)
    elif action < DISCARD_0 + NUM_DISCARDS:
        discard(state, rules, luts, log, seat, action - DISCARD_0)
    else:
        kind = action - OWN_KONG_0
        if own_pung(state, seat, kind) >= 0:
            announce_added_kong(state, rules, luts, log, seat, kind)
        else:
            concealed_kong(state, rules, log, seat, kind)


@kernel
def step(state: np.void, rules: np.void, luts: np.ndarray, action: int, log: np.ndarray) -> None:
    """Carry out one decision of the acting seat; ``action`` must be legal.

    Draws, claims and payments that follow happen at once, up to the next question. ``log`` is a
    buffer of ``EVENT`` records that the caller owns; of length 0 it is off.
    """
    seat = int(state["actor"])
    phase = state["phase"]
    state["num_decisions"][seat] += 1
    if phase == Phase.TURN:
        _act_in_turn(state, rules, luts, log, seat, action)
    elif phase == Phase.CLAIM or phase == Phase.ROB:
        answer(state, rules, luts, log, seat, action)
    elif phase == Phase.VOID:
        declare_void(state, log, seat, action - VOID_0)
    elif phase == Phase.EXCHANGE:
        give_tile(state, rules, log, seat, action - DISCARD_0)
    # Settled here and nowhere deeper: whatever ends a deal only says why.
    if state["end_reason"] != End.NONE:
        end_deal(state, rules, luts, log)

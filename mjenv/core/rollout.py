"""Play states on to the end of their deals, many times over, in one compiled loop.

The loop keeps one world and one table, whatever the number of rollouts. World ``j`` of state ``k``
is a function of the seed, ``k`` and ``j``: what is hidden in it, and what its players draw at
random. So it is the same world for every action that is tried in it, and results depend neither on
how many states nor on how many rollouts are asked for.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mjenv.core.batch import only_action
from mjenv.core.game import NOBODY, NUM_SEATS
from mjenv.core.kernel import kernel, loop
from mjenv.core.rng import Stream, next_bits, policy_stream, start_stream

Function = Callable[..., Any]

NO_ACTION = -1
"""In the place of a first action: leave it out."""

_TO_WORLD_SEED = np.uint64(1)
"""Bits dropped from a word for a seed that is not negative."""


# Why rollouts stop.
NO_FAULT = 0
FIRST_ACTION_FAULT = 1
BOT_FAULT = 2


@kernel
def is_legal(mask: np.ndarray, action: int) -> bool:
    """Whether an action, any number at all, is in a menu."""
    return bool(0 <= action < mask.shape[0] and mask[action] != 0)


@kernel
def _enter_world(
    state: np.void,
    rule: np.void,
    luts: np.ndarray,
    rng: np.ndarray,
    family: int,
    world: int,
    redeal_for: int,
    redeal: Function,
) -> None:
    """Turn a copy of a state into its world number ``world``."""
    start_stream(rng, family, world, Stream.HIDDEN)
    if redeal_for != NOBODY:
        redeal(state, rule, luts, redeal_for, rng)
    state["seed"] = np.int64(next_bits(rng) >> _TO_WORLD_SEED)


@kernel
def _play_on(
    state: np.void,
    rule: np.void,
    luts: np.ndarray,
    mask: np.ndarray,
    views: np.ndarray,
    rng: np.ndarray,
    log: np.ndarray,
    fault: np.ndarray,
    bot0: Function,
    bot1: Function,
    bot2: Function,
    bot3: Function,
    legal: Function,
    step: Function,
    view: Function,
) -> int:
    """Play to the end of the deal; a menu of one action is no question to a bot."""
    while state["actor"] != NOBODY:
        legal(state, rule, luts, mask)
        action = only_action(mask)
        if action < 0:
            seat = int(state["actor"])
            decision = int(state["num_decisions"][seat])
            policy_stream(rng, int(state["seed"]), int(state["deal"]), seat, decision)
            view(state, rule, seat, views[0])
            if seat == 0:
                action = bot0(views[0], rule, luts, mask, rng)
            elif seat == 1:
                action = bot1(views[0], rule, luts, mask, rng)
            elif seat == 2:  # noqa: PLR2004 - a seat
                action = bot2(views[0], rule, luts, mask, rng)
            else:
                action = bot3(views[0], rule, luts, mask, rng)
            if not is_legal(mask, action):
                fault[1] = action
                return BOT_FAULT
        step(state, rule, luts, action, log)
    return NO_FAULT


@loop
def rollout_all(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    actions: np.ndarray,
    redeal_for: np.ndarray,
    seed: int,
    scratch: np.ndarray,
    mask: np.ndarray,
    views: np.ndarray,
    rng: np.ndarray,
    log: np.ndarray,
    fault: np.ndarray,
    out: np.ndarray,
    bot0: Function,
    bot1: Function,
    bot2: Function,
    bot3: Function,
    redeal: Function,
    legal: Function,
    step: Function,
    view: Function,
) -> int:
    """Play every state on in ``n`` worlds, after each of its first actions.

    Args:
        tables: ``(K,)`` states, none of them over; not changed.
        rules: ``(R,)`` packed rules; state ``k`` follows ``rules[k % R]``.
        luts: Lookup tables.
        actions: ``(K, A)`` int64, what the acting seat does first. ``NO_ACTION`` leaves a place
            of ``out`` as it is; with ``A`` of 0 the bots decide from the start.
        redeal_for: ``(K,)`` int8, the seat for which every world is dealt anew where it cannot
            see, ``NOBODY`` for none.
        seed: Of the worlds.
        scratch: ``(2,)`` states; after a fault the second is the table where it happened.
        mask: ``(num_actions,)`` int8 scratch; after a fault the menu.
        views: ``(1,)`` scratch.
        rng: Generator, scratch.
        log: Events, ``(0,)``.
        fault: ``(2,)`` int64, receives the number of the state and the action of a fault.
        out: ``(K, max(A, 1), n, 4)`` int32, receives the units of all seats at the end.
        bot0: Kernel ``(view, rules, luts, mask, rng)`` that plays seat 0.
        bot1: Seat 1.
        bot2: Seat 2.
        bot3: Seat 3.
        redeal: Contract function.
        legal: Contract function.
        step: Contract function.
        view: Contract function.

    Returns:
        ``NO_FAULT``; or ``FIRST_ACTION_FAULT`` or ``BOT_FAULT`` where one is not legal, and then
        ``out`` is incomplete.
    """
    for k in range(tables.shape[0]):
        rule = rules[k % rules.shape[0]]
        fault[0] = k
        legal(tables[k], rule, luts, mask)
        for a in range(actions.shape[1]):
            if actions[k, a] != NO_ACTION and not is_legal(mask, int(actions[k, a])):
                scratch[1] = tables[k]
                fault[1] = actions[k, a]
                return FIRST_ACTION_FAULT
        start_stream(rng, seed, k, Stream.HIDDEN)
        family = int(np.int64(next_bits(rng) >> _TO_WORLD_SEED))
        for world in range(out.shape[2]):
            scratch[0] = tables[k]
            _enter_world(scratch[0], rule, luts, rng, family, world, int(redeal_for[k]), redeal)
            for a in range(out.shape[1]):
                scratch[1] = scratch[0]
                state = scratch[1]
                if actions.shape[1] > 0:
                    if actions[k, a] == NO_ACTION:
                        continue
                    step(state, rule, luts, int(actions[k, a]), log)
                fell = _play_on(
                    state,
                    rule,
                    luts,
                    mask,
                    views,
                    rng,
                    log,
                    fault,
                    bot0,
                    bot1,
                    bot2,
                    bot3,
                    legal,
                    step,
                    view,
                )
                if fell != NO_FAULT:
                    return fell
                for seat in range(NUM_SEATS):
                    out[k, a, world, seat] = state["points"][seat]
    return NO_FAULT

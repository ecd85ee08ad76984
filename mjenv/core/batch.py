"""Loops over many tables, written once for all games.

Every loop takes the kernels of a game as arguments. Table ``i`` plays ``rules[i % len(rules)]``
and has row ``i`` of every array; logs of shape ``(num_tables, 0)`` are off.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mjenv.core.game import NOBODY, NUM_SEATS
from mjenv.core.kernel import kernel, loop
from mjenv.core.rng import below, policy_stream

Function = Callable[..., Any]


@kernel
def only_action(mask: np.ndarray) -> int:
    """The only legal action of a menu, or -1 if there are several."""
    found = -1
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            if found >= 0:
                return -1
            found = action
    return found


@kernel
def random_action(mask: np.ndarray, rng: np.ndarray) -> int:
    """A legal action, each equally likely."""
    count = 0
    for action in range(mask.shape[0]):
        count += int(mask[action])
    chosen = below(rng, count)
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            if chosen == 0:
                return action
            chosen -= 1
    return -1


@kernel
def play_forced(
    state: np.void,
    rule: np.void,
    luts: np.ndarray,
    mask: np.ndarray,
    log: np.ndarray,
    legal: Function,
    step: Function,
) -> None:
    """Write the menu; while it has a single action, play it. Stops at the end of the deal."""
    while state["actor"] != NOBODY:
        legal(state, rule, luts, mask)
        action = only_action(mask)
        if action < 0:
            return
        step(state, rule, luts, action, log)


@loop
def deal_all(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    masks: np.ndarray,
    actors: np.ndarray,
    seed: int,
    logs: np.ndarray,
    skip_forced: int,
    new_deal: Function,
    legal: Function,
    step: Function,
) -> None:
    """Deal 0 of seed ``seed + i`` at table ``i``, with its first menu and actor."""
    for i in range(tables.shape[0]):
        state = tables[i]
        rule = rules[i % rules.shape[0]]
        state["seed"] = seed + i
        state["deal"] = 0
        state["dealer"] = NOBODY
        new_deal(state, rule, luts)
        if skip_forced != 0:
            play_forced(state, rule, luts, masks[i], logs[i], legal, step)
        else:
            legal(state, rule, luts, masks[i])
        actors[i] = state["actor"]


@loop
def step_all(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    actions: np.ndarray,
    masks: np.ndarray,
    actors: np.ndarray,
    rewards: np.ndarray,
    finished: np.ndarray,
    finished_tables: np.ndarray,
    logs: np.ndarray,
    skip_forced: int,
    new_deal: Function,
    legal: Function,
    step: Function,
) -> int:
    """One decision at every table; finished tables go on with their next deal.

    Args:
        tables: ``(N,)`` states.
        rules: ``(R,)`` packed rules.
        luts: Lookup tables.
        actions: ``(N,)`` int64, legal ones.
        masks: ``(N, A)`` int8, receives the next menus.
        actors: ``(N,)`` int8, receives who is asked next.
        rewards: ``(N, 4)`` int32, receives the change of points in units.
        finished: ``(N,)`` states, receives the tables whose deal ended, as they ended.
        finished_tables: ``(N,)`` int32, receives their numbers.
        logs: ``(N, E)`` events; a log starts anew with every deal.
        skip_forced: 1 to play menus of one action at once, their rewards adding up; forced
            decisions stop at the end of a deal, so that at most one deal a table ends.
        new_deal: Contract function.
        legal: Contract function.
        step: Contract function.

    Returns:
        How many deals ended.
    """
    ended = 0
    for i in range(tables.shape[0]):
        state = tables[i]
        rule = rules[i % rules.shape[0]]
        for seat in range(NUM_SEATS):
            rewards[i, seat] = -state["points"][seat]
        step(state, rule, luts, int(actions[i]), logs[i])
        if skip_forced != 0:
            play_forced(state, rule, luts, masks[i], logs[i], legal, step)
        elif state["actor"] != NOBODY:
            legal(state, rule, luts, masks[i])
        for seat in range(NUM_SEATS):
            rewards[i, seat] += state["points"][seat]
        if state["actor"] == NOBODY:
            finished[ended] = tables[i]
            finished_tables[ended] = i
            ended += 1
            state["deal"] += 1
            state["dealer"] = NOBODY
            new_deal(state, rule, luts)
            # No deal can end before somebody had a choice: its first turn is a discard of many.
            if skip_forced != 0:
                play_forced(state, rule, luts, masks[i], logs[i], legal, step)
            else:
                legal(state, rule, luts, masks[i])
        actors[i] = state["actor"]
    return ended


@loop
def observe_all(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    seats: np.ndarray,
    views: np.ndarray,
    out: np.ndarray,
    view: Function,
    observe: Function,
) -> None:
    """Write the observation of seat ``seats[i]`` of table ``i`` to ``out[i]``.

    Args:
        tables: ``(N,)`` states.
        rules: ``(R,)`` packed rules.
        luts: Lookup tables.
        seats: ``(N,)`` int8; a seat of -1 is skipped.
        views: ``(1,)`` scratch.
        out: ``(N, size)`` of the encoding's dtype.
        view: Contract function.
        observe: Contract function.
    """
    for i in range(tables.shape[0]):
        if seats[i] >= 0:
            view(tables[i], rules[i % rules.shape[0]], int(seats[i]), views[0])
            observe(views[0], rules[i % rules.shape[0]], luts, out[i])


@loop
def oracle_all(
    tables: np.ndarray,
    rules: np.ndarray,
    seats: np.ndarray,
    out: np.ndarray,
    oracle: Function,
) -> None:
    """Write everything about table ``i``, as seen from ``seats[i]``, to ``out[i]``."""
    for i in range(tables.shape[0]):
        if seats[i] >= 0:
            oracle(tables[i], rules[i % rules.shape[0]], int(seats[i]), out[i])


@loop
def choose_all(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    masks: np.ndarray,
    players: np.ndarray,
    player: int,
    actions: np.ndarray,
    views: np.ndarray,
    rng: np.ndarray,
    view: Function,
    bot: Function,
) -> None:
    """Let a bot answer wherever it is asked.

    Args:
        tables: ``(N,)`` states.
        rules: ``(R,)`` packed rules.
        luts: Lookup tables.
        masks: ``(N, A)`` menus.
        players: ``(N, 4)`` int8, which player sits where.
        player: The bot's number; only its decisions are written.
        actions: ``(N,)`` int64, receives them.
        views: ``(1,)`` scratch.
        rng: Generator; it is set to the stream of each decision.
        view: Contract function.
        bot: Kernel ``(view, rules, luts, mask, rng)``.
    """
    for i in range(tables.shape[0]):
        state = tables[i]
        seat = int(state["actor"])
        if seat < 0 or players[i, seat] != player:
            continue
        rule = rules[i % rules.shape[0]]
        decision = int(state["num_decisions"][seat])
        policy_stream(rng, int(state["seed"]), int(state["deal"]), seat, decision)
        view(state, rule, seat, views[0])
        actions[i] = bot(views[0], rule, luts, masks[i], rng)


@loop
def play_random(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    masks: np.ndarray,
    rng: np.ndarray,
    rounds: int,
    log: np.ndarray,
    new_deal: Function,
    legal: Function,
    step: Function,
) -> int:
    """Play random legal actions, ``rounds`` decisions a table; return the deals that ended.

    ``rng`` is one generator for all tables: this loop measures the engine.
    """
    deals = 0
    for _ in range(rounds):
        for i in range(tables.shape[0]):
            state = tables[i]
            rule = rules[i % rules.shape[0]]
            legal(state, rule, luts, masks[i])
            step(state, rule, luts, random_action(masks[i], rng), log)
            if state["actor"] == NOBODY:
                deals += 1
                state["deal"] += 1
                state["dealer"] = NOBODY
                new_deal(state, rule, luts)
    return deals


@loop
def play_observed(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    masks: np.ndarray,
    rng: np.ndarray,
    rounds: int,
    log: np.ndarray,
    views: np.ndarray,
    out: np.ndarray,
    new_deal: Function,
    legal: Function,
    step: Function,
    view: Function,
    observe: Function,
) -> int:
    """:func:`play_random` that also writes the observation of the acting seat to ``out[i]``.

    ``views`` is ``(1,)`` scratch, ``out`` ``(N, size)`` of the encoding's dtype.
    """
    deals = 0
    for _ in range(rounds):
        for i in range(tables.shape[0]):
            state = tables[i]
            rule = rules[i % rules.shape[0]]
            legal(state, rule, luts, masks[i])
            view(state, rule, int(state["actor"]), views[0])
            observe(views[0], rule, luts, out[i])
            step(state, rule, luts, random_action(masks[i], rng), log)
            if state["actor"] == NOBODY:
                deals += 1
                state["deal"] += 1
                state["dealer"] = NOBODY
                new_deal(state, rule, luts)
    return deals

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

CALLER = 0
"""The player that loops come back to. Seatings ``(P, S, 4)`` name a player for every seat: in deal
``d`` of table ``i`` they are ``seatings[i % P, d % S]``; 1, 2 and 3 are bots."""
NO_FAULT = -1
"""No bot has answered what was not in its menu."""


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
def first_action(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """A bot that plays the first legal action: what a loop is handed where no bot sits."""
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            return action
    return -1


@kernel
def play_on(
    state: np.void,
    rule: np.void,
    luts: np.ndarray,
    seating: np.ndarray,
    mask: np.ndarray,
    log: np.ndarray,
    skip_forced: int,
    views: np.ndarray,
    rng: np.ndarray,
    legal: Function,
    step: Function,
    view: Function,
    bot_1: Function,
    bot_2: Function,
    bot_3: Function,
) -> int:
    """Play on until the caller is asked or the deal is over; the menu is left in ``mask``.

    Bots answer for themselves, and a menu of a single action is nobody's question to a bot, nor
    to the caller if ``skip_forced`` is 1.

    Returns:
        ``NO_FAULT``, or the answer of a bot that is not in its menu: the table waits for it.
    """
    while state["actor"] != NOBODY:
        legal(state, rule, luts, mask)
        seat = int(state["actor"])
        player = int(seating[seat])
        if player == CALLER and skip_forced == 0:
            return NO_FAULT
        action = only_action(mask)
        if action < 0:
            if player == CALLER:
                return NO_FAULT
            decision = int(state["num_decisions"][seat])
            policy_stream(rng, int(state["seed"]), int(state["deal"]), seat, decision)
            view(state, rule, seat, views[0])
            if player == 1:
                action = bot_1(views[0], rule, luts, mask, rng)
            elif player == 2:  # noqa: PLR2004 - the second bot
                action = bot_2(views[0], rule, luts, mask, rng)
            else:
                action = bot_3(views[0], rule, luts, mask, rng)
            if action < 0 or action >= mask.shape[0] or mask[action] == 0:
                return action if action != NO_FAULT else NO_FAULT - 1
        step(state, rule, luts, action, log)
    for action in range(mask.shape[0]):
        mask[action] = 0
    return NO_FAULT


@loop
def deal_all(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    seatings: np.ndarray,
    dealing: np.ndarray,
    match_length: int,
    masks: np.ndarray,
    actors: np.ndarray,
    fresh: np.ndarray,
    fault: np.ndarray,
    logs: np.ndarray,
    skip_forced: int,
    views: np.ndarray,
    rng: np.ndarray,
    new_deal: Function,
    next_dealer: Function,
    legal: Function,
    step: Function,
    view: Function,
    bot_1: Function,
    bot_2: Function,
    bot_3: Function,
) -> int:
    """The next deal at tables whose deal is over, as far as the first question to the caller.

    Args:
        tables: ``(N,)`` states; they are dealt deal ``deal + 1`` of their seed.
        rules: ``(R,)`` packed rules.
        luts: Lookup tables.
        seatings: ``(P, S, 4)`` int8, see :data:`CALLER`.
        dealing: ``(N,)`` bool, where to deal.
        match_length: Deals of a match; the dealer of its first is left to the dice.
        masks: ``(N, A)`` int8, receives the menus, zeros where the caller was never asked.
        actors: ``(N,)`` int8, receives who is asked.
        fresh: ``(N,)`` bool, is set: what was paid so far belongs to the first step.
        fault: See :func:`step_all`.
        logs: ``(N, E)`` events; a log starts anew with every deal.
        skip_forced: See :func:`play_on`.
        views: ``(1,)`` scratch.
        rng: Scratch generator.
        new_deal: Contract function.
        next_dealer: Contract function.
        legal: Contract function.
        step: Contract function.
        view: Contract function.
        bot_1: Kernel of player 1.
        bot_2: Kernel of player 2.
        bot_3: Kernel of player 3.

    Returns:
        How many of these deals ended without a question to the caller.
    """
    ended = 0
    for i in range(tables.shape[0]):
        if not dealing[i]:
            continue
        state = tables[i]
        rule = rules[i % rules.shape[0]]
        state["deal"] += 1
        deal = int(state["deal"])
        state["dealer"] = NOBODY if deal % match_length == 0 else next_dealer(state, rule)
        new_deal(state, rule, luts)
        fresh[i] = True
        answer = play_on(
            state,
            rule,
            luts,
            seatings[i % seatings.shape[0], deal % seatings.shape[1]],
            masks[i],
            logs[i],
            skip_forced,
            views,
            rng,
            legal,
            step,
            view,
            bot_1,
            bot_2,
            bot_3,
        )
        if answer != NO_FAULT:
            fault[0], fault[1] = i, answer
        actors[i] = state["actor"]
        if state["actor"] == NOBODY:
            ended += 1
    return ended


@loop
def step_all(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    seatings: np.ndarray,
    actions: np.ndarray,
    moving: np.ndarray,
    masks: np.ndarray,
    actors: np.ndarray,
    rewards: np.ndarray,
    fresh: np.ndarray,
    fault: np.ndarray,
    logs: np.ndarray,
    skip_forced: int,
    views: np.ndarray,
    rng: np.ndarray,
    legal: Function,
    step: Function,
    view: Function,
    bot_1: Function,
    bot_2: Function,
    bot_3: Function,
) -> int:
    """One decision of the caller at every table, then on to its next, or the end of the deal.

    Args:
        tables: ``(N,)`` states.
        rules: ``(R,)`` packed rules.
        luts: Lookup tables.
        seatings: ``(P, S, 4)`` int8, see :data:`CALLER`.
        actions: ``(N,)`` int64, legal ones.
        moving: ``(N,)`` bool; the others stay as they are.
        masks: ``(N, A)`` int8, receives the next menus, zeros where the deal is over.
        actors: ``(N,)`` int8, receives who is asked next.
        rewards: ``(N, 4)`` int32, receives the change of points in units since the step before,
            or since the deal began, so that the rewards of a deal add up to its points.
        fresh: ``(N,)`` bool, whether this is the first step in the deal; is cleared.
        fault: ``(2,)`` int64, receives the table of a bot that answered what is not in its menu,
            and the answer; a table left alone otherwise.
        logs: ``(N, E)`` events.
        skip_forced: See :func:`play_on`.
        views: ``(1,)`` scratch.
        rng: Scratch generator.
        legal: Contract function.
        step: Contract function.
        view: Contract function.
        bot_1: Kernel of player 1.
        bot_2: Kernel of player 2.
        bot_3: Kernel of player 3.

    Returns:
        How many deals ended.
    """
    ended = 0
    for i in range(tables.shape[0]):
        state = tables[i]
        for seat in range(NUM_SEATS):
            rewards[i, seat] = 0
        if not moving[i]:
            continue
        if not fresh[i]:
            for seat in range(NUM_SEATS):
                rewards[i, seat] = -state["points"][seat]
        fresh[i] = False
        rule = rules[i % rules.shape[0]]
        step(state, rule, luts, int(actions[i]), logs[i])
        answer = play_on(
            state,
            rule,
            luts,
            seatings[i % seatings.shape[0], int(state["deal"]) % seatings.shape[1]],
            masks[i],
            logs[i],
            skip_forced,
            views,
            rng,
            legal,
            step,
            view,
            bot_1,
            bot_2,
            bot_3,
        )
        if answer != NO_FAULT:
            fault[0], fault[1] = i, answer
        for seat in range(NUM_SEATS):
            rewards[i, seat] += state["points"][seat]
        actors[i] = state["actor"]
        if state["actor"] == NOBODY:
            ended += 1
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

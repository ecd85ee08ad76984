"""The weights of a value whose luck of draws explains most of what self-play came to.

The luck of a seat in a deal is linear in the weights, and so is what is left of its units after it.
Least squares on that finds the weights that leave the least variance. What self-drawn wins pay at
once is known and needs no weight.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from agents.prospects import (
    NOT_THERE,
    NOTES,
    NUM_WEIGHTS,
    PARTS,
    SHARE_PAID,
    features_after,
    note_before,
)
from agents.value import paid_by, shares_prospects
from mjenv.core.batch import only_action
from mjenv.core.game import NOBODY, NUM_SEATS
from mjenv.core.kernel import kernel, loop
from mjenv.core.rng import new_generator, policy_stream
from mjenv.envs.bots import bot_kernel
from mjenv.sichuan.draws import wall_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import add_tile, remove_tile
from mjenv.sichuan.state import NUM_KINDS, STATE
from mjenv.sichuan.tally import has_drawn

Function = Callable[..., Any]

_DEALS_AT_ONCE = 500


@kernel
def _add_luck(
    state: np.void,
    rules: np.void,
    features: np.ndarray,
    ahead: np.ndarray,
    paid: int,
    times: float,
    out: np.ndarray,
    known: np.ndarray,
) -> None:
    """Add one possible draw, ``times`` over, to the luck of all seats: by weights, and known."""
    still_in = 0
    for seat in range(NUM_SEATS):
        still_in += 1 if shares_prospects(state, rules, seat, paid) else 0
    for seat in range(NUM_SEATS):
        known[seat] += times * paid_by(state, seat, paid)
        out[seat, SHARE_PAID] += times * int(ahead[seat])
        if still_in <= 1 or not shares_prospects(state, rules, seat, paid):
            continue
        for part in range(PARTS):
            feature = int(features[seat, part])
            if feature == NOT_THERE:
                continue
            out[seat, feature] += times
            for other in range(NUM_SEATS):
                if other != seat and shares_prospects(state, rules, other, paid):
                    out[other, feature] -= times / (still_in - 1)


@kernel
def _add_draw(
    state: np.void, rules: np.void, luts: np.ndarray, out: np.ndarray, known: np.ndarray
) -> None:
    """Add the draw that has just been made."""
    drawer, drawn = int(state["turn"]), int(state["drawn"])
    wall = np.empty(NUM_KINDS, np.int8)
    wall_counts(state, wall)
    wall[drawn] += 1
    size = 0
    for kind in range(NUM_KINDS):
        size += int(wall[kind])
    before = np.empty((NUM_SEATS, NOTES), np.int64)
    note_before(state, rules, luts, before)
    features = np.empty((NUM_SEATS, PARTS), np.int64)
    ahead = np.empty(NUM_SEATS, np.int64)
    remove_tile(state, drawer, drawn)
    for kind in range(NUM_KINDS):
        if wall[kind] == 0:
            continue
        times = (1.0 if kind == drawn else 0.0) - int(wall[kind]) / size
        add_tile(state, drawer, kind)
        state["drawn"] = kind
        wall[kind] -= 1
        paid = features_after(state, rules, luts, before, wall, features, ahead)
        wall[kind] += 1
        _add_luck(state, rules, features, ahead, paid, times, out, known)
        remove_tile(state, drawer, kind)
    add_tile(state, drawer, drawn)
    state["drawn"] = drawn


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
    known: np.ndarray,
    bot: Function,
    new_deal: Function,
    legal: Function,
    step: Function,
    view: Function,
) -> None:
    """Play the deal of every table to its end, and write down the luck of all its draws."""
    rule = rules[0]
    seen = np.empty(NUM_SEATS, np.int8)
    for i in range(tables.shape[0]):
        state = tables[i]
        new_deal(state, rule, luts)
        seen[:] = 0
        while state["actor"] != NOBODY:
            if has_drawn(state, seen):
                _add_draw(state, rule, luts, out[i], known[i])
            legal(state, rule, luts, mask)
            action = only_action(mask)
            if action < 0:
                seat = int(state["actor"])
                decision = int(state["num_decisions"][seat])
                policy_stream(rng, int(state["seed"]), int(state["deal"]), seat, decision)
                view(state, rule, seat, views[0])
                action = bot(views[0], rule, luts, mask, rng)
            step(state, rule, luts, action, log)


def watch_luck(
    bot: str, rules: Any, deals: int, first: int = 0, seed: int = 1
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play deals of one bot in all four seats.

    Returns:
        ``(D, 4, NUM_WEIGHTS)`` luck of every seat by weights, ``(D, 4)`` luck that needs none,
        and ``(D, 4)`` units at the end.
    """
    tables = np.zeros(deals, STATE)
    tables["seed"], tables["deal"], tables["dealer"] = seed, first + np.arange(deals), NOBODY
    luck, known = np.zeros((deals, NUM_SEATS, NUM_WEIGHTS)), np.zeros((deals, NUM_SEATS))
    _play(
        tables,
        SICHUAN.rules.of(rules).pack(),
        SICHUAN.luts(),
        np.zeros(SICHUAN.num_actions, np.int8),
        np.zeros(1, SICHUAN.view_dtype),
        new_generator(),
        np.zeros(0, SICHUAN.event),
        luck,
        known,
        bot_kernel(bot, SICHUAN),
        SICHUAN.new_deal,
        SICHUAN.legal,
        SICHUAN.step,
        SICHUAN.view,
    )
    return luck, known, tables["points"].astype(np.float64)


def equations(
    bot: str, rules: Any, deals: int, first: int = 0, seed: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """The normal equations of least squares over deals and seats: products and targets."""
    products, targets = np.zeros((NUM_WEIGHTS, NUM_WEIGHTS)), np.zeros(NUM_WEIGHTS)
    for start in range(first, first + deals, _DEALS_AT_ONCE):
        number = min(_DEALS_AT_ONCE, first + deals - start)
        luck, known, units = watch_luck(bot, rules, number, start, seed)
        rows = luck.reshape(-1, NUM_WEIGHTS)
        products += rows.T @ rows
        targets += rows.T @ (units - known).ravel()
    return products, targets


def fit_weights(
    bot: str, rules: Any, deals: int, first: int = 0, seed: int = 1, penalty: float = 5.0
) -> np.ndarray:
    """Weights ``(NUM_WEIGHTS,)``, drawn to 0 by ``penalty`` times the sum of their squares."""
    products, targets = equations(bot, rules, deals, first, seed)
    weights: np.ndarray = np.linalg.solve(products + penalty * np.eye(NUM_WEIGHTS), targets)
    return weights

"""Random play in one compiled loop: how fast a game is by itself.

Both loops take the kernels of a game. Table ``i`` plays ``rules[i % len(rules)]``.
"""

import numpy as np

from mjenv.core.batch import Function, random_action
from mjenv.core.game import NOBODY
from mjenv.core.kernel import loop


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

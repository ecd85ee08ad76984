"""Time per decision: how long an agent thinks about one question asked alone.

The questions are those of deals that the line-up of :data:`REFERENCE` plays against itself, without
those that leave no choice. All agents are asked the same ones.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from mjenv.agent import VIEW, Agent, ask_at_tables, check_agent
from mjenv.core.batch import choose_all, first_action, observe_all, only_action
from mjenv.core.cells import copy_records
from mjenv.core.game import NOBODY, NUM_SEATS, Game, Views
from mjenv.core.kernel import Argument, entry_point
from mjenv.core.questions import policy_streams, view_all
from mjenv.core.rng import new_generator
from mjenv.envs.bots import bot_kernel
from mjenv.errors import AgentError
from mjenv.registry import make_agent
from mjenv.sichuan.game import SICHUAN

REFERENCE = "greedy/1"
DEALS = 20
"""Nearly 50 questions a deal: enough for a p99."""
ROUNDS = 3
PATIENCE = 10.0
"""Seconds after which an agent that has not answered all questions is asked no more of them."""
Clock = Callable[[], float]


def decision_times(
    agent: Agent,
    rules: Any = "qq",
    deals: int = DEALS,
    seed: int = 1,
    *,
    game: Game = SICHUAN,
    rounds: int = ROUNDS,
    clock: Clock = time.perf_counter,
) -> np.ndarray:
    """Ask an agent every question of some deals, one at a time.

    All questions are asked once without being timed, then ``rounds`` times over, and of the times
    of a question the least counts: what else a machine does comes and goes, the agent's own work
    stays. Making the observation is not part of it. Of a compiled bot the kernel is timed as batch
    loops call it: what the same call takes with a kernel that plays the first legal action (into
    compiled code, the view, the generator) is taken off. A slow agent is asked a sample only: as
    many questions as it answers in :data:`PATIENCE` seconds.

    Args:
        agent: Who is asked.
        rules: Rules, or whatever names them.
        deals: How many deals the questions are of.
        seed: Of the deals.
        game: What is played.
        rounds: How often each question is timed.
        clock: In seconds.

    Returns:
        ``(questions,)`` float64, seconds for each that was answered, in no order.

    Raises:
        AgentError: It cannot play the game, or there are no deals or rounds.
    """
    for name, number in (("deals", deals), ("rounds", rounds)):
        if number < 1:
            raise AgentError(f"{name}: got {number}; allowed: at least 1")
    check_agent(agent, game)
    packed = game.rules.of(rules).pack()
    tables, masks = _questions(game, packed, deals, seed)
    if getattr(agent, "kernel", None) is None:
        return _least(_in_python(agent, game, packed, tables, masks), len(tables), rounds, clock)
    seconds, overhead = (
        _least(_compiled(kernel, game, packed, tables, masks), len(tables), rounds, clock)
        for kernel in (bot_kernel(agent, game), game.bot(first_action))
    )
    least: np.ndarray = np.maximum(seconds - np.median(overhead), 0)
    return least


def percentiles(seconds: np.ndarray) -> dict[str, float]:
    """``p50`` and ``p99`` of times, in seconds."""
    p50, p99 = np.percentile(seconds, [50, 99])
    return {"p50": float(p50), "p99": float(p99)}


def _least(ask: Callable[[int], object], number: int, rounds: int, clock: Clock) -> np.ndarray:
    """The least time of every question, whose rounds lie far apart."""
    # In no order, so that those that a slow agent answers are of all parts of the deals.
    order = np.random.default_rng(0).permutation(number).tolist()
    patience, answered = time.monotonic() + PATIENCE, 0
    while answered < number and (answered == 0 or time.monotonic() < patience):
        ask(order[answered])
        answered += 1
    seconds = np.full(answered, np.inf)
    for _ in range(rounds):
        for i, question in enumerate(order[:answered]):
            start = clock()
            ask(question)
            seconds[i] = min(seconds[i], clock() - start)
    return seconds


# ------------------------------------------------------------------------------------- questions


def _questions(
    game: Game, rules: np.ndarray, deals: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Tables ``(N,)`` that ask somebody, and the menus ``(N, A)``."""
    luts, log = game.luts(), np.zeros(0, game.event)
    table, mask = np.zeros(1, game.state), np.zeros((1, game.num_actions), np.int8)
    choose, action = _asker(make_agent(REFERENCE, game.name), game, rules, table, mask)
    found, menus = [], []
    for deal in range(deals):
        table["seed"], table["deal"], table["dealer"] = seed, deal, NOBODY
        game.deal_at(table, 0, rules, luts, mask[0])
        while table["actor"][0] != NOBODY:
            if only_action(mask[0]) < 0:
                found.append(copy_records(table))
                menus.append(mask.copy())
            choose()
            game.step_at(table, 0, rules, luts, int(action[0]), log, mask[0])
    return np.concatenate(found), np.concatenate(menus)


def _asker(
    bot: Any, game: Game, rules: np.ndarray, table: np.ndarray, mask: np.ndarray
) -> tuple[Callable[[], None], np.ndarray]:
    """A function that asks a bot at one table, and the array that receives the answer."""
    action = np.zeros(1, np.int64)
    arguments = _choosing(bot.kernel, game, rules, table, mask, action)
    code = entry_point(choose_all, *arguments)
    return lambda: code(*arguments), action


def _choosing(
    kernel: Argument,
    game: Game,
    rules: np.ndarray,
    table: np.ndarray,
    mask: np.ndarray,
    action: np.ndarray,
) -> tuple[Any, ...]:
    """Arguments of ``choose_all`` for a kernel in all seats of a table."""
    seats = np.zeros((1, NUM_SEATS), np.int8)
    views, rng = np.zeros(1, game.view_dtype), new_generator()
    fixed = (table, rules, game.luts(), mask, seats, 0, action, views, rng)
    return (*fixed, game.view, kernel)


def _compiled(
    kernel: Argument, game: Game, rules: np.ndarray, tables: np.ndarray, masks: np.ndarray
) -> Callable[[int], object]:
    """What asks a kernel question ``i``."""
    action = np.zeros(1, np.int64)
    asked = [
        _choosing(kernel, game, rules, tables[i : i + 1], masks[i : i + 1], action)
        for i in range(len(tables))
    ]
    code = entry_point(choose_all, *asked[0])
    return lambda i: code(*asked[i])


def _in_python(
    agent: Agent, game: Game, rules: np.ndarray, tables: np.ndarray, masks: np.ndarray
) -> Callable[[int], object]:
    """What asks an agent question ``i``, whose observation has been made before."""
    seats = np.ascontiguousarray(tables["actor"])
    streams = np.ones(len(tables), np.uint64)
    policy_streams(tables, seats, streams)
    observed = _observations(agent, game, rules, tables, seats)
    copies = [copy_records(rules) for _ in tables]  # the agent's own, and none of its time

    def ask(i: int) -> np.ndarray:
        one = slice(i, i + 1)
        shown: Any = observed[one]
        if agent.observation == VIEW:
            shown = Views(shown, copies[i])
        # What an agent draws from its generator moves it on.
        rng = streams[one].copy()
        return ask_at_tables(agent, game, tables[one], seats[one], shown, masks[one], rng)

    return ask


def _observations(
    agent: Agent, game: Game, rules: np.ndarray, tables: np.ndarray, seats: np.ndarray
) -> np.ndarray:
    """What the agent is shown of every table."""
    if agent.observation == VIEW:
        views = np.zeros(len(tables), game.view_dtype)
        view_all(tables, rules, seats, views, game.view)
        return views
    encoding = game.encodings[agent.observation]
    out = np.zeros((len(tables), encoding.size), encoding.dtype)
    scratch = np.zeros(1, game.view_dtype)
    observe_all(tables, rules, game.luts(), seats, scratch, out, game.view, encoding.observe)
    return out.reshape(len(tables), *encoding.shape)

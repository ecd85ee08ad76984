"""Compile everything ahead of time."""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from mjenv.core.game import Game
from mjenv.core.kernel import kernel
from mjenv.core.rng import new_generator
from mjenv.envs.batch import Batch
from mjenv.envs.deals import ResetOptions
from mjenv.envs.one_table import OneTable
from mjenv.games import GAMES

Job = tuple[str, Callable[[], object]]


def warm_up(*, quiet: bool = False) -> float:
    """Compile what tables and environments use, so that nothing waits for it later.

    Compiled code and lookup tables are kept on disk, for other processes too: a second call is
    quick. Call it once when a container image is built, or before many workers start.

    Args:
        quiet: Report no progress on the standard error stream.

    Returns:
        Seconds it took.
    """
    begin = time.perf_counter()
    jobs = [job for game in GAMES.values() for job in _jobs(game)]
    for number, (name, run) in enumerate(jobs, 1):
        before = time.perf_counter()
        run()
        if not quiet:
            seconds = time.perf_counter() - before
            print(f"mjenv: {number}/{len(jobs)} {name}, {seconds:.1f} s", file=sys.stderr)
    return time.perf_counter() - begin


def _jobs(game: Game) -> Iterator[Job]:
    """What compiles a game, by name."""
    yield f"{game.name}: lookup tables", game.luts
    for observation in game.encodings:
        yield f"{game.name}: one table with {observation}", partial(_one_table, game, observation)
    yield f"{game.name}: search", partial(_search, game)
    for observation in game.encodings:
        yield f"{game.name}: many tables with {observation}", partial(_batch, game, observation)


def _one_table(game: Game, observation: str) -> None:
    table = OneTable(game, game.rules(), observation, keep_log=False)
    table.deal(0, 0, ResetOptions())
    table.deal(0, 0, ResetOptions(wall=table.states["wall"][0].copy()))
    actor = table.actor()
    mask = table.observe(actor)["action_mask"]
    table.oracle(actor)
    table.step(int(mask.argmax()))
    table.next_dealer()


def _search(game: Game) -> None:
    table = OneTable(game, game.rules(), next(iter(game.encodings)), keep_log=False)
    table.deal(0, 0, ResetOptions())
    views = np.zeros(1, game.view_dtype)
    mask = np.zeros(game.num_actions, np.int8)
    game.view_at(table.states, 0, table.rules, table.actor(), views)
    game.redeal_at(table.states, 0, table.rules, game.luts(), table.actor(), new_generator())
    game.legal_at(table.states, 0, table.rules, game.luts(), mask)


@kernel
def _first_legal(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    return int(np.argmax(mask))


def _batch(game: Game, observation: str) -> None:
    batch = Batch(2, game.rules(), observation=observation, game=game.name)
    actions = np.zeros(2, np.int64)
    batch.observe()
    batch.oracle()
    batch.choose(game.bot(_first_legal), 0, np.zeros((2, 4), np.int8), actions)
    batch.step(actions)

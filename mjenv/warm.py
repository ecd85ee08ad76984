"""Compile everything ahead of time."""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from mjenv.agent import VIEW
from mjenv.core.cases import Fields, Outcome
from mjenv.core.game import Game, Views
from mjenv.core.kernel import kernel
from mjenv.core.rng import new_generator
from mjenv.envs.batch import Batch
from mjenv.envs.deals import ResetOptions
from mjenv.envs.one_table import OneTable
from mjenv.envs.opponents import PolicyAgent
from mjenv.envs.single import SingleSeat
from mjenv.envs.vector import SingleSeats
from mjenv.errors import MjenvError
from mjenv.games import GAMES
from mjenv.registry import list_agents, make_agent
from mjenv.sichuan.cases import answer as answer_sichuan
from mjenv.table import Table

KONG_SEED = 7
"""Of a deal in which a kong is declared."""

Job = tuple[str, Callable[[], object]]

ANSWERS: dict[str, Callable[[Fields], Outcome]] = {"sichuan": answer_sichuan}
"""What answers rule cases, by game."""
_WAITING = {"hand": "123m456m789m11p55p"}
_HANDS = [_WAITING, {"hand": "123m456m789m22p66p"}, {"hand": "147m258m369m1234p"}, _WAITING]
CASES: dict[str, list[dict[str, object]]] = {
    "sichuan": [
        {"type": "fan", **_WAITING, "win": "5p", "by": "discard"},
        {"type": "not_win", **_WAITING, "win": "9s"},
        {"type": "waits", **_WAITING},
        {
            "type": "settle",
            "events": [
                {"ev": "kong", "seat": 0, "kind": "concealed"},
                {"ev": "discard_passed"},
                {"ev": "win", "winners": [1], "fans": [1], "from": 0},
                {"ev": "flow", "pigs": [0], "unready": [2], "ready": {"3": 1}},
            ],
        },
        {"type": "escape", "events": [{"ev": "escape", "seat": 0}]},
        {"type": "flow_hands", "players": _HANDS},
        {"type": "next_dealer", "state": {"dealer": 0, "end": "flow"}},
    ],
}
"""Cases that between them reach every kernel that cases and ``mjenv score`` need, by game."""


def warm_up(*, quiet: bool = False) -> float:
    """Compile what tables, environments and bots use, so that nothing waits for it later.

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
    yield f"{game.name}: search, records and positions", partial(_table, game)
    for observation in game.encodings:
        yield f"{game.name}: many tables with {observation}", partial(_batch, game, observation)
    yield f"{game.name}: learners and opponents", partial(_learners, game)
    if game.name in ANSWERS:
        yield f"{game.name}: hands and rule cases", partial(_cases, game)
    for name in list_agents():
        yield f"{game.name}: {name}", partial(_bot, game, name)


def _one_table(game: Game, observation: str) -> None:
    table = OneTable(game, game.rules(), observation, keep_log=False)
    table.deal(0, 0, ResetOptions())
    table.deal(0, 0, ResetOptions(wall=table.states["wall"][0].copy()))
    actor = table.actor()
    mask = table.observe(actor)["action_mask"]
    table.oracle(actor)
    table.step(int(mask.argmax()))
    table.next_dealer()


def _table(game: Game) -> None:
    table = Table(game.rules(), KONG_SEED)
    table.view(table.actor)
    table.redeal_hidden(table.actor, seed=0)
    # To the end, and with kongs: what there is to check of a position grows with what has happened.
    while not table.over:
        menu = table.legal_actions()
        table.step(next((action for action in menu if action.startswith("kong")), menu[0]))
    table.record()
    Table.from_position(table.to_position())


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
    batch.rollout(None, game.bot(_first_legal))


def _policy(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    actions: np.ndarray = masks.argmax(axis=1)
    return actions


def _learners(game: Game) -> None:
    """Opponents that answer in Python, shown cells or views, at one table and at many."""
    for observation in (*game.encodings, VIEW):
        opponents = PolicyAgent(_policy, game, observation)
        one = SingleSeat(opponents, game.rules(), game=game.name)
        shown, _ = one.reset(seed=0)
        one.step(int(shown["action_mask"].argmax()))
        many = SingleSeats(2, opponents, game.rules(), game=game.name)
        shown, _ = many.reset(seed=0)
        many.step(shown["action_mask"].argmax(axis=1))
        many.step(np.full(2, -1))  # what is illegal ends an episode: final observations


def _cases(game: Game) -> None:
    for case in CASES[game.name]:
        ANSWERS[game.name](Fields({"preset": "qq", **case}))


def _bot(game: Game, name: str) -> None:
    """Compile a bot for loops and for single questions; what is no bot of this game is left."""
    try:
        agent = make_agent(name, game.name)
    except MjenvError:
        return
    kernel = getattr(agent, "kernel", None)
    if kernel is None:
        return
    batch = Batch(4, game.rules(), game=game.name)
    batch.rollout(None, kernel)
    table = Table(game.rules())
    agent.act(
        Views(table.view(table.actor), game.rules().pack()),
        table.legal_mask()[np.newaxis],
        new_generator(),
    )

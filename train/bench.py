"""Decisions per second of every layer on this machine, for ``mjenv bench``.

Everything runs in one process on one core. A layer is played until it is warm, then measured
several times; the median counts.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

import numpy as np

from mjenv import sichuan_v0
from mjenv.core.cells import copy_records
from mjenv.core.game import NUM_SEATS
from mjenv.core.random_play import play_observed, play_random
from mjenv.core.rng import new_generator
from mjenv.envs.batch import Batch
from mjenv.envs.bots import bot_kernel
from mjenv.envs.single import SingleSeat
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules
from mjenv.table import Table
from train import bench_tables

SEED = 1
NUM_TABLES = 256
"""Tables of the batched layers: few enough to stay in the cache, as in training."""
NUM_ENVS = 1024
"""Tables of the vector environment."""
MIDDLE = 30
"""Decisions before a table is copied."""
ROLLOUT_TABLES = 16
REPEATS = 5
DEFAULT_SECONDS = 3.0

NEEDED_BY_TRAINING = ("jsonargparse", "rich", "safetensors", "tensorboard", "torch")

Chunk = Callable[[], int]
"""Plays a little and returns how many decisions that were."""


@dataclass(frozen=True)
class Layer:
    """Something to measure.

    Attributes:
        name: Its name.
        what_is_counted: In words.
        prepare: Builds what is played; what it returns is timed.
    """

    name: str
    what_is_counted: str
    prepare: Callable[[], Chunk]


@dataclass(frozen=True)
class Speed:
    """How fast a layer is.

    Attributes:
        name: Of the layer.
        decisions_per_second: Median over the repeats.
        what_is_counted: In words.
    """

    name: str
    decisions_per_second: float
    what_is_counted: str


def measure(
    layers: Sequence[Layer],
    seconds: float = DEFAULT_SECONDS,
    repeats: int = REPEATS,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Speed]:
    """Measure layers one after the other.

    Args:
        layers: See :data:`LAYERS`.
        seconds: For each layer, all repeats together.
        repeats: How often each is measured; less often where that would take much longer.
        clock: In seconds; :func:`time.process_time` where others use the machine as well.
    """
    for layer in layers:
        chunk = layer.prepare()
        chunk()  # compiles
        start = clock()
        _rate(chunk, seconds / repeats, clock)
        # What takes longer than its share is repeated less often.
        times = repeats if seconds <= 0 else round(seconds / (clock() - start))
        share = seconds / repeats
        rates = [_rate(chunk, share, clock) for _ in range(min(max(times, 1), repeats))]
        yield Speed(layer.name, round(statistics.median(rates), 1), layer.what_is_counted)


def _rate(chunk: Chunk, seconds: float, clock: Callable[[], float]) -> float:
    decisions, start = 0, clock()
    while True:
        decisions += chunk()
        passed = clock() - start
        if passed >= seconds:
            return decisions / passed


# ---------------------------------------------------------------------------------------- layers


class _Tables:
    """Tables at play, and the arguments that the loops of ``core.batch`` share."""

    def __init__(self) -> None:
        self.rules = Rules.preset("qq").pack()
        self.luts = SICHUAN.luts()
        self.tables = Batch(NUM_TABLES, "qq", SEED).tables
        self.masks = np.zeros((NUM_TABLES, SICHUAN.num_actions), np.int8)
        self.rng = new_generator()
        self.rng[0] = SEED


def step_masks() -> Chunk:
    """Random play of the engine."""
    at = _Tables()
    log = np.zeros(0, SICHUAN.event)
    rounds = 100

    def chunk() -> int:
        play_random(
            at.tables,
            at.rules,
            at.luts,
            at.masks,
            at.rng,
            rounds,
            log,
            SICHUAN.new_deal,
            SICHUAN.legal,
            SICHUAN.step,
        )
        return rounds * NUM_TABLES

    return chunk


def step_encoded(encoding: str) -> Chunk:
    """Random play of the engine with an observation for every decision."""
    at = _Tables()
    log = np.zeros(0, SICHUAN.event)
    views = np.zeros(1, SICHUAN.view_dtype)
    form = SICHUAN.encodings[encoding]
    out = np.zeros((NUM_TABLES, form.size), form.dtype)
    rounds = 50

    def chunk() -> int:
        play_observed(
            at.tables,
            at.rules,
            at.luts,
            at.masks,
            at.rng,
            rounds,
            log,
            views,
            out,
            SICHUAN.new_deal,
            SICHUAN.legal,
            SICHUAN.step,
            SICHUAN.view,
            form.observe,
        )
        return rounds * NUM_TABLES

    return chunk


def greedy_batch() -> Chunk:
    """Four greedy bots at every table of a batch."""
    batch = Batch(NUM_TABLES, "qq", SEED)
    kernel = bot_kernel("greedy/1", SICHUAN)
    players = np.zeros((NUM_TABLES, NUM_SEATS), np.int8)
    actions = np.zeros(NUM_TABLES, np.int64)
    rounds = 20

    def chunk() -> int:
        for _ in range(rounds):
            batch.choose(kernel, 0, players, actions)
            batch.step(actions)
        return rounds * NUM_TABLES

    return chunk


def single_env() -> Chunk:
    """One learner that plays at random against three greedy bots."""
    env = SingleSeat("greedy/1")
    env.reset(seed=SEED)
    choice = random.Random(SEED)
    deals = 5

    def chunk() -> int:
        steps = 0
        for _ in range(deals):
            shown, over = env.reset()[0], False
            while not over:
                legal = shown["action_mask"].nonzero()[0]
                shown, _, over, _, _ = env.step(legal[int(choice.random() * len(legal))])
                steps += 1
        return steps

    return chunk


def aec_raw() -> Chunk:
    """One table as PettingZoo's loop plays it."""
    env = sichuan_v0.raw_env(rules="qq")
    env.reset(seed=SEED)
    choice = random.Random(SEED)
    deals = 5

    def chunk() -> int:
        turns = 0
        for _ in range(deals):
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                assert observation is not None
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal[int(choice.random() * len(legal))])
                turns += 1
        return turns

    return chunk


def table_clone() -> Chunk:
    """Copies of a table in the middle of a deal."""
    table = Table("qq", SEED)
    for _ in range(MIDDLE):
        table.step(table.legal_actions()[0])
    clones = 1000

    def chunk() -> int:
        for _ in range(clones):
            table.clone()
        return clones

    return chunk


def batch_clone() -> Chunk:
    """Copies of all tables of a batch."""
    tables = Batch(NUM_TABLES, "qq", SEED).tables
    copy = copy_records(tables)
    clones = 20

    def chunk() -> int:
        for _ in range(clones):
            copy_records(tables, out=copy)
        return clones * NUM_TABLES

    return chunk


def rollouts() -> Chunk:
    """Deals played on from their middle."""
    batch = Batch(ROLLOUT_TABLES, "qq", SEED)
    for _ in range(MIDDLE):
        batch.step(batch.masks.argmax(axis=1))
    worlds = 4

    def chunk() -> int:
        batch.rollout(None, "greedy/1", worlds, redeal_for=batch.actors)
        return worlds * ROLLOUT_TABLES

    return chunk


def ppo() -> Chunk:
    """Iterations of training: playing and learning."""
    from train.config import TrainConfig
    from train.ppo import Trainer

    trainer = Trainer(TrainConfig())

    def chunk() -> int:
        before = trainer.decisions
        trainer.iterate()
        return trainer.decisions - before

    return chunk


def _layers() -> Iterator[Layer]:
    one_core = f"one core, {NUM_TABLES} tables, rules qq"
    yield Layer(
        "step_masks",
        f"random legal actions with the menu of each; {one_core}, one compiled loop",
        step_masks,
    )
    for name in ("planes", "vector", "tokens"):
        encoding = f"{name}/1"
        yield Layer(
            f"step_{name}",
            f"the same with view and {encoding} of the acting seat",
            partial(step_encoded, encoding),
        )
    yield Layer(
        "greedy_batch",
        f"choices of four greedy/1 and their steps; {one_core}, two calls a step",
        greedy_batch,
    )
    yield Layer(
        "batch_planes",
        f"Batch.observe() with planes/1 and Batch.step(), random legal actions drawn by NumPy; "
        f"{one_core}",
        lambda: bench_tables.batch_drawn(NUM_TABLES, "planes/1"),
    )
    yield Layer(
        "vector_env",
        f"decisions of learners and opponents; make_vec, {NUM_ENVS} tables, planes/1, rules qq, a "
        "random legal learner against three greedy/1 at each; one core, one call a step",
        lambda: bench_tables.vector_env(NUM_ENVS),
    )
    yield Layer(
        "single_env",
        "steps of one learner, not of its three greedy/1; mjenv/Sichuan-v0, planes/1, rules qq",
        single_env,
    )
    yield Layer(
        "aec_raw",
        "turns of sichuan_v0.raw_env, last() and step(), random legal actions; one table",
        aec_raw,
    )
    yield Layer("table_clone", "calls of Table.clone() in the middle of a deal", table_clone)
    yield Layer(
        "batch_clone",
        f"tables copied, {NUM_TABLES} in a call, into an array that is there",
        batch_clone,
    )
    yield Layer(
        "rollouts",
        f"deals, not decisions: redealt and played on by four greedy/1 from decision {MIDDLE} to "
        "the end; one core",
        rollouts,
    )
    if all(find_spec(name) is not None for name in NEEDED_BY_TRAINING):
        yield Layer(
            "ppo",
            "decisions trained on, playing and learning; default configuration of mjenv train, "
            "the only layer on several threads",
            ppo,
        )


LAYERS = tuple(_layers())
"""Every layer there is, the fastest first."""

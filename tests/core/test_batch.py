"""Loops over many tables do what the entry kernels do one table at a time."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mjenv.core import batch
from mjenv.core.kernel import JIT_DISABLED, kernel
from mjenv.core.random_play import play_observed, play_random
from mjenv.core.rng import new_generator, policy_stream
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.presets import PRESETS
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NO_SEAT, STATE, VIEW, Phase
from tests.sichuan.players import patient, tidy

TABLES = 12
SEED = 700
STEPS = 400
LUTS = SICHUAN.luts()
RULES = [Rules.preset(name).pack() for name in PRESETS]
QQ = PRESETS.index("qq")
"""A table with void suits, which leave many decisions without a choice."""

PACKED = np.concatenate(RULES)
PLANES = SICHUAN.encodings["planes/1"]

CALLERS = np.zeros((1, 1, 4), np.int8)


class Tables:
    """Arrays of a batch of the blood battle, and its loops."""

    def __init__(
        self,
        log_size: int = 0,
        skip_forced: bool = False,
        seatings: np.ndarray = CALLERS,
        bots: tuple[Any, ...] = (batch.first_action,) * 3,
    ) -> None:
        self.seatings = seatings
        self.bots = [SICHUAN.bot(bot) for bot in bots]
        self.skip_forced = int(skip_forced)
        self.tables = np.zeros(TABLES, STATE)
        self.masks = np.zeros((TABLES, SICHUAN.num_actions), np.int8)
        self.actors = np.zeros(TABLES, np.int8)
        self.actions = np.zeros(TABLES, np.int64)
        self.rewards = np.zeros((TABLES, 4), np.int32)
        self.fresh = np.zeros(TABLES, bool)
        self.fault = np.full(2, -1, np.int64)
        self.logs = np.zeros((TABLES, log_size), SICHUAN.event)
        self.views = np.zeros(1, VIEW)
        self.rng = new_generator()
        self.tables["seed"] = SEED + np.arange(TABLES)
        self.tables["deal"] = -1
        assert self.deal(np.ones(TABLES, bool)) == 0

    def deal(self, dealing: np.ndarray) -> int:
        return int(
            batch.deal_all(
                self.tables,
                PACKED,
                LUTS,
                self.seatings,
                dealing,
                1,
                self.masks,
                self.actors,
                self.fresh,
                self.fault,
                self.logs,
                self.skip_forced,
                self.views,
                self.rng,
                SICHUAN.new_deal,
                SICHUAN.next_dealer,
                SICHUAN.legal,
                SICHUAN.step,
                SICHUAN.view,
                *self.bots,
            )
        )

    def choose(self, bot: Any, players: np.ndarray, player: int) -> None:
        batch.choose_all(
            self.tables,
            PACKED,
            LUTS,
            self.masks,
            players,
            player,
            self.actions,
            self.views,
            self.rng,
            SICHUAN.view,
            SICHUAN.bot(bot),
        )

    def step(self, moving: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Step and deal anew; which tables were over, and their states then."""
        number = batch.step_all(
            self.tables,
            PACKED,
            LUTS,
            self.seatings,
            self.actions,
            np.ones(TABLES, bool) if moving is None else moving,
            self.masks,
            self.actors,
            self.rewards,
            self.fresh,
            self.fault,
            self.logs,
            self.skip_forced,
            self.views,
            self.rng,
            SICHUAN.legal,
            SICHUAN.step,
            SICHUAN.view,
            *self.bots,
        )
        over = np.flatnonzero(self.actors == NO_SEAT)
        assert len(over) == number
        finished = self.tables[over]
        self.deal(self.actors == NO_SEAT)
        return over, finished


class Single:
    """Table `i` of the same batch, through the entry kernels."""

    def __init__(self, i: int, log_size: int = 0) -> None:
        self.rules = RULES[i % len(RULES)]
        self.tables = np.zeros(1, STATE)
        self.mask = np.zeros(SICHUAN.num_actions, np.int8)
        self.log = np.zeros(log_size, SICHUAN.event)
        self.views = np.zeros(1, VIEW)
        self.state["seed"] = SEED + i
        self.deal(0)

    @property
    def state(self) -> np.void:
        return self.tables[0]

    def deal(self, number: int) -> None:
        self.state["deal"], self.state["dealer"] = number, NO_SEAT
        SICHUAN.deal_at(self.tables, 0, self.rules, LUTS, self.mask)

    def choose(self, bot: Any) -> int:
        seat, rng = int(self.state["actor"]), new_generator()
        decision = int(self.state["num_decisions"][seat])
        policy_stream(rng, int(self.state["seed"]), int(self.state["deal"]), seat, decision)
        SICHUAN.view_at(self.tables, 0, self.rules, seat, self.views)
        return int(bot(self.views[0], self.rules[0], LUTS, self.mask, rng))

    def step(self, action: int) -> np.ndarray | None:
        """Play; the state as it ended if the deal is over, and the next is dealt."""
        SICHUAN.step_at(self.tables, 0, self.rules, LUTS, action, self.log, self.mask)
        if self.state["actor"] != NO_SEAT:
            return None
        ended = self.tables.copy()
        self.deal(int(self.state["deal"]) + 1)
        return ended

    def skip_forced(self) -> int:
        """Play what leaves no choice in a deal that just began; how many decisions that was."""
        played = 0
        while batch.only_action(self.mask) >= 0:
            assert self.step(int(batch.only_action(self.mask))) is None
            played += 1
        return played


EVERYWHERE = np.zeros((TABLES, 4), np.int8)


@pytest.mark.parametrize("log_size", [0, SICHUAN.max_events])
def test_a_batch_plays_as_its_tables_one_by_one(log_size: int) -> None:
    many = Tables(log_size)
    singles = [Single(i, log_size) for i in range(TABLES)]
    deals = 0
    for _ in range(STEPS):
        many.choose(tidy, EVERYWHERE, 0)
        ended = []
        for i, single in enumerate(singles):
            assert single.choose(tidy) == many.actions[i]
            before = single.state["points"].copy()
            end = single.step(int(many.actions[i]))
            after = single.state["points"] if end is None else end[0]["points"]
            ended += [] if end is None else [(i, end)]
            single.reward = after - before  # type: ignore[attr-defined]
        over, finished = many.step()
        deals += len(over)
        assert many.tables.tobytes() == b"".join(single.tables.tobytes() for single in singles)
        assert many.masks.tobytes() == b"".join(single.mask.tobytes() for single in singles)
        assert many.logs.tobytes() == b"".join(single.log.tobytes() for single in singles)
        assert many.actors.tolist() == [int(single.state["actor"]) for single in singles]
        assert many.rewards.tolist() == [list(single.reward) for single in singles]  # type: ignore[attr-defined]
        assert over.tolist() == [i for i, _ in ended]
        assert finished.tobytes() == b"".join(end.tobytes() for _, end in ended)
    assert deals > 2 * TABLES


def test_skipped_decisions_are_forced_and_their_rewards_add_up() -> None:
    many = Tables(skip_forced=True)
    single = Single(QQ)
    skipped = single.skip_forced()
    for _ in range(STEPS):
        assert many.tables[QQ : QQ + 1].tobytes() == single.tables.tobytes()
        assert many.masks[QQ].tobytes() == single.mask.tobytes()
        assert many.masks.sum(axis=1).min() > 1
        many.choose(tidy, EVERYWHERE, 0)
        before = single.state["points"].copy()
        end = single.step(int(many.actions[QQ]))
        while end is None and batch.only_action(single.mask) >= 0:
            skipped += 1
            end = single.step(int(batch.only_action(single.mask)))
        after = single.state["points"] if end is None else end[0]["points"]
        skipped += single.skip_forced()
        many.step()
        assert many.rewards[QQ].tolist() == (after - before).tolist()
        assert many.rewards[QQ].sum() == 0
    assert skipped > 20


def test_bots_play_inside_the_loop_what_they_play_one_by_one() -> None:
    """Seats 0 and 2 of the first kind of table, seat 1 of the second are the caller's."""
    seatings = np.array([[[0, 1, 0, 2]], [[3, 0, 1, 2]]], np.int8)
    bots = tidy, patient, batch.first_action
    many = Tables(seatings=seatings, bots=bots)
    singles = [Single(i) for i in range(TABLES)]
    deals = 0
    for _ in range(STEPS // 4):
        many.choose(tidy, np.zeros((TABLES, 4), np.int8), 0)
        expected = []
        for i, single in enumerate(singles):
            players = seatings[i % 2, 0]
            while players[single.state["actor"]] != batch.CALLER:
                assert single.step(single.choose(bots[players[single.state["actor"]] - 1])) is None
            assert single.tables.tobytes() == many.tables[i : i + 1].tobytes()
            assert single.mask.tolist() == many.masks[i].tolist()
            before = np.zeros(4) if many.fresh[i] else single.state["points"].copy()
            end = single.step(int(many.actions[i]))
            while end is None and players[single.state["actor"]] != batch.CALLER:
                end = single.step(single.choose(bots[players[single.state["actor"]] - 1]))
            after = single.state["points"] if end is None else end[0]["points"]
            expected.append((after - before).tolist())
            deals += end is not None
        many.step()
        assert many.rewards.tolist() == expected
        assert many.fault[0] == -1
    assert deals > TABLES


def test_tables_that_do_not_move_stay_as_they_are() -> None:
    many = Tables()
    moving = np.arange(TABLES) % 3 == 0
    before, masks = many.tables.copy(), many.masks.copy()
    many.choose(tidy, EVERYWHERE, 0)
    many.rewards[:] = 77
    many.step(moving)
    assert (many.tables[~moving] == before[~moving]).all()
    assert (many.masks[~moving] == masks[~moving]).all()
    assert (many.tables[moving] != before[moving]).all()
    assert (many.rewards[~moving] == 0).all()


@kernel
def confused(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Answers what nobody offered, in its own turns."""
    return -1 if view["phase"] == Phase.TURN else batch.first_action(view, rules, luts, mask, rng)


def test_an_answer_outside_the_menu_stops_the_table() -> None:
    seatings = np.zeros((TABLES, 1, 4), np.int8)
    seatings[5, 0] = [2, 2, 2, 0]
    many = Tables(seatings=seatings, bots=(tidy, confused, tidy))
    for _ in range(20):
        if many.fault[0] >= 0:
            break
        many.choose(tidy, EVERYWHERE, 0)
        many.step()
    assert many.fault.tolist() == [5, -2]
    state = many.tables[5]
    assert state["phase"] == Phase.TURN
    assert state["actor"] in (0, 1, 2)
    assert many.masks[5].sum() > 1


def test_each_seat_is_played_by_its_player() -> None:
    many = Tables()
    players = np.tile(np.array([0, 1, 0, 1], np.int8), (TABLES, 1))
    many.actions[:] = -7
    many.choose(tidy, players, 0)
    played = many.actions != -7
    assert (players[np.arange(TABLES), many.actors] == 0).tolist() == played.tolist()
    many.choose(patient, players, 1)
    assert (many.actions >= 0).all()


def test_observations_are_those_of_the_seats_asked_for() -> None:
    many = Tables()
    seats = np.array([-1, 0, 1, 2, 3, -1, 0, 1, 2, 3, 0, 1], np.int8)
    out = np.full((TABLES, PLANES.size), 9, PLANES.dtype)
    batch.observe_all(
        many.tables, PACKED, LUTS, seats, many.views, out, SICHUAN.view, PLANES.observe
    )
    assert (out[seats < 0] == 9).all()
    for i in np.flatnonzero(seats >= 0):
        single = Single(int(i))
        expected = np.zeros(PLANES.size, PLANES.dtype)
        SICHUAN.view_at(single.tables, 0, single.rules, int(seats[i]), single.views)
        PLANES.observe(single.views[0], single.rules[0], LUTS, expected)
        assert (out[i] == expected).all()


def test_oracles_are_those_of_the_seats_asked_for() -> None:
    many = Tables()
    seats = np.array([-1, 0, 1, 2, 3, -1, 0, 1, 2, 3, 0, 1], np.int8)
    size = int(np.prod(SICHUAN.oracle_shape))
    out = np.full((TABLES, size), 9, np.int8)
    batch.oracle_all(many.tables, PACKED, seats, out, SICHUAN.oracle)
    assert (out[seats < 0] == 9).all()
    for i in np.flatnonzero(seats >= 0):
        single = Single(int(i))
        expected = np.zeros(size, np.int8)
        SICHUAN.oracle_at(single.tables, 0, single.rules, int(seats[i]), expected)
        assert (out[i] == expected).all()


def test_random_play_counts_the_deals_that_ended() -> None:
    many = Tables()
    rng = np.array([5], np.uint64)
    deals = play_random(
        many.tables,
        PACKED,
        LUTS,
        many.masks,
        rng,
        500,
        np.zeros(0, SICHUAN.event),
        SICHUAN.new_deal,
        SICHUAN.legal,
        SICHUAN.step,
    )
    assert deals == many.tables["deal"].sum()
    assert deals > TABLES


def test_observed_play_is_random_play_with_observations() -> None:
    plain, observed = Tables(), Tables()
    log = np.zeros(0, SICHUAN.event)
    out = np.full((TABLES, PLANES.size), 9, PLANES.dtype)
    engine = SICHUAN.new_deal, SICHUAN.legal, SICHUAN.step
    rng = np.array([5], np.uint64)
    play_random(plain.tables, PACKED, LUTS, plain.masks, rng, 49, log, *engine)
    before = plain.tables.copy()
    play_random(plain.tables, PACKED, LUTS, plain.masks, rng, 1, log, *engine)
    rng = np.array([5], np.uint64)
    encoding = observed.views, out, *engine, SICHUAN.view, PLANES.observe
    play_observed(observed.tables, PACKED, LUTS, observed.masks, rng, 50, log, *encoding)
    assert (plain.tables == observed.tables).all()
    expected = np.zeros_like(out)
    seats = before["actor"].copy()
    batch.observe_all(
        before, PACKED, LUTS, seats, plain.views, expected, SICHUAN.view, PLANES.observe
    )
    assert (out == expected).all()


def test_menus() -> None:
    mask = np.zeros(62, np.int8)
    assert batch.only_action(mask) == -1
    mask[7] = 1
    assert batch.only_action(mask) == 7
    assert batch.random_action(mask, np.array([5], np.uint64)) == 7
    mask[[9, 60]] = 1
    assert batch.only_action(mask) == -1
    rng = np.array([5], np.uint64)
    counts = np.bincount([batch.random_action(mask, rng) for _ in range(3000)], minlength=62)
    assert set(np.flatnonzero(counts)) == {7, 9, 60}
    assert counts[[7, 9, 60]].min() > 900


@pytest.mark.skipif(JIT_DISABLED, reason="compilation is off")
def test_every_loop_and_entry_kernel_is_kept_on_disk() -> None:
    test_a_batch_plays_as_its_tables_one_by_one(0)
    test_observations_are_those_of_the_seats_asked_for()
    loops = [batch.deal_all, batch.step_all, batch.choose_all, batch.observe_all]
    kernels = [SICHUAN.deal_at, SICHUAN.step_at, SICHUAN.view_at, tidy]
    kernels += [compiled_of(loop) for loop in loops]
    for compiled in kernels:
        name = compiled.py_func.__name__
        folder = Path(compiled._cache.cache_path)
        assert list(folder.glob(f"*.{name}-*.nbc")), f"{name} is not cached"


def compiled_of(loop: Any) -> Any:
    """The dispatcher inside a loop."""
    cells = [cell.cell_contents for cell in loop.__closure__]
    (found,) = {id(cell): cell for cell in cells if hasattr(cell, "py_func")}.values()
    return found

"""Rollouts do what a table does that is played on by hand."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from mjenv.agent import CompiledBot
from mjenv.core.cells import copy_records
from mjenv.core.game import NOBODY, Views
from mjenv.core.kernel import JIT_DISABLED, kernel
from mjenv.core.rng import Stream, new_generator, next_bits, policy_stream, start_stream
from mjenv.envs.batch import Batch
from mjenv.envs.rollout import rollout
from mjenv.errors import AgentError, IllegalActionError, OptionError
from mjenv.registry import make_agent
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.presets import PRESETS
from mjenv.table import Table
from tests.sichuan.engine import LUTS
from tests.sichuan.players import PLAYERS

ROOT = Path(__file__).parents[2]
SEED = 5
LEAST_P = 1e-3
BOTS = [CompiledBot(f"{name}/1", kernel, SICHUAN) for name, kernel in PLAYERS.items()]
UNIFORM, TIDY = BOTS[list(PLAYERS).index("uniform")], BOTS[list(PLAYERS).index("tidy")]
GREEDY = make_agent("greedy/1")
FOUR = [UNIFORM, TIDY, BOTS[-1], UNIFORM]


def middle(rules: Any = "qq", seed: int = 1, decisions: int = 30) -> Table:
    """A table in the middle of a deal."""
    table = Table(rules, seed)
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        table.step(int(rng.choice(np.flatnonzero(table.legal_mask()))))
    return table


def by_hand(
    table: Table,
    bots: list[CompiledBot],
    world: int,
    number: int = 0,
    first: int | None = None,
    redeal_for: int | None = None,
) -> list[int]:
    """Units at the end of a rollout, played through the entry kernels of the game."""
    packed, states, rng = table.rules.pack(), table.state, new_generator()
    start_stream(rng, SEED, number, Stream.HIDDEN)
    start_stream(rng, int(next_bits(rng) >> np.uint64(1)), world, Stream.HIDDEN)
    if redeal_for is not None:
        SICHUAN.redeal_at(states, 0, packed, LUTS, redeal_for, rng)
    states["seed"] = int(next_bits(rng) >> np.uint64(1))
    mask, views = np.zeros(SICHUAN.num_actions, np.int8), np.zeros(1, SICHUAN.view_dtype)
    log = np.zeros(0, SICHUAN.event)
    SICHUAN.legal_at(states, 0, packed, LUTS, mask)
    if first is not None:
        SICHUAN.step_at(states, 0, packed, LUTS, first, log, mask)
    while (seat := int(states["actor"][0])) != NOBODY:
        state = states[0]
        told = int(state["seed"]), int(state["deal"]), seat, int(state["num_decisions"][seat])
        policy_stream(rng, *told)
        SICHUAN.view_at(states, 0, packed, seat, views)
        action = int(bots[seat].kernel(views[0], packed[0], LUTS, mask, rng))
        SICHUAN.step_at(states, 0, packed, LUTS, action, log, mask)
    units: list[int] = states["points"][0].tolist()
    return units


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("decisions", [0, 7, 40])
def test_a_rollout_is_a_table_played_on(rules, decisions):
    table = middle(rules, decisions, decisions)
    before = table.state.tobytes()
    for redeal_for in (None, table.actor, (table.actor + 1) % 4):
        found = rollout(table, FOUR, 3, redeal_for=redeal_for, seed=SEED)
        assert found.dtype == np.int32
        assert found.tolist() == [
            by_hand(table, FOUR, world, redeal_for=redeal_for) for world in range(3)
        ]
        assert (found.sum(axis=1) == 0).all()
    assert table.state.tobytes() == before


def play_greedily(table: Table) -> list[int]:
    """Units at the end."""
    packed = table.rules.pack()
    while not table.over:
        views = Views(table.view(table.actor), packed)
        masks = table.legal_mask()[np.newaxis]
        table.step(int(GREEDY.act(views, masks, np.ones(1, np.uint64))[0]))
    return table.units


def test_bots_that_draw_nothing_play_the_table_as_it_is():
    table = middle()
    assert rollout(table, "greedy/1", 4).tolist() == [play_greedily(table.clone())] * 4


def test_actions_are_tried_in_the_same_worlds():
    table = middle()
    ids = np.flatnonzero(table.legal_mask())
    assert len(ids) > 3
    found = rollout(table, FOUR, 5, actions=ids, redeal_for=table.actor, seed=SEED)
    assert found.shape == (len(ids), 5, 4)
    for action, results in zip(ids, found, strict=True):
        assert results.tolist() == [
            by_hand(table, FOUR, world, 0, int(action), table.actor) for world in range(5)
        ]
    twice = rollout(table, FOUR, 5, actions=[ids[2], -1, ids[2]], redeal_for=table.actor, seed=SEED)
    assert (twice == [found[2], np.zeros_like(found[2]), found[2]]).all()
    texts = rollout(
        table, FOUR, 5, actions=table.legal_actions(), redeal_for=table.actor, seed=SEED
    )
    assert (texts == found).all()
    alone = rollout(table, FOUR, 5, actions=ids[1], redeal_for=table.actor, seed=SEED)
    assert (alone == found[1]).all()
    assert not (
        rollout(table, FOUR, 5, actions=ids, redeal_for=table.actor, seed=SEED + 1) == found
    ).all()


def test_results_do_not_depend_on_how_many_are_asked_for():
    batch = Batch(9, list(PRESETS), 3)
    rng = np.random.default_rng(1)
    for _ in range(60):
        batch.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.masks]))
    before = batch.tables.tobytes()
    found = batch.rollout(None, FOUR, 4, redeal_for=batch.actors, seed=SEED)
    assert found.shape == (9, 4, 4)
    assert (found.sum(axis=2) == 0).all()
    assert len({tuple(units) for units in found.reshape(-1, 4).tolist()}) > 9
    assert batch.tables.tobytes() == before
    some = {"redeal_for": batch.actors[:3], "seed": SEED, "rules": batch.rules}
    assert (rollout(batch.tables[:3], FOUR, 2, **some) == found[:3, :2]).all()
    frozen = copy_records(batch.tables)
    frozen.flags.writeable = False
    assert (rollout(frozen, FOUR, 4, **some | {"redeal_for": batch.actors}) == found).all()
    tables = [Table.from_position(middle(name, 2).to_position()) for name in PRESETS]
    listed = rollout(tables, FOUR, 2, redeal_for=tables[0].actor, seed=SEED)
    for number, table in enumerate(tables):
        assert listed[number].tolist() == [
            by_hand(table, FOUR, world, number, redeal_for=tables[0].actor) for world in range(2)
        ]


def test_a_batch_tries_an_action_or_several_at_every_table():
    batch = Batch(3, "qq", 3)
    first = batch.masks.argmax(axis=1)
    one = batch.rollout(None, TIDY, 2, actions=first)
    assert one.shape == (3, 2, 4)
    several = np.stack([first, np.full(3, -1)], axis=1)
    found = batch.rollout(None, TIDY, 2, actions=several)
    assert found.shape == (3, 2, 2, 4)
    assert (found[:, 0] == one).all()
    assert (found[:, 1] == 0).all()


@pytest.mark.skipif(JIT_DISABLED, reason="so many samples take minutes uncompiled")
def test_worlds_are_those_of_redealt_tables():
    """Units of a late table: many rollouts against redealt tables played on by hand."""
    table = middle(seed=2, decisions=60)
    seat = table.actor
    tables = [play_greedily(table.redeal_hidden(seat, seed)) for seed in range(500)]
    drawn = rollout(table, GREEDY, 4000, redeal_for=seat)
    for player in range(4):
        kept = np.array(tables)[:, player], drawn[:, player]
        edges = np.unique(np.quantile(np.concatenate(kept), [0.15, 0.35, 0.6, 0.85]))
        counts = [
            np.bincount(np.searchsorted(edges, units), minlength=len(edges) + 1) for units in kept
        ]
        seen = np.array(counts)[:, np.sum(counts, axis=0) > 0]
        assert seen.shape[1] > 1
        assert chi2_contingency(seen).pvalue > LEAST_P


@pytest.mark.parametrize("rules", PRESETS)
def test_what_is_really_hidden_changes_nothing(rules):
    for seed in range(6):
        table = middle(rules, seed, 9 * seed)
        for seat in range(4):
            other = table.redeal_hidden(seat, seed)
            found = [rollout(item, UNIFORM, 4, redeal_for=seat) for item in (table, other)]
            assert (found[0] == found[1]).all()
        assert other != table


@kernel
def _nothing_hidden(
    state: np.void, rules: np.void, luts: np.ndarray, seat: int, rng: np.ndarray
) -> None:
    """A world that is the real one."""


def test_another_kernel_can_deal_anew():
    table = middle()
    same = SICHUAN.redeal.like(_nothing_hidden)
    real = rollout(table, GREEDY, 2)
    assert (rollout(table, GREEDY, 2, redeal_for=0, redeal=same) == real).all()
    assert not (rollout(table, GREEDY, 2, redeal_for=0, redeal=SICHUAN.redeal) == real).all()


# ------------------------------------------------------------------------------------- bad input


@kernel
def _surrender(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """No action of the game."""
    return 99


SURRENDER = CompiledBot("surrender/1", _surrender, SICHUAN)


class Thinker:
    """An agent that is no kernel."""

    name, games, observation = "thinker/1", ("sichuan",), "view"


class Foreigner(Thinker):
    games, kernel = ("go",), TIDY.kernel


@pytest.mark.parametrize(
    ("change", "error", "reason"),
    [
        ({"bots": "greedy/9"}, AgentError, "unknown agent 'greedy/9'"),
        ({"bots": [TIDY] * 3}, AgentError, "bots: got 3; allowed: one, or 4 by seat"),
        ({"bots": Thinker()}, AgentError, "'thinker/1' is no compiled bot"),
        ({"bots": print}, AgentError, "is no compiled bot"),
        ({"bots": Foreigner()}, AgentError, "'thinker/1' plays go, not sichuan"),
        ({"n": 0}, OptionError, "n: got 0; allowed: an integer from 1"),
        ({"n": 1.5}, OptionError, "n: got 1.5"),
        ({"seed": -1}, OptionError, "seed: got -1"),
        ({"redeal_for": 4}, OptionError, "redeal_for: got 4; allowed: a seat from 0 to 3"),
        ({"redeal_for": "me"}, OptionError, "redeal_for: got 'me'"),
        ({"redeal_for": [0, 1]}, OptionError, r"redeal_for: got int64 \(2,\); allowed: a seat"),
        ({"redeal_for": [7]}, OptionError, "redeal_for: got 7 for table 0"),
        ({"redeal_for": 0, "redeal": print}, OptionError, "redeal: got.*game.redeal.like"),
        ({"redeal_for": 3, "actions": [0]}, OptionError, "actions are those of seat 0.*seat 3"),
        ({"actions": [0.5]}, OptionError, r"actions: got float64 \(1,\); allowed: an id"),
        ({"actions": []}, OptionError, r"actions: got float64 \(0,\)"),
        ({"actions": [[0]]}, OptionError, r"actions: got int64 \(1, 1\)"),
        ({"actions": [62]}, IllegalActionError, "^seat 0 cannot '62' in VOID; legal: void m,"),
        ({"actions": [-2]}, IllegalActionError, "^seat 0 cannot '-2' in VOID"),
        ({"actions": ["void m", "win"]}, IllegalActionError, "seat 0 cannot 'win' in VOID"),
        ({"actions": "surrender"}, IllegalActionError, "'surrender' is no action"),
        ({"rules": "qq"}, OptionError, "rules: only for an array"),
        ({"tables": []}, OptionError, "tables: got list; allowed: a Table, a list of them"),
        ({"tables": "qq"}, OptionError, "tables: got str"),
        ({"tables": np.zeros(2)}, OptionError, r"tables: got an array \(2,\) of float64"),
        ({"tables": Table().state[:, None], "rules": "qq"}, OptionError, r"array \(1, 1\)"),
        ({"tables": Table().state, "rules": []}, OptionError, "rules: got an empty list"),
        ({"tables": [Table()] * 2, "actions": [0]}, OptionError, r"allowed: \(2,\) or \(2, A\)"),
    ],
)  # fmt: skip
def test_what_cannot_be_rolled_out(change, error, reason):
    arguments = {"tables": Table("qq", 2, dealer=0), "bots": TIDY} | change
    with pytest.raises(error, match=reason):
        rollout(**arguments)


def test_messages_name_the_table():
    tables = [Table("qq", 2, dealer=1), middle()]
    while not tables[1].over:
        tables[1].step(tables[1].legal_actions()[0])
    with pytest.raises(OptionError, match=r"^table 1: the deal is over"):
        rollout(tables, TIDY)
    with pytest.raises(OptionError, match=r"^the deal is over"):
        rollout(tables[1], TIDY)
    tables[1] = Table("qq", 3, dealer=2)
    with pytest.raises(IllegalActionError, match=r"^table 1: seat 2 cannot 'pass' in VOID; legal"):
        rollout(tables, TIDY, actions=[["void m"], ["pass"]])
    with pytest.raises(AgentError, match=r"^table 0: a bot in a rollout: seat 2 cannot '99'"):
        rollout(tables, [TIDY, TIDY, SURRENDER, TIDY])


# ------------------------------------------------------------------------------- not compiled


def digest() -> str:
    """Of results that a process finds."""
    found = [
        rollout(table, FOUR, 2, actions=np.flatnonzero(table.legal_mask()), redeal_for=table.actor)
        for table in (middle(name, 4, 12) for name in PRESETS)
    ]
    return sha256(b"".join(item.tobytes() for item in found)).hexdigest()


def test_the_same_without_compilation():
    done = subprocess.run(
        [sys.executable, "-c", "from tests.envs.test_rollout import digest; print(digest())"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == digest()


def test_actions_of_a_batch_have_the_numbers_of_its_masks() -> None:
    shown = Batch(5, "qq", SEED, "vector/1/canonical")
    for _ in range(60):
        shown.step(shown.masks.argmax(axis=1))
    real = Batch(5, "qq", SEED)
    real.load_state_dict(shown.state_dict())
    legal = [np.flatnonzero(row)[[0, -1]] for row in shown.masks]
    there = shown.menus.real_actions(np.array(legal)[:, 1], shown.tables, shown.actors)
    assert (there != np.array(legal)[:, 1]).any()
    both = np.stack([np.full(5, -1), there], axis=1)
    expected = real.rollout(None, "greedy/1", 2, actions=both, seed=1)
    chosen = np.array(legal)
    chosen[:, 0] = -1
    assert (shown.rollout(None, "greedy/1", 2, actions=chosen, seed=1) == expected).all()
    one = shown.rollout(None, "greedy/1", 2, actions=chosen[:, 1], seed=1)
    assert (one == expected[:, 1]).all()


@pytest.mark.parametrize("seat", [-2, 4, 77])
def test_states_that_ask_no_seat_are_refused(seat: int) -> None:
    states = np.repeat(Table("qq", 1).state, 3)
    states["actor"][1] = seat
    with pytest.raises(OptionError, match=rf"tables: state 1 asks seat {seat}; allowed"):
        rollout(states, "greedy/1", rules="qq")


def test_a_batch_rolls_out_states_by_its_own_rules() -> None:
    batch = Batch(6, ["standalone", "qq"], SEED, "vector/1/canonical")
    for _ in range(40):
        batch.step(batch.masks.argmax(axis=1))
    whole = batch.rollout(None, "greedy/1", 3, redeal_for=batch.actors, seed=2)
    some = batch.rollout(batch.tables[:4], "greedy/1", 3, redeal_for=batch.actors[:4], seed=2)
    assert (some == whole[:4]).all()
    assert (rollout(batch, "greedy/1", 3, redeal_for=batch.actors, seed=2) == whole).all()
    first = batch.masks[:4].argmax(axis=1)
    chosen = batch.rollout(batch.tables[:4], "greedy/1", actions=first)
    assert (chosen == batch.rollout(None, "greedy/1", actions=batch.masks.argmax(axis=1))[:4]).all()
    table = Table("standalone", seed=3)
    assert (batch.rollout(table, "greedy/1", 2) == rollout(table, "greedy/1", 2)).all()
    with pytest.raises(OptionError, match="rules: states do not say by which rules"):
        rollout(batch.tables, "greedy/1")


@pytest.mark.parametrize("preset", PRESETS)
def test_views_are_played_on_as_their_tables(preset: str) -> None:
    """The same worlds, the same play, the same units, for a bot that leaves nothing to chance: how
    many decisions the seat has made, from which chance follows, a view does not tell."""
    tables = [middle(preset, seed) for seed in range(1, 5)]
    tables = [table for table in tables if not table.over]
    seats = [table.actor for table in tables]
    views = np.concatenate([table.view(seat) for table, seat in zip(tables, seats, strict=True)])
    menus = [np.flatnonzero(table.legal_mask())[:2] for table in tables]
    actions = np.array([np.resize(menu, 2) for menu in menus])
    seen = Views(views, tables[0].rules.pack())
    told = {"actions": actions, "seed": SEED}
    ours = rollout(seen, GREEDY, 4, **told)
    assert ours.shape == (len(tables), 2, 4, 4)
    np.testing.assert_array_equal(ours, rollout(tables, GREEDY, 4, redeal_for=seats, **told))


def test_views_that_cannot_be_played_on_are_refused() -> None:
    table = middle()
    packed = table.rules.pack()
    seen = Views(table.view(table.actor), packed)
    for more in ({"redeal_for": 0}, {"rules": "qq"}):
        with pytest.raises(OptionError, match="rules, redeal_for: views have their own"):
            rollout(seen, TIDY, **more)
    waiting = Views(table.view((table.actor + 1) % 4), packed)
    with pytest.raises(OptionError, match="view 0 is of a seat that is not asked"):
        rollout(waiting, TIDY)
    for views in (np.zeros(1, "i4"), seen.views[None]):
        with pytest.raises(OptionError, match=r"tables: got views .* allowed: .* of a game"):
            rollout(Views(views, packed), TIDY)
    for rules in (table.rules, "qq", packed[:0], packed[None], np.zeros(1, "i4")):
        with pytest.raises(OptionError, match=r"tables: the rules of views are .*: packed rules"):
            rollout(Views(seen.views, rules), TIDY)
    elsewhere = seen.views.copy()
    elsewhere["seat"] = 4
    with pytest.raises(OptionError, match="view 0 is of seat 4"):
        rollout(Views(elsewhere, packed), TIDY)

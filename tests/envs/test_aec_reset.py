"""Seeds, walls and dealers: which deal is played."""

import numpy as np
import pytest

from mjenv import Batch, OptionError, PositionError, Table, TileError, sichuan_v0
from mjenv.core.tiles import tile_text
from mjenv.sichuan.state import HAND_SIZE, NUM_TILES
from tests.envs.play import PRESETS, first_legal, last_legal, play, random_legal

WALL = [kind for kind in range(27) for _ in range(4)]


def bytes_of(env):
    return env.table.states.tobytes()


def test_a_seed_starts_with_its_deal_0_and_reset_goes_on():
    env, again = sichuan_v0.raw_env(), sichuan_v0.raw_env()
    env.reset(seed=7)
    first = bytes_of(env)
    assert (env.deal_seed, env.deal) == (7, 0)
    env.reset()
    second = bytes_of(env)
    assert (env.deal_seed, env.deal) == (7, 1)
    assert first != second
    env.reset(seed=7)
    assert bytes_of(env) == first
    again.reset(seed=7)
    play(again, first_legal)
    again.reset()
    assert bytes_of(again) == second


def test_a_first_reset_without_a_seed_draws_one():
    seeds = set()
    for _ in range(5):
        env = sichuan_v0.raw_env()
        assert env.deal_seed is None
        env.reset()
        assert 0 <= env.deal_seed < 2**53
        seeds.add(env.deal_seed)
        env.reset()
        assert env.deal == 1
    assert len(seeds) == 5


@pytest.mark.parametrize("choose", [first_legal, last_legal])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_deals_are_those_of_a_batch(preset, choose):
    env = sichuan_v0.raw_env(preset)
    batch = Batch(1, preset, seed=11)
    env.reset(seed=11)
    for _ in range(3):
        over = False
        while not over:
            mask = env.observe(env.agent_selection)["action_mask"]
            assert env.agent_selection == f"player_{batch.actors[0]}"
            assert np.array_equal(mask, batch.masks[0])
            assert bytes_of(env) == batch.tables.tobytes()
            action = choose(mask)
            step = batch.step(np.array([action]))
            env.step(action)
            assert list(env.rewards.values()) == step.rewards[0].tolist()
            over = any(env.terminations.values())
            assert over == (len(step.finished) == 1)
        assert bytes_of(env) == step.finished.tobytes()
        env.reset()


def test_the_deals_are_those_of_a_table():
    env = sichuan_v0.raw_env("sichuan_modern")
    env.reset(seed=11)
    for deal in range(3):
        table = Table("sichuan_modern", seed=11, deal=deal)
        while not table.over:
            assert table.state.tobytes() == bytes_of(env)
            seat, phase = int(env.agent_selection[-1]), env.infos[env.agent_selection]["phase"]
            assert (seat, phase) == (table.actor, table.phase)
            observation = env.observe(env.agent_selection)
            assert np.array_equal(observation["action_mask"], table.legal_mask())
            assert np.array_equal(observation["observation"], table.observe(seat))
            action = first_legal(observation["action_mask"])
            table.step(action)
            env.step(action)
        assert table.state.tobytes() == bytes_of(env)
        assert env.infos["player_0"]["points"] == tuple(table.points)
        assert env.infos["player_2"]["ledger"] == {
            column: amounts[2] for column, amounts in table.ledger.items()
        }
        env.reset()


def test_a_wall_and_a_dealer_hold_for_one_deal():
    env, plain = sichuan_v0.raw_env(), sichuan_v0.raw_env()
    rng = np.random.default_rng(0)
    for number in range(20):
        wall = rng.permutation(WALL)
        dealer = number % 4
        env.reset(seed=number, options={"wall": wall, "dealer": dealer})
        state = env.table.states[0]
        assert state["wall"].tolist() == wall.tolist()
        assert state["dealer"] == dealer
        for k in range(4):
            dealt = wall[HAND_SIZE * k : HAND_SIZE * (k + 1)].tolist()
            dealt += [wall[52]] if k == 0 else []
            assert np.bincount(dealt, minlength=27).tolist() == (
                state["hand"][(dealer + k) % 4].tolist()
            )
        play(env, random_legal(number))
        env.reset()
        plain.reset(seed=number)
        plain.reset()
        assert bytes_of(env) == bytes_of(plain)


def test_a_wall_may_be_written_in_several_ways():
    env = sichuan_v0.raw_env()
    rng = np.random.default_rng(1)
    wall = rng.permutation(WALL).tolist()
    tables = []
    for form in (wall, tuple(wall), [tile_text(kind) for kind in wall], np.array(wall, np.int8)):
        env.reset(seed=3, options={"wall": form})
        tables.append(bytes_of(env))
    env.reset(seed=3, options={"wall": " ".join(tile_text(kind) for kind in wall)})
    assert {bytes_of(env), *tables} == {tables[0]}


def test_a_dealer_alone_keeps_the_wall():
    env, plain = sichuan_v0.raw_env(), sichuan_v0.raw_env()
    plain.reset(seed=3)
    for dealer in range(4):
        env.reset(seed=3, options={"dealer": dealer})
        assert env.table.states["dealer"][0] == dealer
        assert np.array_equal(env.table.states["wall"], plain.table.states["wall"])
    env.reset(seed=3, options={"wall": None, "dealer": None})
    assert bytes_of(env) == bytes_of(plain)


def test_options_meant_for_others_are_ignored():
    env, plain = sichuan_v0.raw_env(), sichuan_v0.raw_env()
    env.reset(seed=3, options={"camera": 1})
    plain.reset(seed=3, options={})
    assert bytes_of(env) == bytes_of(plain)


FIVE = [0, *WALL[:-1]]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"wall": WALL[1:]}, PositionError, "this one has 107: 3 of 1m"),
        ({"wall": FIVE}, PositionError, "this one has 108: 5 of 1m, 3 of 9s"),
        ({"wall": [27, *WALL[1:]]}, TileError, "E"),
        ({"wall": ["5x", *WALL[1:]]}, TileError, "5x"),
        ({"wall": [1.5, *WALL[1:]]}, OptionError, "1.5"),
        ({"wall": 5}, OptionError, "wall: got 5"),
        ({"dealer": 4}, OptionError, "dealer: got 4; allowed: a seat from 0 to 3"),
        ({"dealer": "east"}, OptionError, "dealer: got 'east'"),
        (5, OptionError, "options: got 5; allowed: a mapping with wall and dealer"),
        ([], OptionError, "options: got []; allowed: a mapping with wall and dealer"),
        ({"dealr": 1}, OptionError, "unknown reset option 'dealr'; did you mean 'dealer'?"),
    ],
)
def test_wrong_options_are_explained_and_change_nothing(options, error, message):
    env = sichuan_v0.raw_env()
    env.reset(seed=3)
    before = bytes_of(env)
    with pytest.raises(error) as caught:
        env.reset(seed=4, options=options)
    assert message in str(caught.value)
    assert bytes_of(env) == before
    assert (env.deal_seed, env.deal) == (3, 0)


@pytest.mark.parametrize("seed", [-1, 2**53, 1.5, "7", True, np.False_])
def test_wrong_seeds_are_explained_and_change_nothing(seed):
    env = sichuan_v0.raw_env()
    env.reset(seed=3)
    before = bytes_of(env)
    with pytest.raises(OptionError, match=r"seed: got .*an integer from 0 to"):
        env.reset(seed=seed)
    assert bytes_of(env) == before
    assert (env.deal_seed, env.deal) == (3, 0)


def test_numpy_seeds_and_the_largest_seed_are_fine():
    env = sichuan_v0.raw_env()
    env.reset(seed=np.uint32(5))
    assert env.deal_seed == 5
    env.reset(seed=2**53 - 1)
    assert env.table.states["seed"][0] == 2**53 - 1
    assert np.bincount(env.table.states["wall"][0]).tolist() == [4] * 27
    assert env.table.states["wall"].size == NUM_TILES

"""Rewards, masks, infos and ledgers of a deal and of a match."""

import numpy as np
import pytest

from mjenv import OptionError, Rules, sichuan_v0
from mjenv.core.game import NOBODY
from mjenv.sichuan.actions import PASS
from tests.envs.play import PRESETS, finish, first_legal, play, towards_a_win, turns

SEEDS = range(25)


@pytest.mark.parametrize("reward", ["units", "points", "final"])
@pytest.mark.parametrize("preset", PRESETS)
def test_rewards_sum_to_zero_at_every_step_and_to_the_points_in_all(preset, reward):
    env = sichuan_v0.raw_env(preset, reward=reward)
    base = env.rules.base_points
    paid = 0
    for seed in SEEDS:
        env.reset(seed=seed)
        delivered = dict.fromkeys(env.agents, 0.0)
        steps = dict.fromkeys(env.agents, 0.0)
        for agent in turns(env, towards_a_win(env, seed)):
            delivered[agent] += env.last(observe=False)[1]
            assert sum(env.rewards.values()) == 0
            for seat, amount in env.rewards.items():
                steps[seat] += amount
            paid += any(env.rewards.values())
        assert sum(env.rewards.values()) == 0
        for seat, amount in env.rewards.items():
            steps[seat] += amount
        points = env.infos["player_0"]["points"]
        for agent, amount in finish(env).items():
            delivered[agent] += amount
        assert delivered == steps
        factor = base if reward == "points" else 1
        expected = [points[seat] / base * factor for seat in range(4)]
        assert list(delivered.values()) == expected
        assert sum(points) == 0
    assert (paid == 0) == (reward == "final")


def test_a_winner_is_paid_by_later_settlements():
    env = sichuan_v0.raw_env("standalone")
    late = 0
    for seed in range(40):
        env.reset(seed=seed)
        for _ in turns(env, towards_a_win(env, seed)):
            orders = env.table.states["win_order"][0]
            winners = [agent for agent, order in zip(env.agents, orders, strict=True) if order]
            was_owed = {agent: env._cumulative_rewards[agent] for agent in winners}
            assert env.agent_selection not in winners
        owed = finish(env)
        for agent in winners:
            late += owed[agent] > was_owed[agent]
    assert late > 0


def test_a_reward_between_own_turns_comes_with_the_next_last():
    """An agent that pays while another acts finds it in its own next last()."""
    env = sichuan_v0.raw_env("standalone")
    found = False
    for seed in range(20):
        env.reset(seed=seed)
        since = dict.fromkeys(env.agents, 0.0)
        for agent in turns(env, towards_a_win(env, seed)):
            for seat, amount in env.rewards.items():
                since[seat] += amount
            assert env.last(observe=False)[1] == since[agent]
            found |= since[agent] < 0 and env.rewards[agent] == 0
            since[agent] = 0.0
    assert found


@pytest.mark.parametrize("preset", PRESETS)
def test_masks(preset):
    env = sichuan_v0.raw_env(preset)
    winners_seen = 0
    for seed in SEEDS:
        env.reset(seed=seed)
        for agent in turns(env, towards_a_win(env, seed)):
            orders = env.table.states["win_order"][0]
            for seat, other in enumerate(env.agents):
                mask = env.observe(other)["action_mask"]
                assert mask.dtype == np.int8
                if other == agent:
                    assert mask.any()
                    assert orders[seat] == 0
                elif orders[seat]:
                    winners_seen += 1
                    assert mask.nonzero()[0].tolist() == [PASS]
                else:
                    assert not mask.any()
        for agent in env.agents:
            assert env.observe(agent)["action_mask"].nonzero()[0].tolist() == [PASS]
    assert (winners_seen > 0) == (preset != "standalone_single")


@pytest.mark.parametrize("preset", PRESETS)
def test_infos_are_a_function_of_what_the_seat_may_see(preset):
    env = sichuan_v0.raw_env(preset)
    base = env.rules.base_points
    views = np.zeros(1, env.game.view_dtype)
    for seed in SEEDS[:5]:
        env.reset(seed=seed)
        for agent in turns(env, towards_a_win(env, seed)):
            for seat, other in enumerate(env.agents):
                env.game.view_at(env.table.states, 0, env.table.rules, seat, views)
                assert env.infos[other] == {
                    "phase": env.game.phases(int(views["phase"][0])).name,
                    "points": tuple(base * int(units) for units in views["points"][0]),
                    "deal": 0,
                }
                assert (env.infos[other]["phase"] == "WAIT") == (other != agent)


@pytest.mark.parametrize("preset", PRESETS)
def test_without_infos_the_game_is_the_same(preset):
    told, silent = sichuan_v0.env(preset), sichuan_v0.env(preset, info=False)
    for seed in SEEDS[:3]:
        told.reset(seed=seed)
        silent.reset(seed=seed)
        for agent in turns(silent, first_legal):
            assert silent.infos == {key: {} for key in silent.agents}
            assert agent == told.agent_selection
            assert silent.rewards == told.rewards
            told.step(first_legal(told.observe(agent)["action_mask"]))
        assert silent.terminations == told.terminations
    silent.reset(seed=1)
    silent.step(61)
    assert silent.infos == {key: {} for key in silent.agents}


def test_the_ledger_says_what_the_points_were_for():
    env = sichuan_v0.raw_env("standalone")
    columns = np.zeros(len(env.game.ledger), np.int64)
    for seed in SEEDS:
        env.reset(seed=seed)
        play(env, towards_a_win(env, seed))
        for seat, info in enumerate(env.infos.values()):
            assert info["phase"] == "OVER"
            assert next(iter(info["ledger"])) == "win"
            assert sum(info["ledger"].values()) == info["points"][seat]
            columns += np.abs(list(info["ledger"].values()))
    assert columns[env.game.ledger.WIN] > 0
    assert columns[env.game.ledger.PIG] + columns[env.game.ledger.READY_CHECK] > 0


# ------------------------------------------------------------------------------------- matches


@pytest.mark.parametrize("reward", ["units", "points", "final"])
def test_a_match_carries_points_and_passes_the_deal_on(reward):
    rules = Rules.preset("standalone").replace(next_dealer="first_winner")
    env = sichuan_v0.raw_env(rules, episode="match", deals=6, reward=reward)
    base = rules.base_points
    env.reset(seed=2)
    finished, dealers = [], []
    delivered = dict.fromkeys(env.agents, 0.0)
    steps = 0
    for agent in turns(env, towards_a_win(env, 6)):
        delivered[agent] += env.last(observe=False)[1]
        info = env.infos[agent]
        if not dealers or info["deal"] == len(dealers):
            dealers.append(int(env.table.states["dealer"][0]))
            finished += [info["last_deal"]] if "last_deal" in info else []
            expected = np.sum([deal["points"] for deal in finished], axis=0)
            assert not finished or info["points"] == tuple(expected)
        last_state = env.table.states.copy()
        steps += 1
    assert len(dealers) == 6
    assert [deal["deal"] for deal in finished] == [0, 1, 2, 3, 4]
    assert env.deal == 5
    assert len(set(dealers)) > 1
    points = env.infos["player_0"]["points"]
    for agent, amount in finish(env).items():
        delivered[agent] += amount
    factor = base if reward == "points" else 1
    assert [delivered[agent] * base / factor for agent in delivered] == list(points)
    assert last_state["deal"][0] == 5
    assert steps > 200


def test_the_next_dealer_is_that_of_the_rules():
    """With first_winner: who won first, or who paid if several won at once, else the same."""
    rules = Rules.preset("standalone").replace(next_dealer="first_winner")
    match = sichuan_v0.raw_env(rules, episode="match", deals=8)
    match.reset(seed=3)
    mask = np.zeros(match.game.num_actions, np.int8)
    chooser = towards_a_win(match, 8)
    dealer = int(match.table.states["dealer"][0])
    dealers = set()
    for deal in range(8):
        assert match.table.states["dealer"][0] == dealer
        dealers.add(dealer)
        while not any(match.terminations.values()) and match.deal == deal:
            state = match.table.states.copy()
            action = chooser(match.observe(match.agent_selection)["action_mask"])
            match.step(action)
        # The environment has dealt anew: the deal ends once more on a copy.
        table = match.table
        match.game.step_at(state, 0, table.rules, match.game.luts(), action, table.log, mask)
        assert state["actor"][0] == NOBODY
        first = np.flatnonzero(state["win_order"][0] == 1)
        if len(first) > 0:
            winner = int(first[0])
            dealer = winner if len(first) == 1 else int(state["win_from"][0, winner])
    assert match.deal == 7
    assert len(dealers) > 1


def test_deals_of_a_match_are_those_of_its_seed():
    match = sichuan_v0.raw_env("standalone", episode="match", deals=3)
    single = sichuan_v0.raw_env("standalone")
    for _ in range(2):
        match.reset() if match.deal >= 0 else match.reset(seed=5)
        walls = {}
        for _ in turns(match, first_legal):
            walls[match.deal] = match.table.states["wall"][0].tobytes()
        for deal, wall in walls.items():
            single.reset() if single.deal >= 0 else single.reset(seed=5)
            assert single.deal == deal
            assert single.table.states["wall"][0].tobytes() == wall
    assert match.deal == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reward": "coins"}, "reward: got 'coins'; allowed: 'units', 'points', 'final'"),
        ({"observation": "planes/9"}, "observation: got 'planes/9'; allowed: 'planes/1'"),
        ({"episode": "hand"}, "episode: got 'hand'; allowed: 'deal', 'match'"),
        ({"episode": "match"}, "a match has a number of deals"),
        ({"episode": "match", "deals": 0}, "a match has a number of deals"),
        ({"episode": "match", "deals": 2.5}, "a match has a number of deals"),
        ({"illegal_reward": "much"}, "illegal_reward: got 'much'; allowed: a finite number"),
        ({"illegal_reward": float("nan")}, "illegal_reward: got nan; allowed: a finite number"),
        ({"deals": 4}, 'more than one needs episode="match"'),
        ({"render_mode": "rgb_array"}, "allowed: None, 'human', 'ansi'"),
        ({"on_illegal": "ignore"}, "allowed: 'raise', 'terminate'"),
        ({"info": "none"}, "info: got 'none'; allowed: True, False"),
    ],
)
def test_wrong_options_are_explained(options, message):
    with pytest.raises(OptionError) as caught:
        sichuan_v0.raw_env(**options)
    assert message in str(caught.value)


def test_the_number_of_deals_may_be_a_numpy_integer():
    assert sichuan_v0.raw_env(episode="match", deals=np.int64(2)).deals == 2

"""Illegal actions and calls in the wrong order."""

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from mjenv import IllegalActionError, OptionError, sichuan_v0
from mjenv.sichuan.actions import NUM_ACTIONS, PASS
from tests.envs.play import finish, first_legal, play, random_legal, towards_a_win, turns


def illegal_action(env):
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(np.flatnonzero(mask == 0)[0])


def after(env, steps):
    env.reset(seed=4)
    for number, _ in enumerate(turns(env, random_legal(4))):
        if number == steps:
            return


def test_raw_env_refuses_and_leaves_the_table_as_it_was():
    env = sichuan_v0.raw_env("sichuan_modern")
    env.reset(seed=1)
    for _ in turns(env, first_legal):
        before = env.table.states.tobytes()
        agent, rewards, infos = env.agent_selection, dict(env.rewards), dict(env.infos)
        for action in (illegal_action(env), -1, NUM_ACTIONS, 10**6):
            with pytest.raises(IllegalActionError):
                env.step(action)
        assert env.table.states.tobytes() == before
        assert (env.agent_selection, env.rewards, env.infos) == (agent, rewards, infos)


def test_the_error_names_seat_action_phase_and_menu():
    env = sichuan_v0.raw_env("sichuan_modern")
    wall = [kind for kind in range(27) for _ in range(4)]
    env.reset(seed=1, options={"wall": wall, "dealer": 2})
    with pytest.raises(IllegalActionError) as caught:
        env.step(26)
    assert str(caught.value) == (
        "seat 2 cannot 'give 9s' in EXCHANGE; legal: give 1m, give 2m, give 3m, give 4m"
    )
    with pytest.raises(IllegalActionError, match="seat 2 cannot 'action 99' in EXCHANGE"):
        env.step(99)


@pytest.mark.parametrize("action", [None, "discard 5p", 1.0, [3]])
@pytest.mark.parametrize("factory", [sichuan_v0.env, sichuan_v0.raw_env])
def test_what_is_no_integer_is_refused_by_both(factory, action):
    env = factory()
    env.reset(seed=1)
    before = env.table.states.tobytes()
    with pytest.raises(IllegalActionError, match="integer"):
        env.step(action)
    assert env.table.states.tobytes() == before
    assert not any(env.terminations.values())


@pytest.mark.parametrize("steps", [0, 1, 50])
def test_env_ends_the_game_for_all(steps):
    env = sichuan_v0.env("standalone", illegal_reward=-5)
    after(env, steps)
    table = env.table.states.tobytes()
    offender = env.agent_selection
    assert env.step(illegal_action(env)) is None
    assert env.terminations == env.truncations == dict.fromkeys(env.possible_agents, True)
    expected = {agent: -5.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert env.rewards == expected
    assert env.table.states.tobytes() == table
    for agent, info in env.infos.items():
        assert info["illegal"] is True
        assert info["phase"] == "OVER"
        assert ("error" in info) == (agent == offender)
        assert env.observe(agent)["action_mask"].nonzero()[0].tolist() == [PASS]
    assert finish(env) == expected


def test_rewards_not_yet_delivered_are_dropped():
    env = sichuan_v0.env("standalone")
    for seed in range(100):
        env.reset(seed=seed)
        for _ in turns(env, towards_a_win(env, seed)):
            owed = [env._cumulative_rewards[agent] for agent in env.agents]
            if any(owed) and not env.rewards[env.agent_selection]:
                break
        if not any(env.terminations.values()):
            break
    assert any(owed)
    offender = env.agent_selection
    env.step(illegal_action(env))
    assert finish(env) == {agent: -1.0 * (agent == offender) for agent in env.possible_agents}


def test_clean_deals_follow_an_illegal_action():
    env, clean = sichuan_v0.env("standalone"), sichuan_v0.env("standalone")
    env.reset(seed=4)
    clean.reset(seed=4)
    env.step(illegal_action(env))
    finish(env)
    for _ in range(2):
        env.reset()
        clean.reset()
        assert env.deal == clean.deal
        play(env, random_legal(9))
        play(clean, random_legal(9))
        assert not any(env.truncations.values())
        assert not any("illegal" in info for info in env.infos.values())
        assert env.infos == clean.infos
        assert finish(env) == finish(clean)


def test_a_reset_right_after_an_illegal_action_starts_anew():
    env = sichuan_v0.env()
    env.reset(seed=4)
    env.step(illegal_action(env))
    env.reset()
    assert env.deal == 1
    assert not any(env.terminations.values())
    assert env.observe(env.agent_selection)["action_mask"][PASS] == 0


def test_a_match_ends_at_an_illegal_action():
    env = sichuan_v0.env("standalone", episode="match", deals=5, reward="final")
    after(env, 100)
    offender = env.agent_selection
    env.step(illegal_action(env))
    assert all(env.terminations.values())
    assert finish(env) == {agent: -1.0 * (agent == offender) for agent in env.possible_agents}


@pytest.mark.parametrize("factory", [sichuan_v0.env, sichuan_v0.raw_env])
def test_calls_before_a_reset_say_what_to_do(factory):
    env = factory(render_mode="ansi")
    calls = [
        env.last,
        env.state,
        env.render,
        lambda: env.step(0),
        lambda: env.step(None),
        lambda: env.observe("player_0"),
        lambda: env.last(observe=False),
    ]
    for call in calls:
        with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
            call()


def test_finished_agents_are_stepped_with_none_only():
    env = sichuan_v0.raw_env()
    env.reset(seed=2)
    play(env, first_legal)
    with pytest.raises(IllegalActionError, match=r"has finished.*step\(None\)"):
        env.step(0)
    finish(env)
    assert env.agents == []
    for call in (env.last, lambda: env.step(None), lambda: env.step(0)):
        with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
            call()
    assert env.observe("player_3")["action_mask"][PASS] == 1


def test_an_unknown_agent_is_named():
    env = sichuan_v0.raw_env()
    env.reset(seed=2)
    with pytest.raises(OptionError, match="no agent 'player_9'; agents are player_0"):
        env.observe("player_9")

"""What a seat is shown does not depend on what it may not know."""

import copy

import numpy as np
import pytest

from mjenv import sichuan_v0
from tests.envs.play import PRESETS, towards_a_win, turns


@pytest.mark.parametrize("preset", PRESETS)
def test_hidden_tiles_change_nothing_a_seat_is_shown(preset):
    env = sichuan_v0.raw_env(preset)
    rng = np.ones(1, np.uint64)
    changed = 0
    for seed in range(4):
        env.reset(seed=seed)
        for number, _ in enumerate(turns(env, towards_a_win(env, seed))):
            if number % 5:
                continue
            for seat, agent in enumerate(env.agents):
                twin = copy.deepcopy(env)
                another_world(twin, seat, rng)
                changed += twin.table.states["hand"].tobytes() != env.table.states["hand"].tobytes()
                ours, theirs = env.observe(agent), twin.observe(agent)
                assert ours["observation"].tobytes() == theirs["observation"].tobytes()
                assert ours["action_mask"].tobytes() == theirs["action_mask"].tobytes()
                assert env.views(agent).views.tobytes() == twin.views(agent).views.tobytes()
                assert env.infos[agent] == twin.infos[agent]
    assert changed > 100


def another_world(env, seat, rng):
    """Redeal what ``seat`` cannot see, then let the environment ask anew."""
    table = env.table
    game, luts = table.game, env.game.luts()
    game.redeal_at(table.states, 0, table.rules, luts, seat, rng)
    game.legal_at(table.states, 0, table.rules, luts, table.menu)
    env.series.units = table.units()
    env._tell_all()
    env._ask(table.actor())

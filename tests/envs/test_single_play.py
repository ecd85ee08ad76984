"""The games of a single seat are those of the other environments."""

import gymnasium
import numpy as np
import pytest

from agents.greedy import Greedy
from agents.play import play_deals
from agents.random_legal import RandomLegal
from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.tiles import parse_tiles
from mjenv.envs.opponents import PolicyAgent, opponents_of
from mjenv.envs.single import SingleSeat
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.state import NUM_KINDS
from tests.envs.play import PRESETS, first_legal, random_legal
from tests.envs.single_play import (
    first_policy,
    keen_policy,
    last_policy,
    played,
    played_by_hand,
    same,
)

EPISODES = 1 if JIT_DISABLED else 3


@pytest.mark.parametrize(
    "opponents",
    [
        "greedy/1",
        "random_legal/1",
        RandomLegal(),
        keen_policy,
        ["random_legal/1", keen_policy, Greedy()],
        (first_policy, last_policy, "greedy/1"),
    ],
    ids=["name", "other", "agent", "function", "mixed", "policies"],
)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_game_is_the_one_played_by_hand(preset, opponents):
    for seat in (0, 2):
        env = SingleSeat(opponents, preset, learner_seat=seat)
        agents = opponents_of(opponents, SICHUAN, "planes/1")
        by_hand = played_by_hand(agents, random_legal(seat), 5, [seat] * EPISODES, rules=preset)
        for one, other in zip(played(env, random_legal(seat), 5, EPISODES), by_hand, strict=True):
            same(one, other)


class Canonical(PolicyAgent):
    """Sees other numbers of actions than the table has."""

    def __init__(self):
        super().__init__(keen_policy, SICHUAN, "planes/1/canonical")


@pytest.mark.parametrize("observation", ["vector/1", "vector/1/canonical"])
def test_observations_may_number_actions_otherwise(observation):
    opponents = [keen_policy, Canonical(), "random_legal/1"]
    env = SingleSeat(opponents, "sichuan_modern", observation=observation, learner_seat=1)
    agents = opponents_of(opponents, SICHUAN, observation)
    options = {"rules": "sichuan_modern", "observation": observation}
    by_hand = played_by_hand(agents, random_legal(1), 5, [1] * EPISODES, **options)
    for one, other in zip(played(env, random_legal(1), 5, EPISODES), by_hand, strict=True):
        same(one, other)


@pytest.mark.parametrize("reward", ["units", "points", "final"])
def test_a_match_is_the_one_played_by_hand(reward):
    options = {"rules": "standalone", "episode": "match", "deals": 3, "reward": reward}
    env = SingleSeat("greedy/1", **options, learner_seat="rotate")
    agents = opponents_of("greedy/1", SICHUAN, "planes/1")
    by_hand = played_by_hand(agents, first_legal, 9, [0, 1, 2], **options)
    for one, other in zip(played(env, first_legal, 9, 3), by_hand, strict=True):
        same(one, other)


@pytest.mark.parametrize("seat", [0, 1, 2, 3, "rotate"])
def test_greedy_as_the_learner_plays_the_deals_of_a_batch(seat):
    """And the observation may be any."""
    env = SingleSeat(
        ["random_legal/1", Greedy(), "random_legal/1"],
        "sichuan_modern",
        observation="vector/1",
        learner_seat=seat,
    )
    learner, deals = Greedy(), 5
    for deal in range(deals):
        shown, info = env.reset(seed=3 if deal == 0 else None)
        assert info["seat"] == env.seat == (deal % 4 if seat == "rotate" else seat)
        assert (info["seed"], info["deal"]) == (3, deal)
        seats = {
            (env.seat + place) % 4: agent
            for place, agent in enumerate([learner, RandomLegal(), learner, RandomLegal()])
        }
        finished = play_deals([seats[k] for k in range(4)], "sichuan_modern", deal + 1, 3).finished
        over = False
        while not over:
            assert finished[deal].tobytes() != env.table.states.tobytes()
            action = learner.act(env.views(), shown["action_mask"][None], np.ones(1, np.uint64))
            shown, _, over, _, info = env.step(action[0])
        assert finished[deal].tobytes() == env.table.states.tobytes()
        assert info["phase"] == "OVER"
        points = finished[deal]["points"] * env.settings.base_points
        np.testing.assert_array_equal(info["points"], points)
        assert sum(info["ledger"].values()) == points[env.seat]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_seed_says_everything(preset):
    one = SingleSeat("random_legal/1", preset, learner_seat=1)
    other = gymnasium.make(
        "mjenv/Sichuan-v0", opponents=RandomLegal(), rules=preset, learner_seat=1
    )
    # What was played before does not matter.
    other.reset()
    other = other.unwrapped
    other.step(other.action_masks().argmax())
    for mine, theirs in zip(
        played(one, first_legal, 11, 3), played(other, first_legal, 11, 3), strict=True
    ):
        same(mine, theirs)


def test_a_first_reset_without_a_seed_draws_one_and_then_goes_on():
    seeds = set()
    for _ in range(3):
        env = SingleSeat()
        _, info = env.reset()
        seeds.add(info["seed"])
        assert env.reset()[1]["seed"] == info["seed"]
        assert env.reset()[1]["deal"] == 2
    assert len(seeds) == 3


# ------------------------------------------------------------------------------- rewards


@pytest.mark.parametrize("preset", PRESETS)
def test_rewards_add_up_to_the_points_of_the_episode(preset):
    wins = 0
    totals = {}
    for reward in ("units", "points", "final"):
        env = SingleSeat("greedy/1", preset, reward=reward)
        base = env.settings.base_points
        totals[reward] = []
        learner = Greedy()
        for deal in range(12):
            shown, _ = env.reset(seed=1 if deal == 0 else None)
            total, over = 0.0, False
            while not over:
                mask = shown["action_mask"][None]
                action = int(learner.act(env.views(), mask, np.ones(1, np.uint64))[0])
                shown, gained, over, _, info = env.step(action)
                assert isinstance(gained, float)
                assert reward != "final" or over or gained == 0
                total += gained
                # Who has won is not asked again, but paid until the end of the deal.
                won = action == SICHUAN.parse_action("win")
                assert over or not won
                wins += won
            assert total == info["points"][0] / (base if reward != "points" else 1)
            totals[reward].append(total)
    assert totals["units"] == totals["final"]
    assert totals["points"] == [base * units for units in totals["units"]]
    assert wins > 0


# --------------------------------------------------------------------- options of a reset


def wall_of(hands: list[str], last: str) -> list[int]:
    """A wall that deals four hands from the dealer on, and the dealer's last tile."""
    dealt = [kind for hand in hands for kind in parse_tiles(hand, NUM_KINDS)]
    dealt += parse_tiles(last, NUM_KINDS)
    rest = [kind for kind in range(NUM_KINDS) for _ in range(4 - dealt.count(kind))]
    return dealt + rest


HEAVENLY = wall_of(
    ["123m456m789m11p55p", "1122334455667m", "2233446677889p", "1122334455667s"], "5p"
)


def test_a_deal_that_ends_before_the_learner_is_asked_is_skipped():
    env = SingleSeat("greedy/1", "standalone_single")
    options = {"wall": HEAVENLY, "dealer": 1}
    _, info = env.reset(seed=4, options=options)
    lost = info["skipped_points"]
    assert (info["skipped_deals"], info["deal"]) == (1, 1)
    assert lost < 0
    assert lost % env.settings.base_points == 0
    assert info["points"].tolist() != [lost, 0, 0, 0]
    over, total = False, 0.0
    while not over:
        _, reward, over, _, info = env.step(env.action_masks().argmax())
        total += reward
        assert "skipped_deals" not in info
    assert total == info["points"][0] / env.settings.base_points
    _, info = env.reset()
    assert (info["skipped_deals"], info["skipped_points"], info["deal"]) == (0, 0, 2)
    # Of a match it is a part like any other.
    env = SingleSeat("greedy/1", "standalone_single", episode="match", deals=2)
    _, info = env.reset(seed=4, options=options)
    assert (info["skipped_deals"], info["deal"]) == (0, 1)
    assert info["last_deal"]["points"][0] == lost
    over, total = False, 0.0
    while not over:
        _, reward, over, _, info = env.step(env.action_masks().argmax())
        total += reward
    assert total == info["points"][0] / env.settings.base_points


def test_a_wall_and_a_dealer_hold_for_one_deal():
    env = SingleSeat("greedy/1", "qq")
    env.reset(seed=2, options={"wall": HEAVENLY, "dealer": 2})
    state = env.table.states[0]
    assert state["wall"].tolist() == HEAVENLY
    assert int(state["dealer"]) == 2
    env.reset()
    second = env.table.states.tobytes()
    env.reset(seed=2)
    env.reset()
    assert env.table.states.tobytes() == second

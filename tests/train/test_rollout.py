import numpy as np
import pytest
import torch

from agents.ppo.network import ActorCritic, Layout
from mjenv.envs.batch import Batch
from mjenv.sichuan.game import SICHUAN
from train.config import OpponentsConfig
from train.opponents import LEARNER, Opponents
from train.rollout import END, OPEN, Rollout, estimate_advantages


def advantages(rewards, values, next_rows, gamma=1.0, gae_lambda=0.95):
    out = np.full(len(rewards), np.nan, np.float32)
    estimate_advantages(
        np.array(rewards, np.float32),
        np.array(values, np.float32),
        np.array(next_rows, np.int64),
        gamma,
        gae_lambda,
        out,
    )
    return out


def test_advantages_of_a_scripted_deal():
    # Two seats take turns: rows 0, 2, 4 are the first seat's, rows 1, 3 the second's.
    # The first seat pays 2 after its second decision and gets 6 at the end; the other loses 4.
    rewards = [0, 0, -2, -4, 6]
    values = [1.0, -0.5, 0.5, -1.0, 2.0]
    next_rows = [2, 3, 4, END, END]
    last = 6 - 2.0
    middle = (-2 + 2.0 - 0.5) + 0.95 * last
    first = (0 + 0.5 - 1.0) + 0.95 * middle
    other_last = -4 - -1.0
    other_first = (0 + -1.0 - -0.5) + 0.95 * other_last
    expected = [first, other_first, middle, other_last, last]
    np.testing.assert_allclose(advantages(rewards, values, next_rows), expected, rtol=1e-6)


def test_with_lambda_1_an_advantage_is_the_rest_of_the_deal_minus_the_value():
    rewards, values = [1, 2, 3], [0.3, -0.2, 5.0]
    result = advantages(rewards, values, [1, 2, END], gae_lambda=1.0)
    np.testing.assert_allclose(result, [6 - 0.3, 5 + 0.2, 3 - 5.0], rtol=1e-6)


def test_an_open_outcome_counts_as_the_value_given_to_it():
    result = advantages([1, 0], [0.5, 4.0], [1, OPEN])
    np.testing.assert_allclose(result, [1 + 4.0 - 0.5, 0], rtol=1e-6)


class Diary:
    """The same trajectories kept naively: a list of decisions for each seat of each deal."""

    def __init__(self, batch, players):
        self.batch, self.players = batch, players
        self.open = {}
        self.closed = []
        self.step = batch.step
        batch.step = self.record

    def record(self, actions):
        batch = self.batch
        for table, seat in enumerate(batch.actors):
            if self.players[table, seat] == LEARNER:
                decisions = self.open.setdefault((table, int(seat)), [])
                decisions.append({"action": int(actions[table]), "reward": 0})
        before = batch.tables["points"].copy()
        result = self.step(actions)
        after = batch.tables["points"].copy()
        after[result.finished_tables] = result.finished["points"]
        for (table, seat), decisions in self.open.items():
            decisions[-1]["reward"] += int(after[table, seat] - before[table, seat])
        for table in result.finished_tables:
            for seat in range(4):
                if (table, seat) in self.open:
                    self.closed.append(self.open.pop((int(table), seat)))
        return result


@pytest.fixture
def network():
    torch.manual_seed(0)
    layout = Layout.of(SICHUAN, SICHUAN.encodings["planes/1"])
    return ActorCritic(layout, [16], 4, separate_critic=False)


def make_rollout(share=0.0, num_tables=6, num_steps=30):
    batch = Batch(num_tables, "qq", 5, "planes/1", skip_forced=True)
    opponents = Opponents(OpponentsConfig(("random_legal/1",), share), num_tables)
    return Rollout(batch, opponents, num_steps, 1.0)


def trajectories(rollout):
    """Actions and rewards from the rows, chained seat by seat, without open outcomes."""
    followed = {int(row) for row in rollout.next_rows if row >= 0}
    complete = rollout.complete_rows()
    for start in (int(row) for row in complete if int(row) not in followed):
        row, chain = start, []
        while row >= 0 and rollout.next_rows[row] != OPEN:
            chain.append({"action": int(rollout.actions[row]), "reward": int(rollout.rewards[row])})
            row = int(rollout.next_rows[row])
        yield chain


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_rows_are_the_decisions_of_each_seat_with_what_they_brought(network, share):
    rollout = make_rollout(share, num_steps=400)
    diary = Diary(rollout.batch, rollout.opponents.players)
    rollout.collect(network, torch.Generator().manual_seed(1))
    expected = diary.closed + [decisions[:-1] for decisions in diary.open.values()]
    found = list(trajectories(rollout))
    assert sum(map(len, found)) > 500
    assert sorted(map(str, found)) == sorted(str(chain) for chain in expected if chain)


def test_no_decision_is_lost_or_doubled_at_the_cuts(network):
    rollout = make_rollout(num_steps=7)
    diary = Diary(rollout.batch, rollout.opponents.players)
    generator = torch.Generator().manual_seed(1)
    found = []
    for _ in range(40):
        rollout.collect(network, generator)
        rows = rollout.complete_rows()
        found += zip(rollout.actions[rows].tolist(), rollout.rewards[rows].tolist(), strict=True)
    chains = diary.closed + [decisions[:-1] for decisions in diary.open.values()]
    expected = [(item["action"], item["reward"]) for chain in chains for item in chain]
    assert len(expected) > 1000
    assert sorted(found) == sorted(expected)


def test_what_is_learnt_from_is_legal_and_a_choice(network):
    rollout = make_rollout(num_steps=100)
    rollout.collect(network, torch.Generator().manual_seed(1))
    rows = rollout.complete_rows()
    masks = rollout.masks[rows]
    assert masks[np.arange(len(rows)), rollout.actions[rows]].all()
    assert (masks.sum(1) > 1).all()
    assert (rollout.log_probs[rows] < 0).all()


def test_bots_have_the_seats_of_their_share():
    players = Opponents(OpponentsConfig(("random_legal/1",), 0.25), 16).players
    assert (players == LEARNER).sum(1).tolist() == [4] * 12 + [1] * 4
    assert sorted(np.flatnonzero(row == LEARNER).item() for row in players[12:]) == [0, 1, 2, 3]


def test_learner_seats_are_reported_with_the_deals(network):
    rollout = make_rollout(0.5, num_steps=300)
    finished, learner = rollout.collect(network, torch.Generator().manual_seed(1))
    assert len(finished) == len(learner) > 10
    assert set(learner.sum(1).tolist()) == {1, 4}

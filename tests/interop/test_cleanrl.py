"""The single-file PPO plays legal deals, credits payments to the right decisions, and learns."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import mjenv
from tests.interop.examples import load, run

NUM_TABLES = 4
NUM_STEPS = 130


@pytest.fixture
def example(monkeypatch):
    module = load("cleanrl_ppo")
    monkeypatch.setattr(module, "NUM_STEPS", NUM_STEPS)
    return module


@pytest.fixture
def rollout(example):
    torch.manual_seed(5)
    batch = mjenv.Batch(NUM_TABLES, "qq", 5, example.OBSERVATION, skip_forced=True)
    network = example.ActorCritic(batch.observations.shape[1], batch.masks.shape[1])
    rollout = example.Rollout(batch)
    assert rollout.collect(network) >= NUM_TABLES
    return rollout


def outcome(rollout, table: int, step: int) -> float | None:
    """What the seat asked was paid until it was asked again or the deal ended, step by step."""
    seat = rollout.seats[step, table]
    total = 0.0
    for later in range(step, NUM_STEPS):
        if later > step and rollout.seats[later, table] == seat:
            return total
        total += rollout.rewards[later, table, seat]
        if rollout.ended[later, table]:
            return total
    return None


def test_advantages_are_those_of_each_seat_alone(example, rollout, monkeypatch):
    monkeypatch.setattr(example, "GAE_LAMBDA", 0.0)
    advantages, known = rollout.advantages()
    values = rollout.values.numpy()
    assert known.mean() > 0.8
    for table in range(NUM_TABLES):
        for step in range(NUM_STEPS):
            paid = outcome(rollout, table, step)
            assert known[step, table] == (paid is not None)
            if paid is None:
                continue
            seat = rollout.seats[step, table]
            ends = np.flatnonzero(rollout.ended[step:, table])
            limit = step + ends[0] + 1 if len(ends) else NUM_STEPS
            later = np.flatnonzero(rollout.seats[step + 1 : limit, table] == seat)
            value = values[step + 1 + later[0], table] if len(later) else 0.0
            expected = paid + value - values[step, table]
            assert advantages[step, table] == pytest.approx(expected, abs=1e-5)


def test_with_long_estimates_a_deal_adds_up(example, rollout, monkeypatch):
    """Lambda 1: value and advantage together are what is paid until the deal ends."""
    monkeypatch.setattr(example, "GAE_LAMBDA", 1.0)
    advantages, known = rollout.advantages()
    returns = advantages + rollout.values.numpy()
    for table in range(NUM_TABLES):
        end = np.flatnonzero(rollout.ended[:, table])[0]
        for step in range(end + 1):
            seat = rollout.seats[step, table]
            paid = rollout.rewards[step : end + 1, table, seat].sum()
            assert known[step, table]
            assert returns[step, table] == pytest.approx(paid, abs=1e-4)


def test_an_update_makes_good_actions_likelier(example, rollout):
    torch.manual_seed(5)
    batch = rollout.batch
    network = example.ActorCritic(batch.observations.shape[1], batch.masks.shape[1])
    optimiser = torch.optim.Adam(network.parameters(), 1e-3)
    advantages, known = rollout.advantages()
    weights = torch.from_numpy(np.where(known, advantages - advantages[known].mean(), 0))

    def agreement() -> float:
        with torch.no_grad():
            log_probs, _ = network(rollout.observations, rollout.masks)
            chosen = log_probs.gather(2, rollout.actions[:, :, None])[:, :, 0]
            return float((weights * chosen).sum())

    before = agreement()
    example.update(network, optimiser, rollout)
    assert agreement() > before


def test_illegal_actions_have_no_probability(example, rollout):
    network = example.ActorCritic(rollout.observations.shape[2], rollout.masks.shape[2])
    torch.nn.init.normal_(network.actor.weight, std=10.0)
    log_probs, _ = network(rollout.observations, rollout.masks)
    assert torch.isfinite(log_probs).all()
    assert (log_probs.exp()[~rollout.masks] == 0).all()


def test_the_example_runs(example, monkeypatch, capsys):
    monkeypatch.setattr(example, "NUM_TABLES", NUM_TABLES)
    lines = run("cleanrl_ppo", ["--steps", "500", "--deals", "20"], monkeypatch, capsys)
    assert lines[0].split()[:2] == [str(NUM_TABLES * NUM_STEPS), "decisions,"]
    assert lines[-1].startswith("return against three random_legal/1: ")

from dataclasses import replace

import numpy as np
import pytest
import torch

from agents.play import play_deals, play_seated
from agents.ppo.agent import (
    CHECKPOINTS,
    POLICY_FILE,
    Metadata,
    PPOAgent,
    build_network,
    load_agent,
    pack_policy,
)
from agents.ppo.network import Layout, entropy, sample
from agents.value_model import make_value
from mjenv.agent import Agent
from mjenv.core.rng import policy_stream
from mjenv.errors import CheckpointError
from mjenv.registry import make_agent
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules

NETWORK = {"hidden": [16], "kind_hidden": 8, "separate_critic": True}


@pytest.fixture
def network():
    torch.manual_seed(1)
    network = build_network(SICHUAN, "planes/1", NETWORK)
    torch.nn.init.normal_(network.policy.weight)  # decided, so that choices differ by observation
    return network


@pytest.fixture
def metadata():
    rules = Rules.preset("qq")
    return Metadata(
        "sichuan",
        "planes/1",
        rules.to_dict(),
        rules.fingerprint,
        "0.1.0",
        {"network": NETWORK},
        3,
        300,
    )


@pytest.fixture
def run(tmp_path, network, metadata):
    for update in ("000002", "000003"):
        folder = tmp_path / CHECKPOINTS / update
        folder.mkdir(parents=True)
        (folder / POLICY_FILE).write_bytes(pack_policy(network, metadata))
    return tmp_path


def questions(number):
    rng = np.random.default_rng(0)
    observations = rng.integers(0, 2, (number, 114, 3, 9), dtype=np.int8)
    masks = (rng.random((number, 62)) < 0.2).astype(np.int8)
    masks[:, 60] = 1
    streams = np.ones(number, np.uint64)
    for row in range(number):
        policy_stream(streams[row : row + 1], 1, row, 0, 0)
    return observations, masks, streams


def test_illegal_actions_have_no_probability_and_no_entropy(network):
    observations, masks, _ = questions(20)
    flat = torch.from_numpy(observations).flatten(1).float()
    legal = torch.from_numpy(masks.astype(bool))
    log_probs, values = network(flat, legal)
    assert log_probs.isfinite().all()
    assert (log_probs.exp()[~legal] == 0).all()
    torch.testing.assert_close(log_probs.exp().sum(-1), torch.ones(20))
    by_hand = torch.stack(
        [
            torch.distributions.Categorical(logits=row[allowed]).entropy()
            for row, allowed in zip(log_probs, legal, strict=True)
        ]
    )
    torch.testing.assert_close(entropy(log_probs), by_hand)
    assert values.shape == (20,)


def test_channels_and_actions_by_kind_are_found_by_their_names():
    vector = SICHUAN.encodings["vector/1"]
    layout = Layout.of(SICHUAN, vector)
    assert layout.kind_actions == (0, 27)
    assert [vector.channels[27 * i] for i in (0, layout.num_channels - 1)] == [
        "hand >= 1 1m",
        "own kong keeps 1m",
    ]
    planes = Layout.of(SICHUAN, SICHUAN.encodings["planes/1"])
    assert (planes.num_channels, planes.channel_size) == (114, 27)


def test_every_kind_is_looked_at_alike(network):
    observations = torch.zeros(1, 114, 27)
    observations[0, :, 5] = torch.rand(114)
    moved = observations.roll(7, dims=2)
    features = torch.zeros(1, 16)
    here = network._by_kind(observations.flatten(1), features)
    there = network._by_kind(moved.flatten(1), features)
    torch.testing.assert_close(here[0, 5], there[0, 12])
    assert not torch.allclose(here[0, 5], here[0, 6])


def test_samples_follow_the_probabilities():
    probabilities = torch.tensor([0.5, 0.3, 0.2])
    log_probs = torch.cat([probabilities.log(), torch.tensor([-1e9])]).expand(40_000, 4)
    drawn = sample(log_probs, torch.Generator().manual_seed(0))
    counts = torch.bincount(drawn, minlength=4) / 40_000
    torch.testing.assert_close(counts[:3], probabilities, atol=0.01, rtol=0)
    assert counts[3] == 0


def test_it_is_an_agent_that_answers_legally(run):
    agent = load_agent(run)
    assert isinstance(agent, Agent)
    assert agent.games == ("sichuan",)
    assert agent.observation == "planes/1"
    observations, masks, streams = questions(50)
    actions = agent.act(observations, masks, streams)
    assert masks[np.arange(50), actions].all()
    assert len(set(actions.tolist())) > 5


@pytest.mark.parametrize("sampled", [False, True])
def test_a_question_gets_the_same_answer_alone(network, metadata, sampled):
    agent = PPOAgent(network, metadata, "test", sampled)
    observations, masks, streams = questions(40)
    together = agent.act(observations, masks, streams.copy())
    alone = [
        agent.act(observations[i : i + 1], masks[i : i + 1], streams[i : i + 1].copy())[0]
        for i in range(40)
    ]
    assert together.tolist() == alone


def test_sampled_answers_follow_the_probabilities(network, metadata):
    network.policy.weight.data.mul_(0.02)
    observations, masks, _ = questions(1)
    number = 20_000
    streams = np.ones(number, np.uint64)
    for row in range(number):
        policy_stream(streams[row : row + 1], 1, row, 0, 0)
    actions = PPOAgent(network, metadata, "test", sampled=True).act(
        np.repeat(observations, number, 0), np.repeat(masks, number, 0), streams
    )
    log_probs, _ = network(
        torch.from_numpy(observations).flatten(1).float(), torch.from_numpy(masks.astype(bool))
    )
    expected = log_probs.exp()[0].detach().numpy()
    np.testing.assert_allclose(np.bincount(actions, minlength=62) / number, expected, atol=0.015)


def test_it_plays_whole_deals_by_name(run):
    agent = make_agent(f"ppo:{run}")
    played = play_deals([agent, *[make_agent("random_legal/1")] * 3], "qq", 8, seed=2)
    assert (played.finished["points"].sum(1) == 0).all()


@pytest.mark.parametrize(
    "path", ["", CHECKPOINTS + "/000003", f"{CHECKPOINTS}/000002/{POLICY_FILE}"]
)
def test_a_run_a_checkpoint_and_a_file_are_found(run, path):
    assert load_agent(run / path).metadata.update == 3


def test_a_missing_checkpoint_is_an_error_by_name(tmp_path):
    with pytest.raises(CheckpointError, match="no checkpoint at"):
        make_agent(f"ppo:{tmp_path}")


def test_its_critic_is_a_value_of_deals(tmp_path, network, metadata):
    torch.nn.init.normal_(network.value.weight)
    config = {**metadata.config, "ppo": {"reward_scale": 0.25}}
    (tmp_path / POLICY_FILE).write_bytes(pack_policy(network, replace(metadata, config=config)))
    meter = make_value(f"ppo:{tmp_path}")
    observations, masks, _ = questions(50)
    flat = torch.from_numpy(observations.reshape(50, -1).astype(np.float32))
    _, scaled = network(flat, torch.from_numpy(masks.astype(bool)))
    own = meter.model.values(observations)
    assert own[:, 0] == pytest.approx(4 * scaled.detach().numpy(), rel=1e-5)
    assert own[:, 1] == pytest.approx(-own[:, 0] / 3)
    luck = play_seated(["greedy/1"], "qq", 1, np.arange(2), np.zeros((2, 4), int), value=meter).luck
    assert (luck != 0).all()
    assert luck.sum(axis=1) == pytest.approx([0, 0], abs=1e-6)


def test_a_critic_that_does_not_say_its_scale_is_refused(run):
    with pytest.raises(CheckpointError, match="by what rewards were multiplied"):
        make_value(f"ppo:{run}")

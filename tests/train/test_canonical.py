"""Training on an observation in the canonical order of suits."""

from pathlib import Path

import numpy as np
import pytest

from agents.ppo.agent import load_agent
from mjenv.envs.bots import bot_kernel
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.suit_order import SUIT_ORDER
from train.checkpoint import latest_checkpoint
from train.config import parse
from train.ppo import Trainer, main, run

SMOKE = Path(__file__).parents[2] / "configs" / "ppo" / "smoke.yaml"
NAME = "vector/1/canonical"
POLICY = "policy.safetensors"


def smoke(*options):
    return parse(["--config", str(SMOKE), "--observation", NAME, *options])


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("canonical")
    assert run(smoke(), directory) == 0
    return directory


def test_the_checkpoint_remembers_the_order(whole_run):
    assert load_agent(whole_run).observation == NAME


def test_a_resumed_run_is_the_run_that_was_not_interrupted(whole_run, tmp_path):
    trainer = Trainer(smoke())
    for _ in range(3):
        trainer.iterate()
    checkpoint = trainer.save(tmp_path)
    assert main(["--resume", str(checkpoint)]) == 0
    ours, theirs = latest_checkpoint(tmp_path), latest_checkpoint(whole_run)
    assert (ours / POLICY).read_bytes() == (theirs / POLICY).read_bytes()


def test_actions_of_learner_and_bots_are_in_the_numbers_of_the_masks():
    trainer, plain = Trainer(smoke()), Trainer(parse(["--config", str(SMOKE)]))
    rollout, batch = trainer.rollout, trainer.batch
    rollout.collect(trainer.network, trainer.generator)
    rows = rollout.complete_rows()
    assert (rollout.masks[rows, rollout.actions[rows]] == 1).all()

    # The same tables in the numbers of the engine: bots choose the same.
    plain.batch.load_state_dict(batch.state_dict())
    bot = bot_kernel("greedy/1", SICHUAN)
    players = np.zeros((batch.num_tables, 4), np.int8)
    shown, real = (np.zeros(batch.num_tables, np.int64) for _ in range(2))
    batch.choose(bot, 0, players, shown)
    plain.batch.choose(bot, 0, players, real)
    order = SUIT_ORDER.rows(batch.tables, batch.actors)
    assert (SUIT_ORDER.act(shown, order) == real).all()
    assert (shown != real).any()

import os
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from agents.ppo.agent import POLICY_FILE, Metadata, build_network, find_policy, read_policy
from mjenv.errors import CheckpointError
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules
from train.checkpoint import (
    TRAINER_FILE,
    find_checkpoint,
    latest_checkpoint,
    list_checkpoints,
    read_trainer,
    save_checkpoint,
)
from train.config import parse
from train.ppo import Trainer

SMOKE = Path(__file__).parents[2] / "configs" / "ppo" / "smoke.yaml"
NETWORK = {"hidden": [8], "kind_hidden": 4, "separate_critic": False}
TRAINER = {"seconds": 1.5, "generator": torch.Generator().get_state()}


def metadata(update=1):
    rules = Rules.preset("qq")
    return Metadata(
        game="sichuan",
        observation="planes/1",
        rules=rules.to_dict(),
        fingerprint=rules.fingerprint,
        engine="0.1.0",
        config={"network": NETWORK},
        update=update,
        decisions=100 * update,
    )


@pytest.fixture
def network():
    torch.manual_seed(0)
    return build_network(SICHUAN, "planes/1", NETWORK)


def snapshot(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_checkpoint_reads_back(tmp_path, network):
    path = save_checkpoint(tmp_path, network, metadata(), TRAINER, keep=2)
    read, said = read_policy(path / POLICY_FILE)
    assert said == metadata()
    for name, weights in network.state_dict().items():
        assert torch.equal(read.state_dict()[name], weights)
    trainer = read_trainer(path)
    assert trainer["seconds"] == 1.5
    assert torch.equal(trainer["generator"], TRAINER["generator"])


def test_equal_checkpoints_are_equal_files(tmp_path, network):
    first = save_checkpoint(tmp_path / "a", network, metadata(), TRAINER, keep=2)
    second = save_checkpoint(tmp_path / "b", network, metadata(), TRAINER, keep=2)
    assert snapshot(first) == snapshot(second)


def test_only_the_latest_are_kept(tmp_path, network):
    for update in (1, 2, 9, 10, 100):
        save_checkpoint(tmp_path, network, metadata(update), TRAINER, keep=2)
    assert [path.name for path in list_checkpoints(tmp_path)] == ["000010", "000100"]
    assert find_checkpoint(tmp_path) == latest_checkpoint(tmp_path)
    assert find_policy(tmp_path) == latest_checkpoint(tmp_path) / POLICY_FILE
    assert find_checkpoint(latest_checkpoint(tmp_path)) == latest_checkpoint(tmp_path)


@pytest.mark.parametrize("fails_at", [1, 2])
def test_a_full_disk_leaves_everything_as_it_was(tmp_path, network, monkeypatch, fails_at):
    save_checkpoint(tmp_path, network, metadata(1), TRAINER, keep=2)
    before = snapshot(tmp_path)
    synced = os.fsync
    calls = []

    def full(descriptor):
        calls.append(descriptor)
        if len(calls) == fails_at:
            raise OSError(28, "No space left on device")
        synced(descriptor)

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CheckpointError, match=r"No space left on device; .*000001 is untouched"):
        save_checkpoint(tmp_path, network, metadata(2), TRAINER, keep=2)
    assert snapshot(tmp_path) == before


def test_a_crash_while_writing_leaves_no_checkpoint(tmp_path, network, monkeypatch):
    save_checkpoint(tmp_path, network, metadata(1), TRAINER, keep=2)

    def crash(self, target):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", crash)
        with pytest.raises(KeyboardInterrupt):
            save_checkpoint(tmp_path, network, metadata(2), TRAINER, keep=2)
    assert latest_checkpoint(tmp_path).name == "000001"
    save_checkpoint(tmp_path, network, metadata(2), TRAINER, keep=2)
    assert latest_checkpoint(tmp_path).name == "000002"
    names = [path.name for path in (tmp_path / "checkpoints").iterdir()]
    assert sorted(names) == ["000001", "000002"]


def test_a_checkpoint_written_again_replaces_the_old(tmp_path, network):
    save_checkpoint(tmp_path, network, metadata(1), {"seconds": 1.0}, keep=2)
    path = save_checkpoint(tmp_path, network, metadata(1), {"seconds": 2.0}, keep=2)
    assert read_trainer(path) == {"seconds": 2.0}


@pytest.mark.parametrize("size", [0, 1, 9, 100, -1])
@pytest.mark.parametrize("file", [POLICY_FILE, TRAINER_FILE])
def test_a_truncated_file_is_refused(tmp_path, network, file, size):
    save_checkpoint(tmp_path, network, metadata(1), TRAINER, keep=2)
    path = save_checkpoint(tmp_path, network, metadata(2), TRAINER, keep=2) / file
    path.write_bytes(path.read_bytes()[:size])
    read = read_policy if file == POLICY_FILE else lambda path: read_trainer(path.parent)
    with pytest.raises(CheckpointError, match="damaged or no checkpoint") as caught:
        read(path)
    assert str(path) in str(caught.value)
    if file == TRAINER_FILE:
        assert "the checkpoint before it is" in str(caught.value)
        assert "000001" in str(caught.value)


class Malicious:
    def __reduce__(self):
        return (os.system, ("false",))


def test_code_in_a_checkpoint_is_not_run(tmp_path, network, monkeypatch):
    path = save_checkpoint(tmp_path, network, metadata(), TRAINER, keep=2)
    torch.save({"seconds": Malicious()}, path / TRAINER_FILE)
    monkeypatch.setattr("os.system", lambda command: pytest.fail("it ran"))
    with pytest.raises(CheckpointError, match="damaged or no checkpoint"):
        read_trainer(path)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "cixi"}, "made for the game 'cixi'; known: sichuan"),
        ({"observation": "planes/0"}, "made for the observation 'planes/0'; sichuan has planes/1"),
        ({"config": {"network": {**NETWORK, "hidden": [9]}}}, "do not fit 'planes/1'"),
        ({"config": {}}, "damaged metadata"),
    ],
)
def test_a_policy_that_cannot_be_used_is_refused(tmp_path, network, changes, said):
    path = save_checkpoint(tmp_path, network, replace(metadata(), **changes), TRAINER, keep=2)
    with pytest.raises(CheckpointError, match=said):
        read_policy(path / POLICY_FILE)


def test_a_foreign_file_is_refused(tmp_path):
    from safetensors.torch import save_file

    save_file({"weights": torch.zeros(3)}, tmp_path / "other.safetensors")
    with pytest.raises(CheckpointError, match="format None; this version reads 'mjenv-ppo/1'"):
        read_policy(tmp_path / "other.safetensors")
    with pytest.raises(CheckpointError, match="no checkpoint at"):
        find_policy(tmp_path / "nowhere")


def test_training_does_not_go_on_under_other_rules(tmp_path):
    rules = tmp_path / "rules.yaml"
    rules.write_text("fan_cap: 5\n")
    config = parse(["--config", str(SMOKE), "--rules", str(rules)])
    trainer = Trainer(config)
    checkpoint = trainer.save(tmp_path)
    Trainer(config).load(checkpoint)
    fingerprint = trainer.rules.fingerprint
    rules.write_text("fan_cap: 6\n")
    with pytest.raises(CheckpointError, match=f"made for the rules {fingerprint}, not"):
        Trainer(config).load(checkpoint)

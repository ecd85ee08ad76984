import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml

from agents.ppo.agent import load_agent
from train.checkpoint import latest_checkpoint, list_checkpoints
from train.config import TrainConfig, parse
from train.metrics import read_metrics
from train.ppo import Trainer, main, run
from train.stopping import INTERRUPTED

SMOKE = Path(__file__).parents[2] / "configs" / "ppo" / "smoke.yaml"


def smoke(*options):
    return parse(["--config", str(SMOKE), *options])


def learning(run_directory):
    """The metrics of a run but for its speed."""
    return [
        {name: value for name, value in line.items() if not name.startswith("speed/")}
        for line in read_metrics(run_directory)
    ]


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("whole")
    assert run(smoke(), directory) == 0
    return directory


def test_the_command_trains_and_ends_with_a_table(tmp_path, capfd):
    assert main(["--config", str(SMOKE), "--directory", str(tmp_path), "--seed", "3"]) == 0
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "random_legal/1" in printed.err
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["random_legal/1"]["seats"] == 64
    assert yaml.safe_load((tmp_path / "config.yaml").read_text())["seed"] == 3
    assert list((tmp_path / "tensorboard").glob("events.*"))


def test_metrics_of_every_update_are_finite_and_named(whole_run):
    lines = read_metrics(whole_run)
    assert [line["update"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines[-1]["decisions"] >= 7000
    for line in lines:
        assert 0 < line["losses/entropy"] < np.log(27)
        assert line["losses/clip_fraction"] < 1
        assert 1 <= line["losses/gradient_steps"] <= 4
    for line in lines[2:]:  # the first deals take a while
        assert line["deals/seats"] > 0
        assert line["deals/void_m"] + line["deals/void_p"] + line["deals/void_s"] == pytest.approx(
            1
        )
    assert "evaluation/random_legal/1/units_per_deal" in lines[3]


def test_the_result_is_an_agent(whole_run):
    agent = load_agent(whole_run)
    assert agent.metadata.decisions == read_metrics(whole_run)[-1]["decisions"]


def test_the_same_seed_gives_the_same_run(whole_run, tmp_path):
    assert run(smoke(), tmp_path) == 0
    assert learning(tmp_path) == learning(whole_run)


@pytest.mark.parametrize("cut", [2, 5])
def test_a_resumed_run_is_the_run_that_was_not_interrupted(whole_run, tmp_path, cut):
    trainer = Trainer(smoke())
    for _ in range(cut):
        trainer.iterate()
    checkpoint = trainer.save(tmp_path)
    assert main(["--resume", str(checkpoint)]) == 0
    ours, theirs = latest_checkpoint(tmp_path), latest_checkpoint(whole_run)
    assert ours.name == theirs.name
    policy = "policy.safetensors"
    assert (ours / policy).read_bytes() == (theirs / policy).read_bytes()
    assert learning(tmp_path) == learning(whole_run)[cut:]


def test_a_run_killed_in_the_middle_resumes(whole_run, tmp_path):
    command = [sys.executable, "-c", "import sys; from train.ppo import main; main(sys.argv[1:])"]
    options = ["--config", str(SMOKE), "--directory", str(tmp_path)]
    process = subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not list_checkpoints(tmp_path) and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(read_metrics(tmp_path)) < len(read_metrics(whole_run))
    assert main(["--resume", str(tmp_path)]) == 0
    assert learning(tmp_path) == learning(whole_run)


def test_ctrl_c_saves_and_says_how_to_go_on(whole_run, tmp_path, monkeypatch, capfd):
    iterate = Trainer.iterate

    def interrupted(trainer):
        metrics = iterate(trainer)
        if trainer.update == 3:
            signal.raise_signal(signal.SIGINT)
        return metrics

    monkeypatch.setattr(Trainer, "iterate", interrupted)
    handler = signal.getsignal(signal.SIGINT)
    assert main(["--config", str(SMOKE), "--directory", str(tmp_path)]) == INTERRUPTED
    assert signal.getsignal(signal.SIGINT) is handler
    assert f"mjenv train --resume {tmp_path}" in capfd.readouterr().err
    assert latest_checkpoint(tmp_path).name == "000003"
    assert not (tmp_path / "results.json").exists()
    monkeypatch.undo()
    assert main(["--resume", str(tmp_path)]) == 0
    assert learning(tmp_path) == learning(whole_run)


def test_a_time_limit_ends_the_run(tmp_path):
    assert run(smoke("--max_seconds", "0.001", "--evaluation.opponents", "[]"), tmp_path) == 0
    assert len(read_metrics(tmp_path)) == 1


def test_a_full_disk_costs_no_progress(whole_run, tmp_path, monkeypatch, caplog):
    def full(file, content):
        raise OSError(28, "No space left on device")

    iterate = Trainer.iterate

    def disk_full_for_a_while(trainer):
        if trainer.update == 3:
            monkeypatch.setattr("train.checkpoint._write", full)
        if trainer.update == 4:
            monkeypatch.setattr("train.checkpoint._write", write)
        return iterate(trainer)

    from train.checkpoint import _write as write

    monkeypatch.setattr(Trainer, "iterate", disk_full_for_a_while)
    assert run(smoke(), tmp_path) == 0
    assert "No space left on device" in caplog.text
    assert learning(tmp_path) == learning(whole_run)
    assert latest_checkpoint(tmp_path).name == latest_checkpoint(whole_run).name


def test_a_disk_full_at_the_end_is_one_line_and_exit_code_1(tmp_path, monkeypatch, capfd):
    trainer = Trainer(smoke("--directory", str(tmp_path)))
    trainer.iterate()
    kept = trainer.save(tmp_path)

    def full(file, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("train.checkpoint._write", full)
    assert main(["--resume", str(tmp_path)]) == 1
    last = capfd.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("mjenv train: cannot write the checkpoint")
    assert f"No space left on device; {kept} is untouched" in last
    assert latest_checkpoint(tmp_path) == kept


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ppo.lr", "1"], "ppo.lr"),
        (["--config", "nowhere.yaml"], "nowhere.yaml"),
        (["--seed", "many"], "seed"),
        (["--see", "3"], "unrecognized arguments: --see 3"),
        (["--keep", "0"], "keep: got 0; allowed: 2 or more"),
        (["--rules", "sichaun"], "unknown preset 'sichaun'"),
        (["--observation", "planes/0"], "planes/0"),
        (["--observation", "tokens/1"], "tokens/1 holds ids"),
        (["--opponents.names", "[gready/1]", "--opponents.share", "0.5"], "gready/1"),
        (["--opponents.names", "[]", "--opponents.share", "0.5"], "opponents.names"),
        (["--evaluation.opponents", "[gready/1]"], "gready/1"),
        (["--resume"], "--resume"),
    ],
)
def test_a_wrong_option_is_one_line_and_exit_code_2(options, said, capfd, tmp_path):
    assert main(["--config", str(SMOKE), "--directory", str(tmp_path), *options]) == 2
    printed = capfd.readouterr().err.strip()
    assert printed.startswith("mjenv train: ")
    assert said in printed
    assert "\n" not in printed


def test_a_key_given_twice_in_a_file_is_told(capfd, tmp_path):
    file = tmp_path / "twice.yaml"
    file.write_text("ppo:\n  num_epochs: 1\n  gamma: 1.0\n  num_epochs: 2\n", encoding="utf-8")
    assert main([f"--config={file}"]) == 2
    said = f"{file}: line 4: 'num_epochs' is given twice, first in line 2"
    assert capfd.readouterr().err.strip() == f"mjenv train: {said}"


def test_a_number_that_python_cannot_hold_is_told(capfd, tmp_path):
    file = tmp_path / "long.yaml"
    file.write_text(f"seed: {'9' * 5000}", encoding="utf-8")
    assert main([f"--config={file}"]) == 2
    assert capfd.readouterr().err.startswith(f"mjenv train: {file}: Exceeds the limit")


def test_a_resumed_run_goes_on_as_it_began(whole_run, tmp_path, capfd):
    assert main(["--resume", str(whole_run), "--ppo.learning_rate", "1"]) == 1
    assert "made with other ppo.learning_rate" in capfd.readouterr().err
    assert main(["--resume", str(tmp_path)]) == 1
    assert "nothing to resume" in capfd.readouterr().err


def test_print_config_prints_what_config_reads(capsys, tmp_path):
    assert main(["--config", str(SMOKE), "--seed", "9", "--print_config"]) == 0
    file = tmp_path / "again.yaml"
    file.write_text(capsys.readouterr().out)
    assert parse(["--config", str(file)]) == smoke("--seed", "9")


@pytest.mark.parametrize("name", ["smoke", "quick", "long"])
def test_configurations_in_the_repository_are_valid(name):
    config = parse(["--config", str(SMOKE.with_name(f"{name}.yaml"))])
    assert config.name == name
    assert TrainConfig.from_dict(config.to_dict()) == config


def test_rewarded_actions_become_probable():
    options = {"num_epochs": 4, "minibatch_size": 128, "learning_rate": 0.01, "target_kl": 1}
    options = [f"--ppo.{name}={value}" for name, value in options.items()]
    trainer = Trainer(smoke(*options))
    rollout = trainer.rollout
    chosen = []
    for _ in range(12):
        rollout.collect(trainer.network, trainer.generator)
        rows = rollout.complete_rows()
        lowest = rollout.actions == rollout.masks.argmax(1)
        rollout.rewards[:] = lowest
        rollout.next_rows[rows] = -2  # every decision for itself
        trainer._learn(rows)
        chosen.append(lowest[rows].mean())
    assert chosen[0] < 0.5
    assert chosen[-1] > 0.8


def test_rates_fall_with_the_decisions():
    options = ("learning_rate=1", "final_learning_rate=0", "ent_coef=0.4", "final_ent_coef=0.2")
    trainer = Trainer(smoke("--total_decisions=1000", *(f"--ppo.{option}" for option in options)))
    trainer.decisions = 250
    assert trainer._schedule() == pytest.approx({"learning_rate": 0.75, "ent_coef": 0.35})
    trainer.decisions = 2000
    assert trainer._schedule() == pytest.approx({"learning_rate": 0, "ent_coef": 0.2})


def test_ratios_of_another_policy_are_noticed():
    trainer = Trainer(smoke())
    trainer.rollout.collect(trainer.network, trainer.generator)
    with torch.no_grad():
        trainer.network.policy.weight.mul_(50)
    with pytest.raises(RuntimeError, match="probabilities changed"):
        trainer._learn(trainer.rollout.complete_rows())

"""The example of imitation learns something."""

import importlib.util
from pathlib import Path

import pytest

from mjenv import write_dataset
from mjenv.core.kernel import JIT_DISABLED
from train.cli import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "imitation.py"


@pytest.fixture
def learn():
    pytest.importorskip("torch")
    spec = importlib.util.spec_from_file_location("example_of_imitation", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.learn


@pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
def test_a_network_learns_to_choose_as_the_bot(learn, tmp_path):
    """It must see more in a position than which actions are chosen often where they are legal."""
    record = tmp_path / "games.jsonl"
    assert main(["selfplay", "greedy/1", "--deals", "100", "--out", str(record)]) == 0
    write_dataset(record, "vector/1", tmp_path / "games", skip_forced=True)
    network, likeliest = learn(tmp_path / "games")
    assert 0.3 < likeliest < 0.5
    assert network > likeliest + 0.1

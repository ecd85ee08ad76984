import itertools
import json

import pytest

from mjenv.core.kernel import JIT_DISABLED
from train.bench import LAYERS, Layer, measure
from train.cli import main

compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
QUICK = [layer.name for layer in LAYERS if layer.name != "ppo"]


@compiled_only
def test_json_names_every_layer_once(capsys):
    assert main(["bench", "--json", "--seconds", "0.02", "--only", *QUICK]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [item["name"] for item in found] == QUICK
    for item in found:
        assert set(item) == {"name", "decisions_per_second", "what_is_counted"}
        assert item["decisions_per_second"] > 0
        assert len(item["what_is_counted"]) > 10


def test_the_names_are_those_of_the_documents():
    names = [layer.name for layer in LAYERS]
    assert len(set(names)) == len(names)
    known = {"step_masks", "step_planes", "step_vector", "greedy_batch", "aec_raw", "table_clone"}
    known |= {"step_tokens", "batch_clone", "rollouts", "vector_env", "single_env", "batch_planes"}
    assert set(names) <= known | {"ppo"}
    assert {"step_masks", "step_planes", "greedy_batch", "vector_env", "aec_raw"} <= set(names)


@compiled_only
def test_some_layers_as_a_table(capsys):
    assert main(["bench", "--seconds", "0.02", "--only", "step_planes", "step_masks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["layer", "decisions/s"]
    assert [line.split()[0] for line in lines[1:]] == ["step_planes", "step_masks"]


@pytest.mark.slow
def test_training_is_measured_too(capsys):
    pytest.importorskip("torch")
    assert main(["bench", "--json", "--seconds", "0.02"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [item["name"] for item in found] == [layer.name for layer in LAYERS]
    assert found[-1]["name"] == "ppo"
    assert found[-1]["decisions_per_second"] > 0


def test_what_takes_long_is_repeated_less_often():
    now = [0.0]
    chunks = []

    def chunk():
        now[0] += 1.0
        chunks.append(now[0])
        return 1

    layer = Layer("x", "nothing", lambda: chunk)
    (speed,) = measure([layer], seconds=2.0, repeats=5, clock=lambda: now[0])
    assert speed.decisions_per_second == 1.0
    assert len(chunks) == 2 + 2  # compiling, warming up, and as often as two seconds allow


def test_the_median_of_the_repeats_counts():
    """A clock that only this layer moves: chunks take 1, 2, 4, ... seconds."""
    now = [0.0]
    steps = itertools.count()

    def chunk():
        now[0] += 2.0 ** next(steps)
        return 8

    (speed,) = measure(
        [Layer("x", "nothing", lambda: chunk)], seconds=0.0, repeats=3, clock=lambda: now[0]
    )
    # Chunks of 1 and 2 seconds compile and warm up; those of 4, 8 and 16 are measured.
    assert speed.decisions_per_second == 8 / 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "warp"], "--only: got 'warp'; layers: step_masks"),
        (["--seconds", "0"], "--seconds: got 0; allowed: more than 0"),
        (["--seconds", "nan"], "--seconds: got nan"),
        (["--seconds", "soon"], "argument --seconds: invalid float value: 'soon'"),
    ],
)
def test_mistakes(arguments, message, capsys):
    assert main(["bench", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1

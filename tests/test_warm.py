"""What is compiled ahead of time, and that a first compilation is not silent."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mjenv import warm_up
from mjenv.core.kernel import JIT_DISABLED

KERNEL = """
from mjenv.core.kernel import kernel

@kernel
def double(number: int) -> int:
    return 2 * number

@kernel
def quadruple(number: int) -> int:
    return double(double(number))

print(quadruple(3))
"""

PLAY = """
import gymnasium
import numpy as np
from mjenv import Batch, Rules, Table, sichuan_v0

def policy(observations, masks):
    return masks.argmax(axis=1)

class Views:
    name, games, observation = "views/1", ("sichuan",), "view"

    def act(self, observations, masks, rng):
        return masks.argmax(axis=1)

for opponents in ("greedy/1", ["random_legal/1", Views(), policy]):
    for observation in ("planes/1", "vector/1/canonical"):
        options = {"opponents": opponents, "observation": observation}
        env = gymnasium.make("mjenv/Sichuan-v0", render_mode="ansi", **options)
        envs = gymnasium.make_vec("mjenv/Sichuan-v0", num_envs=3, **options)
        many, one, over = envs.reset(seed=1)[0], env.reset(seed=1)[0], False
        while not over:
            one, _, over, _, _ = env.step(int(one["action_mask"].argmax()))
            many, *_ = envs.step(many["action_mask"].argmax(axis=1))
        env.render()
for rules in ("qq", Rules.preset("sichuan_modern").replace(base_points=3)):
    env = sichuan_v0.env(rules, render_mode="ansi", episode="match", deals=2)
    env.reset(seed=1, options={"dealer": 1})
    env.reset(options={"wall": env.table.states["wall"][0]})
    for agent in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(observation["action_mask"].argmax()))
    env.render()
    env.state()
    batch = Batch(3, [rules, "standalone"], seed=5, skip_forced=True)
    for _ in range(20):
        batch.observe()
        batch.oracle()
        batch.step(batch.masks.argmax(axis=1))
    batch = Batch(3, rules, seed=5, bots=[None, "greedy/1", "random_legal/1", None], num_threads=2)
    for _ in range(20):
        batch.step(batch.masks.argmax(axis=1))
    batch.rollout(None, "greedy/1", 2, redeal_for=1)
table = Table("sichuan_modern", seed=2)
while not table.over:
    table.step(table.legal_actions()[-1])
table.redeal_hidden(1, seed=4)
table.observe(2)
assert Table.from_position(table.to_position()) == table
assert table.record() and table.events and str(table)
table.next_deal()
print("played")
"""

CASES = f"""
FILE = {str(Path(__file__).parent / "cases" / "sichuan.jsonl")!r}

from mjenv.core.cases import read_cases
from mjenv.sichuan.cases import run_case

assert not [found for case in read_cases(FILE) for found in run_case(case)]
print("answered")
"""

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


def run(code, *, cache=None, file=None):
    """Output and error stream of a new process."""
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    if cache is not None:
        environment["MJENV_CACHE_DIR"] = str(cache)
    command = [sys.executable, *(["-c", code] if file is None else [str(file)])]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


def test_a_first_compilation_is_announced_once_and_the_next_process_is_silent(tmp_path):
    file = tmp_path / "kernels.py"
    file.write_text(KERNEL)
    output, errors = run("", cache=tmp_path / "cache", file=file)
    assert output == "12"
    assert errors.count("mjenv: compiling") == 1
    assert str(tmp_path / "cache") in errors
    assert run("", cache=tmp_path / "cache", file=file) == ("12", "")


def test_after_warm_up_nothing_is_compiled(capsys):
    seconds = warm_up()
    lines = capsys.readouterr().err.splitlines()
    assert seconds > 0
    reported = [line for line in lines if "compiling" not in line]
    assert len(reported) == int(reported[0].split("/")[1].split()[0])
    assert all(line.startswith("mjenv: ") and line.endswith(" s") for line in reported)
    assert run(PLAY) == ("played", "")
    assert run(CASES) == ("answered", "")


def test_warm_up_can_be_quiet(capsys):
    warm_up()
    capsys.readouterr()
    warm_up(quiet=True)
    assert capsys.readouterr().err == ""

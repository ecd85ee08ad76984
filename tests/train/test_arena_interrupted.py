"""An arena that is interrupted while other processes play, by real signals."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mjenv.core.kernel import JIT_DISABLED
from tests.train.evaluation.players import HERE
from tests.train.test_cli import environment

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="signals work differently there"),
    pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes"),
]

# A shell lets what it runs in the background ignore the signal, tests and all below them.
SCRIPT = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from mjenv.command import main; sys.exit(main())"
)
LOADED = 20
"""Seconds in which it has to end. It takes less than two, on a machine that does nothing else."""
TOLD = "mjenv: interrupted; the results are those of the deal sets played so far"


@contextmanager
def arena(*arguments: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """An arena in a process group of its own, as in a terminal."""
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "arena", *arguments, "--processes", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**environment(), **variables},
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(happened: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not happened() and time.monotonic() < until:
        time.sleep(0.02)
    assert happened()


def is_running(pid: int) -> bool:
    """Zombies, which somebody else has to collect, do not count."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return state != "" and not state.startswith("Z")


PROGRESS = ("mjenv: compiling", "arena: ")
"""What a slow machine is told meanwhile."""


def but_for_progress(err: str) -> list[str]:
    return [line for line in err.splitlines() if not line.startswith(PROGRESS)]


def players(folder: Path) -> list[int]:
    """Processes that an agent is asked in."""
    return [int(path.name) for path in folder.iterdir()]


@pytest.mark.parametrize(
    ("number", "send"),
    [
        pytest.param(signal.SIGINT, os.killpg, id="Ctrl-C"),
        pytest.param(signal.SIGTERM, os.kill, id="SIGTERM"),
        pytest.param(signal.SIGTERM, os.killpg, id="SIGTERM to all", marks=pytest.mark.slow),
    ],
)
def test_what_was_played_is_told_and_nothing_is_left(number, send, tmp_path):
    line_up = ["greedy/1", "random_legal/1", f"{HERE}:Waiting", "--deals", "1", "--json"]
    with arena(*line_up, PLAYERS_FOLDER=str(tmp_path)) as process:
        # The first match is over then: it was one of compiled bots.
        wait_for(lambda: len(players(tmp_path)) > 0)
        send(process.pid, number)
        out, err = process.communicate(timeout=LOADED)
    assert process.returncode == 130
    assert but_for_progress(err) == [TOLD]
    assert [pair["challenger"] for pair in json.loads(out)] == ["greedy/1"]
    assert not any(is_running(pid) for pid in players(tmp_path))


def test_processes_end_with_the_one_that_started_them(tmp_path):
    with arena("greedy/1", f"{HERE}:Waiting", PLAYERS_FOLDER=str(tmp_path)) as process:
        wait_for(lambda: len(players(tmp_path)) == 2)
        process.kill()
        wait_for(lambda: not any(is_running(pid) for pid in players(tmp_path)))


@pytest.mark.parametrize("challenger", ["greedy_plus/1", f"{HERE}:InPython"])
def test_compiling_is_interrupted(challenger, tmp_path):
    """Here, before threads play, and in other processes."""
    with arena(challenger, "greedy/1", MJENV_CACHE_DIR=str(tmp_path)) as process:
        assert any(line.startswith("mjenv: compiling") for line in process.stderr)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=LOADED)
    assert process.returncode == 130
    assert out == ""
    assert but_for_progress(err) == ["mjenv: interrupted"]

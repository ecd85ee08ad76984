"""A program is started when it is needed, and gone when it is not."""

import gc
import os
import pickle
import subprocess
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents.process
from agents.play import play_deals
from agents.process import Limits, ProcessAgent
from mjenv import make_agent
from mjenv.errors import AgentError
from tests.agents.asked import ODD, Asked, programs_of, runs

ROOT = Path(__file__).parents[2]


def test_nothing_is_left_of_it(odd: Any, tmp_path: Path) -> None:
    """Neither a program that ignores every hint, nor what it has started."""
    agent, asked = odd("never stops", str(tmp_path / "notes")), Asked()
    asked.put_to(agent)
    (pid,) = programs_of(agent)
    (notes,) = tmp_path.glob("notes.*")
    child = int(notes.read_text().splitlines()[1])
    assert runs(pid)
    assert runs(child)
    agent.close()
    assert not runs(pid)
    wait_until(lambda: not is_running(child))
    assert asked.put_to(agent) == asked.last  # asked again, it starts again


def wait_until(happened: Any) -> None:
    until = time.monotonic() + 10
    while not happened() and time.monotonic() < until:
        time.sleep(0.01)
    assert happened()


def is_running(pid: int) -> bool:
    """Zombies, which somebody else has to collect, do not count."""
    status = Path(f"/proc/{pid}/stat")
    if not status.parent.parent.is_dir():  # no Linux
        return runs(pid)
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_it_ends_with_the_agent() -> None:
    agent = ProcessAgent((sys.executable, ODD, "well"))
    Asked(20).put_to(agent)
    (pid,) = programs_of(agent)
    assert runs(pid)
    gc.disable()
    del agent
    gc.enable()
    assert not runs(pid)


@pytest.mark.parametrize(
    ("before", "name"),
    [("", "odd/1"), ("mine/3=", "mine/3"), ("mine=--seconds 5 -- ", "mine")],
)
def test_it_may_be_given_a_name(before: str, name: str) -> None:
    agent = make_agent(f"process:{before}{sys.executable} {ODD} well")
    copy = pickle.loads(pickle.dumps(agent))
    assert agent.name == copy.name == f"process:{name}"


def test_it_ends_with_python() -> None:
    script = (
        "from agents.process import ProcessAgent\n"
        f"agent = ProcessAgent(({sys.executable!r}, {ODD!r}, 'never stops'))\n"
        "print(agent._launcher._running[0]._process.pid)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert not runs(int(done.stdout))


def test_a_copy_in_another_process_has_a_program_of_its_own(odd: Any) -> None:
    agent, asked = odd("well"), Asked(20)
    copy = pickle.loads(pickle.dumps(agent))
    assert copy.name == agent.name
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        arguments = ([agent, *["greedy/1"] * 3], "qq", 2, 5)
        there = pool.submit(play_deals, *arguments).result()
    assert there.finished.tobytes() == play_deals(*arguments).finished.tobytes()
    assert asked.put_to(copy) == asked.put_to(agent) == asked.last
    assert not set(programs_of(copy)) & set(programs_of(agent))
    copy.close()


def test_a_forked_process_has_a_program_of_its_own(odd: Any) -> None:
    agent, asked = odd("well"), Asked(20)
    assert asked.put_to(agent) == asked.last
    (pid,) = programs_of(agent)
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of pytest-xdist
        child = os.fork()
    if child == 0:
        try:
            right = asked.put_to(agent) == asked.last and pid not in programs_of(agent)
            agent.close()
            os.write(writing, b"right" if right else b"wrong")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 5) == b"right"
    assert runs(pid)
    assert asked.put_to(agent) == asked.last
    assert not agent.faults
    os.close(reading)
    os.close(writing)


def test_a_call_that_is_interrupted_does_no_harm(odd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    agent, asked = odd("well"), Asked(100)

    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(agents.process, "wait_for", interrupted)
        with pytest.raises(KeyboardInterrupt):
            asked.put_to(agent)
    assert asked.put_to(agent) == asked.last
    assert not agent.faults


# ------------------------------------------------------------------------------------ the beginning


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("process:", "write process:COMMAND"),
        ("process:--seconds 2", "write process:COMMAND"),
        ("process:no_such_program", "there is no program 'no_such_program' on the PATH"),
        ("process:./no_such_program x", "there is no program './no_such_program'"),
        ("process:/", "cannot start the program '/': Permission denied"),
        ("process:node 'bot.js", "No closing quotation"),
        ("process:--second 2 node", "unknown option --second; options: --seconds, --start-seconds"),
        ("process:--seconds two node", "--seconds: got 'two'; allowed: a number"),
        ("process:--restarts 1.5 node", "--restarts: got '1.5'; allowed: a whole number"),
        ("process:--seconds 0 node", "seconds: got 0.0; allowed: more than 0"),
        ("process:--restarts -1 node", "restarts: got -1; allowed: a whole number from 0"),
        ("process:true", "the program 'true' ended before it said hello: exit code 0"),
        ("process:sh -c 'echo oops >&2; exit 4'", "exit code 4; the last it wrote to standard"),
        ("process:echo Welcome", "is no player: it wrote 'Welcome', which is no JSON"),
        ("process:cat", "is no player: it gave itself the name None"),
        ("process:--start-seconds 0.2 sleep 60", "said nothing within 0.2 s; it must answer"),
    ],
)
def test_what_cannot_be_started_is_explained(name: str, words: str) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(name)
    assert words in str(caught.value)


def test_a_name_with_options(made: list[Any]) -> None:
    words = f"--seconds 2 --start-seconds 20 --restarts 0 -- '{sys.executable}' '{ODD}' well"
    made.append(make_agent(f"process:{words}"))
    assert made[0]._limits == Limits(2.0, 20.0, 0)
    assert made[0].name == "process:odd/1"


def test_it_is_refused_what_it_does_not_play(odd: Any) -> None:
    with pytest.raises(AgentError, match="was given ndarray; it takes Views"):
        odd("well").act(np.zeros(1), np.ones((1, 62), np.int8), np.ones(1, np.uint64))

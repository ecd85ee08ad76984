"""Whatever a program does, its questions are answered, legally and in time."""

import json
import logging
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mjenv
from agents.greedy import Greedy
from agents.launcher import complaints
from agents.play import play_deals
from agents.program import wait_for
from mjenv.core.game import Views
from mjenv.sichuan.actions import PASS
from mjenv.sichuan.rules import Rules
from mjenv.table import Table
from tests.agents.asked import NUMBER, QQ, Asked, programs_of
from tests.agents.solo import questions


def test_it_answers(odd: Any) -> None:
    agent, asked = odd("well"), Asked(200)
    assert agent.name == "process:odd/1"
    assert asked.put_to(agent) == asked.last
    assert asked.put_to(agent) == asked.last
    assert not agent.faults


def test_more_fields_may_be_added(odd: Any) -> None:
    agent, asked = odd("adds fields"), Asked()
    assert asked.put_to(agent) == asked.last
    assert not agent.faults


@pytest.mark.parametrize(
    ("behaviour", "kind", "faults"),
    [
        ("is illegal", "illegal", 1),
        ("says thinking...", "malformed", 1),
        ("says [1, 2]", "malformed", 1),
        ("says " + "[" * 5000, "malformed", 1),
        ('says {"id":99999,"action":"pass"}', "malformed", 1),
        ('says {"id":1,"action":"pass"}', "malformed", 1),
        ('says {"action":"pass"}', "malformed", 1),
        ('says {"id":true,"action":"pass"}', "malformed", 1),
        ('says {"id":ID}', "malformed", 1),
        ('says {"id":ID,"action":7}', "malformed", 1),
        ('says {"id":ID,"action":"dance"}', "illegal", 1),
        ("dies once", "died", 1),
        ("dies", "died", NUMBER),
        ("is killed", "died", NUMBER),
        ("closes its output", "died", NUMBER),
        ("writes a line without end", "died", NUMBER),
        ("writes without end", "malformed", NUMBER),
    ],
)
def test_a_fault_costs_one_answer(odd: Any, behaviour: str, kind: str, faults: int) -> None:
    agent, asked = odd(behaviour, restarts=1), Asked()
    answers = asked.put_to(agent)
    assert agent.faults == {kind: faults}
    others = [answer == last for answer, last in zip(answers, asked.last, strict=True)]
    assert others.count(False) <= faults
    if faults == 1:
        assert all(others[:1] + others[2:])
        passes = asked.masks[1, PASS] == 1
        assert answers[1] == PASS or not passes


def test_what_hangs_is_replaced(odd: Any) -> None:
    agent, asked = odd("hangs once", seconds=1.0, restarts=1), Asked()
    answers = asked.put_to(agent)
    assert agent.faults == {"late": 3}
    assert answers[:1] + answers[4:] == asked.last[:1] + asked.last[4:]


@pytest.mark.parametrize("behaviour", ["hangs", "is silent"])
def test_time_runs_out(odd: Any, behaviour: str) -> None:
    agent, asked = odd(behaviour, seconds=0.1, restarts=1), Asked()
    begun = time.monotonic()
    asked.put_to(agent)
    assert time.monotonic() - begun < 30
    assert agent.faults == {"late": 6, "died": NUMBER - 6}
    assert programs_of(agent) == []
    asked.put_to(agent)  # there is nobody left to ask
    assert agent.faults == {"late": 6, "died": 2 * NUMBER - 6}


def test_a_program_that_no_longer_reads_is_replaced(odd: Any) -> None:
    agent, asked = odd("closes its input", seconds=0.2, restarts=2), Asked(400)
    asked.put_to(agent)
    assert agent.faults["died"] > 0
    assert set(agent.faults) <= {"late", "died"}


def test_complaints_do_not_block_it(odd: Any) -> None:
    agent, asked = odd("complains a lot", restarts=0), Asked()
    assert asked.put_to(agent) == asked.last
    assert not agent.faults


def test_the_first_fault_is_told_with_what_it_complained_of(
    odd: Any, caplog: pytest.LogCaptureFixture
) -> None:
    agent, asked = odd("dies", restarts=1), Asked()
    with caplog.at_level(logging.WARNING):
        asked.put_to(agent)
    (told,) = caplog.messages
    assert told == (
        "agent 'process:odd/1': died; such questions are answered in its place, and counted: "
        "exit code 3; the last it wrote to standard error:\n"
        "    cannot go on"
    )


def test_of_much_that_it_wrote_the_last_lines_are_told(odd: Any) -> None:
    agent, asked = odd("complains a lot", restarts=0), Asked(1)
    asked.put_to(agent)
    (program,) = agent._launcher._running
    deadline = time.monotonic() + 20
    while not complaints(program) and time.monotonic() < deadline:
        wait_for([program], 0.1)
    assert complaints(program).splitlines()[1:] == ["    oh dear"] * 5


def test_what_is_chosen_in_its_place_depends_on_the_question_alone(odd: Any) -> None:
    one, other = odd("dies", restarts=0), odd("is silent", seconds=0.1, restarts=0)
    asked = Asked(40)
    answers = asked.put_to(one)
    assert answers == asked.put_to(other)
    passes = [PASS for mask in asked.masks if mask[PASS]]
    chosen = [answer for answer, mask in zip(answers, asked.masks, strict=True) if mask[PASS]]
    assert chosen == passes
    assert len({answer for answer in answers if answer != PASS}) > 5


# ------------------------------------------------------------------------------- what it is told


def told_to(notes: Path) -> list[list[dict[str, Any]]]:
    """What each program was told, by the notes it took."""
    files = sorted(notes.parent.glob(f"{notes.name}.*"))
    return [[json.loads(line) for line in file.read_text().splitlines()] for file in files]


def test_each_seat_has_a_program_of_its_own(odd: Any, tmp_path: Path) -> None:
    agent = odd("well", str(tmp_path / "notes"))
    play_deals([agent] * 4, "qq", 3, seed=5)
    told = told_to(tmp_path / "notes")
    asked = [[line for line in lines if line["type"] == "question"] for lines in told]
    assert sorted({q["view"]["seat"] for q in lines} for lines in asked) == [{0}, {1}, {2}, {3}]
    for lines in asked:  # so that nobody can count what others are asked
        assert [question["id"] for question in lines] == list(range(1, len(lines) + 1))


def test_rules_are_told_before_the_first_question_by_them(odd: Any, tmp_path: Path) -> None:
    agent = odd("well", str(tmp_path / "notes"))
    for preset in ("qq", "standalone", "qq"):
        play_deals([agent, *["greedy/1"] * 3], preset, 1, seed=5)
    (told,) = told_to(tmp_path / "notes")
    assert told[0] == {
        "type": "hello",
        "protocol": 1,
        "game": "sichuan",
        "engine": mjenv.__version__,
    }
    rules = [line for line in told if line["type"] == "rules"]
    for line, preset in zip(rules, ("qq", "standalone"), strict=True):
        wanted = Rules.preset(preset)
        assert line["preset"] == preset
        assert line["fingerprint"] == wanted.fingerprint
        assert Rules.from_dict(line["rules"]) == wanted
        assert line["fans"] == wanted.table
    known = set()
    for line in told[1:]:
        if line["type"] == "rules":
            known.add(line["fingerprint"])
        else:
            assert line["rules"] in known


def test_another_world_is_told_the_same(odd: Any, tmp_path: Path) -> None:
    """The very bytes of a question are the same whatever a seat cannot see."""
    lines = {}
    for world in range(2):
        agent = odd("well", str(tmp_path / f"notes{world}"))
        for deal in range(2):
            for question in questions(Greedy(), QQ, deal):
                table = Table._at(QQ, question.tables.copy())
                seat = table.actor
                seen = (table.redeal_hidden(seat, 9) if world else table).view(seat)
                rng = np.array([question.rng], np.uint64)
                agent.act(Views(seen, QQ.pack()), question.mask[None], rng)
        notes = told_to(tmp_path / f"notes{world}")
        lines[world] = sorted(notes, key=lambda told: told[2]["view"]["seat"])
        agent.close()
    assert lines[0] == lines[1]
    assert sum(map(len, lines[0])) > 60


def test_a_single_legal_action_is_no_question(odd: Any) -> None:
    agent = odd("dies", restarts=0)
    asked = Asked(3)
    for mask in asked.masks:
        mask[np.flatnonzero(mask)[1:]] = 0
    assert asked.put_to(agent) == asked.last
    assert not agent.faults


def test_mixed_batches_go_to_their_seats(odd: Any) -> None:
    agent, asked = odd("well"), Asked(150, seat=None)
    assert asked.put_to(agent) == asked.last
    assert len(programs_of(agent)) == 4

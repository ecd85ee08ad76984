"""Engine and reference settle the same courses of a deal."""

import random

from mjenv.core.cases import Fields
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.cases import answer
from tests.differential.deals import new_rules
from tests.differential.settlements import Course
from tests.reference.case_runner import outcome_of

NUM_COURSES = 50 if JIT_DISABLED else 4_000
COURSES_PER_RULES = 10


def case_of(events: list[dict[str, object]], options: dict[str, object]) -> dict[str, object]:
    return {"type": "settle", "preset": "qq", "options": options, "events": events}


def test_random_courses_are_settled_alike() -> None:
    rng = random.Random("courses")
    for number in range(NUM_COURSES):
        if number % COURSES_PER_RULES == 0:
            rules = new_rules(rng).mapping
        case = case_of(Course(rng, rules).events, rules)
        expected = outcome_of(case)
        outcome = answer(Fields(case))
        assert outcome["delta"] == expected["delta"], case
        assert outcome["ended"] == expected.get("ended"), case


def test_the_ready_check_of_a_leaver_must_cost_more_than_the_penalty() -> None:
    # Point 38: 16 + 32 units are no more than three times 16, so that every other seat gets 16.
    leaves = {"ev": "escape", "seat": 0, "last_four": True}
    tie = case_of([{**leaves, "ready": {"1": 5, "2": 6}}], {"base_points": 1})
    more = case_of([{**leaves, "ready": {"1": 6, "2": 6}}], {"base_points": 1})
    assert answer(Fields(tie))["delta"] == outcome_of(tie)["delta"] == [-48, 16, 16, 16]
    assert answer(Fields(more))["delta"] == outcome_of(more)["delta"] == [-64, 32, 32, 0]

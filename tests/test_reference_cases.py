"""The reference against every written Sichuan rule case."""

import json
from pathlib import Path

import pytest

from tests.reference.case_runner import Case, run_case

CASES = Path(__file__).parent / "cases" / "sichuan.jsonl"


def read_cases() -> list[Case]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line]


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case["id"])
def test_case(case: Case) -> None:
    assert run_case(case) == []

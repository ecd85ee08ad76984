"""The page on statistics names functions that there are."""

import re
from importlib import import_module
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "statistics.md"


def test_every_method_has_a_function():
    rows = PAGE.read_text(encoding="utf-8").split("| question |", 1)[1].split("\n\n", 1)[0]
    methods = [row.split("|") for row in rows.splitlines()[2:]]
    assert len(methods) > 5
    for _, question, _, names, _ in methods:
        found = re.findall(r"`(\w+)\.(\w+)`", names)
        assert found, question
        for module, function in found:
            assert callable(getattr(import_module(f"train.evaluation.{module}"), function))

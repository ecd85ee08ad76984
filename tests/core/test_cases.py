import pytest

from mjenv.core.cases import read_cases
from mjenv.errors import CaseError

GOOD = '{"id": "X1", "game": "sichuan", "type": "fan", "expect": {"fan": 1}}'


def write(tmp_path, text: str | bytes):
    path = tmp_path / "cases.jsonl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_lines_are_cases_and_empty_lines_are_not(tmp_path):
    cases = list(read_cases(write(tmp_path, f"\n{GOOD}\n\n  \n{GOOD}")))
    assert [(case.line, case.name, case.game, case.expect) for case in cases] == [
        (2, "X1", "sichuan", {"fan": 1}),
        (5, "X1", "sichuan", {"fan": 1}),
    ]


def test_a_byte_order_mark_is_no_fault(tmp_path):
    assert len(list(read_cases(write(tmp_path, b"\xef\xbb\xbf" + GOOD.encode())))) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not JSON: .* at column 2"),
        (GOOD[:40], "line 2: not JSON"),
        ("[1]", r"line 2: a case: got \[1\]; allowed: a JSON object"),
        ('{"game": "sichuan"}', "line 2: id is missing"),
        ('{"id": "X"}', "line 2: game is missing"),
        ('{"id": 3, "game": "sichuan"}', "line 2: id: got 3; allowed: a text"),
        ('{"id": "X", "game": "sichuan", "expect": 1}', "line 2: expect: got 1"),
        (b"\xff\xfe", "line 2: not UTF-8 text"),
    ],
)
def test_a_broken_line_is_named(tmp_path, line, message):
    raw = line if isinstance(line, bytes) else line.encode()
    path = write(tmp_path, GOOD.encode() + b"\n" + raw + b"\n")
    reading = read_cases(path)
    assert next(reading).name == "X1"
    with pytest.raises(CaseError, match=message) as caught:
        next(reading)
    assert caught.value.line == 2


def test_callables_compare_by_themselves(tmp_path):
    (case,) = read_cases(write(tmp_path, GOOD))
    assert case.mismatches(lambda fields: {"fan": lambda expected: None}) == []
    (found,) = case.mismatches(lambda fields: {"fan": lambda expected: expected + 1})
    assert str(found) == "line 1: case X1: fan: expected 1, got 2"

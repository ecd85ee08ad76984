"""What a program that plays is told, and how its answers are read; docs/processes.md.

One JSON object a line, both ways. Nothing that a program writes is trusted.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from mjenv.core.jsonl import dump_line
from mjenv.render.unpacked import unpack_rules
from mjenv.render.view_in_json import view_in_json
from mjenv.sichuan.rules import RULES_DTYPE, Rules
from mjenv.version import __version__

PROTOCOL = 1
MAX_NAME = 60
_SHOWN = 80
"""Characters of a line that a message shows."""


class MalformedError(Exception):
    """A line that is no answer; the message says why."""


def hello_line(game: str) -> bytes:
    """The first line to a program."""
    told = {"type": "hello", "protocol": PROTOCOL, "game": game, "engine": __version__}
    return _line(told)


def read_hello(line: bytes) -> str:
    """The name a program gives itself.

    Raises:
        MalformedError: This is no answer to the hello.
    """
    answer = _object(line)
    if answer.get("type") != "hello" or answer.get("protocol") != PROTOCOL:
        raise MalformedError(
            f'it answered {shown(line)}; the first line must be {{"type":"hello","protocol":'
            f'{PROTOCOL},"name":"..."}}'
        )
    name = answer.get("name")
    if not (isinstance(name, str) and 0 < len(name) <= MAX_NAME and name.isprintable()):
        raise MalformedError(
            f"it gave itself the name {name!r}; allowed: a text of 1 to {MAX_NAME} characters"
        )
    return name


@lru_cache(maxsize=64)
def _rules_of(packed: bytes) -> Rules:
    return unpack_rules(np.frombuffer(packed, RULES_DTYPE)[0])


def rules_of(packed: np.void) -> Rules:
    """The rules of a question; what is unpacked once is kept."""
    return _rules_of(packed.tobytes())


@lru_cache(maxsize=64)
def rules_line(rules: Rules) -> bytes:
    """Rules, told before the first question by them."""
    return _line(
        {
            "type": "rules",
            "fingerprint": rules.fingerprint,
            "game": rules.game,
            "preset": rules.preset_name,
            "rules": rules.to_dict(),
            "fans": rules.table,
        }
    )


def question_line(
    number: int, rules: Rules, random: int, legal: Sequence[str], view: np.void
) -> bytes:
    """A question.

    Args:
        number: What the answer has to repeat.
        rules: Of the table.
        random: From 0 to 2**31 - 1, for a program that wants to draw.
        legal: Texts of the menu.
        view: What the seat may know.
    """
    return _line(
        {
            "type": "question",
            "id": number,
            "rules": _fingerprint(rules),
            "random": random,
            "legal": legal,
            "view": view_in_json(view, rules.base_points),
        }
    )


def read_answer(line: bytes) -> tuple[int, str]:
    """The number of a question and the text of an action.

    Raises:
        MalformedError: The line is no answer.
    """
    answer = _object(line)
    number, action = answer.get("id"), answer.get("action")
    if isinstance(number, float) and number.is_integer():
        number = int(number)  # JSON knows one kind of number, and some write 1 as 1.0
    if type(number) is not int:
        raise MalformedError(f"it wrote {shown(line)}: id must be that of a question")
    if not isinstance(action, str):
        raise MalformedError(f"it wrote {shown(line)}: action must be one of the texts in legal")
    return number, action


def shown(line: bytes) -> str:
    """A line for a message, shortened."""
    text = line[: _SHOWN + 1].decode("utf-8", "replace").rstrip("\r\n")
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


@lru_cache(maxsize=64)
def _fingerprint(rules: Rules) -> str:
    return rules.fingerprint


def _line(told: dict[str, Any]) -> bytes:
    return dump_line(told).encode() + b"\n"


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise MalformedError(f"it wrote {shown(line)}, which is no JSON") from None
    if not isinstance(value, dict):
        raise MalformedError(f"it wrote {shown(line)}, which is no JSON object")
    return value

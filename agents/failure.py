"""What is told of an agent that raises an error, or wants to exit, instead of answering."""

import sysconfig
import traceback
from pathlib import Path
from textwrap import shorten

from mjenv.errors import AgentError

_ROOT = Path(__file__).parents[1]
_OF_OTHERS = [
    *(Path(sysconfig.get_paths()[name]) for name in ("stdlib", "purelib", "platlib")),
    *(_ROOT / name for name in ("agents", "mjenv", "train")),
]
"""Folders of code that whoever writes an agent does not write."""
MOST = 300
"""Characters of the message of an error; there is no end to what some libraries say."""


class AgentFailedError(AgentError):
    """An agent that raised when it was asked.

    Attributes:
        trace: Where it raised, as Python prints it. It survives the way out of another process,
            which the error it was raised from does not.
    """

    trace: str = ""

    @classmethod
    def of(cls, name: str, error: BaseException, where: str) -> "AgentFailedError":
        """Describe what an agent raised.

        Args:
            name: Of the agent.
            error: What it raised.
            where: What it was asked then, such as ``"in seat 2 of deal 17"``.
        """
        kind, said = type(error).__name__, shorten(str(error), MOST, placeholder=" ...")
        told = f"{kind}{': ' if said else ''}{said}{_line_of(error)}"
        failed = cls(f"agent {name!r} failed {where}: {told}")
        failed.trace = "".join(traceback.format_exception(error)).rstrip("\n")
        return failed


def _line_of(error: BaseException) -> str:
    """Where in the code of who wrote the agent it was raised, ``" (my_bots.py:55)"``, if there."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if not any(file.is_relative_to(folder) for folder in _OF_OTHERS):
            return f" ({file.name}:{frame.lineno})"
    return ""

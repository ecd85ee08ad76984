"""What is told of an agent that raises an error, or wants to exit, instead of answering."""

import traceback
from textwrap import shorten

from mjenv.errors import AgentError

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
        failed = cls(f"agent {name!r} failed {where}: {kind}{': ' if said else ''}{said}")
        failed.trace = "".join(traceback.format_exception(error)).rstrip("\n")
        return failed

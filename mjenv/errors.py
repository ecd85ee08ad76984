"""The errors a user can cause.

Each message says what was got, what is allowed and, where it is not obvious, what to do. All
derive from :class:`MjenvError`, so that a program can tell a mistake in its input from a fault.
"""

from collections.abc import Iterable


class MjenvError(Exception):
    """Base of all errors that ``mjenv`` raises on purpose."""


class IllegalActionError(MjenvError, ValueError):
    """An action that is not in the menu of the acting seat, or that is no action at all."""

    @classmethod
    def at_table(
        cls, *, seat: int, action: str, phase: str, legal: Iterable[str]
    ) -> "IllegalActionError":
        """Describe an action refused by a table.

        Args:
            seat: The seat that acts, 0 to 3.
            action: Text of the refused action.
            phase: Name of the phase the table is in.
            legal: Texts of all legal actions.
        """
        menu = ", ".join(legal) or "nothing"
        return cls(f"seat {seat} cannot {action!r} in {phase}; legal: {menu}")


class RulesError(MjenvError, ValueError):
    """An option of the rules that is unknown, out of range or contradicts another."""


class OptionError(MjenvError, ValueError):
    """An option of an environment, or of one reset, that is unknown or out of range."""


class TileError(MjenvError, ValueError):
    """Text that names no tile, or a tile that the game does not have."""


class PositionError(MjenvError, ValueError):
    """A text or record of a table that no deal could have led to.

    Attributes:
        faults: Everything that is wrong, one sentence each.
    """

    faults: tuple[str, ...] = ()

    @classmethod
    def of(cls, faults: Iterable[str]) -> "PositionError":
        """Describe all faults of a position at once."""
        listed = tuple(faults)
        error = cls(listed[0] if len(listed) == 1 else "\n".join(["not a position:", *listed]))
        error.faults = listed
        return error


class AgentError(MjenvError, ValueError):
    """An agent that is unknown, cannot be loaded, or answers what it was not asked."""


class CheckpointError(MjenvError, ValueError):
    """A checkpoint that is damaged, or was made for other rules or another observation."""


class DatasetError(MjenvError, ValueError):
    """A folder that holds no data set, or one that is damaged."""


class _LineError(MjenvError, ValueError):
    """A fault in a file of lines.

    Attributes:
        line: Line number counted from 1, or None where no line is to blame.
    """

    def __init__(self, message: str, *, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class RecordError(_LineError):
    """The first fault of a record.

    Attributes:
        line: Line number counted from 1, or None where no line is to blame.
    """


class CaseError(_LineError):
    """A rule case that cannot be read.

    Attributes:
        line: Line number counted from 1, or None where no line is to blame.
    """


class MissingExtraError(MjenvError, ImportError):
    """An optional package that is not installed.

    Args:
        feature: What the user asked for, for example ``"mjenv train"``.
        extra: The extra of ``mjenv`` that brings it, for example ``"train"``.
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(feature, extra)
        self.feature = feature
        self.extra = extra

    def __str__(self) -> str:
        return (
            f"{self.feature} needs packages that are not installed; "
            f'run: pip install "mjenv[{self.extra}]"'
        )

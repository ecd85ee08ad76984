"""What can be wrong with a question to the statistics."""

from mjenv.errors import MjenvError


class EvaluationError(MjenvError, ValueError):
    """Observations that do not fit together, or a question they cannot answer."""

"""The encodings of a view, by name and version. A version never changes; a new one is added."""

import numpy as np

from mjenv.core.game import Encoding
from mjenv.core.kernel import Argument, ArrayOf
from mjenv.core.tiles import NUM_RANKS, NUM_SUITS
from mjenv.sichuan.layout import Row
from mjenv.sichuan.oracle import ORACLE, ORACLE_SHAPE, oracle
from mjenv.sichuan.planes import NUM_PLANES, PLANES, observe_planes
from mjenv.sichuan.rules import RULES_DTYPE
from mjenv.sichuan.state import VIEW

__all__ = ["ENCODINGS", "LAYOUTS", "ORACLE_SHAPE", "channel_table", "oracle"]

_LUTS = ArrayOf(np.int64, 1, read_only=True)


def _channel_names(rows: tuple[Row, ...]) -> tuple[str, ...]:
    return tuple(name for row in rows for name in row.names)


ENCODINGS: dict[str, Encoding] = {
    "planes/1": Encoding(
        name="planes/1",
        shape=(NUM_PLANES, NUM_SUITS, NUM_RANKS),
        dtype=np.dtype(np.int8),
        low=0,
        high=1,
        observe=Argument(observe_planes, (VIEW, RULES_DTYPE, _LUTS, ArrayOf(np.int8)), None),
        channels=_channel_names(PLANES),
    ),
}
"""Encodings by name."""

LAYOUTS: dict[str, tuple[Row, ...]] = {"planes/1": PLANES, "oracle/1": ORACLE}
"""The rows of every encoding, and of the oracle."""


def channel_table(name: str) -> str:
    """The channels of an encoding as a Markdown table, for ``docs/observations.md``."""
    lines = ["| channels | names | meaning |", "|---|---|---|"]
    for row in LAYOUTS[name]:
        last = row.first + row.size - 1
        numbers = f"{row.first}" if row.size == 1 else f"{row.first} to {last}"
        lines.append(f"| {numbers} | {', '.join(row.names)} | {row.meaning} |")
    return "\n".join(lines) + "\n"

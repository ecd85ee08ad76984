"""The encodings of a view, by name and version. A version never changes; a new one is added."""

import re

import numpy as np

from mjenv.core.game import Encoding
from mjenv.core.kernel import Argument, ArrayOf
from mjenv.core.tiles import NUM_RANKS, NUM_SUITS
from mjenv.sichuan.layout import Row
from mjenv.sichuan.oracle import HIDDEN, ORACLE_SHAPE, oracle
from mjenv.sichuan.planes import NUM_PLANES, PLANES, observe_planes
from mjenv.sichuan.rules import RULES_DTYPE
from mjenv.sichuan.state import VIEW
from mjenv.sichuan.vector import FEATURES, NUM_FEATURES, observe_vector

__all__ = ["ENCODINGS", "LAYOUTS", "ORACLE_SHAPE", "channel_table", "oracle", "with_tables"]

_LUTS = ArrayOf(np.int64, 1, read_only=True)


def _channel_names(rows: tuple[Row, ...]) -> tuple[str, ...]:
    return tuple(name for row in rows for name in row.channels)


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
    "vector/1": Encoding(
        name="vector/1",
        shape=(NUM_FEATURES,),
        dtype=np.dtype(np.float32),
        low=-1,
        high=1,
        observe=Argument(observe_vector, (VIEW, RULES_DTYPE, _LUTS, ArrayOf(np.float32)), None),
        channels=_channel_names(FEATURES),
    ),
}
"""Encodings by name."""

LAYOUTS: dict[str, tuple[Row, ...]] = {
    "planes/1": PLANES,
    "vector/1": FEATURES,
    "oracle/1": (*PLANES, *HIDDEN),
}
"""The rows of every encoding, and of the oracle."""


def channel_table(name: str) -> str:
    """The channels of an encoding as a Markdown table; of the oracle, those that are its own."""
    lines = ["| channels | names | meaning |", "|---|---|---|"]
    rows = HIDDEN if name == "oracle/1" else LAYOUTS[name]
    for row in rows:
        last = row.first + len(row.channels) - 1
        numbers = f"{row.first}" if last == row.first else f"{row.first}-{last}"
        names = ", ".join(row.names)
        if row.each:
            names += f" (each {row.each[0]} to {row.each[-1]})"
        lines.append(f"| {numbers} | {names} | {row.meaning} |")
    return "\n".join(lines)


def with_tables(page: str) -> str:
    """``docs/observations.md`` with every table between its two marks written anew."""

    def table(marks: re.Match[str]) -> str:
        return f"{marks[1]}\n{channel_table(marks[2])}\n{marks[3]}"

    return re.sub(r"(<!-- table ([\w/]+) -->).*?(<!-- end -->)", table, page, flags=re.DOTALL)

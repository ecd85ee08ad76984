"""The encodings of a view, by name and version. A version never changes; a new one is added."""

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from mjenv.core.game import Encoding
from mjenv.core.kernel import Argument, ArrayOf
from mjenv.core.tiles import NUM_RANKS, NUM_SUITS
from mjenv.sichuan.canonical import (
    observe_planes_canonical,
    observe_tokens_canonical,
    observe_vector_canonical,
)
from mjenv.sichuan.layout import TOKEN_CELLS, Row
from mjenv.sichuan.oracle import HIDDEN, ORACLE_SHAPE, oracle
from mjenv.sichuan.planes import NUM_PLANES, PLANES, observe_planes
from mjenv.sichuan.rules import RULES_DTYPE
from mjenv.sichuan.state import VIEW
from mjenv.sichuan.suit_order import CANONICAL, SUIT_ORDER
from mjenv.sichuan.tokens import CELLS, observe_tokens
from mjenv.sichuan.vector import FEATURES, NUM_FEATURES, observe_vector
from mjenv.sichuan.vocabulary import VOCABULARY, VOCABULARY_SIZE

__all__ = ["ENCODINGS", "LAYOUTS", "ORACLE_SHAPE", "channel_table", "oracle", "with_tables"]

_LUTS = ArrayOf(np.int64, 1, read_only=True)


def _argument(observe: Callable[..., None], dtype: type) -> Argument:
    return Argument(observe, (VIEW, RULES_DTYPE, _LUTS, ArrayOf(dtype)), None)


def _channel_names(rows: tuple[Row, ...]) -> tuple[str, ...]:
    return tuple(name for row in rows for name in row.channels)


_AS_DEALT = (
    Encoding(
        name="planes/1",
        shape=(NUM_PLANES, NUM_SUITS, NUM_RANKS),
        dtype=np.dtype(np.int8),
        low=0,
        high=1,
        observe=_argument(observe_planes, np.int8),
        channels=_channel_names(PLANES),
    ),
    Encoding(
        name="vector/1",
        shape=(NUM_FEATURES,),
        dtype=np.dtype(np.float32),
        low=-1,
        high=1,
        observe=_argument(observe_vector, np.float32),
        channels=_channel_names(FEATURES),
    ),
    Encoding(
        name="tokens/1",
        shape=(TOKEN_CELLS,),
        dtype=np.dtype(np.int16),
        low=0,
        high=VOCABULARY_SIZE - 1,
        observe=_argument(observe_tokens, np.int16),
        channels=_channel_names(CELLS),
    ),
)


def _canonical(encoding: Encoding, observe: Callable[..., None]) -> Encoding:
    """The same cells in the canonical order of suits; ``observe`` writes them."""
    return replace(
        encoding,
        name=f"{encoding.name}/{CANONICAL}",
        observe=_argument(observe, encoding.dtype.type),
        relabelling=SUIT_ORDER,
    )


ENCODINGS: dict[str, Encoding] = {
    encoding.name: encoding
    for encoding in (
        *_AS_DEALT,
        _canonical(_AS_DEALT[0], observe_planes_canonical),
        _canonical(_AS_DEALT[1], observe_vector_canonical),
        _canonical(_AS_DEALT[2], observe_tokens_canonical),
    )
}
"""Encodings by name."""

LAYOUTS: dict[str, tuple[Row, ...]] = {
    "planes/1": PLANES,
    "vector/1": FEATURES,
    "tokens/1": CELLS,
    "oracle/1": (*PLANES, *HIDDEN),
}
"""The rows of every encoding, and of the oracle; a canonical encoding has those of the other."""


def channel_table(name: str) -> str:
    """The channels of an encoding as a Markdown table; of the oracle, those that are its own."""
    return _table("channels", HIDDEN if name == "oracle/1" else LAYOUTS[name])


def _table(title: str, rows: tuple[Row, ...]) -> str:
    lines = [f"| {title} | names | meaning |", "|---|---|---|"]
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
        text = _table("ids", VOCABULARY) if marks[2] == "vocabulary" else channel_table(marks[3])
        return f"{marks[1]}\n{text}\n{marks[4]}"

    marked = r"(<!-- (table|vocabulary) ([\w/]+) -->).*?(<!-- end -->)"
    return re.sub(marked, table, page, flags=re.DOTALL)

"""``tokens/1`` in words."""

from collections.abc import Callable
from itertools import groupby

import numpy as np

from mjenv.render.cells import Cells, number, tiles
from mjenv.render.planes_in_words import PHASES, Lines
from mjenv.sichuan.layout import KINDS
from mjenv.sichuan.vocabulary import (
    CLAIM_TILE_0,
    DEALER_0,
    DRAW_0,
    DRAWN_0,
    END_0,
    HOLD_0,
    LOCK_0,
    PHASE_0,
    RULES_0,
    VOCABULARY_SIZE,
    token_text,
)

_SECTIONS = (
    (RULES_0, "rules"),
    (CLAIM_TILE_0, "about"),
    (PHASE_0, "asked"),
    (LOCK_0, "lock"),
    (DRAWN_0, "drawn"),
    (HOLD_0, "hand"),
    (END_0, "now"),
    (DRAW_0, "play"),
    (DEALER_0, "before play"),
)
"""What the tokens from an id on are about, from the last of the vocabulary to the first."""


def _section(token: float) -> str:
    """The heading of the line that a token stands in."""
    if token != round(token) or not 0 < token < VOCABULARY_SIZE:
        return "no token of the vocabulary" if token else "padding"
    return next(name for first, name in _SECTIONS if token >= first)


def _hand(tokens: list[int]) -> str:
    return tiles(np.bincount(np.array(tokens) - HOLD_0, minlength=len(KINDS)).astype(float))


def _asked(tokens: list[int]) -> str:
    phases = [token_text(token).removeprefix("phase ") for token in tokens]
    waiting = "nothing now; another seat may be asked"
    return " and ".join(PHASES.get(phase, waiting) for phase in phases)


def _without_first_word(tokens: list[int]) -> str:
    words = (
        token_text(token).removeprefix("claim tile ").removeprefix("rule ") for token in tokens
    )
    return ", ".join(text.removeprefix("drawn ") for text in words)


def _plainly(tokens: list[int]) -> str:
    return ", ".join(token_text(token) for token in tokens)


_WORDS: dict[str, Callable[[list[int]], str]] = {
    "hand": _hand,
    "asked": _asked,
    "about": _without_first_word,
    "drawn": _without_first_word,
    "rules": _without_first_word,
    "no token of the vocabulary": lambda tokens: ", ".join(map(str, tokens)),
    "padding": lambda tokens: f"{len(tokens)} times",
}


def tokens_in_words(cells: Cells) -> Lines:
    """Lines of text that say what the tokens of a seat are, in their order."""
    length = cells.value("length")
    places = cells.beginning("token ")
    tokens = [cells.value(f"token {place}") for place in places]
    yield f"length: {number(length)} tokens of at most {len(places)}"
    count = min(max(round(length), 0), len(tokens))
    if all(token < RULES_0 for token in tokens[:count]):
        yield "rules: the usual ones"
    for name, group in groupby(tokens[:count], _section):
        yield f"{name}: {_WORDS.get(name, _plainly)([int(token) for token in group])}"
    behind = [number(token) for token in tokens[count:] if token]
    if behind:
        yield f"behind the last token: {', '.join(behind)}"

"""The tokens of ``tokens/1``: what each id means.

A token that is about a seat or a kind has an id for each: ``discard next 5p`` is
``DISCARD_0 + 1 * 27 + 13``. Seats are relative to the observer.
"""

from functools import lru_cache

import numpy as np

from mjenv.core.tiles import NUM_SUITS, SUITS
from mjenv.sichuan.layout import KINDS, SEATS, Row, seat_names
from mjenv.sichuan.rule_tokens import MAX_RULE_TOKENS, MUCH_FAN, NUM_RULE_IDS, rule_rows
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    HAND_SIZE,
    MAX_MELDS,
    NUM_DRAWS,
    NUM_KINDS,
    NUM_SEATS,
    End,
    Phase,
)

__all__ = ["MAX_TOKENS", "VOCABULARY", "VOCABULARY_SIZE", "token_parts", "token_text"]

_BY_KIND = NUM_SEATS * NUM_KINDS
_NUM_DIRECTIONS = 3
_NUM_ENDS = len(End) - 1

PAD = 0
DEALER_0 = PAD + 1
GIVE_0 = DEALER_0 + NUM_SEATS
EXCHANGE_0 = GIVE_0 + NUM_KINDS
RECEIVE_0 = EXCHANGE_0 + _NUM_DIRECTIONS
VOID_0 = RECEIVE_0 + NUM_KINDS
DRAW_0 = VOID_0 + NUM_SEATS * NUM_SUITS
REPLACEMENT_0 = DRAW_0 + NUM_SEATS
DISCARD_0 = REPLACEMENT_0 + NUM_SEATS
PUNG_0 = DISCARD_0 + _BY_KIND
DIRECT_KONG_0 = PUNG_0 + _BY_KIND
ADDED_KONG_0 = DIRECT_KONG_0 + _BY_KIND
CONCEALED_KONG_0 = ADDED_KONG_0 + _BY_KIND
ROBBED_KONG_0 = CONCEALED_KONG_0 + _BY_KIND
WIN_0 = ROBBED_KONG_0 + _BY_KIND  # in the order of ``Win``
DEALT_WIN_0 = WIN_0 + 3 * _BY_KIND
FAN_0 = DEALT_WIN_0 + NUM_SEATS
END_0 = FAN_0 + MUCH_FAN
LEFT_0 = END_0 + _NUM_ENDS
WALL_0 = LEFT_0 + NUM_SEATS
HOLD_0 = WALL_0 + NUM_DRAWS + 1
DRAWN_0 = HOLD_0 + NUM_KINDS
LOCK_0 = DRAWN_0 + NUM_KINDS
PHASE_0 = LOCK_0 + MUCH_FAN
CLAIM_TILE_0 = PHASE_0 + len(Phase)
RULES_0 = CLAIM_TILE_0 + NUM_KINDS
VOCABULARY_SIZE = RULES_0 + NUM_RULE_IDS
"""Number of token ids, padding included."""

# In play there are at most 55 draws, replacement draws among them, and 16 claims: every pung and
# direct kong makes a meld. The dealer's dealt hand, every draw and every pung are followed by at
# most one discard, one kong of the own turn, or one robbed kong.
_MAX_CLAIMS = NUM_SEATS * MAX_MELDS
_MAX_WINS = 3
MAX_TOKENS = (
    MAX_RULE_TOKENS
    + 1  # dealer
    + 2 * EXCHANGE_SIZE
    + 1  # direction
    + NUM_SEATS  # void suits
    + NUM_DRAWS
    + _MAX_CLAIMS
    + (1 + NUM_DRAWS + _MAX_CLAIMS)
    + 2 * _MAX_WINS  # with fan
    + 2  # end, and who left
    + 1  # wall
    + (HAND_SIZE + 1)
    + 1  # drawn
    + 1  # lock
    + 2  # phase and tile in question
)
"""Most tokens that an observation can have."""

_NUMBERS = tuple(str(number) for number in range(NUM_DRAWS + 1))
_FANS = _NUMBERS[1 : MUCH_FAN + 1]

VOCABULARY: tuple[Row, ...] = (
    Row(PAD, ("pad",), "nothing; behind the last token"),
    Row(DEALER_0, ("dealer",), "who deals", SEATS),
    Row(GIVE_0, ("give",), "tile given in the exchange, three in the order of giving", KINDS),
    Row(
        EXCHANGE_0,
        ("exchange",),
        "whom the own tiles went to, once they have",
        ("next", "previous", "across"),
    ),
    Row(RECEIVE_0, ("receive",), "tile received in the exchange", KINDS),
    Row(VOID_0, seat_names("void suit {}"), "void suits, the own first, once known", tuple(SUITS)),
    Row(DRAW_0, ("draw",), "a seat draws; which tile is not told", SEATS),
    Row(REPLACEMENT_0, ("replacement",), "a seat draws after a kong", SEATS),
    Row(DISCARD_0, seat_names("discard {}"), "a seat discards", KINDS),
    Row(PUNG_0, seat_names("pung {}"), "a seat claims the discard before", KINDS),
    Row(DIRECT_KONG_0, seat_names("direct kong {}"), "the same for a kong", KINDS),
    Row(ADDED_KONG_0, seat_names("added kong {}"), "the fourth tile to an own pung", KINDS),
    Row(CONCEALED_KONG_0, seat_names("concealed kong {}"), "four tiles of the hand", KINDS),
    Row(ROBBED_KONG_0, seat_names("robbed kong {}"), "an added kong others won on", KINDS),
    Row(WIN_0, seat_names("discard win {}"), "a seat wins on the discard before", KINDS),
    Row(WIN_0 + _BY_KIND, seat_names("self-draw {}"), "a seat wins on its draw", KINDS),
    Row(WIN_0 + 2 * _BY_KIND, seat_names("kong win {}"), "a seat wins on a robbed kong", KINDS),
    Row(DEALT_WIN_0, ("dealt win",), "the dealer wins on its hand, no tile told", SEATS),
    Row(FAN_0, ("fan",), "fan of the win before; 8 for more too", _FANS),
    Row(
        END_0,
        ("end",),
        "why the deal ended",
        tuple(end.name.lower() for end in End if end != End.NONE),
    ),
    Row(LEFT_0, ("left",), "who left, with end escape", SEATS),
    Row(WALL_0, ("wall",), "tiles left to draw", _NUMBERS),
    Row(HOLD_0, ("hold",), "a tile of the own hand, the drawn tile included", KINDS),
    Row(DRAWN_0, ("drawn",), "the tile of the own hand drawn in this turn", KINDS),
    Row(LOCK_0, ("lock",), "fan of a declined win: a win must be worth more; 8 too", _FANS),
    Row(
        PHASE_0,
        ("phase",),
        "what one is asked; wait while another seat may be",
        tuple(phase.name.lower() for phase in Phase),
    ),
    Row(CLAIM_TILE_0, ("claim tile",), "tile one is asked about", KINDS),
    *rule_rows(RULES_0),
)
"""Every token by its id, in groups."""


@lru_cache(maxsize=1)
def _texts() -> tuple[str, ...]:
    return tuple(text for row in VOCABULARY for text in row.channels)


def token_text(token: int) -> str:
    """A token in words, ``"discard next 5p"``; its groups stand in :data:`VOCABULARY`.

    An observation in words is the text of its tokens: ``out[1 : 1 + out[0]]``.

    Raises:
        ValueError: There is no such token.
    """
    if not 0 <= token < VOCABULARY_SIZE:
        raise ValueError(f"token {token}; tokens are 0 to {VOCABULARY_SIZE - 1}")
    return _texts()[token]


@lru_cache(maxsize=1)
def _parts() -> np.ndarray:
    parts = np.zeros((VOCABULARY_SIZE, 3), np.int16)
    known: dict[str, int] = {}
    for token, text in enumerate(_texts()):
        words = text.split()
        for column, names in ((1, SEATS), (2, KINDS)):
            for name in set(words) & set(names):
                parts[token, column] = 1 + names.index(name)
                words.remove(name)
        parts[token, 0] = known.setdefault(" ".join(words), len(known))
    return parts


def token_parts() -> np.ndarray:
    """What each token is about: the sum of an embedding of each part knows what they share.

    Returns:
        ``(VOCABULARY_SIZE, 3)`` int16, new each time: the token without seat and kind, from 0 on,
        in the order of ids; the seat, 1 for self to 4 for previous; the kind, 1 to 27; 0 for none.
    """
    return _parts().copy()

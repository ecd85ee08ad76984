"""The table record and the view record.

``STATE`` is everything about one deal; a batch is an array of it. ``VIEW`` is what one seat may
know, copied out of a state by :func:`mjenv.sichuan.view.view`: bots and observations receive a
view, so that what a seat may not know cannot leak.

Amounts are in units of the base. Seats are 0..3, ``NO_SEAT`` and ``NO_TILE`` are -1.
"""

from enum import IntEnum

import numpy as np

from mjenv.core.tiles import COPIES, NUM_SUITS

NUM_SEATS = 4
NUM_KINDS = 27
NUM_TILES = NUM_KINDS * COPIES
HAND_SIZE = 13
MAX_MELDS = 4
NO_SEAT = -1
NO_SUIT = -1
NO_ANSWER = -1

# The dealer's first discard, 55 draws and at most 16 pungs each lead to one discard.
MAX_DISCARDS = 72
FIRST_DRAW = NUM_SEATS * HAND_SIZE + 1
NUM_DRAWS = NUM_TILES - FIRST_DRAW
EXCHANGE_SIZE = 3
# A kong or a robbed kong of each meld, and a self-drawn win of three seats.
MAX_DEEDS = NUM_SEATS * MAX_MELDS + NUM_SEATS - 1


class Phase(IntEnum):
    """What the table waits for."""

    EXCHANGE = 0
    VOID = 1
    TURN = 2
    CLAIM = 3
    ROB = 4
    OVER = 5
    WAIT = 6  # only in views: somebody else is asked


class Meld(IntEnum):
    """Kind of an exposed or declared set."""

    NONE = 0
    PUNG = 1  # 碰
    DIRECT_KONG = 2  # 直杠
    ADDED_KONG = 3  # 弯杠
    CONCEALED_KONG = 4  # 暗杠


class Win(IntEnum):
    """How a seat won."""

    NONE = 0
    DISCARD = 1  # 点胡
    SELF_DRAW = 2  # 自摸
    ROB_KONG = 3  # 抢杠胡


class Claim(IntEnum):
    """What became of a discard."""

    NONE = 0
    PUNG = 1
    KONG = 2
    WIN = 3


class Deed(IntEnum):
    """What a seat declares in its own turn (history.py)."""

    CONCEALED_KONG = 0
    ADDED_KONG = 1  # nobody robbed it
    ROBBED_KONG = 2  # an added kong that was robbed
    SELF_DRAW = 3


class Offer(IntEnum):
    """Bits of what a seat may answer besides ``pass``."""

    PUNG = 1
    KONG = 2
    WIN = 4
    FORCED = 8  # nothing but the win
    NOTHING = 16  # asked all the same: in worlds drawn for a seat that waits (hidden.py)


class Direction(IntEnum):
    """Where exchanged tiles go: to seat + 1, seat - 1 or seat + 2."""

    NEXT = 0
    PREVIOUS = 1
    OPPOSITE = 2


class End(IntEnum):
    """Why a deal ended."""

    NONE = 0
    THREE_WINS = 1
    WALL_EMPTY = 2
    FIRST_WIN = 3
    ESCAPE = 4


class Class(IntEnum):
    """What a seat is at the end of a deal (R41)."""

    NONE = 0
    WON = 1
    READY = 2
    UNREADY = 3
    PIG = 4
    LEFT = 5


class Ledger(IntEnum):
    """Columns of the ledger; each seat's row sums to its points."""

    WIN = 0  # received for wins
    DEAL_IN = 1  # paid as discarder or robbed konger
    SELF_DRAW_PAID = 2  # paid for the self-drawn wins of others
    KONG = 3
    TRANSFER = 4
    PIG = 5
    READY_CHECK = 6
    REFUND = 7
    ESCAPE = 8


NUM_LEDGER = len(Ledger)
NUM_EXTRAS = 6

_MELDS = [
    ("num_melds", "i1", NUM_SEATS),
    ("meld_type", "i1", (NUM_SEATS, MAX_MELDS)),
    ("meld_kind", "i1", (NUM_SEATS, MAX_MELDS)),
    ("meld_from", "i1", (NUM_SEATS, MAX_MELDS)),  # own seat for a concealed kong
    ("kong_paid", "i1", (NUM_SEATS, MAX_MELDS, NUM_SEATS)),  # units each seat paid for it
    ("kong_transferred", "i1", (NUM_SEATS, MAX_MELDS)),
]
_DISCARDS = [
    ("num_discards", "i1"),
    ("discard_kind", "i1", MAX_DISCARDS),  # of all seats, in order
    ("discard_fate", "i1", MAX_DISCARDS),  # seat, Claim and claimer: history.py
]
_DEEDS = [
    ("num_deeds", "i1"),
    ("deed", "i1", MAX_DEEDS),  # of all seats, in order: Deed, seat and meld: history.py
    ("deed_after", "i1", MAX_DEEDS),  # number of discards before it
]
_WINS = [
    ("win_order", "i1", NUM_SEATS),  # 0 not won; 1.. by winning event, equal on a shared tile
    ("win_how", "i1", NUM_SEATS),
    ("win_from", "i1", NUM_SEATS),
    ("win_tile", "i1", NUM_SEATS),
    ("win_fan", "i1", NUM_SEATS),
    ("win_patterns", "i2", NUM_SEATS),  # bit p: Pattern p
    ("win_extras", "i1", (NUM_SEATS, NUM_EXTRAS)),  # fan added by each Extra
]
_OUTCOME = [
    ("points", "i4", NUM_SEATS),  # in units
    ("ledger", "i4", (NUM_SEATS, NUM_LEDGER)),
    ("end_reason", "i1"),
    ("classes", "i1", NUM_SEATS),
    ("left_seat", "i1"),  # who quit
]

STATE = np.dtype(
    [
        ("seed", "i8"),
        ("deal", "i8"),
        ("suit_key", "i4", (NUM_SEATS, NUM_SUITS)),  # key of each suit of the hand (core.suits)
        *_OUTCOME,
        ("num_events", "i2"),
        ("num_decisions", "i2", NUM_SEATS),
        *_WINS,
        ("hand", "i1", (NUM_SEATS, NUM_KINDS)),
        ("wall", "i1", NUM_TILES),
        ("wall_next", "i1"),  # next tile from the front
        ("wall_end", "i1"),  # one past the last tile
        ("phase", "i1"),
        ("actor", "i1"),  # who is asked
        ("dealer", "i1"),
        ("turn", "i1"),  # whose turn it is: the last to draw, pung or be dealt
        ("drawn", "i1"),  # kind drawn in this turn
        ("replacement", "i1"),  # the drawn tile replaced a kong
        ("must_discard", "i1"),  # after a pung
        ("num_draws", "i1", NUM_SEATS),
        ("num_wins", "i1"),
        ("num_win_events", "i1"),
        ("void_suit", "i1", NUM_SEATS),
        ("direction", "i1"),
        ("given", "i1", (NUM_SEATS, EXCHANGE_SIZE)),
        ("received", "i1", (NUM_SEATS, EXCHANGE_SIZE)),
        ("num_given", "i1", NUM_SEATS),
        *_MELDS,
        ("turn_kongs", "i1"),  # bit m: meld m of the turn's seat is a kong of this turn
        ("last_kong", "i1"),  # meld index of the latest of them, or -1
        ("kong_discard", "i1"),  # the latest discard followed a kong's replacement draw
        *_DISCARDS,
        *_DEEDS,
        ("claim_tile", "i1"),  # the tile asked about in CLAIM and ROB
        ("claim_from", "i1"),  # discarder or konger
        ("offer", "i1", NUM_SEATS),  # Offer bits
        ("answer", "i1", NUM_SEATS),  # action id, secret until all have answered
        ("lock_fan", "i1", NUM_SEATS),  # pass lock: only a higher fan may win
        ("first_winner", "i1"),  # of the first win, for the next dealer
        ("first_payer", "i1"),
        ("first_win_size", "i1"),
        ("unused", "i1", 4),  # no gaps: NumPy does not copy them, and a state is compared as bytes
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("suit_key", "i4", NUM_SUITS),
        *_OUTCOME,
        *_WINS,
        ("seat", "i1"),
        ("phase", "i1"),
        ("dealer", "i1"),
        ("turn", "i1"),
        ("hand", "i1", NUM_KINDS),
        ("hand_size", "i1", NUM_SEATS),
        ("wall_count", "i1"),
        ("drawn", "i1"),  # own, in the own turn
        ("replacement", "i1"),
        ("must_discard", "i1"),
        ("num_draws", "i1", NUM_SEATS),
        ("void_suit", "i1", NUM_SEATS),  # of others once all have answered
        ("direction", "i1"),  # -1 until the exchange is done
        ("given", "i1", EXCHANGE_SIZE),
        ("received", "i1", EXCHANGE_SIZE),
        *_MELDS,
        ("kong_discard", "i1"),
        *_DISCARDS,
        *_DEEDS,
        ("claim_tile", "i1"),
        ("claim_from", "i1"),
        ("offer", "i1"),
        ("lock_fan", "i1"),
        ("unused", "i1", 3),
    ],
    align=True,
)

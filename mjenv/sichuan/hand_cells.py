"""The cells of hand analysis in ``vector/1``.

Deficiencies stand divided by ten, useful tiles by thirty, both cut off at 1. See
:mod:`mjenv.sichuan.analysis` for the words.
"""

from mjenv.core.tiles import NUM_SUITS, SUITS
from mjenv.sichuan.layout import KINDS, Row
from mjenv.sichuan.state import NUM_KINDS

MAX_DEFICIENCY = 8

AFTER = 0
USEFUL_AFTER = AFTER + NUM_KINDS
OWN_KONG = USEFUL_AFTER + NUM_KINDS
DEFICIENCY_0 = OWN_KONG + NUM_KINDS
USEFUL = DEFICIENCY_0 + MAX_DEFICIENCY + 1
CAN_WIN = USEFUL + 1
FAN = CAN_WIN + 1
VOID_TILES = FAN + 1
PAIRS = VOID_TILES + 1
ROOTS = PAIRS + 1
SEVEN_PAIRS = ROOTS + 1
TRIPLETS = SEVEN_PAIRS + 1
SUIT_SIZE = TRIPLETS + 1
SUIT_LIVE = SUIT_SIZE + NUM_SUITS
ONE_SUIT = SUIT_LIVE + NUM_SUITS
WITHOUT_SUIT = ONE_SUIT + NUM_SUITS
PASS = WITHOUT_SUIT + NUM_SUITS
PUNG = PASS + 2
KONG = PUNG + 3
NUM_HAND_FEATURES = KONG + 3


def hand_rows(first: int) -> tuple[Row, ...]:
    """The cells of hand analysis, the first of them numbered ``first``."""
    suits = tuple(SUITS)
    return (
        Row(
            first + AFTER,
            ("discard keeps",),
            "1 if the discard leaves the least deficiency, -1 if it raises it, 0 if there is none",
            KINDS,
        ),
        Row(
            first + USEFUL_AFTER,
            ("useful after",),
            "useful tiles after a discard that leaves the least deficiency",
            KINDS,
        ),
        Row(
            first + OWN_KONG,
            ("own kong keeps",),
            "1 if the kong leaves no more deficiency than a discard, -1 if more, 0 if none",
            KINDS,
        ),
        Row(
            first + DEFICIENCY_0,
            tuple(f"deficiency {n}" for n in range(MAX_DEFICIENCY + 1)),
            "deficiency of the hand, the last one for all above",
        ),
        Row(first + USEFUL, ("useful",), "useful tiles, in the own turn after the best discard"),
        Row(first + CAN_WIN, ("can win",), "the hand is complete, or a win is on offer"),
        Row(first + FAN, ("fan",), "fan of that win, or most fan of a ready hand, / 8"),
        Row(first + VOID_TILES, ("void tiles",), "tiles of the own void suit / 13"),
        Row(first + PAIRS, ("pairs",), "pairs / 7"),
        Row(first + ROOTS, ("roots",), "four of a kind not declared as a kong / 3"),
        Row(first + SEVEN_PAIRS, ("to seven pairs",), "deficiency for seven pairs"),
        Row(first + TRIPLETS, ("to triplets",), "deficiency for triplets and a pair"),
        Row(first + SUIT_SIZE, ("suit held",), "tiles of a suit / 14", suits),
        Row(first + SUIT_LIVE, ("suit live",), "live copies of a suit / 36", suits),
        Row(first + ONE_SUIT, ("to one suit",), "deficiency for a hand of this suit alone", suits),
        Row(first + WITHOUT_SUIT, ("without",), "deficiency if this suit is not used", suits),
        Row(
            first + PASS,
            ("pass deficiency", "pass useful"),
            "the hand if the tile in question is left, 0 if there is none",
        ),
        Row(
            first + PUNG,
            ("pung offered", "pung deficiency", "pung useful"),
            "the hand after a pung and the best discard",
        ),
        Row(
            first + KONG,
            ("kong offered", "kong deficiency", "kong useful"),
            "the hand after a direct kong, before its replacement tile",
        ),
    )

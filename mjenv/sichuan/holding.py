"""What one seat holds, read from text and checked: concealed tiles, melds, void suit."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mjenv.core.tiles import COPIES, NUM_RANKS, SUITS, counts_of, parse_tile, parse_tiles, tile_text
from mjenv.errors import TileError
from mjenv.sichuan.state import HAND_SIZE, MAX_MELDS, NO_SEAT, NO_SUIT, NUM_KINDS, STATE, Meld

MELDS_BY_NAME = {
    "pung": Meld.PUNG,
    "kong_direct": Meld.DIRECT_KONG,
    "kong_added": Meld.ADDED_KONG,
    "kong_concealed": Meld.CONCEALED_KONG,
}
"""Melds as text: one of these names, a colon and the kind, as in ``pung:5m``."""

_SET_SIZE = 3
_POWERS = 5 ** np.arange(NUM_RANKS)


@dataclass(frozen=True)
class Holding:
    """The tiles of a seat that is not in the middle of its turn: 3n+1 concealed tiles, and melds.

    Attributes:
        counts: Concealed tiles of each of the 27 kinds.
        melds: Type and kind of each meld.
        void: The declared void suit, 0 to 2, or ``NO_SUIT``.
    """

    counts: tuple[int, ...]
    melds: tuple[tuple[Meld, int], ...] = ()
    void: int = NO_SUIT

    @classmethod
    def parse(
        cls,
        hand: str | Iterable[str],
        melds: Iterable[str] = (),
        void: str | None = None,
        *,
        fifth_tile: bool = False,
    ) -> "Holding":
        """Read a holding.

        Args:
            hand: Concealed tiles without the winning tile, as ``"123m456p77s"`` or one by one.
            melds: For example ``["pung:5m", "kong_concealed:1m"]``.
            void: Letter of the void suit.
            fifth_tile: Whether a fifth tile of a kind is let through, to be found later.

        Raises:
            TileError: The text is not understood, or no seat can hold this.
        """
        text = hand if isinstance(hand, str) else "".join(hand)
        counts = counts_of(parse_tiles(text, NUM_KINDS), NUM_KINDS)
        holding = cls(tuple(counts), tuple(parse_meld(meld) for meld in melds), parse_suit(void))
        holding._check_size()
        if not fifth_tile:
            holding._check_copies()
        return holding

    def owned(self, kind: int) -> int:
        """Copies of ``kind``, melds included."""
        melded = sum(_copies(meld) for meld, meld_kind in self.melds if meld_kind == kind)
        return self.counts[kind] + melded

    def place(self, tables: np.ndarray, seat: int) -> None:
        """Write the holding to a seat of ``tables[0]``, which holds nothing yet."""
        state = tables[0]
        counts = np.array(self.counts)
        state["hand"][seat] = counts
        # A fifth tile has no digit in a key; who lets it through must look for it first.
        state["suit_key"][seat] = np.minimum(counts, COPIES).reshape(-1, NUM_RANKS) @ _POWERS
        state["void_suit"][seat] = self.void
        state["num_melds"][seat] = len(self.melds)
        for i, (meld, kind) in enumerate(self.melds):
            state["meld_type"][seat, i] = meld
            state["meld_kind"][seat, i] = kind

    def _check_size(self) -> None:
        if len(self.melds) > MAX_MELDS:
            raise TileError(f"{len(self.melds)} melds; a seat has at most {MAX_MELDS}")
        size, wanted = sum(self.counts), HAND_SIZE - _SET_SIZE * len(self.melds)
        if size != wanted:
            hint = "; leave out the winning tile" if size == wanted + 1 else ""
            raise TileError(
                f"the hand has {size} tiles; with {len(self.melds)} melds it must have "
                f"{wanted} concealed ones{hint}"
            )

    def _check_copies(self) -> None:
        for kind in range(NUM_KINDS):
            if self.owned(kind) > COPIES:
                raise TileError(
                    f"{self.owned(kind)} tiles {tile_text(kind)} in one hand; "
                    f"there are {COPIES} of each kind"
                )


def empty_tables() -> np.ndarray:
    """One table, ``(1,)`` of ``STATE``, where nobody holds anything and nothing has happened."""
    tables = np.zeros(1, STATE)
    state = tables[0]
    for field in ("left_seat", "turn", "first_winner", "first_payer", "last_kong"):
        state[field] = NO_SEAT
    state["void_suit"] = NO_SUIT
    return tables


def parse_meld(text: str) -> tuple[Meld, int]:
    """Type and kind of a meld such as ``kong_added:9m``.

    Raises:
        TileError: The text is no meld.
    """
    name, _, tile = text.partition(":")
    if name not in MELDS_BY_NAME or not tile:
        names = ", ".join(MELDS_BY_NAME)
        raise TileError(f"{text!r} is no meld; write it as 'pung:5m', with one of {names}")
    return MELDS_BY_NAME[name], parse_tile(tile, NUM_KINDS)


def parse_suit(text: str | None) -> int:
    """Number of a suit, ``NO_SUIT`` for None.

    Raises:
        TileError: The text is no suit.
    """
    if text is None:
        return NO_SUIT
    if text not in tuple(SUITS):
        raise TileError(f"{text!r} is no suit; suits are {', '.join(SUITS)}")
    return SUITS.index(text)


def _copies(meld: Meld) -> int:
    return COPIES - 1 if meld == Meld.PUNG else COPIES

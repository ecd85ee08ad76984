"""The public course of play after the deal, as compact as it can be told.

Every discard has one byte, its *fate*: who discarded it, what became of it, and who took it.
Kongs and wins that a seat declares in its own turn are its *deeds*: one byte for what, one for how
many discards lay before it. Together with the melds and wins they tell, in order, everything that
all have seen; draws follow from them.

No question and no declined claim is among it, and neither is a kong that may still be robbed.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.state import NO_SEAT, Claim, Deed

_LAST = 3  # of the four values of each part of a byte
_BITS = 2
_THIRD = 2 * _BITS

# ---------------------------------------------------------------------------------------- discards


@kernel
def fate_of(seat: int, claim: int, claimer: int) -> int:
    """The fate of a discard of ``seat``; ``claimer`` counts only if it was claimed."""
    taken = 0 if claim == Claim.NONE else claimer << _THIRD
    return seat | (claim << _BITS) | taken


@kernel
def discarder(fate: int) -> int:
    """Who discarded."""
    return fate & _LAST


@kernel
def claim_of(fate: int) -> int:
    """What became of the discard, a ``Claim``."""
    return (fate >> _BITS) & _LAST


@kernel
def claimer_of(fate: int) -> int:
    """Who claimed the discard, the first winner if there are several; else ``NO_SEAT``."""
    return NO_SEAT if claim_of(fate) == Claim.NONE else fate >> _THIRD


def fates(record: np.void) -> list[tuple[int, Claim, int]]:
    """Seat, claim and claimer of every discard of a state or view, in order."""
    made = record["discard_fate"][: int(record["num_discards"])]
    seats, claims = made & _LAST, made >> _BITS & _LAST
    claimers = np.where(claims == Claim.NONE, NO_SEAT, made >> _THIRD)
    columns = (seats.tolist(), map(Claim, claims.tolist()), claimers.tolist())
    return list(zip(*columns, strict=True))


# ------------------------------------------------------------------------------------------- deeds


@kernel
def packed_deed(deed: int, seat: int, meld: int) -> int:
    """A deed as a byte; ``meld`` is the index of its kong, 0 for a win."""
    return deed | (seat << _BITS) | (meld << _THIRD)


@kernel
def note_deed(state: np.void, deed: int, seat: int, meld: int) -> None:
    """Append a deed of the present moment."""
    number = int(state["num_deeds"])
    state["deed"][number] = packed_deed(deed, seat, meld)
    state["deed_after"][number] = state["num_discards"]
    state["num_deeds"] = number + 1


@kernel
def deed_of(packed: int) -> int:
    """What was done, a ``Deed``."""
    return packed & _LAST


@kernel
def doer_of(packed: int) -> int:
    """The seat whose deed it was."""
    return (packed >> _BITS) & _LAST


@kernel
def meld_of(packed: int) -> int:
    """Index of the kong, among the melds of the seat; 0 for a win."""
    return packed >> _THIRD


def deeds(record: np.void) -> list[tuple[int, Deed, int, int]]:
    """Discards before it, what, seat and index of the meld of every deed, in order."""
    number = int(record["num_deeds"])
    packed = record["deed"][:number]
    what, seats, melds = packed & _LAST, packed >> _BITS & _LAST, packed >> _THIRD
    after = record["deed_after"][:number].tolist()
    columns = (after, map(Deed, what.tolist()), seats.tolist(), melds.tolist())
    return list(zip(*columns, strict=True))

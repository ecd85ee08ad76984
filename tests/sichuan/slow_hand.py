"""Hand analysis by trying everything, on the deficiency of the plain reference."""

import numpy as np

from mjenv.sichuan.history import fates
from mjenv.sichuan.state import NO_SUIT, NUM_KINDS, Claim, Meld, Phase, Win
from tests.reference.hand import deficiency as full_deficiency

HOPELESS = 99


def slow_deficiency(hand: list[int], num_melds: int, melded: int, void: int) -> int:
    """By the reference, with all tiles of one suit taken away."""
    best = HOPELESS
    for unused in range(3):
        if (melded >> unused) & 1 or (void != NO_SUIT and unused != void):
            continue
        kept = [0 if kind // 9 == unused else count for kind, count in enumerate(hand)]
        best = min(best, full_deficiency(kept, num_melds))
    return best


def slow_useful(hand: list[int], num_melds: int, melded: int, void: int, live: list[int]) -> int:
    """Live copies of every kind that lowers the deficiency, each tried out."""
    before = slow_deficiency(hand, num_melds, melded, void)
    total = 0
    for kind in range(NUM_KINDS):
        if (
            live[kind] > 0
            and slow_deficiency(with_tile(hand, kind), num_melds, melded, void) < before
        ):
            total += live[kind]
    return total


def slow_discards(
    hand: list[int], num_melds: int, melded: int, void: int, live: list[int]
) -> dict[int, tuple[int, int]]:
    """Deficiency and useful tiles after each discard that may be made."""
    bound = void != NO_SUIT and sum(hand[9 * void : 9 * void + 9]) > 0
    found = {}
    for kind in range(NUM_KINDS):
        if hand[kind] > 0 and (not bound or kind // 9 == void):
            less = with_tile(hand, kind, -1)
            found[kind] = (
                slow_deficiency(less, num_melds, melded, void),
                slow_useful(less, num_melds, melded, void, live),
            )
    return found


def with_tile(hand: list[int], kind: int, more: int = 1) -> list[int]:
    """The hand with ``more`` tiles of a kind."""
    return [count + more * (k == kind) for k, count in enumerate(hand)]


def visible_tiles(view: np.void) -> list[int]:
    """Everything in sight of a seat, tile by tile."""
    me = int(view["seat"])
    seen = [kind for kind in range(NUM_KINDS) for _ in range(view["hand"][kind])]
    for seat in range(4):
        for meld in range(view["num_melds"][seat]):
            size = 3 if view["meld_type"][seat, meld] == Meld.PUNG else 4
            seen += [int(view["meld_kind"][seat, meld])] * size
    for i, (_, claim, _) in enumerate(fates(view)):
        if claim == Claim.NONE:
            seen.append(int(view["discard_kind"][i]))
    claimed_wins = {}
    for seat in range(4):
        if view["win_order"][seat] and view["win_tile"][seat] >= 0:
            if view["win_how"][seat] != Win.SELF_DRAW:
                claimed_wins[int(view["win_order"][seat])] = int(view["win_tile"][seat])
            elif seat != me:
                seen.append(int(view["win_tile"][seat]))
    seen += claimed_wins.values()
    if view["phase"] == Phase.ROB:
        seen.append(int(view["claim_tile"]))
    if view["received"][0] < 0:
        seen += [int(kind) for kind in view["given"] if kind >= 0]
    return seen

"""The named values of options, as kernels see them.

Member names are the values in rules and records, in upper case.
"""

from enum import IntEnum


class Mode(IntEnum):
    """When a deal ends: after three wins (血战), or at the first."""

    BLOOD = 0
    SINGLE = 1


class ClaimWithVoidTiles(IntEnum):
    """Whether a seat that still holds void tiles may pung and kong other suits."""

    ALLOWED = 0
    FORBIDDEN = 1


class SelfDrawBonus(IntEnum):
    """What a self-draw adds: nothing, one base from each payer, or one fan."""

    NONE = 0
    ADD_BASE = 1
    ADD_FAN = 2


class DirectKongPayment(IntEnum):
    """Who pays for a direct kong: the discarder (承包制), or everyone (家家有)."""

    DISCARDER_ONLY = 0
    EVERYONE = 1


class CallTransfer(IntEnum):
    """Where kong income goes if the discard after it is won (呼叫转移)."""

    NONE = 0
    FULL_EACH = 1
    SPLIT_CEIL = 2


class TransferScope(IntEnum):
    """Which kongs a call transfer moves."""

    LAST_KONG = 0
    KONG_CHAIN = 1


class AddedKongTiming(IntEnum):
    """When the fourth tile may be added to a pung, and whether a late one is paid."""

    JUST_DRAWN = 0
    ANY_TURN_PAID = 1
    ANY_TURN_UNPAID = 2


class KongDrawEnd(IntEnum):
    """The end of the wall that replacement tiles come from."""

    FRONT = 0
    BACK = 1


class RobKongPayer(IntEnum):
    """What a robbed seat pays: like a discarder, or for all active seats."""

    KONGER_SINGLE = 0
    KONGER_FOR_ALL = 1


class LastFour(IntEnum):
    """Whether a win on the last four tiles must be taken.

    Packing turns OPTIONAL_IF_VOID into one of the other two, so that kernels never see it.
    """

    FORCED = 0
    OPTIONAL = 1
    OPTIONAL_IF_VOID = 2


class LastFourScope(IntEnum):
    """Where the last four begin: turns drawn from them, or a wall of four."""

    TURN = 0
    WINDOW = 1


class PassWinLock(IntEnum):
    """What declining a win forbids (过水)."""

    NONE = 0
    SAME_OR_LOWER_UNTIL_OWN_DRAW = 1


class NextAfterDiscardWin(IntEnum):
    """Whose neighbour draws after a discard win or a robbed kong."""

    DISCARDER_NEXT = 0
    LAST_WINNER_NEXT = 1


class PigRule(IntEnum):
    """What makes a flower pig (花猪)."""

    THREE_SUITS = 0
    VOID_SUIT = 1
    EITHER = 2


class DiHu(IntEnum):
    """What counts as di_hu."""

    FIRST_DRAW_UNINTERRUPTED = 0
    ALSO_FIRST_DISCARD = 1


class NextDealer(IntEnum):
    """Who deals next."""

    DICE = 0
    SHOOTER = 1
    FIRST_WINNER = 2


class DealerAfterSelfDraw(IntEnum):
    """Who deals next after a self-draw, where the shooter would deal."""

    DICE = 0
    WINNER = 1
    STAY = 2

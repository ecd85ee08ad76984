"""The encoding ``planes/1``: a view as planes of 0 and 1 over suits and ranks.

Cell ``channel * 27 + kind`` of the flat array belongs to a kind. Channels about the table and the
rules are filled over all kinds (broadcast). Counts are thermometers: channel n is 1 where the
count is at least n. Seats are relative to the observer: itself, next, across, previous.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NO_TILE, NUM_RANKS
from mjenv.sichuan.layout import SEATS, Row, at_least, seat_names
from mjenv.sichuan.rules import (
    AddedKongTiming,
    CallTransfer,
    ClaimWithVoidTiles,
    DirectKongPayment,
    Extra,
    LastFour,
    Mode,
    PassWinLock,
    Pattern,
    PigRule,
    SelfDrawBonus,
)
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    NO_SEAT,
    NO_SUIT,
    NUM_KINDS,
    NUM_SEATS,
    Claim,
    Meld,
    Phase,
    Win,
)

RIVER_COUNTS = (1, 2, 3)
RECENT = 2  # latest discards shown of each seat
WALL_LEFT = (1, 2, 3, 4, 8, 12, 16, 24, 32, 44)
FAN_CAPS = (4, 5, 6)
_TRIPLET_FAN = 2
_SUIT_FAN = 3
_PAIRS_FAN = 3
_LAST_SEAT = NUM_SEATS - 1  # seats are taken modulo four by masking
_ALL_SHOWN = sum(RECENT << (2 * seat) for seat in range(NUM_SEATS))

HAND_0 = 0
DRAWN = HAND_0 + COPIES
CLAIM_TILE = DRAWN + 1
MELD_0 = CLAIM_TILE + 1
DIRECT_KONG = MELD_0 + NUM_SEATS
ADDED_KONG = DIRECT_KONG + 1
CONCEALED_KONG = ADDED_KONG + 1
RIVER_0 = CONCEALED_KONG + 1
LATEST_0 = RIVER_0 + NUM_SEATS * len(RIVER_COUNTS)
UNSEEN_0 = LATEST_0 + NUM_SEATS * RECENT
WIN_TILE_0 = UNSEEN_0 + COPIES
VOID_0 = WIN_TILE_0 + NUM_SEATS
GIVEN_0 = VOID_0 + NUM_SEATS
RECEIVED_0 = GIVEN_0 + EXCHANGE_SIZE
PHASE_0 = RECEIVED_0 + EXCHANGE_SIZE
NUM_PHASES = Phase.OVER + 1  # WAIT is none of them
WON_0 = PHASE_0 + NUM_PHASES
DEALER_0 = WON_0 + NUM_SEATS
TURN_0 = DEALER_0 + NUM_SEATS
WALL_0 = TURN_0 + NUM_SEATS
MUST_DISCARD = WALL_0 + len(WALL_LEFT)
REPLACEMENT = MUST_DISCARD + 1
KONG_DISCARD = REPLACEMENT + 1
DIRECTION_0 = KONG_DISCARD + 1
LOCKED = DIRECTION_0 + 3
RULES_0 = LOCKED + 1
RULE_SINGLE = RULES_0
RULE_VOID_SUIT = RULE_SINGLE + 1
RULE_SWAP_THREE = RULE_VOID_SUIT + 1
RULE_CLAIMS_BARRED = RULE_SWAP_THREE + 1
RULE_MIN_FAN = RULE_CLAIMS_BARRED + 1
RULE_CAP_0 = RULE_MIN_FAN + 1
RULE_NO_CAP = RULE_CAP_0 + len(FAN_CAPS)
RULE_DRAW_BASE = RULE_NO_CAP + 1
RULE_DRAW_FAN = RULE_DRAW_BASE + 1
RULE_ADDITIVE = RULE_DRAW_FAN + 1
RULE_TRIPLETS = RULE_ADDITIVE + 1
RULE_ONE_SUIT = RULE_TRIPLETS + 1
RULE_SEVEN_PAIRS = RULE_ONE_SUIT + 1
RULE_ROOTS = RULE_SEVEN_PAIRS + 1
RULE_KONG_ROOTS = RULE_ROOTS + 1
RULE_KONG_DRAW = RULE_KONG_ROOTS + 1
RULE_KONG_DISCARD = RULE_KONG_DRAW + 1
RULE_KONG_PAID_BY_ALL = RULE_KONG_DISCARD + 1
RULE_TRANSFER = RULE_KONG_PAID_BY_ALL + 1
RULE_LATE_KONG = RULE_TRANSFER + 1
RULE_LATE_KONG_UNPAID = RULE_LATE_KONG + 1
RULE_LAST_FOUR = RULE_LATE_KONG_UNPAID + 1
RULE_PASS_LOCK = RULE_LAST_FOUR + 1
RULE_PIG_SUITS = RULE_PASS_LOCK + 1
RULE_PIG_VOID = RULE_PIG_SUITS + 1
RULE_REFUND = RULE_PIG_VOID + 1
NUM_PLANES = RULE_REFUND + 1

_RIVERS = seat_names("river {}")
_COUNTS = tuple(range(1, COPIES + 1))
_THREE = tuple(range(1, EXCHANGE_SIZE + 1))

PLANES: tuple[Row, ...] = (
    Row(HAND_0, at_least("hand", _COUNTS), "own hand, the drawn tile included"),
    Row(DRAWN, ("drawn",), "tile drawn in the own turn"),
    Row(CLAIM_TILE, ("claim tile",), "tile one is asked about: a discard, or an added kong"),
    Row(MELD_0, seat_names("meld {}"), "kinds of which a seat has a pung or a kong"),
    Row(
        DIRECT_KONG,
        ("direct kong", "added kong", "concealed kong"),
        "which of these melds are kongs, and how made",
    ),
    Row(
        RIVER_0,
        tuple(name for river in _RIVERS for name in at_least(river, RIVER_COUNTS)),
        "discards of a seat that nobody claimed",
    ),
    Row(
        LATEST_0,
        tuple(f"{age} {seat}" for seat in SEATS for age in ("latest", "second latest")),
        "the two latest discards of a seat, claimed or not",
    ),
    Row(
        UNSEEN_0,
        at_least("unseen", _COUNTS),
        "copies not in the own hand, melds, rivers or among winning tiles",
    ),
    Row(WIN_TILE_0, seat_names("winning tile {}"), "tile a seat has won on"),
    Row(VOID_0, seat_names("void suit {}"), "filled over the void suit of a seat, once known"),
    Row(GIVEN_0, at_least("given", _THREE), "tiles given in the exchange"),
    Row(RECEIVED_0, at_least("received", _THREE), "tiles received in the exchange"),
    Row(
        PHASE_0,
        tuple(f"phase {phase.name.lower()}" for phase in Phase if phase < NUM_PHASES),
        "broadcast: what one is asked; all zero while another seat may be asked",
    ),
    Row(WON_0, seat_names("won {}"), "broadcast: a seat has won"),
    Row(DEALER_0, seat_names("dealer {}"), "broadcast: who deals"),
    Row(TURN_0, seat_names("turn {}"), "broadcast: whose turn it is, or whose tile is claimed"),
    Row(WALL_0, at_least("wall", WALL_LEFT), "broadcast: tiles left to draw"),
    Row(MUST_DISCARD, ("must discard",), "broadcast: a pung was made, a discard must follow"),
    Row(REPLACEMENT, ("replacement",), "broadcast: the latest draw replaced a kong"),
    Row(KONG_DISCARD, ("kong discard",), "broadcast: the latest discard followed a kong"),
    Row(
        DIRECTION_0,
        ("exchanged next", "exchanged previous", "exchanged across"),
        "broadcast: where the exchanged tiles went",
    ),
    Row(LOCKED, ("pass lock",), "broadcast: a declined win forbids wins of as little fan"),
    Row(RULE_SINGLE, ("rule single",), "broadcast: mode is single"),
    Row(RULE_VOID_SUIT, ("rule void suit",), "broadcast: void_suit"),
    Row(RULE_SWAP_THREE, ("rule exchange",), "broadcast: swap_three"),
    Row(RULE_CLAIMS_BARRED, ("rule claims barred",), "broadcast: claim_with_void_tiles forbidden"),
    Row(RULE_MIN_FAN, ("rule min fan",), "broadcast: min_fan is 2 or more"),
    Row(RULE_CAP_0, at_least("rule fan cap", FAN_CAPS), "broadcast: fan_cap; all 1 without a cap"),
    Row(RULE_NO_CAP, ("rule no cap",), "broadcast: there is no fan_cap"),
    Row(RULE_DRAW_BASE, ("rule self-draw base",), "broadcast: self_draw_bonus is add_base"),
    Row(RULE_DRAW_FAN, ("rule self-draw fan",), "broadcast: self_draw_bonus is add_fan"),
    Row(RULE_ADDITIVE, ("rule additive",), "broadcast: the fan table adds patterns up"),
    Row(RULE_TRIPLETS, ("rule triplets",), "broadcast: dui_dui_hu is worth 2 fan or more"),
    Row(RULE_ONE_SUIT, ("rule one suit",), "broadcast: qing_yi_se is worth 3 fan or more"),
    Row(RULE_SEVEN_PAIRS, ("rule seven pairs",), "broadcast: qi_dui is worth 3 fan or more"),
    Row(RULE_ROOTS, ("rule roots",), "broadcast: a root adds fan"),
    Row(RULE_KONG_ROOTS, ("rule kong roots",), "broadcast: root_counts_kong"),
    Row(RULE_KONG_DRAW, ("rule kong draw",), "broadcast: gang_shang_hua adds fan"),
    Row(RULE_KONG_DISCARD, ("rule kong discard",), "broadcast: gang_shang_pao adds fan"),
    Row(RULE_KONG_PAID_BY_ALL, ("rule kong paid by all",), "broadcast: all pay a direct kong"),
    Row(RULE_TRANSFER, ("rule transfer",), "broadcast: there is a call_transfer"),
    Row(RULE_LATE_KONG, ("rule late kong",), "broadcast: added kongs are allowed in any turn"),
    Row(RULE_LATE_KONG_UNPAID, ("rule late kong unpaid",), "broadcast: late ones are not paid"),
    Row(RULE_LAST_FOUR, ("rule forced wins",), "broadcast: last_four is forced"),
    Row(RULE_PASS_LOCK, ("rule pass lock",), "broadcast: there is a pass_win_lock"),
    Row(RULE_PIG_SUITS, ("rule pig by suits",), "broadcast: holding three suits makes a pig"),
    Row(RULE_PIG_VOID, ("rule pig by void suit",), "broadcast: holding void tiles makes a pig"),
    Row(RULE_REFUND, ("rule refund",), "broadcast: refund_on_draw"),
)
"""Every channel of ``planes/1``."""


@kernel
def fill(out: np.ndarray, channel: int) -> None:
    """Set a channel to 1 for all kinds."""
    for cell in range(channel * NUM_KINDS, (channel + 1) * NUM_KINDS):
        out[cell] = 1


@kernel
def fill_if(out: np.ndarray, channel: int, condition: bool) -> None:
    """Set a channel to 1 for all kinds if the condition holds."""
    if condition:
        fill(out, channel)


@kernel
def mark(out: np.ndarray, channel: int, kind: int) -> None:
    """Set one cell, unless there is no such tile."""
    if kind != NO_TILE:
        out[channel * NUM_KINDS + kind] = 1


@kernel
def spread(out: np.ndarray, channel: int, levels: int) -> None:
    """Turn counts that stand in ``channel`` into a thermometer of ``levels`` channels."""
    first = channel * NUM_KINDS
    for cell in range(first, first + NUM_KINDS):
        count = int(out[cell])
        for level in range(levels):
            out[cell + level * NUM_KINDS] = 1 if count > level else 0


@kernel
def add_to(out: np.ndarray, channel: int, kinds: np.ndarray, sign: int) -> None:
    """Add ``sign`` to the count of every tile in ``kinds`` that is one."""
    for i in range(kinds.shape[0]):
        if kinds[i] != NO_TILE:
            out[channel * NUM_KINDS + int(kinds[i])] += sign


# --------------------------------------------------------------------------------------- tiles


@kernel
def _write_hand(view: np.void, out: np.ndarray) -> None:
    hand = view["hand"]
    for kind in range(NUM_KINDS):
        out[HAND_0 * NUM_KINDS + kind] = hand[kind]
        out[UNSEEN_0 * NUM_KINDS + kind] = COPIES - int(hand[kind])
    spread(out, HAND_0, COPIES)
    mark(out, DRAWN, int(view["drawn"]))
    mark(out, CLAIM_TILE, int(view["claim_tile"]))
    if view["phase"] == Phase.ROB:
        # The fourth tile has been shown, though it is no meld yet.
        out[UNSEEN_0 * NUM_KINDS + int(view["claim_tile"])] -= 1


@kernel
def _write_melds(view: np.void, me: int, out: np.ndarray) -> None:
    unseen = UNSEEN_0 * NUM_KINDS
    for seat in range(NUM_SEATS):
        relative = (seat - me) & _LAST_SEAT
        for meld in range(int(view["num_melds"][seat])):
            kind = int(view["meld_kind"][seat, meld])
            kong = int(view["meld_type"][seat, meld]) - Meld.DIRECT_KONG
            mark(out, MELD_0 + relative, kind)
            if kong >= 0:
                mark(out, DIRECT_KONG + kong, kind)
            out[unseen + kind] -= COPIES - 1 if kong < 0 else COPIES


@kernel
def _write_rivers(view: np.void, me: int, out: np.ndarray) -> None:
    levels = len(RIVER_COUNTS)
    for i in range(int(view["num_discards"])):
        if view["discard_claim"][i] == Claim.NONE:
            relative = (int(view["discard_seat"][i]) - me) & _LAST_SEAT
            kind = int(view["discard_kind"][i])
            out[(RIVER_0 + relative * levels) * NUM_KINDS + kind] += 1
            out[UNSEEN_0 * NUM_KINDS + kind] -= 1
    for relative in range(NUM_SEATS):
        spread(out, RIVER_0 + relative * levels, levels)


@kernel
def _write_latest(view: np.void, me: int, out: np.ndarray) -> None:
    """The latest discards of each seat, from the last one back."""
    shown = 0  # two bits a seat: how many have been found
    for i in range(int(view["num_discards"]) - 1, -1, -1):
        relative = (int(view["discard_seat"][i]) - me) & _LAST_SEAT
        age = (shown >> (2 * relative)) & 3
        if age < RECENT:
            mark(out, LATEST_0 + relative * RECENT + age, int(view["discard_kind"][i]))
            shown += 1 << (2 * relative)
            if shown == _ALL_SHOWN:
                return


@kernel
def counts_win_tile(view: np.void, me: int, seat: int) -> bool:
    """Whether the winning tile of a seat is one more visible tile.

    An own self-drawn tile is in the own hand, and a tile shared by several winners is one.
    """
    if view["win_order"][seat] == 0 or view["win_tile"][seat] == NO_TILE:
        return False
    if view["win_how"][seat] == Win.SELF_DRAW:
        return seat != me
    for other in range(seat):
        if view["win_order"][other] == view["win_order"][seat]:
            return False
    return True


@kernel
def _write_wins(view: np.void, me: int, out: np.ndarray) -> None:
    for seat in range(NUM_SEATS):
        if view["win_order"][seat] != 0:
            relative = (seat - me) & _LAST_SEAT
            kind = int(view["win_tile"][seat])
            fill(out, WON_0 + relative)
            mark(out, WIN_TILE_0 + relative, kind)
            if counts_win_tile(view, me, seat):
                out[UNSEEN_0 * NUM_KINDS + kind] -= 1


@kernel
def _write_void_suits(view: np.void, me: int, out: np.ndarray) -> None:
    for seat in range(NUM_SEATS):
        suit = int(view["void_suit"][seat])
        if suit != NO_SUIT:
            first = (VOID_0 + ((seat - me) & _LAST_SEAT)) * NUM_KINDS + suit * NUM_RANKS
            for cell in range(first, first + NUM_RANKS):
                out[cell] = 1


@kernel
def _write_exchange(view: np.void, out: np.ndarray) -> None:
    if view["given"][0] == NO_TILE:
        return
    add_to(out, GIVEN_0, view["given"], 1)
    add_to(out, RECEIVED_0, view["received"], 1)
    if view["received"][0] == NO_TILE:
        # Given away, but still before the giver: nobody else can show these copies yet.
        add_to(out, UNSEEN_0, view["given"], -1)
    spread(out, GIVEN_0, EXCHANGE_SIZE)
    spread(out, RECEIVED_0, EXCHANGE_SIZE)
    if view["direction"] >= 0:
        fill(out, DIRECTION_0 + int(view["direction"]))


# ----------------------------------------------------------------------------- table and rules


@kernel
def _write_table(view: np.void, me: int, out: np.ndarray) -> None:
    if view["phase"] < NUM_PHASES:
        fill(out, PHASE_0 + int(view["phase"]))
    fill(out, DEALER_0 + ((int(view["dealer"]) - me) & _LAST_SEAT))
    if view["turn"] != NO_SEAT:
        fill(out, TURN_0 + ((int(view["turn"]) - me) & _LAST_SEAT))
    left = int(view["wall_count"])
    for i in range(len(WALL_LEFT)):
        fill_if(out, WALL_0 + i, left >= WALL_LEFT[i])
    fill_if(out, MUST_DISCARD, view["must_discard"] != 0)
    fill_if(out, REPLACEMENT, view["replacement"] != 0)
    fill_if(out, KONG_DISCARD, view["kong_discard"] != 0)
    fill_if(out, LOCKED, view["lock_fan"] > 0)


@kernel
def _write_play_rules(rules: np.void, out: np.ndarray) -> None:
    timing = rules["added_kong_timing"]
    pig = rules["pig_rule"]
    fill_if(out, RULE_SINGLE, rules["mode"] == Mode.SINGLE)
    fill_if(out, RULE_VOID_SUIT, rules["void_suit"] != 0)
    fill_if(out, RULE_SWAP_THREE, rules["swap_three"] != 0)
    barred = rules["claim_with_void_tiles"] == ClaimWithVoidTiles.FORBIDDEN
    fill_if(out, RULE_CLAIMS_BARRED, barred)
    by_all = rules["direct_kong_payment"] == DirectKongPayment.EVERYONE
    fill_if(out, RULE_KONG_PAID_BY_ALL, by_all)
    fill_if(out, RULE_TRANSFER, rules["call_transfer"] != CallTransfer.NONE)
    fill_if(out, RULE_LATE_KONG, timing != AddedKongTiming.JUST_DRAWN)
    fill_if(out, RULE_LATE_KONG_UNPAID, timing == AddedKongTiming.ANY_TURN_UNPAID)
    fill_if(out, RULE_LAST_FOUR, rules["last_four"] == LastFour.FORCED)
    fill_if(out, RULE_PASS_LOCK, rules["pass_win_lock"] != PassWinLock.NONE)
    fill_if(out, RULE_PIG_SUITS, pig != PigRule.VOID_SUIT)
    fill_if(out, RULE_PIG_VOID, pig != PigRule.THREE_SUITS)
    fill_if(out, RULE_REFUND, rules["refund_on_draw"] != 0)


@kernel
def _write_fan_rules(rules: np.void, out: np.ndarray) -> None:
    cap = int(rules["fan_cap"])
    fans = rules["fans"]
    extra = rules["extra_fans"]
    fill_if(out, RULE_MIN_FAN, rules["min_fan"] > 1)
    for i in range(len(FAN_CAPS)):
        fill_if(out, RULE_CAP_0 + i, cap == 0 or cap >= FAN_CAPS[i])
    fill_if(out, RULE_NO_CAP, cap == 0)
    fill_if(out, RULE_DRAW_BASE, rules["self_draw_bonus"] == SelfDrawBonus.ADD_BASE)
    fill_if(out, RULE_DRAW_FAN, rules["self_draw_bonus"] == SelfDrawBonus.ADD_FAN)
    fill_if(out, RULE_ADDITIVE, rules["additive"] != 0)
    fill_if(out, RULE_TRIPLETS, fans[Pattern.DUI_DUI_HU] >= _TRIPLET_FAN)
    fill_if(out, RULE_ONE_SUIT, fans[Pattern.QING_YI_SE] >= _SUIT_FAN)
    fill_if(out, RULE_SEVEN_PAIRS, fans[Pattern.QI_DUI] >= _PAIRS_FAN)
    fill_if(out, RULE_ROOTS, extra[Extra.GEN] > 0)
    fill_if(out, RULE_KONG_ROOTS, rules["root_counts_kong"] != 0)
    fill_if(out, RULE_KONG_DRAW, extra[Extra.GANG_SHANG_HUA] > 0)
    fill_if(out, RULE_KONG_DISCARD, extra[Extra.GANG_SHANG_PAO] > 0)


@kernel
def observe_planes(view: np.void, rules: np.void, luts: np.ndarray, out: np.ndarray) -> None:
    """Write ``planes/1``: ``out`` is flat int8, ``NUM_PLANES * 27`` cells of 0 and 1.

    Contract function; this encoding needs no ``luts``.
    """
    me = int(view["seat"])
    out[:] = 0
    _write_hand(view, out)
    _write_melds(view, me, out)
    _write_rivers(view, me, out)
    _write_latest(view, me, out)
    _write_wins(view, me, out)
    _write_void_suits(view, me, out)
    _write_exchange(view, out)
    spread(out, UNSEEN_0, COPIES)
    _write_table(view, me, out)
    _write_play_rules(rules, out)
    _write_fan_rules(rules, out)

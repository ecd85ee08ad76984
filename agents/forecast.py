"""What is to be expected of the rest of a deal, from a view: draws, discards of others, the end.

The future of a seat is cut into *stages*. Stage ``i`` begins after its ``i``-th discard from now:
the others have their turns, then it draws and discards. In the last stage the wall ends before it
draws again. Everything is an average; no opponent is modelled by itself.
"""

from typing import NamedTuple

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import NUM_RANKS, NUM_SUITS
from mjenv.sichuan.hand import suit_of
from mjenv.sichuan.history import discarder
from mjenv.sichuan.rules import Mode, SelfDrawBonus
from mjenv.sichuan.state import NUM_KINDS, NUM_SEATS

MAX_STAGES = 20

# Of four copies of greedy/1 under the rules qq, in thousandths where they are whole numbers:
# ``python -m train.fit_forecast`` counts the same anew. By the wall in fours: how often a seat that
# has not won does so while one tile is drawn, and how often by its own draw.
WINS = (53, 54, 43, 40, 34, 29, 21, 16, 11, 7, 3, 2, 1, 0)
SELF_DRAWS = (27, 23, 19, 14, 12, 10, 5, 4, 3, 1, 1, 0, 0, 0)
# By the wall in eights: how often a discard that another may win on is won; how often others
# discard a tile of a suit they keep, against its share of the tiles unseen, and of a void suit,
# against its share of the wall.
DEALS_IN = (79, 62, 47, 30, 14, 4, 1)
KEPT = (720, 720, 700, 660, 520, 250, 50)
VOID = (1000, 1000, 1000, 1000, 1300, 2000, 2500)
THOUSAND = 1000.0
OUTER = (1.75, 1.35, 1.0, 1.0, 1.0, 1.0, 1.0, 1.35, 1.75)  # by rank: outer tiles are let go
MULTIPLE = 1.2  # of a win of others
READY_AT_END = 0.8
_FOURS, _EIGHTS = 4, 8
_ROUNDS = 6


class Forecast(NamedTuple):
    """What is to be expected; ``S`` is ``MAX_STAGES + 1``.

    Attributes:
        draws: ``(1,)`` int64, own draws to come; the last stage has that number.
        turns: ``(S,)`` turns of others in a stage.
        live: ``(S,)`` others that have not won when the seat draws.
        goes_on: ``(S,)`` how likely the deal is not over by then.
        cost: ``(S,)`` units paid for self-drawn wins of others.
        deal_in: ``(S,)`` units paid for the discard that begins a stage.
        odds: ``(27,)`` how likely the next tile drawn is of a kind.
        claims: ``(S, 27)`` how likely one turn of another brings a discard of a kind.
        at_end: ``(2,)`` units for each unit of the best hand if ready at the wall's end, and units
            paid if not.
    """

    draws: np.ndarray
    turns: np.ndarray
    live: np.ndarray
    goes_on: np.ndarray
    cost: np.ndarray
    deal_in: np.ndarray
    odds: np.ndarray
    claims: np.ndarray
    at_end: np.ndarray


@kernel
def new_forecast() -> Forecast:
    """A forecast to be written."""
    size = MAX_STAGES + 1
    return Forecast(
        np.zeros(1, np.int64),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
        np.zeros(NUM_KINDS),
        np.zeros((size, NUM_KINDS)),
        np.zeros(2),
    )


@kernel
def may_hold_void(view: np.void, seat: int) -> bool:
    """Whether the latest discard of a seat leaves open that it holds tiles of its void suit."""
    for i in range(int(view["num_discards"]) - 1, -1, -1):
        if discarder(int(view["discard_fate"][i])) == seat:
            return bool(suit_of(int(view["discard_kind"][i])) == view["void_suit"][seat])
    return True


@kernel
def wall_shares(view: np.void, live: np.ndarray, shares: np.ndarray) -> None:
    """Write which share of the unseen tiles of each suit lies in the wall: ``shares``, ``(3,)``.

    Hands hold no tiles of their void suit, so that more of them are in the wall: the table of
    hands and wall by suits is filled to fit the sizes of both.
    """
    me = int(view["seat"])
    cells = np.zeros((NUM_SEATS, NUM_SUITS))
    unseen = np.zeros(NUM_SUITS)
    for kind in range(NUM_KINDS):
        unseen[kind // NUM_RANKS] += int(live[kind])
    for seat in range(NUM_SEATS):
        for suit in range(NUM_SUITS):
            cells[seat, suit] = unseen[suit]
            if seat != me and view["void_suit"][seat] == suit:
                open_still = view["win_order"][seat] == 0 and may_hold_void(view, seat)
                cells[seat, suit] = 0.5 * unseen[suit] if open_still else 0.0
    for _ in range(_ROUNDS):
        for seat in range(NUM_SEATS):
            size = int(view["wall_count"]) if seat == me else int(view["hand_size"][seat])
            total = cells[seat, 0] + cells[seat, 1] + cells[seat, 2]
            for suit in range(NUM_SUITS):
                cells[seat, suit] *= size / total if total > 0.0 else 0.0
        for suit in range(NUM_SUITS):
            total = cells[0, suit] + cells[1, suit] + cells[2, suit] + cells[3, suit]
            for seat in range(NUM_SEATS):
                cells[seat, suit] *= unseen[suit] / total if total > 0.0 else 0.0
    for suit in range(NUM_SUITS):
        shares[suit] = cells[me, suit] / unseen[suit] if unseen[suit] > 0.0 else 0.0


@kernel
def _write_odds(view: np.void, live: np.ndarray, shares: np.ndarray, odds: np.ndarray) -> None:
    total = 0.0
    for kind in range(NUM_KINDS):
        odds[kind] = int(live[kind]) * shares[kind // NUM_RANKS]
        total += odds[kind]
    for kind in range(NUM_KINDS):
        odds[kind] *= 1.0 / total if total > 0.0 else 0.0


@kernel
def _write_claims(
    view: np.void, live: np.ndarray, stage: int, wall: int, forecast: Forecast
) -> None:
    """How likely a turn of another brings each kind, at a size of the wall."""
    me = int(view["seat"])
    bucket = min(wall // _EIGHTS, len(KEPT) - 1)
    kept, void = KEPT[bucket] / THOUSAND, VOID[bucket] / THOUSAND
    unseen = 0
    for kind in range(NUM_KINDS):
        unseen += int(live[kind])
    for suit in range(NUM_SUITS):
        others, without = 0, 0
        for seat in range(NUM_SEATS):
            if seat != me and view["win_order"][seat] == 0:
                others += 1
                without += 1 if view["void_suit"][seat] == suit else 0
        share = without / others if others > 0 else 0.0
        for rank in range(NUM_RANKS):
            kind = suit * NUM_RANKS + rank
            from_hand = kept * OUTER[rank] * int(live[kind]) / unseen if unseen > 0 else 0.0
            odds = share * void * forecast.odds[kind] + (1.0 - share) * from_hand
            forecast.claims[stage, kind] = odds


@kernel
def _mean_live(chances: np.ndarray, lowest: int) -> float:
    """Mean number of others still in, of the cases in which the deal goes on."""
    total, weighted = 0.0, 0.0
    for number in range(lowest, NUM_SEATS):
        total += chances[number]
        weighted += number * chances[number]
    return weighted / total if total > 0.0 else 0.0


@kernel
def _going_on(chances: np.ndarray, lowest: int) -> float:
    total = 0.0
    for number in range(lowest, NUM_SEATS):
        total += chances[number]
    return total


@kernel
def _let_win(chances: np.ndarray, hazard: float) -> None:
    """Each of those still in wins with a probability."""
    for number in range(1, NUM_SEATS):
        one = min(1.0, number * hazard) * chances[number]
        chances[number] -= one
        chances[number - 1] += one


@kernel
def _write_stages(view: np.void, rules: np.void, before: int, f: Forecast) -> int:
    """Everything by stages but the claims; returns the others still in now."""
    me, others = int(view["seat"]), 0
    for seat in range(NUM_SEATS):
        others += 1 if seat != me and view["win_order"][seat] == 0 else 0
    lowest = others if rules["mode"] == Mode.SINGLE else 1
    chances = np.zeros(NUM_SEATS)
    chances[others] = 1.0
    paid = MULTIPLE
    if rules["self_draw_bonus"] == SelfDrawBonus.ADD_BASE:
        paid += 1.0
    elif rules["self_draw_bonus"] == SelfDrawBonus.ADD_FAN:
        paid *= 2.0
    wall = 1.0 * int(view["wall_count"])
    stage = 0
    while True:
        mean = _mean_live(chances, lowest)
        turns = 1.0 * before if stage == 0 else mean
        last = wall < turns + 0.5 or stage == MAX_STAGES
        if last:
            turns = max(wall, 0.0)
        tiles = turns if last else turns + 1.0
        tile = max(0, int(wall - 0.5 * tiles))
        four, eight = min(tile // _FOURS, len(WINS) - 1), min(tile // _EIGHTS, len(KEPT) - 1)
        f.turns[stage] = turns
        f.deal_in[stage] = mean * DEALS_IN[eight] / THOUSAND * MULTIPLE
        f.cost[stage] = mean * tiles * SELF_DRAWS[four] / THOUSAND * paid
        alive = _going_on(chances, lowest)
        _let_win(chances, tiles * WINS[four] / THOUSAND)
        f.goes_on[stage] = _going_on(chances, lowest) / alive if alive > 0.0 else 0.0
        f.live[stage] = _mean_live(chances, lowest)
        wall -= tiles
        if last:
            break
        stage += 1
    f.draws[0] = stage
    return others


@kernel
def write_forecast(
    view: np.void, rules: np.void, live: np.ndarray, before: int, forecast: Forecast
) -> None:
    """Write the forecast of a seat that draws after ``before`` turns of others."""
    shares = np.zeros(NUM_SUITS)
    wall_shares(view, live, shares)
    _write_odds(view, live, shares, forecast.odds)
    _write_stages(view, rules, before, forecast)
    wall = 1.0 * int(view["wall_count"])
    for stage in range(int(forecast.draws[0]) + 1):
        _write_claims(view, live, stage, max(0, int(wall)), forecast)
        wall -= forecast.turns[stage] + 1.0
    left = forecast.live[int(forecast.draws[0])]
    forecast.at_end[0] = left * (1.0 - READY_AT_END)
    forecast.at_end[1] = left * READY_AT_END * MULTIPLE


@kernel
def turns_until(view: np.void, first: int) -> int:
    """Turns of others before the observer draws, if seat ``first`` has the next one."""
    me, number, seat = int(view["seat"]), 0, first % NUM_SEATS
    while seat != me:
        number += 1 if view["win_order"][seat] == 0 else 0
        seat = (seat + 1) % NUM_SEATS
    return number

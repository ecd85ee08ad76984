"""What holds in every state that a deal can lead to, checked for positions.

Each check names the fields it reads and is left out if one of them could not be read, so that
one mistake is told once.
"""

from collections.abc import Callable, Iterator

import numpy as np

from mjenv.core.suits import load_tables
from mjenv.core.tiles import NO_TILE, tile_text
from mjenv.sichuan.actions import KONG, NUM_ACTIONS, PUNG, WIN
from mjenv.sichuan.claims import offer_to
from mjenv.sichuan.hand import suit_of
from mjenv.sichuan.position_history import check_history
from mjenv.sichuan.position_tiles import (
    SEATS,
    check_draws,
    check_hands,
    check_melds,
    check_river,
    check_tiles,
    check_wall,
    discards_of,
    melds_of,
)
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    NO_ANSWER,
    NO_SEAT,
    NO_SUIT,
    Claim,
    Class,
    End,
    Meld,
    Offer,
    Phase,
    Win,
)
from mjenv.sichuan.step import legal
from mjenv.sichuan.wins import WINS_OF_BLOOD

Check = Callable[[np.void, Rules], Iterator[str]]

_OFFER_OF = {PUNG: Offer.PUNG, KONG: Offer.KONG, WIN: Offer.WIN}
_ASKED_FOR = int(Offer.PUNG | Offer.KONG | Offer.WIN | Offer.FORCED)


def consistency_faults(states: np.ndarray, rules: Rules, unread: frozenset[str]) -> list[str]:
    """Everything that contradicts something else.

    Args:
        states: ``(1,)``, complete but for what could not be read.
        rules: Unpacked.
        unread: Names of the fields that could not be read.
    """
    state = states[0]
    faults: list[str] = []
    for needs, check in _CHECKS:
        if not unread & set(needs.split()):
            faults += check(state, rules)
    if not faults and not unread:
        faults += check_history(state, rules)
    if not faults and not unread:
        faults += _questions(states, rules)
    return faults


# ------------------------------------------------------------------------------- wins and points


def _check_wins(state: np.void, rules: Rules) -> Iterator[str]:
    order = state["win_order"].tolist()
    winners = [seat for seat in SEATS if order[seat] > 0]
    numbers = sorted({order[seat] for seat in winners})
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"wins: their order is {numbers}, must be 1, 2, ... without gaps"
    events: dict[int, tuple[int, int, int]] = {}
    for seat in winners:
        how, source, tile = (int(state[name][seat]) for name in ("win_how", "win_from", "win_tile"))
        if how == Win.NONE:
            yield f"wins: seat {seat} has won in no way"
        if (how == Win.SELF_DRAW) != (source == NO_SEAT) or source == seat:
            yield f"wins: the win of seat {seat} is from {source}"
        if how != Win.SELF_DRAW and tile == NO_TILE:
            yield f"wins: the win of seat {seat} has no tile"
        event = (how, source, tile)
        shared = events.setdefault(order[seat], event)
        if order.count(order[seat]) > 1 and (shared != event or how == Win.SELF_DRAW):
            yield f"wins: the seats of win {order[seat]} did not win on one tile"
    if len(winners) > WINS_OF_BLOOD:
        yield "wins: all four seats have won, no more than 3 can"
    limit = 0 if rules.mode == "single" else WINS_OF_BLOOD - 1
    if state["phase"] != Phase.OVER and len(winners) > limit:
        yield f"phase: the deal is over after the wins of {len(winners)} seats"


def _check_points(state: np.void, rules: Rules) -> Iterator[str]:
    total = int(state["points"].sum())
    if total != 0:
        yield f"ledger: the units of all seats sum to {total}, must be 0"


def _check_end(state: np.void, rules: Rules) -> Iterator[str]:
    over = state["phase"] == Phase.OVER
    if over != (state["end_reason"] != End.NONE):
        yield "end: given exactly when the phase is OVER"
    if any((number != Class.NONE) != over for number in state["classes"].tolist()):
        yield "classes: given for all seats exactly when the phase is OVER"
    if (state["left_seat"] != NO_SEAT) != (state["end_reason"] == End.ESCAPE):
        yield "left: given exactly when the deal ends with escape"


# ------------------------------------------------------------------------------------- questions


def _check_actor(state: np.void, rules: Rules) -> Iterator[str]:
    actor, phase = int(state["actor"]), Phase(int(state["phase"]))
    if (actor == NO_SEAT) != (phase == Phase.OVER):
        yield "actor: a seat, or - exactly when the phase is OVER"
    elif actor != NO_SEAT and state["win_order"][actor] > 0:
        yield f"actor: seat {actor} has won and is not asked"
    if phase == Phase.TURN and actor != state["turn"]:
        yield f"turn: in TURN the seat that is asked, {actor}, not {state['turn']}"
    question = phase in (Phase.CLAIM, Phase.ROB)
    if question != (state["claim_tile"] != NO_TILE):
        yield "question: given exactly when the phase is CLAIM or ROB"
    if not question and (state["offer"].any() or (state["answer"] != NO_ANSWER).any()):
        yield "offers, answers: given only when the phase is CLAIM or ROB"


def _check_opening(state: np.void, rules: Rules) -> Iterator[str]:
    """Exchange and void suits: what the rules have, and only when it is due."""
    phase, actor = Phase(int(state["phase"])), int(state["actor"])
    given = state["num_given"].tolist()
    void = state["void_suit"].tolist()
    if phase == Phase.EXCHANGE and not rules.swap_three:
        yield "phase: EXCHANGE, but swap_three is off"
    if phase == Phase.VOID and not rules.void_suit:
        yield "phase: VOID, but void_suit is off"
    if phase == Phase.EXCHANGE and actor != NO_SEAT and given[actor] == EXCHANGE_SIZE:
        yield f"given: seat {actor} has given all its tiles and is asked"
    if phase != Phase.EXCHANGE and set(given) not in ({0}, {EXCHANGE_SIZE}):
        yield "given: all or none, once the exchange is over"
    if any(given) and not rules.swap_three:
        yield "given: tiles, but swap_three is off"
    for seat in SEATS:
        if len({suit_of(kind) for kind in state["given"][seat, : given[seat]].tolist()}) > 1:
            yield f"given: seat {seat} gives tiles of one suit"
    if phase == Phase.VOID and actor != NO_SEAT and void[actor] != NO_SUIT:
        yield f"void: seat {actor} has declared its void suit and is asked"
    declared = {suit != NO_SUIT for suit in void}
    before = phase in (Phase.EXCHANGE, Phase.VOID) or not rules.void_suit
    if phase != Phase.VOID and declared != {not before}:
        yield f"void: {'nothing yet' if before else 'a suit of every seat'} in {phase.name}"
    opening = phase in (Phase.EXCHANGE, Phase.VOID)
    if opening and (state["num_melds"].any() or state["num_discards"] or state["num_draws"].any()):
        yield f"phase: {phase.name} comes before all melds, discards and draws"


def _check_turn(state: np.void, rules: Rules) -> Iterator[str]:
    if state["phase"] != Phase.TURN:
        return
    seat, drawn = int(state["turn"]), int(state["drawn"])
    if drawn != NO_TILE and state["hand"][seat, drawn] == 0:
        yield f"drawn: seat {seat} does not hold {tile_text(drawn)}"
    if state["replacement"] and drawn == NO_TILE:
        yield "replacement: 1, but nothing is drawn"
    if state["must_discard"] and drawn != NO_TILE:
        yield "must_discard: 1, but a tile is drawn"
    pungs = [kind for meld, kind, _ in melds_of(state, seat) if meld == Meld.PUNG]
    if state["must_discard"] and not pungs:
        yield f"must_discard: 1, but seat {seat} has no pung"
    first = seat == state["dealer"] and not state["num_draws"][seat]
    if drawn == NO_TILE and not state["must_discard"] and not first:
        yield f"drawn: seat {seat} acts after a draw, or with must_discard=1 after a pung"


def _check_claim(state: np.void, rules: Rules) -> Iterator[str]:
    tile, source = int(state["claim_tile"]), int(state["claim_from"])
    river = discards_of(state)
    if state["phase"] == Phase.CLAIM and tile != NO_TILE:
        last = river[-1] if river else (NO_TILE, NO_SEAT, Claim.NONE, NO_SEAT)
        if last[:3] != (tile, source, Claim.NONE):
            yield f"question: {tile_text(tile)} of seat {source} is not the last discard"
    if state["phase"] == Phase.ROB and tile != NO_TILE:
        pungs = [kind for meld, kind, _ in melds_of(state, source) if meld == Meld.PUNG]
        if tile not in pungs or state["hand"][source, tile] == 0:
            yield f"question: seat {source} can add no {tile_text(tile)} to a pung"
    for seat in SEATS:
        answer, offer = int(state["answer"][seat]), int(state["offer"][seat])
        wanted = _OFFER_OF.get(answer, 0)
        if answer != NO_ANSWER and (offer == 0 or wanted & offer != wanted):
            yield f"answers: seat {seat} was not offered what it answers"


def _check_locks(state: np.void, rules: Rules) -> Iterator[str]:
    if rules.pass_win_lock == "none" and state["lock_fan"].any():
        yield "locks: given, but pass_win_lock is none"
    number = int(state["num_melds"][int(state["turn"])])
    if state["phase"] == Phase.TURN and int(state["turn_kongs"]) >> number:
        yield f"turn_kongs: seat {state['turn']} has only {number} melds"


def _questions(states: np.ndarray, rules: Rules) -> Iterator[str]:
    """Offers and menu are those that the engine makes; for states without another fault."""
    state, packed, luts = states[0], rules.pack()[0], load_tables()
    if state["phase"] in (Phase.CLAIM, Phase.ROB):
        for seat in SEATS:
            if seat == state["claim_from"] or state["answer"][seat] != NO_ANSWER:
                continue
            right = int(offer_to(state, packed, luts, seat))
            if int(state["offer"][seat]) & _ASKED_FOR != right:
                names = "+".join(offer.name.lower() for offer in Offer if right & offer) or "-"
                yield f"offers: seat {seat} must be offered {names}"
        actor = int(state["actor"])
        if state["offer"][actor] == 0 or state["answer"][actor] != NO_ANSWER:
            yield f"actor: seat {actor} has nothing to answer"
    elif state["phase"] != Phase.OVER:
        mask = np.zeros(NUM_ACTIONS, np.int8)
        legal(state, packed, luts, mask)
        if not mask.any():
            yield f"actor: seat {state['actor']} has no legal action"


_WHERE = "phase actor dealer turn"
_CHECKS: tuple[tuple[str, Check], ...] = (
    ("past wall", check_wall),
    ("past wall hands melds river given wins phase", check_tiles),
    ("hands melds given wins left question " + _WHERE, check_hands),
    ("past wall draws", check_draws),
    ("melds void", check_melds),
    ("melds river wins", check_river),
    ("wins phase", _check_wins),
    ("ledger", _check_points),
    ("phase end classes left", _check_end),
    ("question offers answers wins " + _WHERE, _check_actor),
    ("given void melds river draws " + _WHERE, _check_opening),
    ("drawn replacement must_discard hands melds draws " + _WHERE, _check_turn),
    ("question river melds hands offers answers phase", _check_claim),
    ("locks turn_kongs melds turn phase", _check_locks),
)
"""Every check with the fields it reads."""

"""The blood battle bound into one :class:`~mjenv.core.game.Game`."""

import numpy as np

from mjenv.core.game import NOBODY, Game
from mjenv.core.kernel import Argument, ArrayOf, kernel
from mjenv.core.suits import load_tables
from mjenv.sichuan.actions import NUM_ACTIONS, action_text, parse_action
from mjenv.sichuan.deal import deal_wall, new_deal
from mjenv.sichuan.events import EVENT, MAX_EVENTS
from mjenv.sichuan.hidden import redeal_hidden
from mjenv.sichuan.imagined import imagine
from mjenv.sichuan.log import DIRECTIONS, EVENT_FIELDS, event_dicts, prepare_deal
from mjenv.sichuan.match import next_dealer
from mjenv.sichuan.observation import ENCODINGS, ORACLE_SHAPE, oracle
from mjenv.sichuan.position import position_text, read_position
from mjenv.sichuan.rules import RULES_DTYPE, Rules
from mjenv.sichuan.seats import OBSERVE_AT
from mjenv.sichuan.state import HAND_SIZE, NUM_KINDS, STATE, VIEW, Ledger, Phase
from mjenv.sichuan.statistics import deal_statistics
from mjenv.sichuan.step import legal, step
from mjenv.sichuan.tally import TALLY, close_tallies, watch
from mjenv.sichuan.ties import is_tie
from mjenv.sichuan.view import view

LUTS = ArrayOf(np.int64, 1, read_only=True)
MASK = ArrayOf(np.int8)
RNG = ArrayOf(np.uint64)
LOG = ArrayOf(EVENT)


@kernel
def deal_at(
    tables: np.ndarray, index: int, rules: np.ndarray, luts: np.ndarray, mask: np.ndarray
) -> None:
    """Deal by seed and deal number, and write the first menu."""
    new_deal(tables[index], rules[0], luts)
    legal(tables[index], rules[0], luts, mask)


@kernel
def deal_wall_at(
    tables: np.ndarray, index: int, rules: np.ndarray, luts: np.ndarray, mask: np.ndarray
) -> None:
    """Deal the wall that stands in the state, and write the first menu."""
    deal_wall(tables[index], rules[0])
    legal(tables[index], rules[0], luts, mask)


@kernel
def legal_at(
    tables: np.ndarray, index: int, rules: np.ndarray, luts: np.ndarray, mask: np.ndarray
) -> None:
    """Write the menu of the acting seat."""
    legal(tables[index], rules[0], luts, mask)


@kernel
def step_at(
    tables: np.ndarray,
    index: int,
    rules: np.ndarray,
    luts: np.ndarray,
    action: int,
    log: np.ndarray,
    mask: np.ndarray,
) -> None:
    """Carry out a legal action and write the next menu, all zero when the deal is over."""
    step(tables[index], rules[0], luts, action, log)
    if tables[index]["actor"] == NOBODY:
        mask[:] = 0
    else:
        legal(tables[index], rules[0], luts, mask)


@kernel
def view_at(
    tables: np.ndarray, index: int, rules: np.ndarray, seat: int, views: np.ndarray
) -> None:
    """Write what a seat may know to ``views[0]``."""
    view(tables[index], rules[0], seat, views[0])


@kernel
def oracle_at(
    tables: np.ndarray, index: int, rules: np.ndarray, seat: int, out: np.ndarray
) -> None:
    """Write everything there is to know, as seen from a seat."""
    oracle(tables[index], rules[0], seat, out)


@kernel
def redeal_at(
    tables: np.ndarray,
    index: int,
    rules: np.ndarray,
    luts: np.ndarray,
    seat: int,
    rng: np.ndarray,
) -> None:
    """Exchange what a seat cannot see for another world."""
    redeal_hidden(tables[index], rules[0], luts, seat, rng)


@kernel
def next_dealer_at(tables: np.ndarray, index: int, rules: np.ndarray) -> int:
    """The next dealer of a finished deal, -1 for dice."""
    return next_dealer(tables[index], rules[0])


SICHUAN = Game(
    name="sichuan",
    rules=Rules,
    state=STATE,
    view_dtype=VIEW,
    event=EVENT,
    max_events=MAX_EVENTS,
    num_kinds=NUM_KINDS,
    num_actions=NUM_ACTIONS,
    action_text=action_text,
    parse_action=parse_action,
    phases=Phase,
    ledger=Ledger,
    luts=load_tables,
    new_deal=Argument(new_deal, (STATE, RULES_DTYPE, LUTS), None),
    legal=Argument(legal, (STATE, RULES_DTYPE, LUTS, MASK), None),
    step=Argument(step, (STATE, RULES_DTYPE, LUTS, int, LOG), None),
    next_dealer=Argument(next_dealer, (STATE, RULES_DTYPE), int),
    view=Argument(view, (STATE, RULES_DTYPE, int, VIEW), None),
    oracle=Argument(oracle, (STATE, RULES_DTYPE, int, ArrayOf(np.int8)), None),
    redeal=Argument(redeal_hidden, (STATE, RULES_DTYPE, LUTS, int, RNG), None),
    imagine=Argument(imagine, (VIEW, RULES_DTYPE, LUTS, STATE), None),
    watch=Argument(watch, (STATE, RULES_DTYPE, LUTS, TALLY), None),
    oracle_shape=ORACLE_SHAPE,
    encodings=ENCODINGS,
    deal_at=deal_at,
    deal_wall_at=deal_wall_at,
    legal_at=legal_at,
    step_at=step_at,
    view_at=view_at,
    observe_at=OBSERVE_AT,
    oracle_at=oracle_at,
    redeal_at=redeal_at,
    next_dealer_at=next_dealer_at,
    bot_signature=((VIEW, RULES_DTYPE, LUTS, MASK, RNG), int),
    hand_size=HAND_SIZE,
    directions=DIRECTIONS,
    event_fields=EVENT_FIELDS,
    statistics=deal_statistics,
    tally=TALLY,
    close_tallies=close_tallies,
    event_dicts=event_dicts,
    prepare_deal=prepare_deal,
    is_tie=is_tie,
    position_text=position_text,
    read_position=read_position,
)

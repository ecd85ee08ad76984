"""The luck of draws by a value is zero on average: shown by drawing every tile of a wall."""

from collections.abc import Iterator

import numpy as np
import pytest

from agents.chance import VALUE, LuckMeter, Value, fitted_value
from agents.fitted_values import VALUE_WEIGHTS
from agents.greedy import Greedy
from agents.play import play_seated
from agents.prospects import FAMILIES, NUM_WEIGHTS
from agents.value_model import ModelLuck
from mjenv.core.game import NOBODY, NUM_SEATS, Views
from mjenv.core.kernel import JIT_DISABLED, kernel
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import add_tile, remove_tile
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.sichuan.state import NUM_KINDS
from mjenv.sichuan.tally import has_drawn
from tests.agents.value_models import AllSeeing, Tiles

GREEDY = Greedy()
NO_LOG = np.zeros(0, SICHUAN.event)
DEALS, EVERY = (1, 13) if JIT_DISABLED else (3, 3)


def after_draws(rules: str, deal: int) -> Iterator[np.ndarray]:
    """Copies ``(1,)`` of a table of greedy seats, each just after a draw."""
    packed, luts = Rules.preset(rules).pack(), SICHUAN.luts()
    tables, mask = np.zeros(1, SICHUAN.state), np.zeros(SICHUAN.num_actions, np.int8)
    tables["seed"], tables["deal"], tables["dealer"] = 5, deal, NOBODY
    SICHUAN.deal_at(tables, 0, packed, luts, mask)
    views, seen = np.zeros(1, SICHUAN.view_dtype), np.zeros(NUM_SEATS, np.int8)
    while tables[0]["actor"] != NOBODY:
        if has_drawn(tables[0], seen):
            yield tables.copy()
        SICHUAN.view_at(tables, 0, packed, int(tables[0]["actor"]), views)
        action = int(GREEDY.act(Views(views, packed), mask[None], np.ones(1, np.uint64))[0])
        SICHUAN.step_at(tables, 0, packed, luts, action, NO_LOG, mask)


def had_drawn(tables: np.ndarray, kind: int) -> np.ndarray:
    """The same table, but that its drawn tile is another one of the wall."""
    other = tables.copy()
    state = other[0]
    seat, drawn = int(state["turn"]), int(state["drawn"])
    left = slice(int(state["wall_next"]), int(state["wall_end"]))
    if kind != drawn:
        place = int(state["wall_next"]) + int(np.flatnonzero(state["wall"][left] == kind)[0])
        state["wall"][place] = drawn
        remove_tile(state, seat, drawn)
        add_tile(state, seat, kind)
        state["drawn"] = kind
    return other


def luck_of(tables: np.ndarray, packed: np.ndarray, value: LuckMeter) -> np.ndarray:
    seen, luck = np.full((1, NUM_SEATS), -1, np.int8), np.zeros((1, NUM_SEATS))
    value.watch(tables, packed, SICHUAN.luts(), seen, luck)
    return luck[0]


@kernel
def _odd(
    state: np.void, rules: np.void, luts: np.ndarray, weights: np.ndarray, out: np.ndarray
) -> None:
    """A value that makes no sense."""
    for kind in range(NUM_KINDS):
        for seat in range(NUM_SEATS):
            out[kind, seat] = float((kind * (seat + 3)) % 7) ** 2


FITTED, ODD = fitted_value(), Value("odd", np.zeros((1, 1)), VALUE.like(_odd))
VALUES = (FITTED, ODD, ModelLuck(Tiles()), ModelLuck(AllSeeing()))


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("value", VALUES, ids=lambda value: value.name)
def test_over_all_tiles_of_a_wall_luck_is_zero(rules: str, value: LuckMeter) -> None:
    packed = Rules.preset(rules).pack()
    lucky = 0
    for deal in range(DEALS):
        for tables in list(after_draws(rules, deal))[::EVERY]:
            state = tables[0]
            wall = list(state["wall"][int(state["wall_next"]) : int(state["wall_end"])])
            total, largest = np.zeros(NUM_SEATS), 0.0
            for tile in [*wall, int(state["drawn"])]:  # each as likely as the other
                drawn = had_drawn(tables, int(tile))
                before = drawn.tobytes()
                luck = luck_of(drawn, packed, value)
                assert drawn.tobytes() == before
                if value is FITTED:
                    assert luck.sum() == pytest.approx(0, abs=1e-9)
                total += luck
                largest = max(largest, float(np.abs(luck).max()))
            assert np.abs(total).max() < 1e-9 * max(1.0, largest)
            lucky += largest > 0.3
    assert lucky > 0


@pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
@pytest.mark.parametrize("rules", PRESETS)
def test_luck_explains_much_of_single_deals_and_changes_none(rules: str) -> None:
    # A few large wins and pigs decide how much is left: it varies from sample to sample.
    seating, numbers = np.zeros((400, NUM_SEATS), np.int8), np.arange(400)
    watched = play_seated([GREEDY], rules, 9, numbers, seating, value=fitted_value())
    plain = play_seated([GREEDY], rules, 9, numbers, seating)
    assert watched.finished.tobytes() == plain.finished.tobytes()
    assert not plain.luck.any()
    assert watched.luck.sum(axis=1) == pytest.approx(np.zeros(400))
    units = plain.finished["points"].astype(float)
    assert (units - watched.luck).var() < 0.95 * units.var()
    # Each deal has its luck whatever is played beside it.
    alone = play_seated([GREEDY], rules, 9, numbers[7:9], seating[:2], value=fitted_value())
    assert (alone.luck == watched.luck[7:9]).all()


def test_there_are_weights_for_every_family() -> None:
    assert VALUE_WEIGHTS.shape == (len(FAMILIES), NUM_WEIGHTS)


def test_no_draw_counts_twice() -> None:
    packed = Rules.preset("qq").pack()
    tables = next(after_draws("qq", 0))
    seen, luck = np.zeros((1, NUM_SEATS), np.int8), np.zeros((1, NUM_SEATS))
    fitted_value().watch(tables, packed, SICHUAN.luts(), seen, luck)
    once = luck.copy()
    fitted_value().watch(tables, packed, SICHUAN.luts(), seen, luck)
    assert (luck == once).all()
    assert once.any()

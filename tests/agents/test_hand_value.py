"""The look ahead of expected_value/1 is worth what its definition says: its plain twin agrees."""

import random

import numpy as np
import pytest

from agents.forecast import Forecast, new_forecast
from agents.hand_graph import MAX_NODES, Holding, new_graph
from agents.hand_value import NO_VALUE, WHOLE, look_ahead
from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.suits import load_tables
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import MAX_MELDS, NUM_KINDS
from mjenv.sichuan.state import Meld as MeldType
from mjenv.sichuan.view import new_views
from tests.agents.houses import random_house
from tests.reference.look_ahead import values
from tests.reference.tiles import COPIES, Meld, owned

HANDS = 4 if JIT_DISABLED else 20
TYPES = {"pung": MeldType.PUNG, "kong_concealed": MeldType.CONCEALED_KONG}


def random_forecast(rng: random.Random, draws: int, live: list[int]) -> Forecast:
    """Numbers of the right size, no two alike."""
    forecast = new_forecast()
    forecast.draws[0] = draws
    forecast.odds[:] = np.array(live) / max(1, sum(live)) * rng.uniform(0.8, 1.2)
    for stage in range(draws + 1):
        forecast.turns[stage] = rng.choice([0.0, 1.0, rng.uniform(0.0, 3.0)])
        forecast.live[stage] = rng.uniform(0.5, 3.0)
        forecast.goes_on[stage] = rng.uniform(0.8, 1.0)
        forecast.cost[stage] = rng.uniform(0.0, 0.3)
        forecast.deal_in[stage] = rng.uniform(0.0, 0.2)
        forecast.claims[stage] = np.array([count * rng.uniform(0.0, 0.05) for count in live])
    forecast.at_end[:] = rng.uniform(0.0, 1.0), rng.uniform(0.0, 3.0)
    return forecast


def random_hand(rng: random.Random, void: int | None) -> tuple[list[int], list[Meld]]:
    """Melds and tiles close to a win in two suits, 3n+1 or 3n+2 of them."""
    suits = rng.choice([[0, 1], [0, 2], [1, 2], [0], [1]]) if void is None else [0, 1]
    if rng.random() < 0.3:
        suits = suits[:1]
    while True:
        hand, melds = [0] * NUM_KINDS, []
        for _ in range(rng.randrange(4)):
            tile = 9 * rng.choice(suits) + rng.randrange(9)
            melds.append(Meld(rng.choice(list(TYPES)), tile))
        for _ in range(4 - len(melds)):
            suit, rank = rng.choice(suits), rng.randrange(9)
            run = rng.random() < 0.6
            for tile in range(3):
                hand[9 * suit + (min(rank, 6) + tile if run else rank)] += 1
        hand[9 * rng.choice(suits) + rng.randrange(9)] += 2
        for _ in range(rng.choice([1, 2])):
            hand[rng.choice([kind for kind in range(NUM_KINDS) if hand[kind]])] -= 1
            hand[9 * rng.choice(suits) + rng.randrange(9)] += 1
        if rng.random() < 0.7:
            hand[rng.choice([kind for kind in range(NUM_KINDS) if hand[kind]])] -= 1
        if max(owned(hand, melds)) <= COPIES:
            return hand, melds


def holding(hand: list[int], melds: list[Meld]) -> Holding:
    own = Holding(
        np.array(hand, np.int8),
        np.array([len(melds)]),
        np.zeros(MAX_MELDS, np.int8),
        np.zeros(MAX_MELDS, np.int8),
    )
    for i, meld in enumerate(melds):
        own.meld_type[i], own.meld_kind[i] = TYPES[meld.kind], meld.tile
    return own


def kernel_values(
    rules: Rules,
    forecast: Forecast,
    void: int | None,
    hand: list[int],
    melds: list[Meld],
    live: list[int],
    locked: bool,
) -> dict[int | None, float]:
    views, out, graph = new_views(1), np.empty(NUM_KINDS + 1), new_graph()
    views["void_suit"] = -1 if void is None else void
    counts = look_ahead(
        views[0],
        rules.pack()[0],
        load_tables(),
        holding(hand, melds),
        np.array(live, np.int8),
        forecast,
        graph,
        locked,
        out,
    )
    assert graph.size[0] < MAX_NODES
    found = {kind: out[kind] for kind in range(NUM_KINDS + 1) if out[kind] > NO_VALUE}
    assert counts or not found
    return {None if kind == WHOLE else kind: float(worth) for kind, worth in found.items()}


def assert_twins_agree(rules: Rules, rng: random.Random) -> int:
    void = rng.choice([None, 2])
    hand, melds = random_hand(rng, void)
    free = [COPIES - count for count in owned(hand, melds)]
    live = [rng.randint(0, count) for count in free]
    forecast, locked = random_forecast(rng, rng.randint(0, 2), live), rng.random() < 0.2
    by_name = {name: getattr(forecast, name) for name in Forecast._fields}
    wanted = values(rules.to_dict(), by_name, void, hand, melds, live, locked)
    found = kernel_values(rules, forecast, void, hand, melds, live, locked)
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9), (hand, melds, live)
    return len(wanted)


@pytest.mark.parametrize("preset", ["qq", "sichuan_modern", "standalone"])
def test_values_are_as_defined(preset: str) -> None:
    rng = random.Random(preset)
    number = sum(assert_twins_agree(Rules.preset(preset), rng) for _ in range(HANDS))
    assert number >= HANDS


def test_values_are_as_defined_under_house_rules() -> None:
    rng = random.Random(4)
    number = sum(assert_twins_agree(random_house(rng), rng) for _ in range(HANDS))
    assert number >= HANDS

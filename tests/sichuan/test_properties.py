"""What holds in every deal under any rules, whoever plays (random, tidy and patient players)."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.rng import new_generator
from mjenv.sichuan.actions import NUM_ACTIONS
from mjenv.sichuan.events import MAX_EVENTS, Event, Reason
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.presets import PRESETS
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import MAX_DISCARDS, VIEW, End, Meld, Win
from tests.reference.wall import clustered_wall
from tests.sichuan.checks import choose, faults, names_of
from tests.sichuan.engine import LUTS, Engine, some_house_rules
from tests.sichuan.players import PLAYERS

NOISES = (0.5, 2, 8, 100)
DIRECTIONS = ("next", "previous", "opposite")
VIEWS = np.zeros(1, VIEW)
RNG = new_generator()
PLANES = SICHUAN.encodings["planes/1"]
PLAYED_ON = 0.02
"""Share of redealt worlds that are played to the end."""
FEWER = 50 if JIT_DISABLED else 1
"""Without compilation a deal takes fifty times as long."""


def deal(rules: Rules, rng: random.Random) -> Engine:
    """Half of the deals by seed, half from walls in which equal tiles lie near each other."""
    if rng.random() < 0.5:
        return Engine.of_seed(rules, rng.randrange(1 << 40), rng.randrange(100))
    wall = clustered_wall(rng, rng.choice(NOISES))
    engine = Engine.of_wall(rules, wall, rng.randrange(4), rng.choice(DIRECTIONS))
    engine.state["seed"] = rng.randrange(1 << 40)
    return engine


def decide(engine: Engine, player: str) -> int:
    """What a player does; its randomness depends on seed, deal, seat and decision."""
    choose(engine.tables, 0, engine.packed, LUTS, VIEWS, RNG)
    action = int(PLAYERS[player](VIEWS[0], engine.packed[0], LUTS, engine.mask, RNG))
    assert engine.mask[action] == 1
    return action


def states(engine: Engine, player: str) -> Iterator[Engine]:
    """Play to the end, stopping at every state."""
    decisions = 0
    while not engine.over:
        yield engine
        engine.play(decide(engine, player))
        decisions += 1
        assert decisions < 600
    yield engine


def check(engine: Engine) -> None:
    found = faults(engine.tables, 0, engine.mask)
    assert not found, names_of(found)
    assert engine.state["num_events"] <= MAX_EVENTS
    assert engine.state["num_discards"] <= MAX_DISCARDS


def play_and_check(rules: Rules, player: str, deals: int, rng: random.Random) -> None:
    for _ in range(-(-deals // FEWER)):
        for engine in states(deal(rules, rng), player):
            check(engine)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_state_of_a_deal_is_sound(preset: str, player: str) -> None:
    play_and_check(Rules.preset(preset), player, 100, random.Random(f"{preset} {player}"))


@pytest.mark.parametrize("seed", range(12))
def test_house_rules_are_sound(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10 // FEWER or 1):
        play_and_check(some_house_rules(rng), rng.choice(list(PLAYERS)), 10, rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_house_rules_are_sound(seed: int) -> None:
    rng = random.Random(f"many {seed}")
    for _ in range(100):
        play_and_check(some_house_rules(rng), rng.choice(list(PLAYERS)), 20, rng)


def test_play_reaches_every_kind_of_event() -> None:
    rng = random.Random(5)
    seen: set[tuple[str, int]] = set()
    for _ in range(200):
        engine = deal(some_house_rules(rng), rng)
        for _ in states(engine, rng.choice(list(PLAYERS))):
            pass
        for event in engine.events:
            seen.add((Event(int(event["type"])).name, int(event["detail"])))
    assert {detail for name, detail in seen if name == "PAY"} == set(Reason)
    assert {detail for name, detail in seen if name == "WIN"} == set(Win) - {Win.NONE}
    assert {detail for name, detail in seen if name == "END"} == set(End) - {End.NONE}
    kongs = {Meld.DIRECT_KONG, Meld.ADDED_KONG, Meld.CONCEALED_KONG}
    assert {detail for name, detail in seen if name == "KONG"} == kongs
    assert {name for name, _ in seen} == {event.name for event in Event}


# ------------------------------------------------------------------------------- hidden tiles


def observation(engine: Engine, seat: int) -> bytes:
    """The observation and the mask that a seat is given."""
    out = np.zeros(PLANES.size, PLANES.dtype)
    mask = np.zeros(NUM_ACTIONS, np.int8)
    SICHUAN.observe_at[PLANES.name](
        engine.tables, 0, engine.packed, LUTS, seat, engine.mask, VIEWS, out, mask
    )
    return out.tobytes() + mask.tobytes()


def check_redealt(engine: Engine, seat: int, generator: np.ndarray) -> Engine:
    """Nothing that ``seat`` is shown changes with the tiles it does not see."""
    world = engine.copy()
    world.redeal(seat, generator)
    assert world.view(seat).tobytes() == engine.view(seat).tobytes()
    assert observation(world, seat) == observation(engine, seat)
    if engine.actor == seat:
        assert world.mask.tobytes() == engine.mask.tobytes()
    check(world)
    return world


def redeal_and_check(rules: Rules, player: str, deals: int, rng: random.Random) -> None:
    generator = np.array([rng.getrandbits(63) | 1], np.uint64)
    for _ in range(-(-deals // FEWER)):
        for engine in states(deal(rules, rng), player):
            for seat in range(4):
                world = check_redealt(engine, seat, generator)
                if rng.random() < PLAYED_ON:
                    world = check_redealt(world, rng.randrange(4), generator)
                    for later in states(world, player):
                        check(later)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_seat_cannot_tell_a_redealt_world(preset: str, player: str) -> None:
    redeal_and_check(Rules.preset(preset), player, 12, random.Random(f"redeal {preset} {player}"))


@pytest.mark.parametrize("seed", range(10))
def test_a_seat_cannot_tell_a_redealt_world_under_house_rules(seed: int) -> None:
    rng = random.Random(f"redeal {seed}")
    for _ in range(8 // FEWER or 1):
        redeal_and_check(some_house_rules(rng), rng.choice(list(PLAYERS)), 2, rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_redealt_worlds(seed: int) -> None:
    rng = random.Random(f"redeal many {seed}")
    for _ in range(40):
        redeal_and_check(some_house_rules(rng), rng.choice(list(PLAYERS)), 5, rng)


@pytest.mark.parametrize("player", PLAYERS)
def test_a_bot_chooses_the_same_in_every_world(player: str) -> None:
    rng = random.Random(f"bot {player}")
    generator = np.array([rng.getrandbits(63) | 1], np.uint64)
    for preset in PRESETS:
        for engine in states(deal(Rules.preset(preset), rng), player):
            if engine.over:
                break
            world = engine.copy()
            world.redeal(engine.actor, generator)
            # Its dice are thrown by seed and decision, which are no part of what it sees.
            world.state["seed"] = engine.state["seed"]
            assert decide(world, player) == decide(engine, player)


# ------------------------------------------------------------------------------------- repetition


@pytest.mark.parametrize("preset", PRESETS)
def test_a_copy_plays_as_the_table_it_was_copied_from(preset: str) -> None:
    rng = random.Random(f"copy {preset}")
    for _ in range(5):
        engine = deal(Rules.preset(preset), rng)
        for _ in range(rng.randrange(1, 60)):
            if not engine.over:
                engine.play(decide(engine, "tidy"))
        other = engine.copy()
        for table in (engine, other):
            for _ in states(table, "tidy"):
                pass
        assert other.tables.tobytes() == engine.tables.tobytes()
        assert other.log.tobytes() == engine.log.tobytes()


def walls(seed: int, deals: int) -> list[bytes]:
    rules = Rules.preset("sichuan_modern")
    return [Engine.of_seed(rules, seed, k).state["wall"].tobytes() for k in range(deals)]


def test_successive_deals_of_a_seed_differ() -> None:
    assert len(set(walls(7, 200))) == 200


def test_the_second_deals_of_fifty_seeds_differ_and_repeat() -> None:
    second = [walls(seed, 2)[1] for seed in range(50)]
    assert len(set(second)) == 50
    assert second == [walls(seed, 2)[1] for seed in range(50)]


def test_dealer_and_direction_vary_and_repeat() -> None:
    rules = Rules.preset("sichuan_modern")
    dealt = [Engine.of_seed(rules, seed).state for seed in range(600)]
    for field, values in (("dealer", 4), ("direction", 3)):
        shares = np.bincount([int(state[field]) for state in dealt], minlength=values)
        assert len(shares) == values
        assert shares.min() > 600 / values * 0.75

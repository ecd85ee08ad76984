"""Redealt worlds: every one that fits comes equally often.

Positions with so few hidden tiles that all ways to lay them can be written down, against samples.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare

from mjenv.core.kernel import JIT_DISABLED, kernel
from mjenv.core.tiles import parse_tiles
from mjenv.sichuan.hidden import redeal_hidden
from mjenv.sichuan.history import fate_of
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NO_SEAT, NUM_TILES, Claim, Direction, Offer, Phase, Win
from tests.sichuan.engine import LUTS, Engine

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="so many samples take minutes uncompiled")
SAMPLES = 20_000
LEAST_P = 1e-3
M, P, S = 0, 1, 2


@dataclass
class Position:
    """A table with so few hidden tiles that all ways to lay them can be written down.

    Seat 0 looks. `hands` are of seats 1 to 3; a tile of seat `turn` is the one just drawn.
    """

    hands: tuple[str, str, str]
    wall: str
    turn: int = 0
    voids: tuple[int, ...] = (-1, -1, -1, -1)
    discards: Sequence[tuple[int, str]] = ()
    options: dict[str, object] = field(default_factory=dict)

    def engine(self) -> Engine:
        rules = Rules.preset("qq").replace(**self.options)
        engine = Engine.of_seed(rules, 1)
        state = engine.state
        for seat, tiles in enumerate(self.hands, start=1):
            engine.hold(seat, tiles)
        engine.leave_in_wall(len(parse_tiles(self.wall)), self.wall)
        state["phase"], state["actor"], state["turn"] = Phase.TURN, self.turn, self.turn
        if self.turn:
            state["drawn"] = parse_tiles(self.hands[self.turn - 1])[-1]
        state["void_suit"] = self.voids
        for place, (seat, tile) in enumerate(self.discards):
            state["discard_fate"][place] = fate_of(seat, Claim.NONE, NO_SEAT)
            state["discard_kind"][place] = parse_tiles(tile)[0]
        state["num_discards"] = len(self.discards)
        return engine

    def tiles(self) -> list[int]:
        return [tile for text in (*self.hands, self.wall) for tile in parse_tiles(text)]


World = tuple[list[int], list[int], list[int], list[int]]
"""Places of the hidden tiles in `Position.tiles` by hand (a drawn tile last), and in the wall."""


def outcome(hands: Sequence[Sequence[int]], drawn: int, wall: Sequence[int]) -> tuple[object, ...]:
    """What the test tells apart: hands, the drawn tile and the next tile of the wall."""
    return (*(tuple(sorted(hand)) for hand in hands), drawn, tuple(wall)[:1])


def expected_outcomes(position: Position, fits: Callable[[World], bool]) -> Counter[object]:
    tiles = position.tiles()
    sizes = [len(parse_tiles(hand)) for hand in position.hands]
    ends = np.cumsum(sizes)
    found: Counter[object] = Counter()
    for order in permutations(range(len(tiles))):
        places = [list(part) for part in np.split(np.array(order), ends)]
        world = (places[0], places[1], places[2], places[3])
        if fits(world):
            hands = [[tiles[place] for place in part] for part in world[:3]]
            drawn = hands[position.turn - 1][-1] if position.turn else -1
            found[outcome(hands, drawn, [tiles[place] for place in world[3]])] += 1
    return found


@kernel
def redeal_many(
    tables: np.ndarray, rules: np.ndarray, luts: np.ndarray, seat: int, rng: np.ndarray
) -> None:
    for i in range(tables.shape[0]):
        redeal_hidden(tables[i], rules[0], luts, seat, rng)


def sampled_outcomes(position: Position, engine: Engine) -> Counter[object]:
    tables = np.repeat(engine.tables, SAMPLES)
    redeal_many(tables, engine.packed, LUTS, 0, np.array([20_251_129], np.uint64))
    found: Counter[object] = Counter()
    start = NUM_TILES - len(parse_tiles(position.wall))
    for state in tables:
        hands = [np.repeat(np.arange(27), state["hand"][seat]).tolist() for seat in (1, 2, 3)]
        drawn = int(state["drawn"]) if position.turn else -1
        found[outcome(hands, drawn, state["wall"][start:].tolist())] += 1
    return found


def check_uniform(
    position: Position, fits: Callable[[World], bool], engine: Engine | None = None
) -> None:
    expected = expected_outcomes(position, fits)
    assert len(expected) > 10
    sampled = sampled_outcomes(position, engine or position.engine())
    assert set(sampled) <= set(expected)
    outcomes = sorted(expected)
    shares = np.array([expected[key] for key in outcomes], float)
    shares *= SAMPLES / shares.sum()
    assert shares.min() >= 5, "too few samples for the test"
    result = chisquare([sampled[key] for key in outcomes], shares)
    assert result.pvalue > LEAST_P


def suits(position: Position, places: Sequence[int]) -> list[int]:
    tiles = position.tiles()
    return [tiles[place] // 9 for place in places]


def test_free_hands() -> None:
    check_uniform(Position(("1m1m", "5p", "9s"), "1m5p9s"), lambda world: True)


def test_the_drawn_tile_of_another_seat() -> None:
    check_uniform(Position(("1m1m", "5p", "9s"), "1m5p", turn=1), lambda world: True)


def test_one_hand_without_its_void_suit() -> None:
    position = Position(
        ("1m5p", "5p9s", "9s"), "1m1m2m", voids=(S, M, P, S), discards=[(1, "3p"), (2, "7p")]
    )
    check_uniform(position, lambda world: M not in suits(position, world[0]))


def test_three_hands_without_their_void_suits() -> None:
    position = Position(
        ("5p9s", "1m9s", "1m5p"),
        "1m5p",
        voids=(M, M, P, S),
        discards=[(1, "2m"), (1, "3p"), (2, "7s"), (3, "7m")],
    )

    def fits(world: World) -> bool:
        hands = zip(position.voids[1:], world, strict=False)
        return all(void not in suits(position, hand) for void, hand in hands)

    check_uniform(position, fits)


def test_two_hands_with_the_same_void_suit() -> None:
    position = Position(
        ("5p9s", "1p9s", "1m5p"), "1m1m", voids=(M, M, M, S), discards=[(1, "3p"), (2, "7s")]
    )

    def fits(world: World) -> bool:
        return all(M not in suits(position, world[place]) for place in (0, 1))

    check_uniform(position, fits)


def test_only_the_drawn_tile_may_be_of_the_void_suit() -> None:
    position = Position(
        ("5p9s1m", "9s", "1m"), "1m5p", turn=1, voids=(M, M, P, S), discards=[(1, "3p")]
    )
    check_uniform(position, lambda world: M not in suits(position, world[0][:-1]))


def test_a_tile_drawn_before_a_concealed_kong_may_be_of_the_void_suit_too() -> None:
    position = Position(
        ("5p9s1m1m", "9s", "1m"), "2m", turn=1, voids=(M, M, P, S), discards=[(1, "3p")]
    )
    engine = position.engine()
    engine.put_melds(1, ["kong_concealed:3s"], 1)
    engine.state["turn_kongs"] = 1
    check_uniform(position, lambda world: suits(position, world[0][:-1]).count(M) <= 1, engine)


def test_a_void_discard_says_nothing() -> None:
    position = Position(
        ("5p9s", "1m", "1m"), "1m5p", voids=(M, M, P, S), discards=[(1, "3p"), (1, "2m")]
    )
    check_uniform(position, lambda world: True)


def given(position: Position, tiles: str, to: int) -> Engine:
    """Seat 0 gave three tiles in the exchange; so did the others, as their melds allow."""
    engine = position.engine()
    for seat in (1, 2, 3):
        engine.put_melds(seat, [f"kong_concealed:{5 + seat}s"], seat)
    engine.state["num_given"][:] = 3
    engine.state["direction"] = {1: Direction.NEXT, 2: Direction.OPPOSITE}[to]
    engine.state["given"][0] = parse_tiles(tiles)
    engine.state["received"][to] = parse_tiles(tiles)
    return engine


def test_tiles_given_stay_until_they_are_shown() -> None:
    position = Position(("1m1m5p", "5p1m", "9s"), "5p9s", discards=[(1, "2m")])
    engine = given(position, "1m1m2m", 1)
    check_uniform(position, lambda world: {0, 1} <= set(world[0]), engine)


def test_a_given_tile_is_not_the_one_just_drawn() -> None:
    position = Position(("1m5p5p", "5p1m", "9s"), "1m9s", turn=1, discards=[(1, "2m"), (1, "3m")])
    check_uniform(position, lambda world: 0 in world[0][:-1], given(position, "1m2m3m", 1))


def test_tiles_given_and_void_suits() -> None:
    position = Position(
        ("1m", "1m1m5p", "9s"), "1m5p9s", voids=(S, P, S, M), discards=[(2, "2m"), (1, "1s")]
    )

    def fits(world: World) -> bool:
        bound = S not in suits(position, world[1]) and P not in suits(position, world[0])
        return bound and {1, 2} <= set(world[1])

    check_uniform(position, fits, given(position, "1m2m1m", 2))


def test_the_tile_of_a_self_drawn_win_stays() -> None:
    position = Position(("1m5p", "5p1m", "9s"), "1m5p9s")
    engine = position.engine()
    engine.state["win_order"][2], engine.state["win_how"][2] = 1, Win.SELF_DRAW
    engine.state["win_tile"][2], engine.state["num_draws"][2] = parse_tiles("1m")[0], 3
    check_uniform(position, lambda world: 3 in world[1], engine)


@pytest.mark.parametrize("timing", ["just_drawn", "any_turn_paid"])
def test_the_tile_of_a_kong_that_may_be_robbed(timing: str) -> None:
    position = Position(
        ("5p9s1m", "5p", "9s"), "5p5p", turn=1, options={"added_kong_timing": timing}
    )
    engine = position.engine()
    engine.put_melds(1, ["pung:1m"], 2)
    engine.state["phase"], engine.state["actor"] = Phase.ROB, 0
    engine.state["claim_tile"], engine.state["claim_from"] = 0, 1
    engine.state["offer"][0] = Offer.WIN

    def fits(world: World) -> bool:
        return world[0][-1] == 2 if timing == "just_drawn" else 2 in world[0]

    check_uniform(position, fits, engine)

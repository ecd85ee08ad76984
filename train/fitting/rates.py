"""Tables of counted shares and rates, from watched self-play.

Every function takes the discards and finished deals of one rule family and returns an array.
"""

import numpy as np

from agents.signs import NUM_RANK_CLASSES, WALL_STEP, rank_class
from mjenv.core.game import NUM_SEATS
from mjenv.core.tiles import COPIES, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.state import MAX_MELDS, NUM_DRAWS, NUM_KINDS, Class, End, Win
from train.fitting.watch import Watched

WALL_ROWS = NUM_DRAWS // WALL_STEP + 1

_KINDS = np.arange(NUM_KINDS)
_SUITS = _KINDS // NUM_RANKS
_RANK_CLASSES = np.array([rank_class(kind) for kind in range(NUM_KINDS)])
_ALL_SUITS = (1 << NUM_SUITS) - 1
_FEW = 30.0  # a cell counts this many times as what its neighbours say
_ROUNDS = 20


def _share(hits: np.ndarray, cases: np.ndarray, otherwise: np.ndarray | float) -> np.ndarray:
    """Hits in cases, drawn to ``otherwise`` where there are few."""
    shares: np.ndarray = (hits + _FEW * otherwise) / (cases + _FEW)
    return shares


def live_share(watched: Watched) -> np.ndarray:
    """Share of the seats that have not won when the wall holds ``w`` tiles, ``(56,)``.

    As if deals went on after the third win: the product of the shares that a step of the wall
    leaves.
    """
    rows, finished = watched.discards, watched.finished
    active = rows["active"].astype(np.int64).sum(axis=1)
    last = np.append(rows["deal"][1:] != rows["deal"][:-1], True)
    won_in_all = (finished["win_order"] > 0).sum(axis=1)
    after = np.where(last, NUM_SEATS - won_in_all[rows["deal"]], np.append(active[1:], 0))
    gone = np.bincount(rows["wall"], active - after, NUM_DRAWS + 1)
    there = np.zeros(NUM_DRAWS + 1)
    first = np.append(True, (rows["deal"][1:] != rows["deal"][:-1])) | np.append(
        True, rows["wall"][1:] != rows["wall"][:-1]
    )
    np.add.at(there, rows["wall"][first], active[first])
    left = 1.0 - gone / np.maximum(there, 1.0)
    shares = np.ones(NUM_DRAWS + 1)
    for wall in range(NUM_DRAWS - 1, -1, -1):
        shares[wall] = shares[wall + 1] * left[wall + 1]
    return shares


def becomes_ready(watched: Watched) -> np.ndarray:
    """Chance that a seat which is not ready is so when the wall ends, by wall rows, ``(12,)``.

    Of the seats that have not won then, in deals that end with the wall.
    """
    rows, finished = watched.discards, watched.finished
    ended = finished["end_reason"] == End.WALL_EMPTY
    still = ended[:, None] & (finished["win_order"] == 0)
    ready = finished["classes"] == Class.READY
    seats = np.arange(NUM_SEATS)
    counted = still[rows["deal"]] & (rows["fan"] == 0) & (rows["seat"][:, None] != seats)
    wall = np.broadcast_to((rows["wall"] // WALL_STEP)[:, None], counted.shape)
    cases = np.bincount(wall[counted], minlength=WALL_ROWS)
    hits = np.bincount(wall[counted], ready[rows["deal"]][counted], WALL_ROWS)
    return _share(hits, cases, 0.5)


def ready_at_end(watched: Watched) -> float:
    """Share of the seats that have not won when the wall ends that are ready."""
    finished = watched.finished
    still = (finished["end_reason"] == End.WALL_EMPTY)[:, None] & (finished["win_order"] == 0)
    return float((finished["classes"] == Class.READY)[still].mean())


def check_units(watched: Watched) -> np.ndarray:
    """Mean units that a ready seat is paid for by the ready check, by its melds, ``(5,)``."""
    rows = watched.discards
    ready = rows["fan"] > 0
    melds, units = rows["melds"][ready], 2.0 ** (rows["fan"][ready] - 1.0)
    return _means(melds, units)


def win_units(watched: Watched) -> np.ndarray:
    """Mean units of a win on a discard, by the melds of the winner, ``(5,)``."""
    finished = watched.finished
    won = finished["win_how"] == Win.DISCARD
    return _means(finished["num_melds"][won], 2.0 ** (finished["win_fan"][won] - 1.0))


def _means(melds: np.ndarray, units: np.ndarray) -> np.ndarray:
    cases = np.bincount(melds, minlength=MAX_MELDS + 1)
    return _share(np.bincount(melds, units, MAX_MELDS + 1), cases, units.mean())


def _usable(rows: np.ndarray, other: int) -> np.ndarray:
    """Kinds of suits that a seat may win with, ``(M, 27)``: not void, no third suit."""
    void, melded = rows["void"][:, other][:, None], rows["melded"][:, other][:, None]
    third = melded | (1 << _SUITS) == _ALL_SUITS
    usable: np.ndarray = np.logical_and(void != _SUITS, np.logical_not(third))
    return usable


def wait_chance(watched: Watched) -> np.ndarray:
    """Chance that a ready seat waits for a kind of a suit it may use, ``(5, 4, 2)``.

    By rank class, by copies that the discarder cannot see once it has one in hand (0 to 3), and
    whether the seat has discarded that kind before.
    """
    rows = watched.discards
    hits, cases = np.zeros((2, NUM_RANK_CLASSES, COPIES, 2))
    for other in range(NUM_SEATS):
        ready = (rows["fan"][:, other] > 0)[:, None]
        counted = ready & _usable(rows, other) & (rows["hand"] > 0)
        before = rows["discarded"][:, other][:, None] >> _KINDS & 1
        waited = rows["waits"][:, other][:, None] >> _KINDS & 1
        rank = np.broadcast_to(_RANK_CLASSES, counted.shape)
        place = rank[counted], rows["live"][counted], before[counted]
        np.add.at(cases, place, 1)
        np.add.at(hits, place, waited[counted])
    return _share(hits, cases, hits.sum() / cases.sum())


def _seen_by(rows: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Live copies for another seat than the discarder, ``(M, 27)``."""
    hidden = rows["live"].astype(np.int64) + rows["hand"]
    own = rows["hands"][np.arange(len(rows)), other]
    seen: np.ndarray = np.clip(hidden - own, 0, COPIES)
    return seen


def discard_rate(watched: Watched) -> tuple[np.ndarray, np.ndarray]:
    """How often a discard is of a kind, relative to the share of its copies among hidden tiles.

    For kinds of suits that the observer may use, in deals it has not won yet. The rate is the
    product of two tables: ``(2, 12, 4)`` by whether it is the discarder's void suit, by wall
    rows, by live copies (1 to 4); and ``(2, 5)`` by void suit and rank class, 1 on average.
    """
    rows = watched.discards
    shape = (2, WALL_ROWS, COPIES, NUM_RANK_CLASSES)
    made, expected = np.zeros(shape), np.zeros(shape)
    void = rows["void"][np.arange(len(rows)), rows["seat"]]
    of_void = np.broadcast_to((void[:, None] == _SUITS).astype(int), (len(rows), NUM_KINDS))
    wall = np.broadcast_to((rows["wall"] // WALL_STEP)[:, None], of_void.shape)
    rank = np.broadcast_to(_RANK_CLASSES, of_void.shape)
    hit = rows["kind"][:, None] == _KINDS
    for step in range(1, NUM_SEATS):
        other = (rows["seat"] + step) % NUM_SEATS
        live = _seen_by(rows, other)
        usable = rows["void"][np.arange(len(rows)), other][:, None] != _SUITS
        active = rows["active"][np.arange(len(rows)), other] == 1
        counted = usable & active[:, None] & (live > 0)
        share = live / live.sum(axis=1, keepdims=True)
        place = of_void[counted], wall[counted], live[counted] - 1, rank[counted]
        np.add.at(made, place, hit[counted])
        np.add.at(expected, place, share[counted])
    return _as_product(made, expected)


def _as_product(made: np.ndarray, expected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two factors, of all axes but the last and of the first and last, fitted in turn."""
    by_rank = np.ones((made.shape[0], made.shape[-1]))
    for _ in range(_ROUNDS):
        weighted = expected * by_rank[:, None, None, :]
        by_rest = _share(made.sum(axis=-1), weighted.sum(axis=-1), 1.0)
        weighted = expected * by_rest[..., None]
        cases = weighted.sum(axis=(1, 2))
        by_rank = np.where(cases > 0, made.sum(axis=(1, 2)) / np.maximum(cases, 1e-9), 1.0)
    return by_rest, by_rank

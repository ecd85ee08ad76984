"""A batch with an encoding in the canonical order of suits."""

import pickle

import numpy as np
import pytest

from mjenv.envs.batch import Batch
from mjenv.errors import IllegalActionError
from mjenv.registry import make_agent
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.suit_order import SUIT_ORDER

NAME = "vector/1/canonical"
TABLES = 9
MIXED = ["qq", "standalone", "sichuan_modern"]
BOTS = [None, "greedy/1", None, "random_legal/1"]


def order(batch):
    return SUIT_ORDER.rows(batch.tables, batch.actors)


def random_legal(masks, rng):
    return np.where(masks == 1, rng.random(masks.shape), -1).argmax(axis=1)


def same_tables(batch, other):
    return batch.tables.tobytes() == other.tables.tobytes()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"skip_forced": True, "num_threads": 2},
        {"bots": BOTS, "rotate": True},
        {"autoreset": False, "match_length": 2, "bots": BOTS},
    ],
    ids=str,
)
def test_masks_and_steps_are_those_of_the_tables_in_other_numbers(options):
    batch, plain = (Batch(TABLES, MIXED, 4, name, **options) for name in (NAME, "vector/1"))
    rng, moved, deals = np.random.default_rng(2), 0, 0
    for _ in range(150):
        assert same_tables(batch, plain)
        assert (batch.menus.real == plain.masks).all()
        assert (
            np.take_along_axis(batch.masks, SUIT_ORDER.shown[order(batch)], 1) == plain.masks
        ).all()
        over = batch.actors < 0
        if over.any():
            batch.reset(where=over)
            plain.reset(where=over)
            continue
        real = random_legal(plain.masks, rng)
        shown = SUIT_ORDER.shown[order(batch), real]
        moved += (shown != real).sum()
        told, expected = batch.step(shown), plain.step(real)
        assert (told.rewards == expected.rewards).all()
        deals += len(told.finished)
    assert deals > 0
    assert moved > 100


def test_observations_show_what_the_masks_say():
    batch = Batch(TABLES, "qq", 1, NAME)
    held = [batch.encoding.channels.index(f"hand >= 1 {tile}") for tile in ("1m", "9s")]
    for _ in range(40):
        hands = batch.observe()[:, held[0] : held[1] + 1]
        discards = batch.masks[:, :27]
        assert (hands[discards == 1] == 1).all()
        batch.step(batch.masks.argmax(axis=1))


def test_actions_in_the_numbers_of_the_tables_are_taken_too():
    batch, other = Batch(TABLES, "qq", 6, NAME), Batch(TABLES, "qq", 6, NAME)
    rng = np.random.default_rng(3)
    for _ in range(60):
        shown = random_legal(batch.masks, rng)
        real = SUIT_ORDER.act(shown, order(batch))
        batch.step(shown)
        other.step(real, real=True)
        assert same_tables(batch, other)


def test_bots_answer_in_the_numbers_of_the_masks():
    bot = make_agent("greedy/1").kernel
    batch, plain = Batch(TABLES, MIXED, 8, NAME), Batch(TABLES, MIXED, 8)
    players = np.zeros((TABLES, 4), np.int8)
    players[:, 3] = 1
    for _ in range(80):
        actions, expected = np.full(TABLES, -5), np.full(TABLES, -5)
        for one, answers in ((batch, actions), (plain, expected)):
            for player in (0, 1):
                one.choose(bot, player, players, answers)
        assert (actions == SUIT_ORDER.shown[order(batch), expected]).all()
        batch.step(actions)
        plain.step(expected)
    assert same_tables(batch, plain)
    untouched = np.full(TABLES, -5)
    batch.choose(bot, 2, players, untouched)
    assert (untouched == -5).all()


def test_an_illegal_action_is_told_in_real_tiles():
    batch = Batch(1, "qq", 3, NAME)
    while order(batch)[0] == 0:
        batch.step(batch.masks.argmax(axis=1))  # everybody declares the first suit offered
    assert order(batch)[0] == 1
    absent = int(np.flatnonzero(batch.menus.real[0, :27] == 0)[-1])
    text, before = SICHUAN.action_text(absent, False), batch.tables.tobytes()
    with pytest.raises(IllegalActionError, match=f"seat .* cannot '{text}'"):
        batch.step(SUIT_ORDER.shown[[1], [absent]])
    for wrong in ([62], [-1], [0.5], [1, 2], "pass"):
        with pytest.raises(IllegalActionError):
            batch.step(wrong)
    assert batch.tables.tobytes() == before


def copied(batch, tmp_path):
    batch.save(tmp_path / "batch")
    yield Batch.load(tmp_path / "batch")
    yield pickle.loads(pickle.dumps(batch))


def test_copies_show_the_same_masks(tmp_path):
    batch = Batch(TABLES, MIXED, 5, NAME, skip_forced=True)
    for _ in range(50):
        batch.step(batch.masks.argmax(axis=1))
    for other in copied(batch, tmp_path):
        assert (other.masks == batch.masks).all()
        assert (other.menus.real == batch.menus.real).all()
        for _ in range(30):
            other.step(other.masks.argmax(axis=1))
        again = Batch.load(tmp_path / "batch")
        for _ in range(30):
            again.step(again.masks.argmax(axis=1))
        assert same_tables(other, again)


@pytest.mark.parametrize("name", [NAME, "vector/1"])
def test_a_copy_of_a_batch_has_masks_of_its_own(name):
    batch = Batch(2, "qq", 5, name)
    other = pickle.loads(pickle.dumps(batch))
    assert (other.menus.real is other.masks) == (name == "vector/1")
    before = batch.masks.copy()
    for _ in range(10):
        other.step(other.masks.argmax(axis=1))
    assert (batch.masks == before).all()


def test_buffers_of_the_caller_receive_the_masks():
    masks = np.zeros((2, 62), np.int8)
    batch = Batch(2, "qq", 5, NAME, buffers={"masks": masks})
    for _ in range(20):
        batch.step(masks.argmax(axis=1))
    assert batch.masks is masks
    assert (masks == SUIT_ORDER.show_masks(batch.menus.real, order(batch))).all()

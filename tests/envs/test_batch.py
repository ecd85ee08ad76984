"""Many tables at once: bots inside the loop, threads, matches, and what is refused."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mjenv.agent import CompiledBot
from mjenv.core.batch import CALLER
from mjenv.core.kernel import kernel
from mjenv.envs.batch import Batch
from mjenv.errors import AgentError, IllegalActionError, OptionError
from mjenv.registry import make_agent
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.match import next_dealer
from mjenv.sichuan.presets import PRESETS
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import Ledger, Phase

TABLES = 13
MIXED = ["qq", "standalone", "sichuan_modern"]
BOTS = [None, "greedy/1", "random_legal/1", None]


def first_legal(batch: Batch) -> np.ndarray:
    return batch.masks.argmax(axis=1)


def random_legal(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Depends on nothing but the menus and the generator."""
    return np.where(batch.masks == 1, rng.random(batch.masks.shape), -1).argmax(axis=1)


def test_bots_by_name_play_as_they_are_chosen_for_one_by_one() -> None:
    inside = Batch(TABLES, MIXED, 3, bots=[None, "greedy/1", "greedy/1", "random_legal/1"])
    outside = Batch(TABLES, MIXED, 3)
    kernels = [make_agent(name).kernel for name in ("greedy/1", "random_legal/1")]  # type: ignore[attr-defined]
    players = np.tile(np.array([0, 1, 1, 2], np.int8), (TABLES, 1))
    rows = np.arange(TABLES)

    def catch_up() -> None:
        """Play the others one decision at a time."""
        while True:
            waiting = players[rows, outside.actors] != CALLER
            if not waiting.any():
                return
            actions = np.zeros(TABLES, np.int64)
            for number, bot in enumerate(kernels, start=1):
                outside.choose(bot, number, players, actions)
            outside.step(actions, waiting)

    catch_up()
    deals = 0
    paid = np.zeros((TABLES, 4), np.int64)
    for _ in range(60):
        assert (inside.tables == outside.tables).all()
        assert (inside.masks == outside.masks).all()
        assert (inside.observe() == outside.observe()).all()
        step = inside.step(first_legal(inside))
        outside.step(first_legal(outside))
        catch_up()
        deals += len(step.finished)
        paid += step.rewards
        # Bots may have paid each other before the caller was asked: told with its first step.
        assert (paid[step.finished_tables] == step.finished["points"]).all()
        paid[step.finished_tables] = 0
        on = np.setdiff1d(rows, step.finished_tables)
        assert (paid[on] == inside.tables["points"][on]).all()
    assert deals > TABLES


@pytest.mark.parametrize("skip_forced", [False, True])
def test_threads_change_nothing(skip_forced: bool) -> None:
    options: dict[str, Any] = {"bots": BOTS, "skip_forced": skip_forced, "rotate": True}
    batches = [Batch(TABLES, MIXED, 5, num_threads=number, **options) for number in (1, 2, 4, 99)]
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = random_legal(batches[0], rng)
        steps = [batch.step(actions) for batch in batches]
        for batch, step in zip(batches, steps, strict=True):
            assert batch.tables.tobytes() == batches[0].tables.tobytes()
            assert (batch.masks == batches[0].masks).all()
            assert (batch.actors == batches[0].actors).all()
            assert (step.rewards == steps[0].rewards).all()
            assert step.finished.tobytes() == steps[0].finished.tobytes()
            assert step.finished_tables.tolist() == steps[0].finished_tables.tolist()
            assert (batch.observe() == batches[0].observe()).all()
            assert (batch.oracle() == batches[0].oracle()).all()


@pytest.mark.parametrize("deals", [1, 2])
def test_everybody_moves_one_seat_on_with_every_match(deals: int) -> None:
    bots = [None, "greedy/1", "greedy/1", "greedy/1"]
    batch = Batch(2, "qq", 7, bots=bots, rotate=True, match_length=deals)
    seats: dict[int, set[int]] = {}
    for _ in range(120):
        for table in range(2):
            seats.setdefault(int(batch.tables["deal"][table]), set()).add(int(batch.actors[table]))
            assert batch.players[table].tolist().index(0) == batch.actors[table]
        batch.step(first_legal(batch))
    assert len(seats) > 4
    assert all(asked == {deal // deals % 4} for deal, asked in seats.items())


def test_deals_without_a_question_are_told_and_not_rewarded() -> None:
    """Without a void suit a deal can end before the caller has had a choice."""
    rules = Rules.preset("standalone").replace(mode="single")
    batch = Batch(512, rules, 1, bots=["greedy/1", None, "greedy/1", "greedy/1"], skip_forced=True)
    skipped = 0
    paid = np.zeros((512, 4), np.int64)
    ended = np.zeros((512, 4), np.int64)
    for _ in range(150):
        step = batch.step(first_legal(batch))
        paid += step.rewards
        np.add.at(ended, step.finished_tables, step.finished["points"])
        skipped += len(step.skipped)
        assert (step.skipped["phase"] == Phase.OVER).all()
        assert np.isin(step.skipped_tables, step.finished_tables).all()
        assert (batch.actors == 1).all()
    assert skipped > 0
    # What is open was either paid already, or waits for the first step of the deal.
    told = paid - ended
    waiting = batch.tables["points"].copy()
    first = (told == 0).all(axis=1) & (waiting != 0).any(axis=1)
    assert (told[~first] == waiting[~first]).all()
    # Kongs of bots before the caller's first question are not lost.
    assert first.any()
    before = waiting[first]
    step = batch.step(first_legal(batch), where=first)
    still = np.setdiff1d(np.flatnonzero(first), step.finished_tables)
    assert (step.rewards[still] == batch.tables["points"][still]).all()
    assert len(before) > 0


def test_without_autoreset_a_table_waits_for_its_reset() -> None:
    batch = Batch(6, "qq", 11, autoreset=False)
    playing = np.ones(6, bool)
    for _ in range(400):
        playing = batch.actors >= 0
        if not playing.all():
            break
        step = batch.step(first_legal(batch))
    over = np.flatnonzero(~playing)
    assert step.finished_tables.tolist() == over.tolist()
    assert (batch.masks[over] == 0).all()
    assert (batch.tables["phase"][over] == Phase.OVER).all()
    before = batch.tables.copy()
    with pytest.raises(IllegalActionError, match=f"table {over[0]}: its deal is over"):
        batch.step(first_legal(batch))
    assert (batch.tables == before).all()
    batch.step(first_legal(batch), where=playing)
    assert (batch.tables[over] == before[over]).all()
    batch.reset(where=~playing & (batch.actors < 0))
    assert (batch.tables["deal"][over] == 1).all()
    assert (batch.actors[over] >= 0).all()
    again = Batch(6, "qq", 11)
    again.reset(seed=[11, 12, 13, 5, 14, 15], where=np.arange(6) == 3)
    assert again.tables["seed"].tolist() == [11, 12, 13, 5, 15, 16]


def test_a_match_goes_on_with_the_dealer_that_the_rules_name() -> None:
    rules = Rules.preset("sichuan_modern")
    batch = Batch(8, rules, 2, match_length=3)
    packed = rules.pack()
    seen = {0: 0, 1: 0, 2: 0}
    for _ in range(1200):
        step = batch.step(first_legal(batch))
        for state, table in zip(step.finished, step.finished_tables, strict=True):
            now = batch.tables[table]
            assert now["deal"] == state["deal"] + 1
            seen[int(now["deal"]) % 3] += 1
            if now["deal"] % 3:
                expected = next_dealer(state, packed[0])
                assert expected in (-1, now["dealer"])
    assert min(seen.values()) > 3
    batch.reset()
    assert (batch.tables["deal"] % 3 == 0).all()


def test_finished_deals_come_with_their_statistics() -> None:
    batch = Batch(64, "qq", 4, bots=["greedy/1", None, "greedy/1", None])
    deals = 0
    for _ in range(80):
        step = batch.step(first_legal(batch))
        record = step.statistics
        deals += len(record)
        assert record["seed"].tolist() == (4 + step.finished_tables).tolist()
        assert (record["units"] == step.finished["points"]).all()
        assert (record["ledger"].sum(axis=2) == record["units"]).all()
        assert ((record["win_order"] > 0) == record["won"]).all()
        assert (record["fan"][~record["won"]] == 0).all()
        assert (record["ledger"][:, :, Ledger.DEAL_IN][~record["deal_in"]] == 0).all()
        assert (record["decisions"] == step.finished["num_decisions"]).all()
    assert deals > 64


# -------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (lambda legal: legal[:-1], r"got int64 \(12,\); allowed: whole numbers \(13,\)"),
        (lambda legal: legal[:, None], r"got int64 \(13, 1\)"),
        (lambda legal: int(legal[0]), r"got int64 \(\)"),
        (lambda legal: legal.astype(float), r"got float64 \(13,\)"),
        (lambda legal: legal > 0, r"got bool \(13,\)"),
        (lambda legal: legal.astype(object), r"got object \(13,\)"),
        (lambda legal: None, r"got object \(\)"),
        (lambda legal: np.full(13, 62), "table 0: seat .* cannot '62'"),
        (lambda legal: np.full(13, -1), "table 0: seat .* cannot '-1'"),
        (lambda legal: np.where(np.arange(13) == 4, 60, legal), "table 4: seat . cannot 'pass' in"),
    ],
)
def test_wrong_actions_are_refused_and_change_nothing(
    actions: Callable[[np.ndarray], Any], message: str
) -> None:
    batch = Batch(TABLES, "qq", 3)
    before, masks = batch.tables.copy(), batch.masks.copy()
    with pytest.raises(IllegalActionError, match=message):
        batch.step(actions(first_legal(batch)))
    assert (batch.tables == before).all()
    assert (batch.masks == masks).all()


def test_narrow_and_unsigned_actions_are_taken() -> None:
    batches = [Batch(3, "qq", 3) for _ in range(3)]
    for batch, kind in zip(batches, (np.int8, np.uint8, np.int64), strict=True):
        batch.step(first_legal(batch).astype(kind))
    assert batches[0].tables.tobytes() == batches[1].tables.tobytes() == batches[2].tables.tobytes()


@kernel
def confused(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Answers outside its menu in its own turns."""
    return int(mask.argmin()) if view["phase"] == Phase.TURN else int(mask.argmax())


def test_a_bot_that_answers_outside_its_menu_is_named() -> None:
    bots = [None, CompiledBot("confused/1", confused, SICHUAN), None, None]
    batch = Batch(4, "qq", 3, bots=[BOTS, bots])

    def play() -> None:
        for _ in range(10):
            batch.step(first_legal(batch))

    with pytest.raises(AgentError, match="bot 'confused/1' in seat 1 answered 'discard") as caught:
        play()
    table = int(str(caught.value).split()[1].rstrip(":"))
    assert table in (1, 3)
    assert batch.tables[table]["phase"] == Phase.TURN
    assert f"legal: {', '.join(SICHUAN.menu_of(batch.masks[table], 'TURN'))}" in str(caught.value)
    batch.reset(seed=3)
    assert (batch.tables["deal"] == 0).all()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"observation": "planes/9"}, OptionError, "got 'planes/9'; allowed: planes/1, vector/1"),
        ({"num_threads": 0}, OptionError, "num_threads: got 0"),
        ({"match_length": 1.5}, OptionError, "match_length: got 1.5"),
        ({"seed": -1}, OptionError, "seed: got -1"),
        ({"bots": "greedy/1"}, OptionError, "bots: got 'greedy/1'; allowed: four entries"),
        ({"bots": ["greedy/1"] * 3}, OptionError, "allowed: four entries"),
        ({"bots": ["greedy/1"] * 4}, OptionError, "got a bot for every seat"),
        ({"bots": [None, "greddy/1", None, None]}, AgentError, "did you mean 'greedy/1'"),
        (
            {"bots": [None, 3, None, None]},
            AgentError,
            "bots: 3 is no compiled bot; allowed: the name",
        ),
        (
            {
                "bots": [
                    None,
                    type(
                        "", (), {"games": ("sichuan",), "observation": "view", "name": "slow/1"}
                    )(),
                    None,
                    None,
                ]
            },
            AgentError,
            "'slow/1' is no compiled bot",
        ),
        ({"rules": ["qq", "nn"]}, ValueError, "nn"),
        ({"num_tables": 0}, OptionError, "num_tables: got 0"),
        ({"num_tables": True}, OptionError, "num_tables: got True"),
    ],
)
def test_wrong_options_are_refused(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Batch(**{"num_tables": 2, **options})


def test_more_than_three_different_bots_are_refused() -> None:
    bots = [CompiledBot(f"bot/{i}", confused, SICHUAN) for i in range(4)]
    with pytest.raises(OptionError, match="bot/0, bot/1, bot/2, bot/3; allowed: 3 different bots"):
        Batch(2, "qq", bots=[[None, *bots[:3]], [None, *bots[1:]]])


@pytest.mark.parametrize("where", [[1, 0], np.ones(3, bool), np.ones(2, np.int8), True])
def test_a_wrong_choice_of_tables_is_refused(where: Any) -> None:
    batch = Batch(2, "qq")
    with pytest.raises(OptionError, match=r"where: got .*allowed: bool \(2,\)"):
        batch.step(first_legal(batch), where=where)
    with pytest.raises(OptionError, match=r"where: got .*allowed: bool \(2,\)"):
        batch.reset(where=where)


@pytest.mark.parametrize("seats", [[0], [0, 4], [0, -2], [0.0, 1.0], "01"])
def test_wrong_seats_are_refused(seats: Any) -> None:
    batch = Batch(2, "qq")
    for call in (batch.observe, batch.oracle):
        with pytest.raises(OptionError, match="seats: got"):
            call(seats)


@pytest.mark.parametrize("seed", [[1], [1, 2, 3], [1, -2], 2**53, 1.5])
def test_wrong_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(OptionError, match="seed: got"):
        Batch(2, "qq").reset(seed)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_batch_plays_the_deals_of_its_seeds(preset: str) -> None:
    batch = Batch(4, preset, 20)
    assert batch.tables["seed"].tolist() == [20, 21, 22, 23]
    alone = Batch(1, preset, 22)
    assert batch.tables[2:3].tobytes() == alone.tables.tobytes()
    for _ in range(100):
        batch.step(first_legal(batch))
        alone.step(first_legal(alone))
        assert batch.tables[2:3].tobytes() == alone.tables.tobytes()


def test_a_table_takes_a_kilobyte_besides_its_observation() -> None:
    small, large = (len(pickle.dumps(Batch(number, "qq"))) for number in (1000, 3000))
    assert (large - small) / 2000 <= 1024

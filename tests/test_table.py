"""Table: asking, answering, copies, other worlds, texts."""

import copy
import json
import pickle
import random

import numpy as np
import pytest

import mjenv
from mjenv.core.tiles import parse_tile, tile_text
from mjenv.errors import (
    AgentError,
    IllegalActionError,
    OptionError,
    PositionError,
    RulesError,
    TileError,
)
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.view import new_views, view
from mjenv.table import Table
from tests.at_table import PRESETS, Bot, house_rules, packed, played
from tests.reference.wall import arrange_wall
from tests.sichuan.engine import LUTS, SICHUAN


def some_tables(preset="sichuan_modern", seed=5):
    """A table after every decision of a deal."""
    table = Table(preset, seed)
    choose = Bot("tidy", seed)
    while not table.over:
        yield table
        table.step(choose(table))
    yield table


# --------------------------------------------------------------------------------------- dealing


def test_a_deal_follows_from_seed_and_number():
    table = Table(seed=7, deal=3)
    assert table.rules == Rules.preset("qq")
    assert table == Table("qq", 7, 3)
    assert table != Table("qq", 7, 4)
    assert table != Table("standalone", 7, 3)
    assert table != "table"


@pytest.mark.parametrize("wall_form", [list, "".join, lambda wall: [parse_tile(t) for t in wall]])
def test_a_given_wall(wall_form):
    wall = arrange_wall(["123m", "", "55s", ""], dealer=2, draws="9p1m")
    table = Table("standalone", dealer=2, wall=wall_form(wall))
    assert table.actor == 2
    assert [tile_text(kind) for kind in table.state["wall"][0]] == wall
    hand = table.state["hand"][0]
    assert hand[0][:3].min() >= 1
    assert hand[2].sum() == 14
    table.step(table.legal_actions()[0])
    drawn = [event["tile"] for event in table.events if event["type"] == "draw"]
    assert drawn in ([], ["9p"])


def test_dealer_and_direction_may_be_chosen():
    plain = Table("sichuan_modern", 3)
    for dealer in range(4):
        for name in ("next", "previous", "opposite"):
            table = Table("sichuan_modern", 3, dealer=dealer, direction=name)
            assert table.actor == dealer
            assert (table.state["wall"] == plain.state["wall"]).all()
            while table.phase == "EXCHANGE":
                table.step(table.legal_actions()[0])
            assert table.events[0]["direction"] == name


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        ({"rules": "riichi"}, RulesError, "unknown preset 'riichi'"),
        ({"rules": {"fan_kap": 3}}, RulesError, "fan_kap"),
        ({"seed": -1}, OptionError, "seed: got -1; allowed: an integer from 0"),
        ({"seed": 2**53}, OptionError, "seed: got"),
        ({"seed": 0.5}, OptionError, "seed: got 0.5"),
        ({"seed": True}, OptionError, "seed: got True"),
        ({"deal": False}, OptionError, "deal: got False"),
        ({"dealer": True}, OptionError, "dealer: got True"),
        ({"wall": [True] * 108}, OptionError, "wall: got True as a tile"),
        ({"deal": -1}, OptionError, "deal: got -1"),
        ({"dealer": 4}, OptionError, "dealer: got 4; allowed: a seat from 0 to 3"),
        (
            {"direction": "up"},
            OptionError,
            "direction: got 'up'; allowed: next, previous, opposite",
        ),
        ({"wall": ["1m"] * 108}, PositionError, "108 of 1m, 0 of 2m"),
        ({"wall": [kind % 27 for kind in range(107)]}, PositionError, "this one has 107: 3 of 9s"),
        ({"wall": [0, *range(1, 27)] * 4 + [0]}, PositionError, "this one has 109: 5 of 1m"),
        ({"wall": ["5x", *["1m"] * 107]}, TileError, "'5x' in '5x' is no tile"),
        ({"wall": [27] * 108}, TileError, "no tile E"),
        ({"wall": 5}, OptionError, "wall: got 5"),
    ],
)
def test_what_cannot_be_dealt(arguments, error, reason):
    with pytest.raises(error, match=reason):
        Table(**arguments)


# ----------------------------------------------------------------------------------- decisions


def test_texts_and_ids_are_the_same_actions():
    by_text, by_id = Table("sichuan_modern", 4), Table("sichuan_modern", 4)
    choose = Bot("patient", 4)
    phases = set()
    while not by_id.over:
        phases.add(by_id.phase)
        number = choose(by_id)
        menu = by_text.legal_actions()
        ids = np.flatnonzero(by_id.legal_mask())
        assert len(menu) == len(ids)
        assert [SICHUAN.parse_action(text) for text in menu] == ids.tolist()
        assert all(text.startswith("give ") for text in menu) == (by_id.phase == "EXCHANGE")
        by_id.step(number)
        by_text.step(menu[ids.tolist().index(number)])
        assert by_id == by_text
    assert phases >= {"EXCHANGE", "VOID", "TURN", "CLAIM"}
    assert (by_id.actor, by_id.phase, by_id.legal_actions()) == (-1, "OVER", [])
    assert not by_id.legal_mask().any()


@pytest.mark.parametrize(
    "action", ["discard 5q", "surrender", "", "pung", -1, 62, 10**9, 1.5, None]
)
def test_an_illegal_action_leaves_everything_as_it_was(action):
    for table in some_tables():
        if action == "pung" and "pung" in table.legal_actions():
            continue
        before = pickle.dumps(table)
        with pytest.raises(IllegalActionError):
            table.step(action)
        assert pickle.dumps(table) == before


def test_every_action_that_is_not_in_the_menu_is_refused():
    for table in some_tables():
        state, mask = table.state.tobytes(), table.legal_mask()
        for action in np.flatnonzero(mask == 0):
            with pytest.raises(IllegalActionError):
                table.step(int(action))
        assert table.state.tobytes() == state
        assert (table.legal_mask() == mask).all()


def test_errors_say_what_would_be_legal():
    table = Table("qq", 1)
    seat = table.actor
    menu = ", ".join(table.legal_actions())
    with pytest.raises(IllegalActionError) as caught:
        table.step("pass")
    assert str(caught.value) == f"seat {seat} cannot 'pass' in VOID; legal: {menu}"
    with pytest.raises(IllegalActionError, match=r"did you mean 'void'\?.*; legal now: void"):
        table.step("viod m")
    with pytest.raises(IllegalActionError, match="the deal is over, nobody can 'pass'"):
        played("standalone_single", 1).step("pass")


def test_a_mask_of_the_caller_is_no_door():
    table = Table("qq", 1)
    table.legal_mask()[:] = 1
    table.state["points"] = 99
    table.actions.append(5)
    table.view(0)["hand"] = 0
    assert table == Table("qq", 1)
    assert table.actions == []


# ------------------------------------------------------------------------------- what is known


def test_views_are_those_of_the_privacy_boundary():
    for table in some_tables():
        for seat in range(4):
            expected = new_views(1)
            view(table.state[0], packed(table.rules)[0], seat, expected[0])
            assert table.view(seat).tobytes() == expected.tobytes()
    with pytest.raises(OptionError, match="seat: got 4"):
        table.view(4)


@pytest.mark.parametrize("encoding", sorted(SICHUAN.encodings))
def test_observations_are_those_of_the_view(encoding):
    form = SICHUAN.encodings[encoding]
    for table in some_tables("qq", 2):
        seat = max(table.actor, 0)
        expected = np.zeros(form.size, form.dtype)
        form.observe(table.view(seat)[0], packed(table.rules)[0], LUTS, expected)
        got = table.observe(seat, encoding)
        assert got.shape == form.shape
        assert (got.reshape(-1) == expected).all()


def test_unknown_encodings():
    with pytest.raises(OptionError, match="encoding: got 'planes/0'; allowed: planes/1"):
        Table().observe(0, "planes/0")


def test_points_units_and_ledger_agree():
    table = played("qq", 12, "tidy")
    assert any(table.points)
    assert table.points == [6 * units for units in table.units]
    assert sum(table.points) == 0
    assert np.sum(list(table.ledger.values()), axis=0).tolist() == table.points
    end = table.events[-1]
    assert (end["type"], end["points"]) == ("end", table.points)


def test_events_tell_no_question_and_grow_at_the_end():
    told = []
    for table in some_tables("standalone"):
        events = table.events
        assert events[: len(told)] == told
        told = events
    assert {event["type"] for event in told} <= set(SICHUAN.event_fields)


def test_a_record_can_be_told_at_any_time():
    for table in some_tables("standalone", 3):
        lines = [json.loads(line) for line in table.record(menus=True)]
        decisions = [line for line in lines if line["type"] == "decide"]
        assert len(decisions) == len(table.actions)
        assert [line for line in lines[1:] if line["type"] != "decide"] == table.events
    header = lines[0]
    assert header["engine"] == mjenv.__version__
    assert (header["preset"], header["seed"], header["deal"]) == ("standalone", 3, 0)
    named = json.loads(table.record(agents=["a", "b", "c", "d"])[0])
    assert named["agents"] == ["a", "b", "c", "d"]
    with pytest.raises(AgentError, match="agents: got 1 names"):
        table.record(agents=["a"])


def test_a_record_needs_its_deal():
    table = Table("qq", 1)
    fresh = Table.from_position(table.to_position())
    assert fresh.record() == table.record()
    table.step(table.legal_actions()[0])
    with pytest.raises(PositionError, match="no record"):
        Table.from_position(table.to_position()).record()


# -------------------------------------------------------------------------------- other tables


@pytest.mark.parametrize(
    "copied",
    [Table.clone, copy.copy, copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))],
    ids=["clone", "copy", "deepcopy", "pickle"],
)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_copy_plays_on_alike_and_by_itself(preset, copied):
    copies = []
    for number, table in enumerate(some_tables(preset, 6)):
        if number % 5 == 0 or table.over:
            copies.append((copied(table), table.state.tobytes()))
    last = copies[-1][0]
    assert last.over
    for twin, bytes_then in copies:
        assert twin.state.tobytes() == bytes_then
        while not twin.over:
            twin.step(last.actions[len(twin.actions)])
        assert twin == last
        assert twin.record() == last.record()


def test_a_clone_of_house_rules_draws_the_same_tiles():
    for seed in range(8):
        table = Table(house_rules(seed), seed)
        rng = random.Random(seed)
        for _ in range(30):
            if not table.over:
                table.step(rng.choice(table.legal_actions()))
        twin = table.clone()
        while not table.over:
            action = rng.choice(table.legal_actions())
            assert twin.legal_actions() == table.legal_actions()
            table.step(action)
            twin.step(action)
        assert twin == table


def test_tables_are_not_hashable():
    with pytest.raises(TypeError, match="unhashable"):
        hash(Table())


def test_another_world_has_the_same_view():
    different = 0
    for table in some_tables("qq", 9):
        if table.over:
            break
        before = table.state.tobytes()
        seat = table.actor
        world = table.redeal_hidden(seat, 4)
        assert table.state.tobytes() == before
        assert world.view(seat).tobytes() == table.view(seat).tobytes()
        assert world.legal_actions() == table.legal_actions()
        assert world == table.redeal_hidden(seat, 4)
        different += world != table.redeal_hidden(seat, 5)
        assert (world.actions, world.events) == ([], [])
    assert different > 20
    with pytest.raises(OptionError, match="seat: got -1"):
        Table().redeal_hidden(-1, 1)


def test_other_worlds_can_be_played_to_the_end():
    table = Table("sichuan_modern", 2)
    for number in range(20):
        world = table.redeal_hidden(number % 4, number)
        choose = Bot("tidy", number)
        while not world.over:
            world.step(choose(world))
        assert sum(world.points) == 0
        table.step(table.legal_actions()[0])


@pytest.mark.parametrize("rule", ["dice", "shooter", "first_winner"])
def test_the_next_deal_has_the_dealer_of_the_rules(rule):
    for seed in range(6):
        table = played(Rules.preset("qq").replace(next_dealer=rule), seed)
        following = table.next_deal()
        state = following.state
        assert (int(state["seed"][0]), int(state["deal"][0])) == (seed, 1)
        dice = int(Table("qq", seed, 1).state["dealer"][0])
        expected = table.next_dealer if table.next_dealer >= 0 else dice
        assert int(state["dealer"][0]) == expected
        assert (table.next_dealer == -1) or rule != "dice"
        assert following.rules == table.rules


def test_a_deal_must_be_over_before_the_next():
    with pytest.raises(IllegalActionError, match="when the deal is over"):
        Table().next_deal()


def test_a_table_from_a_record_takes_its_decisions(tmp_path):
    table = played("sichuan_modern", 3)
    path = tmp_path / "record.jsonl"
    path.write_text("\n".join(table.record()) + "\n", encoding="utf-8")
    (deal,) = mjenv.replay(path)
    again = Table.from_deal(deal)
    for action in deal.actions:
        again.step(action)
    assert again == table
    assert again.record() == table.record()


# ----------------------------------------------------------------------------------------- texts


def test_a_table_says_what_it_is():
    table = Table("qq", seed=7, deal=2)
    assert repr(table) == (
        f"<Table qq, deal 2 of seed 7: seat {table.actor} in VOID, points +0 +0 +0 +0>"
    )
    assert "house rules" in repr(Table({"fan_cap": 3}))
    over = played("standalone_single", 1)
    assert ": over, points " in repr(over)
    board = str(table)
    assert "wall 55" in board
    assert table._repr_html_().startswith("<pre>wall 55")

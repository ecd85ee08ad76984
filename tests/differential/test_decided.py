"""Situations that the rules decide in a few words, played at both tables.

Each says which point decides; the comparison itself checks that engine and reference agree.
"""

from typing import Any

import pytest

from tests.differential.compare import Comparison
from tests.differential.deals import Deal, house_of
from tests.differential.players import Style
from tests.reference.dealer import next_dealer_after
from tests.reference.presets import with_options
from tests.reference.situations import WAITS_5M
from tests.reference.table import ReferenceTable
from tests.reference.wall import arrange_wall

Event = dict[str, Any]


def played(
    hands: list[str], script: list[str], preset: str = "standalone", **options: Any
) -> tuple[list[str], list[Event]]:
    """The menu after the script and all events of the deal, which both tables play to its end.

    Seat 0 deals these hands and then the tiles of `draws`.
    """
    wall = arrange_wall(hands, draws=options.pop("draws", ""))
    house = house_of(with_options(preset, options))
    deal = Deal(house, wall, 0, "next", [int(Style.SHARP)] * 4, 1)
    finished = Comparison().compare(deal, script)
    table = ReferenceTable(house.mapping, wall, 0)
    for action in script:
        table.step(action)
    return table.legal(), finished.events


def payments(events: list[Event], reason: str) -> list[list[int]]:
    return [event["points"] for event in events if event.get("reason") == reason]


def first_win(events: list[Event]) -> Event:
    return next(event for event in events if event["type"] == "win")


def test_split_ceil_rounds_whole_units() -> None:
    # Points 33 and 34: ceil(total / winners), and what is paid is units x base. The direct kong
    # brought 2 units; three winners get 1 unit each, 6 points, not a third of 12 points.
    hands = ["5m888m2468p222399s", *WAITS_5M]
    script = ["discard 3s", "discard 8m", "kong", "discard 5m", "win", "win", "win"]
    _, events = played(hands, script, draws="8m", call_transfer="split_ceil")
    assert payments(events, "kong") == [[12, -12, 0, 0]]
    assert payments(events, "transfer") == [[-18, 6, 6, 6]]


HOLDS_BACK = ["9m1379p2468s11123m", "99m4444p135s2468m", "3357m2368p45799s", "4567m2358p13789s"]
UNTIL_HELD_BACK = [
    *("discard 9m", "pung", "discard 1s"),
    *("discard 3s", "discard 6s", "discard 7s"),
    "kong 4p",
]


@pytest.mark.parametrize(
    ("timing", "offered", "paid"),
    [("just_drawn", False, []), ("any_turn_paid", True, [6]), ("any_turn_unpaid", True, [])],
)
def test_a_kong_in_between_holds_the_fourth_tile_back(
    timing: str, offered: bool, paid: list[int]
) -> None:
    # R22, point 13: the tile drawn is the latest one; holding back the fourth closes the kong.
    draws = "3s6s7s9m8s"
    menu, _ = played(HOLDS_BACK, UNTIL_HELD_BACK[:-1], draws=draws, added_kong_timing=timing)
    assert {"kong 9m", "kong 4p"} <= set(menu)
    menu, _ = played(HOLDS_BACK, UNTIL_HELD_BACK, draws=draws, added_kong_timing=timing)
    assert ("kong 9m" in menu) == offered
    if offered:
        script = [*UNTIL_HELD_BACK, "kong 9m"]
        _, events = played(HOLDS_BACK, script, draws=draws, added_kong_timing=timing)
        place = next(i for i, event in enumerate(events) if event.get("kind") == "added")
        assert [-points for points in events[place + 1].get("points", [])[:1]] == paid


@pytest.mark.parametrize("rule", ["dice", "shooter", "first_winner"])
def test_dice_name_the_dealer_after_an_escape(rule: str) -> None:
    # R3: a table whose membership changed goes back to dice.
    rules = with_options("standalone", {"next_dealer": rule, "allow_quit": True})
    menu, events = played(["", "", "", ""], ["quit"], next_dealer=rule, allow_quit=True)
    assert menu == []
    assert next_dealer_after(rules, 0, events) == "dice"


@pytest.mark.parametrize(
    ("hand", "given", "received", "tile"),
    [
        ("123456789m11p777s", "777s", "123p", None),
        ("123456789m777s11p", "777s", "123p", "1p"),
        ("123456789m12311p", "123p", "999p", "1p"),
    ],
)
def test_the_last_dealt_tile_is_held_if_any_of_its_kind_is(
    hand: str, given: str, received: str, tile: str | None
) -> None:
    # Point 36: `wall[52]` if still held. Copies of a kind cannot be told apart in a hand.
    hands = [hand, "123s", "123s", f"{received}4567p456789s"]
    gives = [given, "123s", "123s", received]
    script = [f"give {rank}{tiles[-1]}" for tiles in gives for rank in tiles[:-1]]
    script += ["void s", "void p", "void p", "void m", "win"]
    _, events = played(hands, script, preset="sichuan_modern")
    win = first_win(events)
    assert (win["tile"], win["patterns"], win["extras"], win["fan"]) == (tile, ["tian_hu"], {}, 5)

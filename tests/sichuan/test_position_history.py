"""Positions whose discards and deeds cannot follow each other are refused by name."""

import re

import pytest

from mjenv.errors import PositionError
from mjenv.sichuan.history import deeds
from mjenv.sichuan.position import position_text, read_position
from mjenv.sichuan.state import Deed
from mjenv.table import Table
from tests.at_table import Bot


def fields_after(number, preset="standalone", seed=4):
    table = Table(preset, seed)
    choose = Bot("tidy", seed)
    for _ in range(number):
        table.step(choose(table))
    return dict(word.split("=", 1) for word in table.to_position().split()[1:])


def faults_of(fields):
    text = " ".join(["sichuan", *(f"{name}={value}" for name, value in fields.items())])
    with pytest.raises(PositionError) as caught:
        read_position(text)
    return list(caught.value.faults)


def with_deed(wanted):
    """The text of a table after a deed, and the fields of it."""
    for seed in range(400):
        table = Table("standalone", seed)
        choose = Bot("patient" if wanted == Deed.ROBBED_KONG else "tidy", seed)
        while not table.over:
            table.step(choose(table))
            done = deeds(table.state[0])
            if done and done[-1][1] == wanted and not table.over:
                return dict(word.split("=", 1) for word in table.to_position().split()[1:])
    raise AssertionError(f"no {wanted.name}")


def refuse(fields, fault):
    found = faults_of(fields)
    assert len(found) == 1
    assert re.match(fault, found[0]), found


@pytest.mark.parametrize("deed", Deed)
def test_a_deed_that_is_missing(deed):
    fields = with_deed(deed)
    kept = fields["deeds"].split(",")[:-1]
    refuse(
        fields | {"deeds": ",".join(kept) or "-"},
        r"draws: |turn: |deeds: |river: ",
    )


@pytest.mark.parametrize("deed", Deed)
def test_a_deed_done_twice(deed):
    fields = with_deed(deed)
    last = fields["deeds"].split(",")[-1]
    refuse(
        fields | {"deeds": f"{fields['deeds']},{last}"},
        r"deeds: after \d+ discards: (meld . of seat . is no|win . is no|seat . acts in)",
    )


def test_a_deed_of_another_kind():
    fields = with_deed(Deed.CONCEALED_KONG)
    kinds = fields["deeds"].replace("kong_concealed", "kong_added")
    refuse(fields | {"deeds": kinds}, r"deeds: after \d+ discards: meld \d of seat \d is no added")


def test_a_deed_too_late_or_of_another_seat():
    fields = with_deed(Deed.CONCEALED_KONG)
    first = fields["deeds"].split(",")[0]
    after, rest = first.split(":", 1)
    refuse(fields | {"deeds": f"71:{rest}"}, "deeds: one after 71 discards is out of order")
    seat = int(rest.split("<")[1][0])
    other = rest.replace(f"<{seat}", f"<{(seat + 1) % 4}")
    refuse(fields | {"deeds": f"{after}:{other}"}, r"deeds: after \d+ discards: ")


def test_discards_out_of_turn():
    fields = fields_after(40)
    river = fields["river"].split(",")
    # Two unclaimed discards of different seats change places.
    place = next(i for i in range(len(river) - 1) if ">" not in river[i] + river[i + 1])
    river[place], river[place + 1] = river[place + 1], river[place]
    refuse(
        fields | {"river": ",".join(river)}, r"river: discard \d+, \d.: seat \d acts in the turn"
    )


def test_another_dealer():
    fields = fields_after(40)
    dealer = str((int(fields["dealer"]) + 1) % 4)
    refuse(fields | {"dealer": dealer}, "river: discard 1, .*: seat . acts in the turn of seat")


def test_draws_by_others():
    fields = fields_after(40)
    draws = [int(number) for number in fields["draws"].split("/")]
    draws[0], draws[1] = draws[0] - 1, draws[1] + 1
    text = "/".join(map(str, draws))
    refuse(fields | {"draws": text}, r"draws: \[.*\], but by river and deeds they are \[")


@pytest.mark.parametrize("text", ["x", "3:kong<0:1", "3:self_draw<0:1", "3:kong_added<0", "1:a<4"])
def test_what_is_no_deed(text):
    assert re.match(r"deeds: .* is no deed; deeds are written 12:kong_added<0:1", faults_of(
        fields_after(30) | {"deeds": text}
    )[0])  # fmt: skip
    many = ",".join(["3:self_draw<0"] * 20)
    assert "20 deeds, no deal has more than 19" in faults_of(fields_after(30) | {"deeds": many})[0]


def test_positions_of_finished_deals_come_back():
    table = Table("standalone", 3)
    choose = Bot("tidy", 3)
    while not table.over:
        table.step(choose(table))
    states, rules = read_position(table.to_position())
    assert position_text(states[0], rules) == table.to_position()

import pytest

from mjenv.errors import PositionError
from mjenv.sichuan.booking import Booking
from mjenv.sichuan.events import Reason
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import Meld, Win


def booking(preset: str = "standalone", **options) -> Booking:
    return Booking(Rules.preset(preset).replace(**options))


def test_payments_come_in_the_order_of_the_rules():
    books = booking()
    books.kong(0, Meld.CONCEALED_KONG)
    books.win(Win.DISCARD, [1, 2], [3, 1], 0, kong_discard=True)
    assert books.payments == [
        (Reason.KONG, [36, -12, -12, -12]),
        (Reason.WIN, [-30, 24, 6, 0]),
        (Reason.TRANSFER, [-72, 36, 36, 0]),
    ]
    assert books.points == [-66, 48, 30, -12]
    assert books.ended is None


def test_a_fan_above_the_cap_is_cut():
    books = booking("sichuan_modern")
    books.win(Win.DISCARD, [2], [9], 0)
    assert books.points == [-16, 0, 16, 0]


def test_everyone_pays_for_a_direct_kong_if_the_option_says_so():
    books = booking(direct_kong_payment="everyone")
    books.kong(0, Meld.DIRECT_KONG, 2)
    assert books.points == [24, -6, -12, -6]


@pytest.mark.parametrize(("scope", "moved"), [("last_kong", 18), ("kong_chain", 54)])
def test_the_scope_of_a_transfer(scope, moved):
    books = booking(transfer_scope=scope)
    books.kong(0, Meld.CONCEALED_KONG)
    books.kong(0, Meld.ADDED_KONG)
    books.win(Win.DISCARD, [1], [1], 0, kong_discard=True)
    assert books.payments[-1] == (Reason.TRANSFER, [-moved, moved, 0, 0])


def test_another_kong_closes_the_window_of_the_first():
    books = booking(transfer_scope="kong_chain")
    books.kong(0, Meld.CONCEALED_KONG)
    books.kong(3, Meld.DIRECT_KONG, 0)
    books.win(Win.DISCARD, [1], [1], 3, kong_discard=True)
    assert books.payments[-1] == (Reason.TRANSFER, [0, 12, 0, -12])


def test_the_kong_of_another_seat_is_not_transferred():
    books = booking()
    books.kong(1, Meld.CONCEALED_KONG)
    books.close_window()
    books.kong(0, Meld.CONCEALED_KONG)
    books.win(Win.DISCARD, [2], [1], 1, kong_discard=True)
    assert books.payments[-1] == (Reason.WIN, [0, -6, 6, 0])


def test_whoever_has_left_gets_neither_pigs_nor_refunds():
    books = booking()
    books.kong(0, Meld.CONCEALED_KONG)
    books.close_window()
    books.win(Win.DISCARD, [1], [1], 2)
    books.leave(1)
    books.empty_wall(pigs=[0], unready=[], ready={2: 1, 3: 1})
    assert books.payments[2:] == [
        (Reason.PIG, [-192, 0, 96, 96]),
        (Reason.REFUND, [-24, 0, 12, 12]),
    ]
    assert sum(books.points) == 0


def test_three_wins_leave_nothing_to_the_empty_wall():
    books = booking()
    books.win(Win.DISCARD, [0, 1, 2], [1, 1, 1], 3)
    assert books.ended == "three_wins"
    before = books.points
    books.empty_wall(pigs=[3], unready=[], ready={})
    assert books.points == before
    late = Booking(Rules.preset("qq"), won=[0, 1, 2])
    late.empty_wall(pigs=[3], unready=[], ready={})
    assert late.points == [0, 0, 0, 0]


def test_escape_pays_the_larger_penalty():
    for last_four, expected in ((False, [-288, 96, 96, 96]), (True, [-384, 192, 192, 0])):
        books = booking()
        books.escape(0, last_four=last_four, ready={1: 6, 2: 6})
        assert books.points == expected
        assert books.ended == "escape"


def test_escape_can_refund_kongs():
    books = booking(escape_refunds_kong=True)
    books.kong(0, Meld.CONCEALED_KONG)
    books.escape(0, last_four=False, ready={})
    assert books.points == [-288, 96, 96, 96]


WON_BY_1 = (lambda books: books.win(Win.DISCARD, [1], [1], 0),)
ENDED = (lambda books: books.win(Win.DISCARD, [0, 1, 2], [1, 1, 1], 3),)


@pytest.mark.parametrize(
    ("before", "event", "message"),
    [
        (WON_BY_1, lambda b: b.kong(1, Meld.CONCEALED_KONG), "seat 1 has won and cannot kong"),
        (WON_BY_1, lambda b: b.kong(0, Meld.DIRECT_KONG, 1), "seat 1 has won and cannot discard"),
        ((), lambda b: b.kong(0, Meld.DIRECT_KONG), "needs the seat it was claimed from"),
        ((), lambda b: b.kong(0, Meld.DIRECT_KONG, 0), "needs the seat it was claimed from"),
        (WON_BY_1, lambda b: b.win(Win.DISCARD, [2], [1], 1), "seat 1 has won and cannot deal in"),
        (WON_BY_1, lambda b: b.win(Win.SELF_DRAW, [1], [1]), "seat 1 has won and cannot win"),
        ((), lambda b: b.win(Win.SELF_DRAW, [1, 2], [1, 1]), "a self-draw has one winner"),
        ((), lambda b: b.win(Win.SELF_DRAW, [1], [1], kong_discard=True), "a self-draw"),
        ((), lambda b: b.win(Win.DISCARD, [1], [1]), "another seat it is taken from"),
        ((), lambda b: b.win(Win.DISCARD, [], [], 0), "needs winners"),
        ((), lambda b: b.win(Win.ROB_KONG, [1], [1], 1), "another seat it is taken from"),
        ((), lambda b: b.win(Win.DISCARD, [1], [0], 0), "seat 1: got 0 fan; allowed: 1 to 24"),
        ((), lambda b: b.win(Win.DISCARD, [1], [25], 0), "seat 1: got 25 fan; allowed: 1 to 24"),
        ((), lambda b: b.win(Win.DISCARD, [1], [10**30], 0), "allowed: 1 to 24"),
        ((), lambda b: b.win(Win.DISCARD, [1, 1], [1, 1], 0), "seat 1 stands twice"),
        ((), lambda b: b.leave(1), "only a seat that has won may leave"),
        (ENDED, lambda b: b.leave(1), r"the deal has ended \(three_wins\)"),
        (ENDED, lambda b: b.kong(3, Meld.CONCEALED_KONG), r"the deal has ended \(three_wins\)"),
        ((), lambda b: b.empty_wall([0], [0], {1: 1, 2: 1, 3: 1}), "cannot be two of"),
        ((), lambda b: b.empty_wall([0], [1, 2], {}), "seat 3: exactly the seats"),
        (WON_BY_1, lambda b: b.empty_wall([0, 1, 2, 3], [], {}), "seat 1: exactly the seats"),
        ((), lambda b: b.empty_wall([0, 1, 2], [], {3: 0}), "seat 3: got 0 fan; allowed: 1 to 24"),
        ((), lambda b: b.empty_wall([0, 1, 2], [], {3: 10**30}), "allowed: 1 to 24"),
        (WON_BY_1, lambda b: b.escape(1, last_four=False, ready={}), "cannot escape"),
        (WON_BY_1, lambda b: b.escape(0, last_four=True, ready={1: 2}), "cannot be ready"),
    ],
)
def test_events_that_cannot_follow(before, event, message):
    books = booking()
    for earlier in before:
        earlier(books)
    points = books.points
    with pytest.raises(PositionError, match=message):
        event(books)
    assert books.points == points


def test_a_fifth_kong():
    books = booking()
    for _ in range(4):
        books.kong(0, Meld.CONCEALED_KONG)
    with pytest.raises(PositionError, match="there can be no more"):
        books.kong(0, Meld.CONCEALED_KONG)

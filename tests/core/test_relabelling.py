import numpy as np
import pytest

from mjenv.core.relabelling import Relabelling

SHOWN = np.array([[0, 1, 2, 3], [2, 0, 1, 3], [1, 2, 0, 3]], np.int8)
TURNED = Relabelling("order", SHOWN, np.argsort(SHOWN, axis=1).astype(np.int8))


def tables(*orders: tuple[int, int, int, int]) -> np.ndarray:
    return np.array([(order,) for order in orders], [("order", "i1", 4)])


def test_rows_are_those_of_the_seats():
    two = tables((-1, 0, 1, -1), (1, 1, -1, 0))
    for dtype in (np.int8, np.int64):
        assert TURNED.rows(two, np.array([2, 3], dtype)).tolist() == [2, 1]
        assert TURNED.rows(two, np.array([0, -1], dtype)).tolist() == [0, 0]


def test_a_mask_shows_an_action_under_its_shown_number():
    masks = np.array([[1, 0, 0, 1], [1, 0, 0, 1], [1, 0, 0, 1]], np.int8)
    rows = np.array([0, 1, 2])
    expected = [[1, 0, 0, 1], [0, 0, 1, 1], [0, 1, 0, 1]]
    assert TURNED.show_masks(masks, rows).tolist() == expected
    out = np.full((3, 4), 7, np.int8)
    assert TURNED.show_masks(masks, rows, out) is out
    assert out.tolist() == expected
    assert masks[1].tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize("row", range(3))
def test_to_act_undoes_to_show(row):
    actions, rows = np.arange(4), np.full(4, row)
    assert TURNED.show(actions, rows).tolist() == SHOWN[row].tolist()
    assert TURNED.act(TURNED.show(actions, rows), rows).tolist() == [0, 1, 2, 3]
    assert TURNED.show(TURNED.act(actions, rows), rows).tolist() == [0, 1, 2, 3]


def test_what_is_no_action_stays_to_be_refused():
    assert TURNED.act(np.array([-5, 4, 1]), np.array([1, 1, 1])).tolist() == [-5, 4, 2]

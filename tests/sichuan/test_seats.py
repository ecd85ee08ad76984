"""Observations in one call are those of the view, for every encoding."""

import numpy as np
import pytest

from mjenv.core.game import Encoding
from mjenv.sichuan.actions import PASS
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.seats import OBSERVE_AT
from tests.sichuan.positions import PRESETS, Play


def test_every_encoding_has_its_kernel():
    assert set(OBSERVE_AT) == set(SICHUAN.encodings)


def in_its_numbers(encoding: Encoding, menu: np.ndarray, table: np.void, seat: int) -> np.ndarray:
    """A menu as an encoding numbers actions."""
    if encoding.relabelling is None:
        return menu
    rows = encoding.relabelling.rows(np.array([table]), np.array([seat]))
    return encoding.relabelling.show_masks(menu[np.newaxis], rows)[0]


@pytest.mark.parametrize("name", sorted(OBSERVE_AT))
@pytest.mark.parametrize("preset", PRESETS)
def test_one_call_writes_what_view_and_encoding_write(preset, name):
    encoding = SICHUAN.encodings[name]
    play = Play(preset, 4, every=9)
    views = np.zeros(1, SICHUAN.view_dtype)
    menu, mask = (np.zeros(SICHUAN.num_actions, np.int8) for _ in range(2))
    shaped, flat = np.zeros(encoding.shape, encoding.dtype), np.zeros(encoding.size, encoding.dtype)
    seen = 0
    for tables in play:
        for i, table in enumerate(tables):
            SICHUAN.legal_at(tables, i, play.rules, play.luts, menu)
            for seat in range(4):
                shaped[:], mask[:] = 7, 7
                OBSERVE_AT[name](tables, i, play.rules, play.luts, seat, menu, views, shaped, mask)
                encoding.observe(play.view(i, seat), play.rules[0], play.luts, flat)
                assert np.array_equal(shaped.reshape(-1), flat)
                assert views[0].tobytes() == play.view(i, seat).tobytes()
                if table["actor"] < 0 or table["win_order"][seat] > 0:
                    assert mask.nonzero()[0].tolist() == [PASS]
                elif table["actor"] == seat:
                    assert np.array_equal(mask, in_its_numbers(encoding, menu, table, seat))
                else:
                    assert not mask.any()
                seen += 1
    assert seen > 100

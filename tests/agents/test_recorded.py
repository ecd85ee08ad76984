from io import BytesIO
from typing import Any

import numpy as np
import pytest

from agents.play import WALLS, play_seated
from agents.recorded import recorded
from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.record import read_deals
from mjenv.games import game_by_name
from mjenv.sichuan.rules import PRESETS, Rules

DEALS = 2 if JIT_DISABLED else 8
HOUSES = [*PRESETS, Rules.preset("sichuan_modern").replace(kong_draw_end="back")]
NAMES = ["greedy/1", "random_legal/1"]


@pytest.mark.parametrize("walls", WALLS)
@pytest.mark.parametrize("house", HOUSES, ids=[*PRESETS, "from the back"])
def test_records_tell_what_was_played(house: Any, walls: Any) -> None:
    seating = np.array([[0, 1, 0, 0], [1, 1, 0, 1]] * (DEALS // 2))
    numbers = np.arange(DEALS) // 2
    played = play_seated(NAMES, house, 9, numbers, seating, walls, keep_actions=True)
    lines = [line for deal in recorded(played, house, NAMES, walls) for line in deal]
    deals = list(read_deals(BytesIO("".join(f"{line}\n" for line in lines).encode()), game_by_name))
    assert len(deals) == DEALS
    for deal, state, actions in zip(deals, played.finished, played.actions, strict=True):
        assert deal.actions == actions
        assert deal.final["points"][0].tolist() == state["points"].tolist()
        assert deal.final["hand"].tobytes() == state["hand"].tobytes()
        assert ("wall" in deal.header) == (walls == "ordinary")
    assert deals[1].header["agents"] == [NAMES[side] for side in seating[1]]


def test_actions_are_kept_only_if_asked_for() -> None:
    played = play_seated(NAMES, "qq", 9, np.arange(2), np.zeros((2, 4), np.int8))
    assert played.actions == ()

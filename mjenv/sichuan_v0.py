"""The blood battle as a PettingZoo module: ``sichuan_v0.env()`` and ``sichuan_v0.raw_env()``."""

from typing import Any

from mjenv.envs.aec import AEC
from mjenv.render.events import board_and_latest
from mjenv.sichuan.game import SICHUAN


class raw_env(AEC):
    """Four seats play the blood battle; an illegal action raises.

    The arguments are those of :class:`~mjenv.envs.aec.AEC`, ``rules`` first.
    """

    game = SICHUAN
    metadata: dict[str, Any] = {  # noqa: RUF012  # declared so by PettingZoo
        "name": "sichuan_v0",
        "render_modes": ["human", "ansi"],
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(self, rules: Any = "qq", **options: Any) -> None:
        super().__init__(rules, **options)

    def board(self) -> str:
        """The board with all hands open, and below it what happened last."""
        return board_and_latest(self.game, self.table.states[0], self.table.log, self.rules)


def env(rules: Any = "qq", **options: Any) -> raw_env:
    """Like :class:`raw_env`, but an illegal action ends the game for all, as PettingZoo has it."""
    return raw_env(rules, **{"on_illegal": "terminate", **options})

"""Questions put to the odd program."""

import os
from pathlib import Path

import numpy as np

from agents.greedy import Greedy
from agents.process import ProcessAgent
from mjenv.core.game import Views
from mjenv.sichuan.rules import Rules
from tests.agents.solo import questions

ODD = str(Path(__file__).parent / "odd_program.py")
QQ = Rules.preset("qq")
NUMBER = 12


class Asked:
    """Real questions to one seat, each with a choice."""

    def __init__(self, number: int = NUMBER, seat: int | None = 0) -> None:
        found = []
        for deal in range(100):
            for question in questions(Greedy(), QQ, deal):
                asked = int(question.views["seat"][0])
                if question.mask.sum() > 1 and seat in (None, asked):
                    found.append((question.views.copy(), question.mask.copy(), question.rng))
            if len(found) >= number:
                break
        views, masks, rng = zip(*found[:number], strict=True)
        self.views, self.masks = Views(np.concatenate(views), QQ.pack()), np.array(masks)
        self._rng = np.array(rng, np.uint64)

    def put_to(self, agent: ProcessAgent) -> list[int]:
        """The answers, which are legal."""
        answers = agent.act(self.views, self.masks, self._rng.copy())
        assert answers.dtype == np.int64
        assert (self.masks[np.arange(len(answers)), answers] == 1).all()
        return answers.tolist()

    @property
    def last(self) -> list[int]:
        """What the odd program answers where it does as it should."""
        return [int(np.flatnonzero(mask)[-1]) for mask in self.masks]


def programs_of(agent: ProcessAgent) -> list[int]:
    return [program._process.pid for program in agent._launcher._running]


def runs(pid: int) -> bool:
    """Whether a process runs, zombies counted."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True

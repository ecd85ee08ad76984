"""Units that deal sets really pay, to draw samples from."""

import numpy as np
import pytest

from agents.play import play_deals
from mjenv.core.game import NUM_SEATS
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.statistics import DEAL, deal_statistics

SETS = 1500
SEED = 20261130


@pytest.fixture(scope="session")
def deal_sets():
    """``(sets, 4)`` DEAL: ``random_legal/1`` in each seat against three ``greedy/1``.

    Its units are the most skewed of what the bots do to each other: it pays for large hands.
    """
    if JIT_DISABLED:
        pytest.skip("plain Python takes minutes")
    seatings = [
        ["random_legal/1" if seat == challenger else "greedy/1" for seat in range(NUM_SEATS)]
        for challenger in range(NUM_SEATS)
    ]
    deals = [
        deal_statistics(play_deals(seating, "qq", SETS, SEED).finished) for seating in seatings
    ]
    assert deals[0].dtype == DEAL
    return np.stack(deals, axis=1)


def of_challenger(deals, field):
    """``(sets, 4)``: a field of the seat that the challenger has in each seating."""
    return deals[field][:, np.arange(NUM_SEATS), np.arange(NUM_SEATS)]


@pytest.fixture(scope="session")
def units(deal_sets):
    """``(sets,)`` mean units of the challenger."""
    return of_challenger(deal_sets, "units").mean(axis=1)


@pytest.fixture(scope="session")
def reference_wins(deal_sets):
    """``(sets,)`` wins of the references, ``(sets,)`` the fan of these wins."""
    won = deal_sets["won"].copy()
    won[:, np.arange(NUM_SEATS), np.arange(NUM_SEATS)] = False
    return won.sum(axis=(1, 2)), (deal_sets["fan"] * won).sum(axis=(1, 2))

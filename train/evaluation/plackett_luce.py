"""OpenSkill beside the ratings in units: who ends in front of whom, not by how much.

The model of Plackett (Applied Statistics 24, 1975) and Luce (1959), fitted deal by deal as Weng and
Lin (JMLR 12, 2011) do, by the package ``openskill``. It is what people know from ladders. It throws
the size of wins away, and its ``sigma`` takes deals for independent, which those of a set are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from openskill.models import PlackettLuce

from mjenv.core.game import NUM_SEATS
from train.evaluation.errors import EvaluationError

MOST_DEALS = 5000
"""More take longer than a second and move nothing: it knows what it will know long before."""


@dataclass(frozen=True)
class Skill:
    """What OpenSkill believes of an agent.

    Attributes:
        mu: Mean of the belief; 25 before the first deal.
        sigma: Its standard deviation; 25/3 before the first deal.
    """

    mu: float
    sigma: float


def skills(
    players: Sequence[str],
    seating: np.ndarray,
    units: np.ndarray,
    most_deals: int = MOST_DEALS,
) -> dict[str, Skill]:
    """Rate agents by the order in which seats end a deal.

    An agent that has several seats is rated once: its ``mu`` takes the sum of what its seats gain
    and lose, its ``sigma`` shrinks as by as many players.

    Args:
        players: Names of the agents.
        seating: ``(deals, 4)`` integers, which of the agents sat in each seat.
        units: ``(deals, 4)`` what each seat gained or lost; equal units are a draw.
        most_deals: With more, evenly spaced ones are taken.

    Returns:
        By name, in the order of ``players``. The order of deals matters a little; the same deals in
        the same order give the same skills.

    Raises:
        EvaluationError: Arrays that do not fit.
    """
    if seating.shape != units.shape or seating.shape[1:] != (NUM_SEATS,):
        raise EvaluationError(
            f"got seating {seating.shape} and units {units.shape}; both are (deals, {NUM_SEATS})"
        )
    if seating.size and not 0 <= seating.min() <= seating.max() < len(players):
        raise EvaluationError(f"got seats of agents that are not among the {len(players)} named")
    # Agents do not change, so nothing is forgotten over time: tau is 0.
    model = PlackettLuce(tau=0.0)
    beliefs = dict.fromkeys(range(len(players)), (model.mu, model.sigma))
    deals = min(len(units), most_deals)
    for deal in np.arange(deals) * len(units) // max(1, deals):
        _update(model, beliefs, seating[deal].tolist(), units[deal].tolist())
    return {name: Skill(*beliefs[player]) for player, name in enumerate(players)}


def _update(
    model: PlackettLuce,
    beliefs: dict[int, tuple[float, float]],
    seated: Sequence[int],
    units: Sequence[float],
) -> None:
    """One deal."""
    before = dict(beliefs)
    teams = [[model.create_rating(list(before[player]))] for player in seated]
    for player, (after,) in zip(seated, model.rate(teams, scores=list(units)), strict=True):
        mu, sigma = beliefs[player]
        mu_before, sigma_before = before[player]
        beliefs[player] = (mu + after.mu - mu_before, sigma * after.sigma / sigma_before)

"""Flat Monte Carlo with determinisation: a search in a few lines, against ``greedy/1``.

    python examples/flat_monte_carlo.py --deals 100

Whoever is asked tries every legal action in the same worlds, all of which its seat cannot tell from
the real one; ``greedy/1`` plays each of them to the end of the deal, and the action with the best
mean of own units is chosen. Two things are there because short trials without them won nothing:

- The worlds are likely ones (agents/beliefs.py). In worlds drawn uniformly the others hold worse
  tiles than they really do, so that a search may let too many wins go by.
- The best of many noisy means is often one that only looks best. The choice of the bot is replaced
  by an action that is better by two standard errors of the difference; a few worlds tell which
  actions are worth trying in many.

Of the table it reads the menu, the view and such worlds, never what is hidden from its seat.
Whatever the others really hold, it chooses the same.
"""

import argparse
import time

import numpy as np

from agents.at_table import AtTable
from agents.beliefs import LIKELY
from agents.play import play_deals
from agents.statistics import summary
from mjenv import Rules, Table, make_agent, rollout
from mjenv.core.game import NUM_SEATS
from mjenv.core.kernel import Argument
from mjenv.records import play
from mjenv.sichuan.statistics import deal_statistics

BOT = "greedy/1"
ERRORS = 2.0
REPORT_EVERY = 20


class FlatMonteCarlo:
    """A player: called with a table, it answers for the seat that is asked.

    Args:
        rules: Of the tables it will be asked about.
        worlds: In how many worlds a promising action is tried; others in an eighth of them.
        redeal: Draws them; see :func:`mjenv.rollout`.
    """

    name = "flat_monte_carlo/1"

    def __init__(self, rules: Rules, worlds: int = 400, redeal: Argument = LIKELY) -> None:
        self.bot = AtTable(make_agent(BOT), rules)
        self.worlds, self.redeal = worlds, redeal

    def __call__(self, table: Table) -> int:
        """The id of an action."""
        actions = np.flatnonzero(table.legal_mask())
        best = chosen = self.bot(table)
        for worlds in (self.worlds // 8, self.worlds):
            if len(actions) > 1:
                gain, error = self.gains(table, actions, chosen, worlds)
                best = int(actions[(gain - ERRORS * error).argmax()])
                actions = actions[gain + ERRORS * error >= 0]
        return best

    def gains(
        self, table: Table, actions: np.ndarray, chosen: int, worlds: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Units that actions gain over the choice of the bot, and their standard errors."""
        seat = table.actor
        tried = {"actions": actions, "redeal_for": seat, "redeal": self.redeal, "seed": worlds}
        units = rollout(table, BOT, worlds, **tried)[..., seat]
        gain = units - units[actions == chosen]
        return gain.mean(axis=1), gain.std(axis=1) / worlds**0.5


def main() -> None:
    """Let it play three ``greedy/1``, in turn in every seat, and tell what it wins."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--worlds", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rules, bot, deals = Rules.preset("qq"), make_agent(BOT), options.deals
    greedy, searcher = AtTable(bot, rules), FlatMonteCarlo(rules, options.worlds)
    usual = play_deals([bot] * NUM_SEATS, rules, deals, options.seed).finished["points"]
    finished, more, start = [], [], time.process_time()
    for deal in range(deals):
        table, seat = Table(rules, options.seed, deal), deal % NUM_SEATS
        play(table, [searcher if player == seat else greedy for player in range(NUM_SEATS)])
        finished.append(table.state)
        more.append(table.units[seat] - usual[deal, seat])
        if (deal + 1) % REPORT_EVERY == 0 or deal + 1 == deals:
            seats = np.arange(NUM_SEATS) == np.arange(deal + 1)[:, None] % NUM_SEATS
            found = summary(deal_statistics(np.concatenate(finished)), seats)
            error = np.std(more) / len(more) ** 0.5
            seconds = (time.process_time() - start) / (deal + 1)
            print(
                f"{deal + 1} deals: {found['units_per_deal']:+.2f} units a deal (standard error "
                f"{found['units_error']:.2f}); {np.mean(more):+.2f} ({error:.2f}) "
                f"more than {BOT} in the same seats of the same deals; {seconds:.1f} s a deal",
                flush=True,
            )


if __name__ == "__main__":
    main()

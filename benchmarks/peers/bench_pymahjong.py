"""pymahjong: random legal Riichi hands, one table.

Modes: ``env/none``, ``env/obs`` and ``env/full`` are its environment without an observation, with
the 93x34 one, and with the 111x34 one that sees everything. A decision is one ``env.step``; the
environment plays choices with a single option by itself. ``table/none`` is the C++ table below it:
a decision is a selection among several options, forced ones are counted apart.
"""

import random
import time
from importlib.metadata import version

import MahjongPyWrapper
import pymahjong
from timing import Play, measure, parse_arguments

GAME_OVER = 16
FIRST_RESPONSE = 4
POINTS = 25000


def env_player(observation: str) -> Play:
    """What plays the environment."""

    def play(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
        env = pymahjong.MahjongEnv()
        decisions = games = 0
        while time.perf_counter() < deadline:
            env.reset(oya=games % 4)
            while not env.is_over():
                seat = env.get_curr_player_id()
                legal = env.get_valid_actions()
                if observation == "obs":
                    env.get_obs(seat)
                elif observation == "full":
                    env.get_full_obs(seat)
                env.step(seat, int(legal[int(rng.random() * len(legal))]))
                decisions += 1
            games += 1
        return decisions, games, {}

    return play


def play_table(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
    """Play the table."""
    decisions = games = forced = 0
    while time.perf_counter() < deadline:
        table = MahjongPyWrapper.Table()
        table.game_init_with_config([], [POINTS] * 4, 0, 0, 0, games % 4)
        while (phase := table.get_phase()) != GAME_OVER:
            own_turn = phase < FIRST_RESPONSE
            number = len(table.get_self_actions() if own_turn else table.get_response_actions())
            decisions += number > 1
            forced += number == 1
            table.make_selection(int(rng.random() * number))
        games += 1
    return decisions, games, {"forced": forced}


def main() -> None:
    """Print one line per mode."""
    options = parse_arguments()
    number = version("pymahjong")
    measure("pymahjong", number, "table/none", "selections of several", play_table, options)
    for observation in ("none", "obs", "full"):
        play = env_player(observation)
        measure("pymahjong", number, f"env/{observation}", "env.step", play, options)


if __name__ == "__main__":
    main()

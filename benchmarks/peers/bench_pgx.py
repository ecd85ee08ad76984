"""pgx: random legal play of Sparrow Mahjong, a game of 44 tiles for three, in JAX.

A decision is the step of one environment of a batch; finished ones begin anew inside. A game is one
hand. A step always writes the observation of the player at turn. Its full mahjong is not offered.

Modes: ``sparrow/1``, ``sparrow/128`` and ``sparrow/1024`` are batches of as many environments.
"""

from importlib.metadata import version

from jax_play import measure_if_asked
from timing import parse_arguments


def main() -> None:
    """Print one line per size of a batch."""
    import pgx

    options = parse_arguments(batches="1,128,1024")
    env = pgx.make("sparrow_mahjong")
    for batch in options.batches.split(","):
        observe = lambda state: state.observation  # noqa: E731 - it stands in the state
        measure_if_asked("pgx", version("pgx"), f"sparrow/{batch}", env, observe, options)


if __name__ == "__main__":
    main()

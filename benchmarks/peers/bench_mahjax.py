"""mahjax: random legal Riichi hands in JAX, on the processor.

A decision is the step of one environment of a batch, forced choices included; finished ones begin
anew inside. A game is one hand.

Modes: ``GAME/OBSERVATION/BATCH``, with ``no_red`` (simplified) or ``red`` rules, ``none`` or the
``dict`` of arrays of the player at turn, for batches of 1 and 128 environments.
"""

from importlib.metadata import version

from jax_play import measure_if_asked
from timing import parse_arguments


def main() -> None:
    """Print one line per mode."""
    import mahjax

    options = parse_arguments(games="no_red,red", batches="1,128")
    for game in options.games.split(","):
        env = mahjax.make(f"{game}_mahjong", round_mode="single", observe_type="dict")
        for batch in options.batches.split(","):
            for name, observe in (("none", None), ("dict", env.observe)):
                mode = f"{game}/{name}/{batch}"
                measure_if_asked("mahjax", version("mahjax"), mode, env, observe, options)


if __name__ == "__main__":
    main()

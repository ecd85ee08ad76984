"""Compiled bots, whatever names them: what loops over many tables can seat."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from mjenv.agent import check_agent
from mjenv.core.game import NUM_SEATS, Game
from mjenv.core.kernel import Argument
from mjenv.errors import AgentError
from mjenv.games import game_by_name
from mjenv.registry import make_agent


def bots_by_seat(bots: Any, game: Game) -> tuple[Argument, ...]:
    """The kernels that play the four seats.

    Args:
        bots: One for all seats, or four by seat: see :func:`bot_kernel`.
        game: The game they are to play.

    Raises:
        AgentError: Not one or four, or one cannot play here.
    """
    given = list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots]
    if len(given) == 1:
        given *= NUM_SEATS
    if len(given) != NUM_SEATS:
        raise AgentError(f"bots: got {len(given)}; allowed: one, or {NUM_SEATS} by seat")
    return tuple(bot_kernel(bot, game) for bot in given)


def bot_kernel(bot: Any, game: Game) -> Argument:
    """The kernel of a bot.

    Args:
        bot: The name of an agent, an agent that has a kernel such as
            :class:`~mjenv.agent.CompiledBot`, or what ``game.bot(kernel)`` returns.
        game: The game it is to play.

    Raises:
        AgentError: There is no such agent, it is no compiled bot, or it does not play this game.
    """
    if isinstance(bot, str):
        return _named(bot, game.name)
    if isinstance(bot, Argument):
        if bot.takes != game.bot_signature[0]:
            raise AgentError(f"bots: {bot.name} is a kernel, but no bot; wrap one with game.bot")
        return bot
    kernel = getattr(bot, "kernel", None)
    if kernel is None:
        raise AgentError(
            f"bots: {getattr(bot, 'name', bot)!r} is no compiled bot; allowed: the name of one, "
            "such as 'greedy/1', a CompiledBot, or game.bot(kernel)"
        )
    check_agent(bot, game)
    found: Argument = kernel
    return found


@lru_cache(maxsize=64)
def _named(name: str, game: str) -> Argument:
    """The same by name; finding an entry point takes longer than a rollout."""
    return bot_kernel(make_agent(name, game), game_by_name(game))

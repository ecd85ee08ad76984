"""Arguments of the constructors of environments, checked."""

from math import isfinite, nan
from typing import Any, NamedTuple

from mjenv.core.game import Game
from mjenv.core.setup import whole
from mjenv.errors import OptionError

REWARDS = ("units", "points", "final")


class Settings(NamedTuple):
    """What all environments of one table are made from.

    Attributes:
        rules: The rules.
        observation: Name of an encoding of the game.
        reward: One of ``REWARDS``.
        deals: Deals of an episode.
        illegal_reward: What an illegal action costs where it ends an episode.
    """

    rules: Any
    observation: str
    reward: str
    deals: int
    illegal_reward: float

    @classmethod
    def check(
        cls,
        game: Game,
        *,
        rules: Any,
        observation: str,
        reward: str,
        episode: str,
        deals: int | None,
        illegal_reward: float,
    ) -> "Settings":
        """Take them from the arguments of a constructor.

        Raises:
            OptionError: One of them is not allowed.
            RulesError: The rules are unknown or contradictory.
        """
        house = game.rules.of(rules)
        encoding = one_of("observation", observation, tuple(game.observe_at))
        kind = one_of("reward", reward, REWARDS)
        one_of("episode", episode, ("deal", "match"))
        number = number_of_deals(episode, deals)
        return cls(house, encoding, kind, number, finite("illegal_reward", illegal_reward))

    @property
    def base_points(self) -> int:
        """Points of one unit."""
        return int(self.rules.base_points)

    @property
    def reward_of_unit(self) -> float:
        """Reward for one unit, when it is won."""
        return {"units": 1.0, "points": float(self.base_points), "final": 0.0}[self.reward]


def one_of(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """Return ``value`` if it is allowed.

    Raises:
        OptionError: It is not; the message says what is.
    """
    if value not in allowed:
        names = ", ".join(repr(item) for item in allowed)
        raise OptionError(f"{name}: got {value!r}; allowed: {names}")
    return value


def number_of_deals(episode: str, deals: int | None) -> int:
    """Deals of an episode, from the options of an environment.

    Raises:
        OptionError: A match has no number of deals, or a single deal has one.
    """
    if episode == "deal":
        if deals is not None and whole(deals) != 1:
            raise OptionError(f'deals: got {deals!r}; more than one needs episode="match"')
        return 1
    number = whole(deals)
    if number is None or number < 1:
        raise OptionError(f"deals: got {deals!r}; a match has a number of deals, 1 or more")
    return number


def finite(name: str, value: object) -> float:
    """Return ``value`` as a plain number.

    Raises:
        OptionError: It is no number, or none that rewards could be added up with.
    """
    try:
        number = float(value)  # type: ignore[arg-type]  # that is what is being found out
    except (TypeError, ValueError, OverflowError):
        number = nan
    if isinstance(value, str) or not isfinite(number):
        raise OptionError(f"{name}: got {value!r}; allowed: a finite number")
    return number

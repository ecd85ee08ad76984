"""The environment of Gymnasium: one seat learns, agents play the other three."""

from operator import index
from typing import Any, SupportsFloat, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded

from mjenv.core.game import NOBODY, NUM_SEATS, Game, Views
from mjenv.core.setup import check_seed
from mjenv.envs.asking import Asked
from mjenv.envs.deals import ResetOptions, parse_options
from mjenv.envs.one_table import Observation, OneTable
from mjenv.envs.opponents import opponents_of, seat_or_rotate
from mjenv.envs.series import Info, Series
from mjenv.envs.settings import Settings, one_of
from mjenv.errors import IllegalActionError
from mjenv.games import game_by_name
from mjenv.render.events import board_and_latest


class SingleSeat(gymnasium.Env[Observation, SupportsIndex]):
    """One seat of a table; the others are played inside :meth:`step`.

    A step carries out the learner's action, then what the opponents answer, up to the learner's
    next decision or the end of the episode: a learner who has won sees nothing more of its deal
    but what that brings. The reward is the change of its own units since its last decision; that
    of the first counts from the deal. Docs: docs/environments.md.

    Args:
        opponents: The name of an agent, an agent, a function ``(observations, masks) ->
            actions``, or a list of three of these, in order of play after the learner.
        rules: Rules, a preset, a YAML file or a mapping of options.
        observation: Name of an encoding, such as ``"planes/1"``; functions among the opponents
            are given the same. A canonical one also numbers the actions of masks and steps in its
            order of suits; infos and errors tell real tiles.
        reward: ``"units"`` (change of own units), ``"points"`` (the same times the base points),
            or ``"final"`` (0 until the end, then all units).
        learner_seat: A seat from 0 to 3, or ``"rotate"``: one seat on with every deal, or with
            every match.
        episode: ``"deal"`` or ``"match"``.
        deals: Deals in a match; the dealer goes round by the rules and points are carried.
        illegal_action: ``"terminate"`` the episode, or ``"raise"`` an
            :class:`~mjenv.IllegalActionError` and leave the table as it was.
        illegal_reward: What an illegal action costs where it ends the episode.
        render_mode: ``"ansi"``, ``"human"`` or None.
        game: Name of the game.

    Raises:
        OptionError: An argument is none of these.
        AgentError: An opponent is unknown or cannot play the game.
        RulesError: The rules are unknown or contradictory.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # declared so by Gymnasium
        "render_modes": ["human", "ansi"],
        "render_fps": 1,
    }

    def __init__(
        self,
        opponents: Any = "greedy/1",
        rules: Any = "qq",
        *,
        observation: str = "planes/1",
        reward: str = "units",
        learner_seat: int | str = 0,
        episode: str = "deal",
        deals: int | None = None,
        illegal_action: str = "terminate",
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
        game: str = "sichuan",
    ) -> None:
        played = game_by_name(game)
        self.settings = Settings.check(
            played,
            rules=rules,
            observation=observation,
            reward=reward,
            episode=episode,
            deals=deals,
            illegal_reward=illegal_reward,
        )
        self.learner_seat = seat_or_rotate(learner_seat)
        self.illegal_action = one_of("illegal_action", illegal_action, ("terminate", "raise"))
        modes = (None, *self.metadata["render_modes"])
        self.render_mode = one_of("render_mode", render_mode, modes)
        self.opponents = opponents_of(opponents, played, observation)

        keep_log = render_mode is not None
        self.table = OneTable(played, self.settings.rules, observation, keep_log)
        self.series = Series(self.table, self.settings.base_points, self.settings.deals)
        self._asked = [Asked(agent, self.table) for agent in self.opponents]
        self.observation_space: spaces.Space[Any]
        self.observation_space, self.action_space = self.table.spaces()
        self._pass = played.parse_action("pass")
        self._seat = NOBODY
        self._over = True
        self._ended_illegally = False
        self._rewarded = 0

    # ------------------------------------------------------------------------------- episodes

    @property
    def game(self) -> Game:
        """The game."""
        return self.table.game

    @property
    def seat(self) -> int:
        """The learner's seat, -1 before the first reset."""
        return self._seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Start an episode and play to the learner's first decision.

        An episode that ends before the learner was asked anything is skipped: the next one is
        played, and ``info`` counts in ``skipped_deals`` and ``skipped_points`` what was.

        Args:
            seed: Start with deal 0 of this seed. Without it the next deal of the last seed is
                played; a first reset draws a seed.
            options: ``"wall"`` (all tiles in the order of dealing, as texts or kinds) and
                ``"dealer"`` (a seat) replace those of the seed for one deal.

        Returns:
            What the learner sees, and infos.

        Raises:
            OptionError: A seed or an option is out of range.
            TileError: The wall holds something that is no tile.
            PositionError: The wall is not four tiles of each kind.
            AgentError: An opponent answered what it was not asked; the environment is as before.
        """
        chosen = parse_options(self.game, options)
        number = None if seed is None else check_seed(seed)
        super().reset(seed=number)
        saved = self._save()
        try:
            skipped_deals, skipped_points = self._start(number, chosen)
        except BaseException:
            self._restore(saved)
            raise
        if self.render_mode == "human":
            self.render()
        info = self._info(self.table.phase())
        info["skipped_deals"] = skipped_deals
        info["skipped_points"] = skipped_points
        return self.table.observe(self._seat), info

    def _start(self, seed: int | None, options: ResetOptions) -> tuple[int, int]:
        """Begin an episode in which the learner is asked; what was skipped: deals and points."""
        skipped_deals = skipped_points = 0
        while True:
            self.series.begin(seed, options, self.np_random)
            self._seat = self._learner_seat()
            self._rewarded = 0
            self._over = self._ended_illegally = False
            if self._play_others():
                return skipped_deals, skipped_points
            skipped_deals += self.series.begun
            skipped_points += self.series.points()[self._seat]
            seed, options = None, ResetOptions()

    def _learner_seat(self) -> int:
        """Its seat in the episode that has just begun."""
        if isinstance(self.learner_seat, int):
            return self.learner_seat
        return self.series.deal // self.series.deals % NUM_SEATS

    def _play_others(self) -> bool:
        """Let opponents answer until the learner is asked; False if the episode ends before."""
        table = self.table
        while True:
            actor = table.actor()
            if actor == self._seat:
                self.series.units = table.units()
                return True
            if actor >= 0:
                table.step(self._asked[(actor - self._seat - 1) % NUM_SEATS]())
                continue
            self.series.units = table.units()
            if self.render_mode == "human" and self.series.begun < self.series.deals:
                self.render()
            if not self.series.advance():
                return False

    def _save(self) -> Any:
        flags = self._seat, self._over, self._ended_illegally, self._rewarded
        return flags, self.series.save()

    def _restore(self, saved: Any) -> None:
        """Undo a call in which an opponent failed: it can be made again."""
        flags, series = saved
        self._seat, self._over, self._ended_illegally, self._rewarded = flags
        self.series.restore(series)

    # ---------------------------------------------------------------------------------- steps

    def step(self, action: SupportsIndex) -> tuple[Observation, SupportsFloat, bool, bool, Info]:
        """Carry out the learner's action and play to its next decision, or to the end.

        Returns:
            Observation, reward, terminated, truncated (always False) and infos.

        Raises:
            IllegalActionError: The action is no integer, or it is not in the menu while
                ``illegal_action`` is ``"raise"``. The table is as before.
            ResetNeeded: There is no episode.
            AgentError: An opponent answered what it was not asked. The table is as before the
                step, which can be made again. The same holds for whatever an opponent raises.
        """
        if self._over:
            raise ResetNeeded("there is no episode, or it is over: call reset()")
        number = self.table.real_action(self._number(action))
        if not (0 <= number < self.game.num_actions and self.table.is_legal(number)):
            return self._refuse(number)
        saved = self._save()
        try:
            self.table.step(number)
            asked = self._play_others()
        except BaseException:
            self._restore(saved)
            raise
        self._over = not asked
        if self.render_mode == "human":
            self.render()
        info = self._info(self.table.phase() if asked else "OVER")
        return self.table.observe(self._seat), self._reward(), self._over, False, info

    def _number(self, action: SupportsIndex) -> int:
        try:
            return index(action)
        except TypeError:
            raise IllegalActionError(
                f"got {action!r}, which is no integer; actions are integers from 0 to "
                f"{self.game.num_actions - 1}"
            ) from None

    def _refuse(self, number: int) -> tuple[Observation, float, bool, bool, Info]:
        """Raise, or end the episode: what was not yet delivered is dropped.

        Terminated alone: Gymnasium's checker, which samples without a mask, refuses an episode
        that is truncated by its first step.
        """
        error = self.table.illegal(number)
        if self.illegal_action == "raise":
            raise error
        self._over = self._ended_illegally = True
        if self.render_mode == "human":
            self.render()
        info = {**self._info("OVER"), "illegal": True, "error": str(error)}
        observation = self.table.observe(self._seat)
        observation["action_mask"] = self._menu()
        return observation, self.settings.illegal_reward, True, False, info

    def _reward(self) -> float:
        units = self.series.total_units()[self._seat]
        change, self._rewarded = units - self._rewarded, units
        if self.settings.reward == "final":
            return float(units) if self._over else 0.0
        return self.settings.reward_of_unit * change

    def _info(self, phase: str) -> Info:
        """What is told beside the observation; ``phase`` is that of the learner."""
        series, seat = self.series, self._seat
        info: Info = {
            "phase": phase,
            "points": np.array(series.points(), np.int64),
            "seat": seat,
            "deal": series.deal,
            "seed": series.seed,
        }
        if series.last_deal is not None:
            last = series.last_deal[seat]
            points = np.array(last["points"], np.int64)
            info["last_deal"] = {**last, "points": points, "ledger": last["ledger"].copy()}
        if self._over:
            info["ledger"] = series.ledger(seat)
        return info

    # ------------------------------------------------------------------------ what is shown

    def _menu(self) -> np.ndarray:
        """The mask that the learner is shown."""
        if self._ended_illegally:
            # The table stopped in the middle: nobody decides anything there any more.
            mask = np.zeros(self.game.num_actions, np.int8)
            mask[self._pass] = 1
            return mask
        return self.table.observe(self._need_seat())["action_mask"]

    def action_masks(self) -> np.ndarray:
        """The menu as bools ``(num_actions,)``, as masked algorithms of Stable-Baselines3 ask."""
        return self._menu().astype(bool)

    def views(self) -> Views:
        """What the learner may know, for agents whose observation is ``"view"``, such as bots."""
        return self.table.views(self._need_seat())

    def _need_seat(self) -> int:
        if self._seat == NOBODY:
            raise ResetNeeded("there is no deal yet: call reset() first")
        return self._seat

    def render(self) -> str | None:
        """The board as text that hides nothing: returned for "ansi", printed for "human"."""
        if self.render_mode is None:
            logger.warn('render() needs render_mode="ansi" or "human" in the constructor')
            return None
        self._need_seat()
        table = self.table
        text = board_and_latest(self.game, table.states[0], table.log, self.settings.rules)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

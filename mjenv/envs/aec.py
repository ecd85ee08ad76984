"""The turn-based environment of PettingZoo: one class for every game, without a rule in it."""

from operator import index
from typing import Any, ClassVar

import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv

from mjenv.core.game import NOBODY, Game, Views
from mjenv.envs.deals import parse_options
from mjenv.envs.one_table import AGENTS, SEATS, Observation, OneTable
from mjenv.envs.series import Info, Series
from mjenv.envs.settings import Settings, one_of
from mjenv.errors import IllegalActionError, OptionError


class AEC(AECEnv[str, Any, Any]):
    """A table of four seats, one of which acts at a time.

    The loop, with an agent that takes any legal action::

        env.reset(seed=7)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            if terminated or truncated:
                action = None
            else:
                action = env.action_space(agent).sample(observation["action_mask"])
            env.step(action)

    A seat may act several times running. All four agents end together, with the deal or match:
    who has won stays, is not asked again, and is paid what later settlements bring.

    ``rewards`` is what the last step brought each seat, and sums to zero. The reward of ``last()``
    is everything since the agent's own last step: a seat that pays for a self-drawn win between
    its turns finds that in its next ``last()``.

    ``infos[agent]`` holds ``phase`` (``"WAIT"`` while another seat is asked, ``"OVER"`` at the
    end), ``points`` of the four seats, and ``deal``, the number of the deal. At the end it gains
    ``ledger``, what the seat's points in the deal were for; within a match ``last_deal`` tells
    the same of the deal before. ``illegal`` is there where an illegal action ended the game.

    Args:
        rules: Rules, a preset, a YAML file or a mapping of options.
        observation: Name of an encoding, such as ``"planes/1"``. A canonical one also numbers the
            actions of masks and steps in its order of suits; infos and errors tell real tiles.
        reward: ``"units"`` (change of own units), ``"points"`` (the same times the base points),
            or ``"final"`` (0 until the end, then all units).
        episode: ``"deal"`` or ``"match"``.
        deals: Deals in a match; the dealer goes round by the rules and points are carried.
        render_mode: ``"ansi"``, ``"human"`` or None.
        illegal_reward: What an illegal action costs where it ends the game.
        on_illegal: ``"raise"`` an :class:`IllegalActionError` and leave the table as it was, or
            ``"terminate"`` the game for all, by PettingZoo's convention.
        info: False leaves every info empty, for libraries that make tensors of all there is in
            it, such as TorchRL.

    Raises:
        OptionError: An argument is none of these.
        RulesError: The rules are unknown or contradictory.
    """

    game: ClassVar[Game]

    def __init__(
        self,
        rules: Any,
        *,
        observation: str = "planes/1",
        reward: str = "units",
        episode: str = "deal",
        deals: int | None = None,
        render_mode: str | None = None,
        illegal_reward: float = -1.0,
        on_illegal: str = "raise",
        info: bool = True,
    ) -> None:
        super().__init__()
        game = self.game
        settings = Settings.check(
            game,
            rules=rules,
            observation=observation,
            reward=reward,
            episode=episode,
            deals=deals,
            illegal_reward=illegal_reward,
        )
        self.rules = settings.rules
        self.observation = settings.observation
        self.reward = settings.reward
        self.episode = episode
        self.deals = settings.deals
        self.illegal_reward = settings.illegal_reward
        modes = (None, *self.metadata["render_modes"])
        self.render_mode = one_of("render_mode", render_mode, modes)
        self.on_illegal = one_of("on_illegal", on_illegal, ("raise", "terminate"))
        self.info = one_of("info", info, (True, False))
        self.table = OneTable(game, self.rules, observation, keep_log=render_mode is not None)

        self.observation_spaces = {}
        self.action_spaces = {}
        for agent in AGENTS:
            self.observation_spaces[agent], self.action_spaces[agent] = self.table.spaces()
        self.state_space = spaces.Box(0, 1, game.oracle_shape, np.int8)
        self.possible_agents = list(AGENTS)

        self.series = Series(self.table, settings.base_points, settings.deals)
        self._factor = settings.reward_of_unit
        self._pass = game.parse_action("pass")
        self._actor = NOBODY
        self._ended_illegally = False
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.infos: dict[str, Info] = {}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of observations: equal for all agents, the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of actions: equal for all agents, the same object at every call."""
        return self.action_spaces[agent]

    # ------------------------------------------------------------------------------- episodes

    @property
    def deal_seed(self) -> int | None:
        """Seed of the series of deals, None before the first reset."""
        return self.series.seed

    @property
    def deal(self) -> int:
        """Number of the deal in the series of its seed, -1 before the first reset."""
        return self.series.deal

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode.

        Args:
            seed: Start with deal 0 of this seed. Without it the next deal of the last seed is
                played; a first reset draws a seed.
            options: ``"wall"`` (all tiles in the order of dealing, as texts or kinds) and
                ``"dealer"`` (a seat) replace those of the seed for one deal.

        Raises:
            OptionError: A seed or an option is out of range.
            TileError: The wall holds something that is no tile.
            PositionError: The wall is not four tiles of each kind.
        """
        chosen = parse_options(self.game, options)
        self.series.begin(seed, chosen, np.random.default_rng())
        self.agents = list(AGENTS)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self._skip_agent_selection = None  # type: ignore[assignment]  # PettingZoo's own None
        self._ended_illegally = False
        self._pay_nothing()
        self._start_deal()
        if self.render_mode == "human":
            self.render()

    def _start_deal(self) -> None:
        self._tell_all()
        self._ask(self.table.actor())

    def _end_deal(self) -> None:
        """Go on to the next deal of a match, or end the episode."""
        if self.render_mode == "human" and self.series.begun < self.series.deals:
            self.render()
        if self.series.advance():
            self._start_deal()
            return
        if self.reward == "final":
            self._give([float(units) for units in self.series.total_units()])
        self._finish(truncated=False)

    def _finish(self, *, truncated: bool) -> None:
        self._actor = NOBODY
        self.agent_selection = AGENTS[0]
        self.terminations = dict.fromkeys(AGENTS, True)
        self.truncations = dict.fromkeys(AGENTS, truncated)
        self._tell_all()
        if not self.info:
            return
        for agent, info in self.infos.items():
            info["phase"] = "OVER"
            info["ledger"] = self.series.ledger(SEATS[agent])

    # ---------------------------------------------------------------------------------- steps

    def step(self, action: Any) -> None:
        """Carry out the action of ``agent_selection``; None for an agent that has finished.

        Raises:
            IllegalActionError: The action is no integer, is given for a finished agent, or is
                not in the menu while ``on_illegal`` is ``"raise"``. The table is as before.
            ResetNeeded: There is no episode.
        """
        if self._actor < 0:
            self._step_finished(action)
            return
        try:
            number = index(action)
        except TypeError:
            raise self._no_action(action) from None
        table = self.table
        number = table.real_action(number)
        if not (0 <= number < self.game.num_actions and table.is_legal(number)):
            self._refuse(number)
            return
        table.step(number)
        self._cumulative_rewards[self.agent_selection] = 0.0
        units = table.units()
        if units != self.series.units:
            self._pay(units)
        elif self._paid:
            self._pay_nothing()
        actor = table.actor()
        if actor >= 0:
            self._ask(actor)
        else:
            self._end_deal()
        if self.render_mode == "human":
            self.render()

    def _ask(self, seat: int) -> None:
        """Select a seat. An info once given out is never changed: a new one replaces it."""
        if seat != self._actor:
            self.infos[self.agent_selection] = self._waiting[self.agent_selection].copy()
            self._actor = seat
            self.agent_selection = AGENTS[seat]
        if not self.info:
            return
        info = self._waiting[self.agent_selection].copy()
        info["phase"] = self.table.phase()
        self.infos[self.agent_selection] = info

    def _step_finished(self, action: object) -> None:
        self._need_agents()
        if action is not None:
            raise IllegalActionError(
                f"{self.agent_selection} has finished and got action {action!r}; "
                "call step(None) for each finished agent, or reset()"
            )
        self._was_dead_step(None)

    def _no_action(self, action: object) -> IllegalActionError:
        hint = "None is for finished agents only" if action is None else "it is no integer"
        return IllegalActionError(
            f"{self.agent_selection} got {action!r}: {hint}; "
            f"actions are integers from 0 to {self.game.num_actions - 1}"
        )

    def _refuse(self, number: int) -> None:
        """Raise, or end the game: what was not yet delivered is dropped for all."""
        error = self.table.illegal(number)
        if self.on_illegal == "raise":
            raise error
        offender = self.agent_selection
        self._ended_illegally = True
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self._give([self.illegal_reward if agent == offender else 0.0 for agent in AGENTS])
        self._finish(truncated=True)
        if self.info:
            for info in self.infos.values():
                info["illegal"] = True
            self.infos[offender]["error"] = str(error)
        if self.render_mode == "human":
            self.render()

    def _need_agents(self) -> None:
        if self.series.deal < 0:
            raise ResetNeeded("there is no deal yet: call reset() first")
        if not self.agents:
            raise ResetNeeded("the episode is over and all agents are gone: call reset()")

    # ----------------------------------------------------------------------- rewards and infos

    def _pay(self, units: list[int]) -> None:
        """Hand out the change of units since the last step."""
        factor, before = self._factor, self.series.units
        self._give([factor * (new - old) for new, old in zip(units, before, strict=True)])
        self.series.units = units
        self._tell_all()

    def _give(self, amounts: list[float]) -> None:
        self.rewards = dict(zip(AGENTS, amounts, strict=True))
        self._accumulate_rewards()
        self._paid = True

    def _pay_nothing(self) -> None:
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._paid = False

    def _tell_all(self) -> None:
        """Renew all infos: points were paid, or a deal begins or ends."""
        if not self.info:
            self._waiting: dict[str, Info] = {agent: {} for agent in AGENTS}
            self.infos = {agent: {} for agent in AGENTS}
            return
        series = self.series
        common: Info = {"phase": "WAIT", "points": series.points(), "deal": series.deal}
        self._waiting = {agent: common.copy() for agent in AGENTS}
        if series.last_deal is not None:
            for agent, info in self._waiting.items():
                info["last_deal"] = series.last_deal[SEATS[agent]]
        self.infos = {agent: info.copy() for agent, info in self._waiting.items()}

    # --------------------------------------------------------------------------- observations

    def observe(self, agent: str) -> Observation:
        """What an agent sees now, asked or not, in arrays of its own.

        Returns:
            ``observation``, the encoding of the seat's view, and ``action_mask`` int8: the menu
            if the seat is asked, zeros while another is, ``pass`` alone once it has won or the
            game is over.

        Raises:
            ResetNeeded: There is no deal yet.
        """
        if self.series.deal < 0:
            self._need_agents()
        try:
            seat = SEATS[agent]
        except (KeyError, TypeError):
            raise OptionError(f"no agent {agent!r}; agents are {', '.join(AGENTS)}") from None
        observation = self.table.observe(seat)
        if self._ended_illegally:
            # The table stopped in the middle: nobody decides anything there any more.
            observation["action_mask"][:] = 0
            observation["action_mask"][self._pass] = 1
        return observation

    def views(self, agent: str) -> Views:
        """What an agent may know, for agents whose observation is ``"view"``, such as bots."""
        if self.series.deal < 0:
            self._need_agents()
        return self.table.views(SEATS[agent])

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, Info]:
        """Observation, reward since its last step, flags and info of ``agent_selection``."""
        agent = self.agent_selection
        if agent not in self.infos:
            self._need_agents()
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> np.ndarray:
        """Everything about the table as numbers, seen from ``player_0``.

        For critics that may know more than an agent: it holds hidden tiles.
        """
        if self.series.deal < 0:
            self._need_agents()
        return self.table.oracle(0)

    # ------------------------------------------------------------------------------ rendering

    def render(self) -> str | None:
        """The board as text that hides nothing: returned for "ansi", printed for "human"."""
        if self.render_mode is None:
            logger.warn('render() needs render_mode="ansi" or "human" in the constructor')
            return None
        if self.series.deal < 0:
            self._need_agents()
        text = self.board()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def board(self) -> str:
        """The board as text that hides nothing; each game draws its own."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is held open: the environment can still be used."""

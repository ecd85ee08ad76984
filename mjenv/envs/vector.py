"""The vector environment of Gymnasium: a learner at each of many tables, one call a step."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mjenv.core.setup import SEED_LIMIT, check_seed
from mjenv.envs.answers import at_least_one, refusal
from mjenv.envs.deals import ResetOptions, parse_options
from mjenv.envs.learners import Learners
from mjenv.envs.one_table import Observation, spaces_of
from mjenv.envs.opponents import opponents_of, seat_or_rotate
from mjenv.envs.settings import Settings, one_of
from mjenv.envs.vector_info import InfoArrays, Infos, put
from mjenv.errors import IllegalActionError, OptionError
from mjenv.games import game_by_name
from mjenv.render.text import table_text

Stepped = tuple[Observation, np.ndarray, np.ndarray, np.ndarray, Infos]
NEXT_OF_THE_LAST = -1
"""Instead of a seed: the next deal of the last one."""


class SingleSeats(VectorEnv[Observation, np.ndarray, np.ndarray]):
    """Many tables with one learner each, all stepped by one call.

    Environment ``i`` is :class:`~mjenv.envs.single.SingleSeat` with seed ``seed + i``: the same
    actions bring the same observations, rewards and infos. Docs: docs/environments.md.

    Args:
        num_envs: How many tables.
        opponents: As there; compiled bots play inside the compiled loop, other agents and
            functions are asked at all tables that wait for them at once.
        rules: As there.
        observation: As there.
        reward: As there.
        learner_seat: As there.
        episode: As there.
        deals: As there.
        illegal_action: As there.
        illegal_reward: As there.
        render_mode: ``"ansi"`` or None.
        autoreset_mode: ``AutoresetMode.SAME_STEP``, ``NEXT_STEP`` or ``DISABLED``, or its name.
        copy: Return new observations at every call. Otherwise they are written to the same two
            arrays at every call.
        num_threads: Slices of the tables that are played side by side.
        game: Name of the game.

    Raises:
        OptionError: An argument is none of these.
        AgentError: An opponent is unknown or cannot play the game.
        RulesError: The rules are unknown or contradictory.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # declared so by Gymnasium
        "render_modes": ["ansi"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
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
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        num_threads: int = 1,
        game: str = "sichuan",
    ) -> None:
        played = game_by_name(game)
        self.num_envs = at_least_one("num_envs", num_envs)
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
        self.render_mode = one_of("render_mode", render_mode, (None, "ansi"))
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.copy = bool(copy)
        self.opponents = opponents_of(opponents, played, observation)
        self.learners = Learners(
            self.num_envs, self.opponents, self.settings, self.learner_seat, played, num_threads
        )
        self.single_observation_space: spaces.Space[Any]
        self.single_observation_space, self.single_action_space = spaces_of(played, observation)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

        self._infos = InfoArrays(self.learners, self.settings.base_points)
        self._pass = played.parse_action("pass")
        self._rows = np.arange(self.num_envs)
        self._begun = np.zeros(self.num_envs, bool)
        self._done = np.ones(self.num_envs, bool)
        self._refused: dict[int, str] = {}
        self._rewarded = np.zeros(self.num_envs, np.int64)
        self._buffers: Observation | None = None

    # ------------------------------------------------------------------------------- episodes

    def reset(
        self,
        *,
        seed: Any = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, Infos]:
        """Start an episode at every table, or where ``reset_mask`` says.

        Args:
            seed: Deal 0 of ``seed + i`` at table ``i``, or of the seeds of a list; None in it, or
                instead of it, goes on to the next deal of the last seed.
            options: ``"reset_mask"``, ``(num_envs,)`` bool, where to start; ``"wall"`` and
                ``"dealer"`` replace those of the seeds for one deal.

        Returns:
            Observations of all tables, infos of those that were reset.

        Raises:
            OptionError: A seed or an option is out of range.
            TileError: The wall holds something that is no tile.
            PositionError: The wall is not four tiles of each kind.
            AgentError: An opponent answered what it was not asked; everything is as before.
        """
        learners = self.learners
        chosen = parse_options(learners.batch.game, options)
        rows = self._reset_mask(options)
        seeds = self._seeds(seed)
        if seed is not None and np.ndim(seed) == 0:
            super().reset(seed=int(seeds[0]))
        seeds = self._drawn(seeds, rows)
        saved = learners.save()
        try:
            skipped = self._begin(rows, seeds, chosen)
        except BaseException:
            learners.restore(saved)
            raise
        infos = self._infos.of(rows, self._done, self._refused)
        self._put_skipped(infos, rows, skipped)
        return self._observe(), infos

    def _reset_mask(self, options: Mapping[str, Any] | None) -> np.ndarray:
        mask = None if options is None else options.get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, bool)
        kind = getattr(mask, "dtype", type(mask).__name__)
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or kind != np.bool_:
            raise OptionError(
                f"reset_mask: got {kind} {np.shape(mask)}; allowed: an array ({self.num_envs},) of "
                "bool"
            )
        if not mask.any():
            raise OptionError("reset_mask: got no True; allowed: at least one table to reset")
        return mask.copy()

    def _seeds(self, seed: Any) -> np.ndarray:
        """Seeds of the tables, ``NEXT_OF_THE_LAST`` where none is given."""
        if seed is None:
            return np.full(self.num_envs, NEXT_OF_THE_LAST, np.int64)
        if np.ndim(seed) == 0:
            check_seed(check_seed(seed) + self.num_envs - 1)
            return check_seed(seed) + self._rows
        given = list(seed)
        if len(given) != self.num_envs:
            raise OptionError(f"seed: got {len(given)} seeds; allowed: one, or {self.num_envs}")
        seeds = [NEXT_OF_THE_LAST if item is None else check_seed(item) for item in given]
        return np.array(seeds, np.int64)

    def _drawn(self, seeds: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Seeds for tables that have none and never had one."""
        without = rows & ~self._begun & (seeds == NEXT_OF_THE_LAST)
        if not without.any():
            return seeds
        first = int(self.np_random.integers(SEED_LIMIT - self.num_envs))
        return np.where(without, first + self._rows, seeds)

    def _begin(
        self, rows: np.ndarray, seeds: np.ndarray, options: ResetOptions
    ) -> tuple[np.ndarray, np.ndarray]:
        """Begin episodes at some tables; what was skipped there: deals and points."""
        deals, units = self.learners.begin(rows, seeds, options)
        self._begun |= rows
        self._done &= ~rows
        self._rewarded[rows] = 0
        self._refused = {table: told for table, told in self._refused.items() if not rows[table]}
        return deals, self.settings.base_points * units

    def _put_skipped(
        self, infos: Infos, rows: np.ndarray, skipped: tuple[np.ndarray, np.ndarray]
    ) -> None:
        put(infos, "skipped_deals", skipped[0], rows)
        put(infos, "skipped_points", skipped[1], rows)

    @property
    def decisions(self) -> int:
        """Decisions of learners and opponents at all tables since the first reset."""
        learners = self.learners
        return learners.decisions + int(learners.batch.tables["num_decisions"].sum())

    # ---------------------------------------------------------------------------------- steps

    def step(self, actions: np.ndarray) -> Stepped:
        """Carry out the learners' actions and play to their next decisions.

        Args:
            actions: ``(num_envs,)`` integers. With ``NEXT_STEP``, those of tables whose episode
                is over mean nothing.

        Returns:
            Observations, rewards ``(num_envs,)`` float64, terminations, truncations (all False)
            and infos.

        Raises:
            IllegalActionError: The array is of another shape or kind, or an action is not in its
                menu while ``illegal_action`` is ``"raise"``. No table has changed.
            ResetNeeded: An episode is over, or none was begun.
            AgentError: An opponent answered what it was not asked. All tables are as before the
                step, which can be made again. The same holds for whatever an opponent raises.
        """
        moving = ~self._done
        self._need_episodes(moving)
        chosen, refused = self._check(actions, moving)
        playing = moving.copy()
        playing[list(refused)] = False
        saved = self.learners.save(), self._rewarded.copy(), self._refused
        try:
            return self._play(chosen, playing, moving, refused)
        except BaseException:
            self.learners.restore(saved[0])
            self._rewarded, self._refused = saved[1:]
            self._done = ~moving
            raise

    def _play(
        self,
        actions: np.ndarray,
        playing: np.ndarray,
        moving: np.ndarray,
        refused: dict[int, str],
    ) -> Stepped:
        ended = self.learners.step(actions, playing)
        ended[list(refused)] = True
        rewards = self._rewards(ended, moving, refused)
        self._refused = {**self._refused, **refused}
        final: Infos = {}
        begin = ended
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            if ended.any():
                final = self._final(ended)
        else:
            # DISABLED: all are moving, so that none begins.
            begin = ~moving
            self._done = self._done | ended
        skipped = None
        if begin.any():
            nothing = np.full(self.num_envs, NEXT_OF_THE_LAST, np.int64)
            skipped = self._begin(begin, nothing, ResetOptions())
        everywhere = np.ones(self.num_envs, bool)
        infos = self._infos.of(everywhere, self._done, self._refused)
        if skipped is not None:
            self._put_skipped(infos, begin, skipped)
        infos.update(final)
        return self._observe(), rewards, ended, np.zeros(self.num_envs, bool), infos

    def _need_episodes(self, moving: np.ndarray) -> None:
        if not self._begun.all():
            raise ResetNeeded("there are no episodes yet: call reset() first")
        if self.autoreset_mode is AutoresetMode.DISABLED and not moving.all():
            raise ResetNeeded(
                f"table {int(np.argmin(moving))}: its episode is over; call "
                'reset(options={"reset_mask": terminations}) before the next step'
            )

    def _check(self, actions: Any, moving: np.ndarray) -> tuple[np.ndarray, dict[int, str]]:
        """Real actions ``(num_envs,)`` int64, and what is to say of illegal ones, by table."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise IllegalActionError(
                f"actions: got {given.dtype} {given.shape}; allowed: whole numbers "
                f"({self.num_envs},)"
            )
        batch = self.learners.batch
        menus = batch.menus.real
        chosen = batch.menus.real_actions(given, batch.tables, batch.actors).astype(np.int64)
        known = (chosen >= 0) & (chosen < batch.game.num_actions)
        legal = known & (menus[self._rows, np.where(known, chosen, 0)] == 1)
        refused = {}
        for table in np.flatnonzero(moving & ~legal).tolist():
            told = refusal(batch.game, batch.tables[table], menus[table], int(chosen[table]))
            if self.illegal_action == "raise":
                raise IllegalActionError(f"table {table}: {told}")
            refused[table] = told
        return chosen, refused

    def _rewards(
        self, ended: np.ndarray, moving: np.ndarray, refused: dict[int, str]
    ) -> np.ndarray:
        units = self.learners.own_units()
        if self.settings.reward == "final":
            rewards = np.where(ended, units, 0).astype(np.float64)
        else:
            rewards = (units - self._rewarded) * np.float64(self.settings.reward_of_unit)
        self._rewarded = units
        rewards[~moving] = 0.0
        rewards[list(refused)] = self.settings.illegal_reward
        return rewards

    def _final(self, ended: np.ndarray) -> Infos:
        """Last observations and infos of episodes that are about to be replaced."""
        tables = np.flatnonzero(ended)
        observations = np.full(self.num_envs, None, object)
        for table, cells in zip(tables, self.learners.observed(tables), strict=True):
            mask = self._only_pass()
            observations[table] = {"observation": cells.copy(), "action_mask": mask}
        final: Infos = {}
        put(final, "final_obs", observations, ended)
        put(final, "final_info", self._infos.of(ended, ended, self._refused), ended)
        return final

    # ------------------------------------------------------------------------ what is shown

    def _only_pass(self) -> np.ndarray:
        mask = np.zeros(self.learners.batch.game.num_actions, np.int8)
        mask[self._pass] = 1
        return mask

    def _observe(self) -> Observation:
        """What all learners see now."""
        batch, seats = self.learners.batch, self.learners.seats
        if self.copy or self._buffers is None:
            shape = (self.num_envs, *batch.encoding.shape)
            self._buffers = {
                "observation": np.empty(shape, batch.encoding.dtype),
                "action_mask": np.empty_like(batch.masks),
            }
        shown = self._buffers
        batch.observe(seats, out=shown["observation"])
        self._masks(shown["action_mask"])
        if self.copy:
            self._buffers = None
        return dict(shown)

    def _masks(self, out: np.ndarray) -> np.ndarray:
        """Write the masks that the learners are shown."""
        np.copyto(out, self.learners.batch.masks)
        out[self._done] = self._only_pass()
        return out

    def action_masks(self) -> np.ndarray:
        """The menus as bools ``(num_envs, num_actions)``."""
        if not self._begun.any():
            raise ResetNeeded("there are no episodes yet: call reset() first")
        return self._masks(np.empty_like(self.learners.batch.masks)).astype(bool)

    def render(self) -> tuple[str, ...] | None:
        """The boards as texts that hide nothing."""
        if self.render_mode is None:
            logger.warn('render() needs render_mode="ansi" in the constructor')
            return None
        if not self._begun.all():
            raise ResetNeeded("there are no episodes yet: call reset() first")
        base_points = self.settings.base_points
        return tuple(table_text(state, base_points) for state in self.learners.batch.tables)


def _autoreset_mode(value: Any) -> AutoresetMode:
    for mode in AutoresetMode:
        if value == mode or str(value).replace("_", "").lower() == mode.value.lower():
            return mode
    names = ", ".join(repr(mode.name.lower()) for mode in AutoresetMode)
    raise OptionError(f"autoreset_mode: got {value!r}; allowed: {names}, or an AutoresetMode")

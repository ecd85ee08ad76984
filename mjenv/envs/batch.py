"""Self-play over many tables: everything as arrays, one compiled call a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mjenv.core.batch import choose_all, deal_all, observe_all, oracle_all, step_all
from mjenv.core.cells import copy_records
from mjenv.core.game import NUM_SEATS, Encoding
from mjenv.core.kernel import Argument
from mjenv.core.rng import new_generator
from mjenv.errors import IllegalActionError, MjenvError
from mjenv.games import game_by_name, rules_of


@dataclass(frozen=True)
class Step:
    """What one step of a batch brought.

    Attributes:
        rewards: ``(num_tables, 4)`` int32, change of points of every seat in units. The batch
            writes the same array at every step.
        finished: ``(k,)`` state records of the deals that ended, as they ended.
        finished_tables: ``(k,)`` int32, the tables they were played at; these have already been
            dealt anew.
    """

    rewards: np.ndarray
    finished: np.ndarray
    finished_tables: np.ndarray


class Batch:
    """Many tables of one game, stepped together; finished tables start their next deal.

    Table ``i`` plays the deals of seed ``seed + i``, by ``rules[i % len(rules)]``.

    Args:
        num_tables: How many tables.
        rules: Rules or what names them; a list plays different house rules side by side.
        seed: Seed of table 0.
        observation: Name of an encoding of the game.
        skip_forced: Play decisions with a single legal action by itself; rewards add up over
            what was skipped. About a third of all decisions.
        game: Name of the game.

    Attributes:
        tables: ``(num_tables,)`` state records.
        actors: ``(num_tables,)`` int8, the seat asked at each table.
        masks: ``(num_tables, num_actions)`` int8, its menu.
        observations: ``(num_tables, *shape)``, filled by :meth:`observe`.
    """

    def __init__(
        self,
        num_tables: int,
        rules: Any = "qq",
        seed: int = 0,
        observation: str = "planes/1",
        *,
        skip_forced: bool = False,
        game: str = "sichuan",
    ) -> None:
        if num_tables < 1:
            raise MjenvError(f"num_tables: got {num_tables}; allowed: 1 or more")
        self.game = game_by_name(game)
        named = rules if isinstance(rules, Sequence) and not isinstance(rules, str) else [rules]
        self.rules = tuple(rules_of(item, game) for item in named)
        self.encoding = self._encoding(observation)
        self.skip_forced = skip_forced
        self.seed = seed
        self._packed = np.concatenate([item.pack() for item in self.rules])
        self._luts = self.game.luts()
        self._views = np.zeros(1, self.game.view_dtype)
        self._rng = new_generator()
        self._logs = np.zeros((num_tables, 0), self.game.event)
        self.tables = np.zeros(num_tables, self.game.state)
        self.actors = np.zeros(num_tables, np.int8)
        self.masks = np.zeros((num_tables, self.game.num_actions), np.int8)
        self.observations = np.zeros((num_tables, *self.encoding.shape), self.encoding.dtype)
        self._rewards = np.zeros((num_tables, NUM_SEATS), np.int32)
        self._finished = np.zeros(num_tables, self.game.state)
        self._finished_tables = np.zeros(num_tables, np.int32)
        self.reset(seed)

    def _encoding(self, name: str) -> Encoding:
        if name not in self.game.encodings:
            known = ", ".join(self.game.encodings)
            raise MjenvError(f"observation: got {name!r}; allowed: {known}")
        return self.game.encodings[name]

    @property
    def num_tables(self) -> int:
        """How many tables."""
        return len(self.tables)

    def reset(self, seed: int | None = None) -> None:
        """Deal 0 of every table's seed."""
        self.seed = self.seed if seed is None else seed
        deal_all(
            self.tables,
            self._packed,
            self._luts,
            self.masks,
            self.actors,
            self.seed,
            self._logs,
            int(self.skip_forced),
            self.game.new_deal,
            self.game.legal,
            self.game.step,
        )

    def observe(self, seats: np.ndarray | None = None) -> np.ndarray:
        """Fill and return :attr:`observations`, of the acting seats or of ``seats``.

        Args:
            seats: ``(num_tables,)`` int8; where it is -1 the row is left as it was.
        """
        observe_all(
            self.tables,
            self._packed,
            self._luts,
            self.actors if seats is None else seats,
            self._views,
            self.observations.reshape(self.num_tables, self.encoding.size),
            self.game.view,
            self.encoding.observe,
        )
        return self.observations

    def oracle(self) -> np.ndarray:
        """Everything about every table as its acting seat sees it, for critics.

        Returns:
            A new array ``(num_tables, *oracle_shape)`` int8.
        """
        out = np.zeros((self.num_tables, int(np.prod(self.game.oracle_shape))), np.int8)
        oracle_all(self.tables, self._packed, self.actors, out, self.game.oracle)
        return out.reshape(self.num_tables, *self.game.oracle_shape)

    def choose(self, bot: Argument, player: int, players: np.ndarray, actions: np.ndarray) -> None:
        """Let a compiled bot write its actions wherever it is asked.

        Args:
            bot: From ``Game.bot``.
            player: The bot's number in ``players``.
            players: ``(num_tables, 4)`` int8, which player sits where.
            actions: ``(num_tables,)`` int64, receives the actions of this player.
        """
        choose_all(
            self.tables,
            self._packed,
            self._luts,
            self.masks,
            players,
            player,
            actions,
            self._views,
            self._rng,
            self.game.view,
            bot,
        )

    def rollout(
        self,
        bots: Any,
        n: int = 1,
        *,
        actions: Any = None,
        redeal_for: Any = None,
        seed: int = 0,
    ) -> np.ndarray:
        """Play every table on to the end of its deal, ``n`` times, leaving it as it is.

        See :func:`mjenv.rollout`, which also takes a single table; the arguments are its own.
        """
        from mjenv.envs.rollout import rollout

        return rollout(self, bots, n, actions=actions, redeal_for=redeal_for, seed=seed)

    def step(self, actions: np.ndarray) -> Step:
        """One decision at every table.

        Args:
            actions: ``(num_tables,)`` integers, each legal at its table.

        Raises:
            IllegalActionError: An action is not in its menu; no table has changed.
        """
        actions = np.asarray(actions, np.int64)
        self._check(actions)
        ended = step_all(
            self.tables,
            self._packed,
            self._luts,
            actions,
            self.masks,
            self.actors,
            self._rewards,
            self._finished,
            self._finished_tables,
            self._logs,
            int(self.skip_forced),
            self.game.new_deal,
            self.game.legal,
            self.game.step,
        )
        return Step(
            self._rewards,
            copy_records(self._finished[:ended]),
            self._finished_tables[:ended].copy(),
        )

    def _check(self, actions: np.ndarray) -> None:
        if actions.shape != (self.num_tables,):
            raise IllegalActionError(
                f"actions: got shape {actions.shape}; allowed: ({self.num_tables},)"
            )
        known = (actions >= 0) & (actions < self.game.num_actions)
        legal = known & (self.masks[np.arange(self.num_tables), np.where(known, actions, 0)] == 1)
        if not legal.all():
            self._explain(int(np.argmin(legal)), actions)

    def _explain(self, table: int, actions: np.ndarray) -> None:
        phase = self.game.phases(int(self.tables[table]["phase"])).name
        exchange = phase == "EXCHANGE"
        action = int(actions[table])
        known = 0 <= action < self.game.num_actions
        refused = IllegalActionError.at_table(
            seat=int(self.actors[table]),
            action=self.game.action_text(action, exchange) if known else str(action),
            phase=phase,
            legal=[
                self.game.action_text(int(item), exchange)
                for item in np.flatnonzero(self.masks[table])
            ],
        )
        raise IllegalActionError(f"table {table}: {refused}")

"""One table for environments that play one deal at a time."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces

from mjenv.core.cells import copy_records
from mjenv.core.game import NUM_SEATS, Game, Views
from mjenv.core.kernel import entry_point
from mjenv.core.relabelling import Relabelling
from mjenv.envs.deals import ResetOptions
from mjenv.errors import IllegalActionError
from mjenv.games import game_by_name

AGENTS = tuple(f"player_{seat}" for seat in range(NUM_SEATS))
SEATS = {agent: seat for seat, agent in enumerate(AGENTS)}

Observation = dict[str, np.ndarray]


class OneTable:
    """A table, its rules and one encoding of it, called through the fixed kernels of its game.

    Args:
        game: The game.
        rules: Rules of that game.
        observation: Name of an encoding.
        keep_log: Whether the events of a deal are kept for rendering.

    Attributes:
        states: The table, an array of one state. To change it is to change the game.
        log: ``(max_events,)`` events of the deal, empty unless they are kept.
        rules: The rules, packed.
        luts: Lookup tables of the game.
        menu: ``(num_actions,)`` int8, the menu of the seat that is asked; zeros at the end.
        actor: Returns who is asked, -1 when the deal is over.
        units: Returns the points of the four seats in units, a new list.
        is_legal: Returns whether an action, 0 to ``num_actions - 1``, is in the menu.
    """

    actor: Callable[[], int]
    units: Callable[[], list[int]]
    is_legal: Callable[[int], int]

    def __init__(self, game: Game, rules: Any, observation: str, keep_log: bool) -> None:
        self.game = game
        self.observation = observation
        self.states = np.zeros(1, game.state)
        self.log = np.zeros(game.max_events if keep_log else 0, game.event)
        self.rules = rules.pack()
        self.menu = np.zeros(game.num_actions, np.int8)
        self._views = np.zeros(1, game.view_dtype)
        self._shape = game.encodings[observation].shape
        self._dtype = game.encodings[observation].dtype
        self._bind()

    def _bind(self) -> None:
        """Look up once what a step needs: attribute chains would cost as much as the step."""
        self.luts = self.game.luts()
        self._step_at = self.game.step_at
        self._observe_at = self.game.observe_at[self.observation]
        self._linked = False
        self._relabelling = self.game.encodings[self.observation].relabelling
        self._num_actions = self.game.num_actions
        self._bytes = self.states.view(np.uint8)
        self._phase = self.states["phase"].item
        self._phase_names = {int(phase): phase.name for phase in self.game.phases}
        self.actor = self.states["actor"].item
        self.units = self.states["points"][0].tolist
        self.is_legal = self.menu.item

    def __getstate__(self) -> dict[str, Any]:
        """The arrays, and the game by name: no compiled functions, no lookup tables."""
        bound = {"luts", "_step_at", "_observe_at", "_bytes", "_phase"}
        bound |= {"actor", "units", "is_legal", "_relabelling"}
        state = {name: value for name, value in self.__dict__.items() if name not in bound}
        return {**state, "game": self.game.name}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.game = game_by_name(state["game"])
        self._bind()

    # ------------------------------------------------------------------------------ the table

    def _link(self) -> None:
        """Reach the two kernels of every turn without a search; compiles them if need be."""
        table = self.states, 0, self.rules, self.luts
        shown = np.empty(self._shape, self._dtype), np.empty_like(self.menu)
        self._step_at = entry_point(self.game.step_at, *table, 0, self.log, self.menu)
        self._observe_at = entry_point(
            self.game.observe_at[self.observation], *table, 0, self.menu, self._views, *shown
        )
        self._linked = True

    def deal(self, seed: int, deal: int, options: ResetOptions) -> None:
        """Deal ``deal`` of ``seed``; ``options`` replace its wall and its dealer."""
        if not self._linked:
            self._link()
        state = self.states[0]
        state["seed"] = seed
        state["deal"] = deal
        state["dealer"] = options.dealer
        self.game.deal_at(self.states, 0, self.rules, self.luts, self.menu)
        if options.wall is not None:
            # Dealt again: dealer and exchange direction stay those of the seed.
            state["wall"][:] = options.wall
            self.game.deal_wall_at(self.states, 0, self.rules, self.luts, self.menu)

    def step(self, action: int) -> None:
        """Carry out a legal action."""
        self._step_at(self.states, 0, self.rules, self.luts, action, self.log, self.menu)

    def save(self) -> tuple[np.ndarray, np.ndarray]:
        """What :meth:`restore` needs to bring back the table as it is now."""
        return self._bytes.copy(), self.menu.copy()

    def restore(self, saved: tuple[np.ndarray, np.ndarray]) -> None:
        """Undo what has happened since :meth:`save`."""
        self._bytes[:], self.menu[:] = saved

    def phase(self) -> str:
        """Name of the phase."""
        return self._phase_names[self._phase()]

    def next_dealer(self) -> int:
        """Who deals after a finished deal, -1 for dice."""
        return int(self.game.next_dealer_at(self.states, 0, self.rules))

    def ledger(self, seat: int) -> dict[str, int]:
        """What the units of a seat were for."""
        row = self.states["ledger"][0, seat].tolist()
        return {column.name.lower(): row[column] for column in self.game.ledger}

    def illegal(self, action: int) -> IllegalActionError:
        """The error for an action that is not in the menu."""
        phase = self.phase()
        known = 0 <= action < self._num_actions
        return IllegalActionError.at_table(
            seat=self.actor(),
            action=self.game.text_of(action, phase) if known else f"action {action}",
            phase=phase,
            legal=self.game.menu_of(self.menu, phase),
        )

    # -------------------------------------------------------------------------------- actions

    def real_action(self, shown: int, encoding: str | None = None) -> int:
        """The action that has this number in a mask of the seat that is asked.

        Args:
            shown: The number.
            encoding: Of the mask, if it is not that of the table.
        """
        relabelling = self._relabelling
        if encoding is not None:
            relabelling = self.game.encodings[encoding].relabelling
        if relabelling is None or not 0 <= shown < self._num_actions:
            return shown
        return int(relabelling.real.item(self._order(relabelling), shown))

    def shown_action(self, action: int) -> int:
        """The number of a legal action in the mask of the seat that is asked."""
        if self._relabelling is None:
            return action
        return int(self._relabelling.shown.item(self._order(self._relabelling), action))

    def _order(self, relabelling: Relabelling) -> int:
        """The row of a relabelling for the seat that is asked."""
        return int(self.states[relabelling.field].item(self.actor())) + 1

    # --------------------------------------------------------------------------- observations

    def spaces(self) -> tuple[spaces.Dict, spaces.Discrete]:
        """A new space of observations and a new space of actions, of any one seat."""
        return spaces_of(self.game, self.observation)

    def observe(self, seat: int) -> Observation:
        """What a seat sees now and the mask it is shown, in arrays of their own.

        The mask has the encoding's numbers of actions, :meth:`real_action` tells which they are.
        """
        cells = np.empty(self._shape, self._dtype)
        mask = np.empty(self._num_actions, np.int8)
        self._observe_at(
            self.states, 0, self.rules, self.luts, seat, self.menu, self._views, cells, mask
        )
        return {"observation": cells, "action_mask": mask}

    def observe_as(self, seat: int, encoding: str) -> Observation:
        """The same with any encoding of the game."""
        form = self.game.encodings[encoding]
        cells = np.empty(form.shape, form.dtype)
        table = self.states, 0, self.rules, self.luts
        mask = np.empty_like(self.menu)
        self.game.observe_at[encoding](*table, seat, self.menu, self._views, cells, mask)
        return {"observation": cells, "action_mask": mask}

    def views(self, seat: int) -> Views:
        """What a seat may know, as a batch of one view, in arrays of their own."""
        views = np.zeros(1, self.game.view_dtype)
        self.game.view_at(self.states, 0, self.rules, seat, views)
        return Views(views, copy_records(self.rules))

    def oracle(self, seat: int) -> np.ndarray:
        """Everything about the table as numbers, seen from ``seat``."""
        out = np.empty(self.game.oracle_shape, np.int8)
        self.game.oracle_at(self.states, 0, self.rules, seat, out.reshape(-1))
        return out


def spaces_of(game: Game, observation: str) -> tuple[spaces.Dict, spaces.Discrete]:
    """A new space of observations of an encoding, and a new space of actions."""
    encoding = game.encodings[observation]
    cells = spaces.Box(encoding.low, encoding.high, encoding.shape, encoding.dtype.type)
    mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
    observations = spaces.Dict({"observation": cells, "action_mask": mask})
    return observations, spaces.Discrete(game.num_actions)

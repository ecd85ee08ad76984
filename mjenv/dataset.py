"""Data sets for imitation: what agents saw and did in records, as arrays on disk.

A data set is a folder of ``.npy`` files, opened without reading them, and a description of them.
Row ``i`` of the arrays by decision belongs together, row ``d`` of those by deal.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mjenv.core.cells import copy_records
from mjenv.core.columns import Column, new_folder
from mjenv.core.game import NUM_SEATS, Encoding, Game
from mjenv.core.record import Deal
from mjenv.errors import DatasetError, OptionError, RecordError
from mjenv.records import replay
from mjenv.version import __version__

FORMAT = 1
"""Version of the folder."""
DESCRIPTION = "dataset.json"
BY_DECISION = ("observations", "masks", "actions", "seats", "deals", "agents", "returns")
BY_DEAL = ("units", "deal_rules")


@dataclass(frozen=True)
class Dataset:
    """Decisions of records; arrays are mapped from the disk, read-only.

    Attributes:
        observations: ``(N, *shape)``, of the seat that decided, of the dtype of the encoding.
        masks: ``(N, num_actions)`` int8, its menu.
        actions: ``(N,)`` int64, what it did. Menus and actions have the numbers that the encoding
            shows.
        seats: ``(N,)`` int8.
        deals: ``(N,)`` int32, row of the deal in the arrays by deal. Split by it: decisions of one
            deal are not independent.
        agents: ``(N,)`` int16, index of the agent's name in :attr:`names`.
        returns: ``(N,)`` int32, units that the seat gained from this decision to the end of the
            deal.
        units: ``(D, 4)`` int32, units of all seats at the end of each deal.
        deal_rules: ``(D,)`` int16, index of the rules in ``description["rules"]``.
        description: What the folder says of itself: see docs/records.md.
    """

    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    seats: np.ndarray
    deals: np.ndarray
    agents: np.ndarray
    returns: np.ndarray
    units: np.ndarray
    deal_rules: np.ndarray
    description: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def names(self) -> list[str]:
        """Names of agents, in the order of their numbers in :attr:`agents`."""
        names: list[str] = self.description["agents"]
        return names


def load_dataset(folder: str | Path) -> Dataset:
    """Open a data set; its arrays are read as they are used.

    Raises:
        DatasetError: The folder holds none, or something of it is missing or damaged.
        OSError: It cannot be read.
    """
    path = Path(folder)
    file = path / DESCRIPTION
    if path.is_dir() and not file.is_file():
        raise DatasetError(f"{path} is no data set: there is no {DESCRIPTION} in it")
    try:
        description = json.loads(file.read_text(encoding="utf-8"))
        counts = description["decisions"], description["deals"]
        version = description["format"]
    except (ValueError, TypeError, KeyError) as error:
        raise DatasetError(f"{file} is damaged: {error!r}") from None
    if version != FORMAT:
        raise DatasetError(f"{file}: format is {version!r}; this mjenv reads {FORMAT}")
    lengths = dict.fromkeys(BY_DECISION, counts[0]) | dict.fromkeys(BY_DEAL, counts[1])
    arrays = {name: _mapped(path / f"{name}.npy", length) for name, length in lengths.items()}
    return Dataset(**arrays, description=description)


def _mapped(file: Path, length: int) -> np.ndarray:
    try:
        array = np.load(file, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, FileNotFoundError) as error:
        raise DatasetError(f"{file} is missing or damaged: {error}") from None
    if array.ndim == 0 or len(array) != length:
        raise DatasetError(f"{file} has the shape {array.shape}; it must have {length} rows")
    mapped: np.ndarray = array
    return mapped


def write_dataset(
    records: str | Path | Iterable[str | Path],
    observation: str,
    out: str | Path,
    *,
    agents: str | Sequence[str] | None = None,
    skip_forced: bool = False,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Turn records into a data set. One deal at a time is in memory.

    Args:
        records: A file or several, which are verified as they are read.
        observation: Name of an encoding of the game, with its version.
        out: Folder to make. It appears when everything is written; nothing is left if that fails.
        agents: Keep only the decisions of agents of this name, or of these.
        skip_forced: Leave out decisions with a single legal action.
        progress: Called after every deal with the number of deals so far.

    Returns:
        How many decisions it holds.

    Raises:
        RecordError: The first fault of a record, with file and line.
        OptionError: There is no such encoding, or no decision or agent is left to keep.
        OSError: A record cannot be read, or the folder exists or cannot be written.
    """
    paths = [Path(item) for item in ([records] if isinstance(records, str | Path) else records)]
    if not paths:
        raise OptionError("records: got none; allowed: one file or more")
    kept = None if agents is None else {agents} if isinstance(agents, str) else set(agents)
    if kept is not None and not kept:
        raise OptionError("agents: got no names; allowed: names of agents, or None for all")
    with new_folder(Path(out)) as folder:
        writer = _Writer(observation, kept, skip_forced)
        with writer:
            for path, deal in _deals(paths):
                writer.add(deal, path, folder)
                if progress is not None:
                    progress(writer.deals)
        writer.describe(folder, paths)
    return writer.decisions


def _deals(paths: Sequence[Path]) -> Iterator[tuple[Path, Deal]]:
    for path in paths:
        try:
            for deal in replay(path):
                yield path, deal
        except RecordError as error:
            named = RecordError(f"{path}: {error}")
            named.line = error.line
            raise named from None


class _Writer:
    """The columns of a data set; a context that completes them."""

    def __init__(self, observation: str, agents: set[str] | None, skip_forced: bool) -> None:
        self._observation = observation
        self._kept = agents
        self._skip_forced = skip_forced
        self._names: list[str] = []
        self._rules: list[Any] = []
        self._game: Game | None = None
        self._columns: dict[str, Column] = {}
        self._stack = ExitStack()
        self.deals = 0

    def __enter__(self) -> "_Writer":
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    @property
    def decisions(self) -> int:
        """Decisions so far."""
        return self._columns["actions"].length

    def add(self, deal: Deal, path: Path, folder: Path) -> None:
        """Write the decisions of a deal."""
        if self._game is None:
            self._open(deal.game, folder)
        elif deal.game is not self._game:
            raise RecordError(
                f"{path}: line {deal.first_line}: a deal of {deal.game.name}, but the first is of "
                f"{self._game.name}; a data set is of one game"
            )
        rows = _Rows(deal, deal.game.encodings[self._observation])
        numbers = np.array([_number_of(name, self._names) for name in deal.header["agents"]])
        keep = np.ones(len(rows.actions), bool)
        if self._kept is not None:
            wanted = np.array([name in self._kept for name in deal.header["agents"]])
            keep &= wanted[rows.seats]
        if self._skip_forced:
            keep &= rows.masks.sum(axis=1) > 1
        arrays = {
            "observations": rows.observations,
            "masks": rows.masks,
            "actions": rows.actions,
            "seats": rows.seats,
            "deals": np.full(len(keep), self.deals),
            "agents": numbers[rows.seats],
            "returns": rows.returns,
        }
        for name in BY_DECISION:
            self._columns[name].append(arrays[name][keep])
        self._columns["units"].append(deal.final["points"])
        self._columns["deal_rules"].append(np.array([_number_of(deal.rules, self._rules)]))
        self.deals += 1

    def _open(self, game: Game, folder: Path) -> None:
        if self._observation not in tuple(game.encodings):
            known = ", ".join(game.encodings)
            raise OptionError(f"observation: got {self._observation!r}; allowed: {known}")
        form = game.encodings[self._observation]
        forms: dict[str, tuple[tuple[int, ...], Any]] = {
            "observations": (form.shape, form.dtype),
            "masks": ((game.num_actions,), np.int8),
            "actions": ((), np.int64),
            "seats": ((), np.int8),
            "deals": ((), np.int32),
            "agents": ((), np.int16),
            "returns": ((), np.int32),
            "units": ((NUM_SEATS,), np.int32),
            "deal_rules": ((), np.int16),
        }
        for name, (shape, dtype) in forms.items():
            column = Column(folder / f"{name}.npy", shape, dtype)
            self._columns[name] = self._stack.enter_context(column)
        self._game = game

    def describe(self, folder: Path, paths: Sequence[Path]) -> None:
        """Write what the columns hold, once they are complete."""
        assert self._game is not None
        if self.decisions == 0:
            raise OptionError(
                f"agents: no decision of {', '.join(sorted(self._kept or set()))}; the records "
                f"hold {', '.join(sorted(set(self._names)))}"
            )
        form = self._game.encodings[self._observation]
        described = {
            "format": FORMAT,
            "game": self._game.name,
            "engine": __version__,
            "observation": form.name,
            "shape": list(form.shape),
            "dtype": form.dtype.str,
            "decisions": self.decisions,
            "deals": self.deals,
            "agents": self._names,
            "only_agents": None if self._kept is None else sorted(self._kept),
            "skip_forced": self._skip_forced,
            "rules": [
                {"preset": item.preset_name, "fingerprint": item.fingerprint, **item.to_dict()}
                for item in self._rules
            ],
            "records": [path.name for path in paths],
        }
        text = json.dumps(described, indent=2, ensure_ascii=False)
        (folder / DESCRIPTION).write_text(f"{text}\n", encoding="utf-8")


def _number_of(item: Any, known: list[Any]) -> int:
    """Place in a list, to which it is added if need be."""
    if item not in known:
        known.append(item)
    return known.index(item)


class _Rows:
    """What was seen and done in a deal, a row for each decision."""

    def __init__(self, deal: Deal, form: Encoding) -> None:
        game, number = deal.game, len(deal.actions)
        self.observations = np.zeros((number, *form.shape), form.dtype)
        self.masks = np.zeros((number, game.num_actions), np.int8)
        self.actions = np.array(deal.actions, np.int64)
        self.seats = np.zeros(number, np.int8)
        self.returns = np.zeros(number, np.int32)
        states = np.zeros(number, game.state)
        self._play(deal, form, states)
        if form.relabelling is not None:
            rows = form.relabelling.rows(states, self.seats)
            self.masks = form.relabelling.show_masks(self.masks, rows)
            self.actions = form.relabelling.show(self.actions, rows)

    def _play(self, deal: Deal, form: Encoding, states: np.ndarray) -> None:
        """Play the deal again; write every state that a decision was taken in to ``states``."""
        game, tables = deal.game, copy_records(deal.start)
        packed, luts = deal.rules.pack(), game.luts()
        menu, shown = np.zeros(game.num_actions, np.int8), np.zeros(game.num_actions, np.int8)
        views, log = np.zeros(1, game.view_dtype), np.zeros(0, game.event)
        game.legal_at(tables, 0, packed, luts, menu)
        for i, action in enumerate(deal.actions):
            copy_records(tables, out=states[i : i + 1])
            seat = int(tables["actor"][0])
            self.seats[i] = seat
            self.masks[i] = menu
            game.observe_at[form.name](
                tables, 0, packed, luts, seat, menu, views, self.observations[i], shown
            )
            self.returns[i] = deal.final["points"][0, seat] - tables["points"][0, seat]
            game.step_at(tables, 0, packed, luts, int(action), log, menu)

"""Records of deals that agents have played many at a time."""

from collections.abc import Iterator, Sequence
from typing import Any

from agents.play import Played, Walls
from mjenv.table import Table


def recorded(
    played: Played, rules: Any, names: Sequence[str], walls: Walls = "ordinary", menus: bool = False
) -> Iterator[list[str]]:
    """Lines of the record of each deal.

    Args:
        played: Deals whose actions were kept.
        rules: The rules they were played by.
        names: Of the agents, by their number.
        walls: Those they were played with. Where seats draw in orders of their own there is no
            wall to write: the record names the dealt hands, and draws are told by its events.
        menus: Write the legal actions of every decision.
    """
    for state, players, actions in zip(
        played.finished, played.players, played.actions, strict=True
    ):
        # Tiles drawn stand in the wall in the order of draws, whatever the walls were, so that the
        # wall of the finished deal gives them once more.
        table = Table(
            rules,
            int(state["seed"]),
            int(state["deal"]),
            int(state["dealer"]),
            state["wall"].tolist(),
        )
        for action in actions:
            table.step(action)
        seated = [names[player] for player in players]
        yield table.record(seated, menus, one_wall=walls == "ordinary")

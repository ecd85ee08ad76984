"""The display layer of rooms with coins (R52)."""

from collections.abc import Sequence


def coins(points: Sequence[int], coefficient: int, fee: int) -> tuple[list[int], int]:
    """Coins by seat, and what the system keeps."""
    by_seat = [amount * coefficient - fee for amount in points]
    return by_seat, -sum(by_seat)

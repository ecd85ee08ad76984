"""Fitted numbers as the text of a module."""

import textwrap

import numpy as np

_WIDTH = 96


def array_text(name: str, table: np.ndarray, digits: int) -> str:
    """An assignment of an array, its numbers in order in lines that fit."""
    rounded = np.round(table.ravel(), digits) + 0.0  # no negative zeros
    numbers = ", ".join(f"{number:.{digits + 4}g}" for number in rounded)
    lines = textwrap.indent(textwrap.fill(numbers, _WIDTH), "    ")
    return f"{name} = np.array([\n{lines}\n]).reshape{table.shape}\n"

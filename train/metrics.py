"""Numbers of a run, written twice: for TensorBoard, and as JSON lines.

``docs/training.md`` says what each means.
"""

import json
import logging
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from torch.utils.tensorboard import SummaryWriter

from agents.statistics import summary
from mjenv.core.tiles import SUITS
from mjenv.sichuan.statistics import deal_statistics

METRICS_FILE = "metrics.jsonl"
TENSORBOARD = "tensorboard"

log = logging.getLogger(__name__)


def deal_metrics(finished: np.ndarray, learner: np.ndarray) -> dict[str, float]:
    """What happened to the learner's seats.

    Args:
        finished: ``(D,)`` states of deals that are over.
        learner: ``(D, 4)`` bool, its seats.

    Returns:
        Numbers by name, ``deals/win_rate`` and so on; NaN where there was nothing to average.
    """
    averages = summary(deal_statistics(finished), learner)
    metrics = {f"deals/{name}": value for name, value in averages.items()}
    suits = finished["void_suit"][learner]
    for suit, letter in enumerate(SUITS):
        metrics[f"deals/void_{letter}"] = float((suits == suit).mean()) if len(suits) else math.nan
    return metrics


class MetricsLog:
    """Appends to both files; a full disk costs lines, not the run.

    Args:
        run: Directory of the run.
        update: The run goes on after this update; what was written later is dropped.
    """

    def __init__(self, run: Path, update: int = 0) -> None:
        self._path = run / METRICS_FILE
        if self._path.exists():
            _drop_after(self._path, update)
        self._writer = SummaryWriter(str(run / TENSORBOARD), purge_step=update + 1)

    def write(self, update: int, metrics: Mapping[str, float]) -> None:
        """Write one line.

        Args:
            update: Its number, from 1.
            metrics: Numbers by name; NaN is left out.
        """
        known = {name: value for name, value in metrics.items() if math.isfinite(value)}
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"update": update, **known}) + "\n")
            for name, value in known.items():
                self._writer.add_scalar(name, value, update)
        except OSError as error:
            log.warning("metrics of update %d are lost: %s", update, error)

    def close(self) -> None:
        """Flush TensorBoard's file."""
        try:
            self._writer.close()
        except OSError as error:
            log.warning("the last metrics are not in TensorBoard: %s", error)


def read_metrics(run: Path) -> list[dict[str, Any]]:
    """The lines of a run; one cut short by a crash is left out."""
    lines = []
    for text in (run / METRICS_FILE).read_text(encoding="utf-8").splitlines():
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError:
            continue
    return lines


def _drop_after(path: Path, update: int) -> None:
    kept = [line for line in read_metrics(path.parent) if line["update"] <= update]
    rewritten = path.with_suffix(".unfinished")
    rewritten.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")
    os.replace(rewritten, path)

"""Checkpoints of a training run: written whole or not at all, read without running code.

A checkpoint is a directory ``RUN/checkpoints/000040`` named after its update. It holds

- ``policy.safetensors``: what is needed to play (:mod:`agents.ppo.agent`), and
- ``trainer.pt``: what is needed to go on exactly where training stood: optimiser, random
  generators, tables at play, decisions whose outcome is open.

It is written under another name, forced to the disk, and renamed.
"""

import io
import os
import pickle
import shutil
from pathlib import Path
from typing import Any

import torch

from agents.ppo.agent import CHECKPOINTS, POLICY_FILE, Metadata, pack_policy
from agents.ppo.network import ActorCritic
from mjenv.errors import CheckpointError

TRAINER_FILE = "trainer.pt"
_UNFINISHED = ".unfinished-"


def save_checkpoint(
    run: Path, network: ActorCritic, metadata: Metadata, trainer: dict[str, Any], keep: int
) -> Path:
    """Write a checkpoint, then delete all but the latest ``keep``.

    Args:
        run: Directory of the run.
        network: The policy.
        metadata: What is said about it.
        trainer: Tensors, numbers, texts, and lists and dictionaries of them.
        keep: Checkpoints that stay.

    Returns:
        Its directory.

    Raises:
        CheckpointError: It could not be written. Checkpoints that were there are untouched.
    """
    folder = run / CHECKPOINTS
    final = folder / f"{metadata.update:06d}"
    unfinished = folder / f"{_UNFINISHED}{final.name}"
    stream = io.BytesIO()
    torch.save(trainer, stream)
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        _write(unfinished / POLICY_FILE, pack_policy(network, metadata))
        _write(unfinished / TRAINER_FILE, stream.getbuffer())
        _sync(unfinished)
        if final.exists():  # left by a run that was resumed from an earlier one
            shutil.rmtree(final)
        unfinished.rename(final)
        _sync(folder)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        kept = latest_checkpoint(run)
        raise CheckpointError(
            f"cannot write the checkpoint {final}: {error.strerror or error}; "
            + (f"{kept} is untouched" if kept else "there is none yet")
        ) from error
    for old in list_checkpoints(run)[:-keep]:
        shutil.rmtree(old, ignore_errors=True)
    return final


def list_checkpoints(run: Path) -> list[Path]:
    """The checkpoints of a run, oldest first."""
    return sorted(path for path in (run / CHECKPOINTS).glob("[0-9]*") if path.is_dir())


def latest_checkpoint(run: Path) -> Path | None:
    """The latest checkpoint of a run, None if there is none."""
    return next(reversed(list_checkpoints(run)), None)


def find_checkpoint(path: str | Path) -> Path:
    """The checkpoint meant by a path: the latest of a run, or the one itself.

    Raises:
        CheckpointError: There is none.
    """
    path = Path(path)
    found = path if (path / TRAINER_FILE).is_file() else latest_checkpoint(path)
    if found is None:
        raise CheckpointError(
            f"nothing to resume at {str(path)!r}: give the directory of a run or of a checkpoint"
        )
    return found


def read_trainer(checkpoint: Path) -> dict[str, Any]:
    """Read ``trainer.pt``.

    Raises:
        CheckpointError: It is damaged; the message names the checkpoint before it.
    """
    path = checkpoint / TRAINER_FILE
    try:
        trainer: dict[str, Any] = torch.load(path, weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CheckpointError(
            f"{path}: damaged or no checkpoint ({problem}){_before(checkpoint)}"
        ) from None
    return trainer


def _before(checkpoint: Path) -> str:
    older = [
        path for path in list_checkpoints(checkpoint.parents[1]) if path.name < checkpoint.name
    ]
    return f"; the checkpoint before it is {older[-1]}" if older else ""


def _write(path: Path, content: bytes | memoryview) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Make names in a folder durable, where the system can open folders."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

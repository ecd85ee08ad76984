"""Imitation: a network learns to choose as ``greedy/1`` does, from a data set of records.

    mjenv selfplay greedy/1 --deals 300 --out games.jsonl
    mjenv dataset games.jsonl --observation vector/1 --skip-forced --out games
    python examples/imitation.py games

It prints how often it agrees on deals that it has not seen, and how often the likeliest legal
action would: the one that was chosen most often where it was legal.
"""

import argparse

import numpy as np
import torch
from torch import nn

import mjenv

EPOCHS = 8
BATCH = 256
ILLEGAL = -1e9
TEST_SHARE = 5
"""One deal in so many is for testing."""


def learn(folder: str) -> tuple[float, float]:
    """Train on a data set; return the agreement of the network and of the likeliest action."""
    data = mjenv.load_dataset(folder)
    tested = data.deals % TEST_SHARE == 0  # whole deals: decisions of one are not independent
    train, test = np.flatnonzero(~tested), np.flatnonzero(tested)
    size, choices = data.observations[0].size, data.masks.shape[1]
    torch.manual_seed(0)
    shuffled = np.random.default_rng(0)
    net = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, choices))
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)

    def logits(rows: np.ndarray) -> torch.Tensor:
        seen = np.array(data.observations[rows], np.float32).reshape(len(rows), size)
        illegal = torch.from_numpy(np.array(data.masks[rows]) == 0)
        shown: torch.Tensor = net(torch.from_numpy(seen))
        return shown.masked_fill(illegal, ILLEGAL)

    for _ in range(EPOCHS):
        for rows in np.array_split(shuffled.permutation(train), len(train) // BATCH + 1):
            loss = nn.functional.cross_entropy(
                logits(rows), torch.from_numpy(np.array(data.actions[rows]))
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        agreement = (logits(test).argmax(1).numpy() == data.actions[test]).mean()
    chosen = np.bincount(data.actions[train], minlength=choices) + 1
    likely = chosen / (np.asarray(data.masks[train]).sum(0) + 1) * data.masks[test]
    return float(agreement), float((likely.argmax(1) == data.actions[test]).mean())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="a data set")
    network, likeliest = learn(parser.parse_args().folder)
    print(f"agrees in {network:.1%} of the decisions; the likeliest action in {likeliest:.1%}")

"""Logistic regression by Newton's method, and how well a probability is calibrated."""

import numpy as np

_PENALTY = 1.0
_STEPS = 50
_CLOSE = 1e-8
_BINS = 20


def fit_logistic(features: np.ndarray, happened: np.ndarray) -> np.ndarray:
    """Weights ``(F,)`` for rows ``(N, F)`` and outcomes ``(N,)`` bool, slightly drawn to 0."""
    weights = np.zeros(features.shape[1])
    for _ in range(_STEPS):
        chance = probability(features, weights)
        slope = features.T @ (happened - chance) - _PENALTY * weights
        bend = (features * (chance * (1.0 - chance))[:, None]).T @ features
        step = np.linalg.solve(bend + _PENALTY * np.eye(len(weights)), slope)
        weights += step
        if np.abs(step).max() < _CLOSE:
            break
    return weights


def probability(features: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """What the weights foretell for rows ``(N, F)``: ``(N,)``."""
    chance: np.ndarray = 1.0 / (1.0 + np.exp(-(features @ weights)))
    return chance


def brier_score(chance: np.ndarray, happened: np.ndarray) -> float:
    """Mean squared difference between what was foretold and what happened, 0 at best."""
    return float(np.mean((chance - happened) ** 2))


def calibration_error(chance: np.ndarray, happened: np.ndarray) -> float:
    """Expected calibration error: mean distance of foretold and true shares in 20 equal bins."""
    bins = np.minimum((chance * _BINS).astype(int), _BINS - 1)
    foretold = np.bincount(bins, chance, _BINS)
    true = np.bincount(bins, happened, _BINS)
    return float(np.abs(foretold - true).sum() / len(chance))

"""Training dynamics: how sure a model is of each item's right answer while it learns.

Swayamdipta et al. 2020, "Dataset Cartography": over the epochs of training, the mean chance of the right
answer is the confidence in an item, its deviation the variability, and how often it was the likeliest the
correctness. Items with high confidence and low variability are easy to learn, those with low confidence are
hard and often mislabelled, and those with high variability are ambiguous.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonsight.audit.blind.lists import Flags, Floats, Ints, softmax
from commonsight.audit.hardness.views import View
from commonsight.text.encoders import Vectors

EPOCHS = 10
BATCH = 64
RATE = 0.03


class Dynamics(NamedTuple):
    """One number an item."""

    confidence: Floats
    variability: Floats
    correctness: Floats

    @property
    def easy(self) -> Flags:
        """Always solved, and surely."""
        return np.asarray((self.correctness == 1) & (self.confidence > 0.5))

    @property
    def hard(self) -> Flags:
        """Never solved."""
        return np.asarray(self.correctness == 0)


def dynamics(view: View, seed: int, epochs: int = EPOCHS) -> Dynamics:
    """The course of a linear model that is trained by small steps (Adam) on all items."""
    rng = np.random.default_rng([seed, 2])
    weights = np.zeros(view.features.shape[1])
    means, squares, step = np.zeros_like(weights), np.zeros_like(weights), 0
    chances, solved = [], []
    for _ in range(epochs):
        for batch in np.array_split(rng.permutation(len(view.cases)), max(1, len(view.cases) // BATCH)):
            step += 1
            slope = _slope(view, batch, weights)
            means = 0.9 * means + 0.1 * slope
            squares = 0.999 * squares + 0.001 * slope**2
            size = np.sqrt(squares / (1 - 0.999**step)) + 1e-8
            weights = weights - RATE * (means / (1 - 0.9**step)) / size
        now = softmax(_scores(view.features, weights), view.starts)
        chances.append(now[view.right])
        solved.append(view.solved(now))
    course = np.stack(chances)  # (epoch, item)
    return Dynamics(course.mean(axis=0), course.std(axis=0), np.stack(solved).mean(axis=0))


def _slope(view: View, batch: Ints, weights: Floats) -> Floats:
    """In which direction the loss of these items grows, on average."""
    sizes = np.diff(np.append(view.starts, len(view.item)))[batch]
    begins = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    rows = np.repeat(view.starts[batch] - begins, sizes) + np.arange(int(sizes.sum()))
    features = view.features[rows]
    wrong = softmax(_scores(features, weights), begins) - view.right[rows]
    slope: Floats = np.asarray(features.T @ wrong.astype(features.dtype), np.float64) / len(batch)
    return slope


def _scores(features: Vectors, weights: Floats) -> Floats:
    return np.asarray(features @ weights.astype(np.float32), np.float64)

"""A fine-tuned cross-encoder as a solver of choices: what an audit may try beside its own solvers.

It reads what is asked and one choice, and learns whether the choice is right; where only the choices may be
seen, the first text is empty. Audits and models do not know each other: they meet by the shape of `fit` and
`scores` (audit.blind.solvers.ChoiceSolver).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonsight.models.cross_encoder import CrossEncoder, Example, Fitting, Progress, silent
from commonsight.models.sources import source


class FittedTransformer:
    """A fine-tuned model."""

    def __init__(self, model: CrossEncoder) -> None:
        self._model = model

    def scores(self, asked: Sequence[str], said: Sequence[str]) -> NDArray[np.float64]:
        """How much likelier each choice is right than wrong, as a logarithm."""
        chances = self._model.log_chances(asked, said).astype(np.float64)
        odds: NDArray[np.float64] = chances[:, 1] - chances[:, 0]
        return odds


class TransformerChoices:
    """Fine-tunes any pretrained transformer to tell right choices from wrong ones."""

    def __init__(
        self,
        model: str,
        *,
        fitting: Fitting | None = None,
        progress: Progress = silent,
        thread_count: int = 1,
        device: str = "cpu",
    ) -> None:
        self._source = source(model)
        self._fitting = Fitting() if fitting is None else fitting
        self._progress, self._threads, self._device = progress, thread_count, device
        self.name = f"transformer {self._source.name}"

    def fit(
        self, asked: Sequence[str], said: Sequence[str], right: Sequence[bool], *, seed: int
    ) -> FittedTransformer:
        """Fine-tune anew on these choices."""
        rows = zip(asked, said, right, strict=True)
        examples = [Example(first, second, int(label)) for first, second, label in rows]
        model = CrossEncoder.load(
            self._source, classes=2, seed=seed, thread_count=self._threads, device=self._device
        )
        model.fit(lambda _: examples, self._fitting, seed=seed, progress=self._progress)
        return FittedTransformer(model)

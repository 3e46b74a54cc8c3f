"""Examples that can be read again and again, in any order, as batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from commonsight.errors import InputError
from commonsight.models.features.batch import Batch
from commonsight.models.features.canvases import rows_of
from commonsight.models.features.examples import Example
from commonsight.models.features.masks import with_masks
from commonsight.models.features.objects import ObjectFeatures, PictureMaps, with_maps, with_objects
from commonsight.models.features.reading import Reading

AHEAD = 2
"""Batches that are made while a network is busy with one."""


class Source:
    """Examples, how they are read, and what was kept of their pictures."""

    def __init__(
        self,
        examples: Sequence[Example],
        reading: Reading,
        *,
        objects: ObjectFeatures | None = None,
        maps: PictureMaps | None = None,
        outlines: bool = False,
        canvases: PictureMaps | None = None,
    ) -> None:
        self.examples = examples
        self.lengths = np.array([reading.length(example) for example in examples], np.int64)
        self._reading, self._objects, self._maps, self._outlines = reading, objects, maps, outlines
        self._canvases = canvases

    def __len__(self) -> int:
        return len(self.examples)

    def batch(self, numbers: Iterable[int]) -> Batch:
        """The examples of these numbers."""
        examples = [self.examples[number] for number in numbers]
        batch = self._reading.batch(examples)
        seen = batch.seen
        if seen is not None and self._objects is not None:
            seen = with_objects(seen, examples, self._objects)
        if seen is not None and self._maps is not None:
            seen = with_maps(seen, examples, self._maps)
        if seen is not None and self._outlines:
            seen = with_masks(seen, examples)
        canvas = None if self._canvases is None else torch.from_numpy(rows_of(examples, self._canvases))
        return replace(batch, seen=seen, canvas=canvas)

    def ahead(self, chosen: Sequence[NDArray[np.int64]], ahead: int = AHEAD) -> Generator[Batch]:
        """Batches in this order, made in the background while the caller is busy."""
        return made_ahead(lambda numbers: self.batch(numbers.tolist()), chosen, ahead)


def made_ahead(
    make: Callable[[NDArray[np.int64]], Batch], chosen: Sequence[NDArray[np.int64]], ahead: int = AHEAD
) -> Generator[Batch]:
    """What `make` makes of each, in order; a few are made in the background while the caller is busy."""
    with ThreadPoolExecutor(1, "batches") as maker:
        waiting: deque[Future[Batch]] = deque()
        try:
            for numbers in chosen:
                waiting.append(maker.submit(make, numbers))
                if len(waiting) > ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()


def refuse_unseen(examples: Sequence[Example]) -> None:
    """Say so, before anything is trained, where a network that sees would have nothing to look at."""
    without = [example.item for example in examples if example.picture is None]
    if without:
        raise InputError(
            f"{len(without)} of {len(examples)} questions have no picture in the dataset "
            f"({', '.join(without[:3])}). Make the dataset with its pictures (--images), or choose a network "
            "that reads texts alone."
        )

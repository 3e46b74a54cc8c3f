"""Examples that can be read again and again, in any order, as batches."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from commonsight.models.features.batch import Batch
from commonsight.models.features.examples import Example
from commonsight.models.features.reading import Reading

AHEAD = 2
"""Batches that are made while a network is busy with one."""


class KeptOfObjects(Protocol):
    """What was made of each object once: its pixels, or a backbone's vector."""

    def of(self, example: Example) -> NDArray[Any]:
        """(object, ...), the whole picture first."""
        ...


class KeptOfPictures(Protocol):
    """What was made of each picture once: a backbone's map."""

    def of(self, example: Example) -> NDArray[Any]:
        """(channel, height, width)"""
        ...


class Source:
    """Examples, how they are read, and what was kept of their pictures."""

    def __init__(
        self,
        examples: Sequence[Example],
        reading: Reading,
        *,
        objects: KeptOfObjects | None = None,
        pictures: KeptOfPictures | None = None,
    ) -> None:
        self.examples = examples
        self.lengths = np.array([reading.length(example) for example in examples], np.int64)
        self._reading, self._objects, self._pictures = reading, objects, pictures

    def __len__(self) -> int:
        return len(self.examples)

    def batch(self, numbers: Iterable[int]) -> Batch:
        """The examples of these numbers."""
        examples = [self.examples[number] for number in numbers]
        batch = self._reading.batch(examples)
        if self._objects is not None:
            batch = _with_objects(batch, [self._objects.of(example) for example in examples])
        return batch if self._pictures is None else _with_pictures(batch, examples, self._pictures)

    def ahead(self, chosen: Sequence[NDArray[np.int64]], ahead: int = AHEAD) -> Generator[Batch]:
        """Batches in this order, made in the background while the caller is busy."""
        with ThreadPoolExecutor(1, "batches") as maker:
            waiting: list[Future[Batch]] = []
            try:
                for numbers in chosen:
                    waiting.append(maker.submit(self.batch, numbers.tolist()))
                    if len(waiting) > ahead:
                        yield waiting.pop(0).result()
                while waiting:
                    yield waiting.pop(0).result()
            finally:
                for one in waiting:
                    one.cancel()


def _with_objects(batch: Batch, kept: Sequence[NDArray[Any]]) -> Batch:
    assert batch.seen is not None
    filled = np.zeros((*batch.seen.mask.shape, *kept[0].shape[1:]), kept[0].dtype)
    for row, own in enumerate(kept):
        filled[row, : len(own)] = own
    return replace(batch, seen=replace(batch.seen, features=torch.from_numpy(filled)))


def _with_pictures(batch: Batch, examples: Sequence[Example], kept: KeptOfPictures) -> Batch:
    """Each picture once, however many of the questions are about it."""
    assert batch.seen is not None
    names = list(dict.fromkeys(example.picture for example in examples))
    first = {example.picture: example for example in reversed(examples)}
    maps = np.stack([kept.of(first[name]) for name in names])
    which = torch.tensor([names.index(example.picture) for example in examples])
    return replace(batch, seen=replace(batch.seen, maps=torch.from_numpy(maps), picture_of=which))

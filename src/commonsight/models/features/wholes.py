"""What a frozen encoder made of whole texts: made once, kept in one file, read as it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from commonsight.core.text import join_words
from commonsight.errors import InputError
from commonsight.models.features.batch import Batch, Wholes
from commonsight.models.features.examples import Example
from commonsight.models.features.files import REMEDY, Opened, Rows, broken, check_name, open_file, rows
from commonsight.models.features.index import Index, digest_of, digest_of_all, index_arrays
from commonsight.models.features.reading import gold, people, places, present, seen, targets
from commonsight.models.features.vocabulary import Vocabularies
from commonsight.models.features.writing import row_writer
from commonsight.models.progress import Progress, silent
from commonsight.models.wholes import WholeEncoder

KIND = "whole texts"
AT_ONCE = 256
"""Texts that are encoded before their vectors are written."""


class TextVector(Protocol):
    """Gives a text its vector."""

    dim: int

    def of(self, text: str) -> NDArray[Any]:
        """(dim)"""
        ...


class WholeVectors:
    """Vectors of texts, in a file. Handed to another process it opens the file anew."""

    def __init__(self, opened: Opened) -> None:
        self._path, self._rows = opened.path, rows(opened)  # (text, dim)
        self._index = Index(opened, len(self._rows))
        if self._rows.ndim != 2 or len(self._index) != len(self._rows):
            raise broken(opened.path, f"vectors of {len(self._index)} texts are {list(self._rows.shape)}")
        self.dim = int(self._rows.shape[1])
        self.name = opened.told.get("name", "unknown")

    @classmethod
    def open(cls, path: Path) -> WholeVectors:
        """The vectors that a file holds."""
        return cls(open_file(path, KIND))

    def __reduce__(self) -> tuple[Any, tuple[Path]]:
        return WholeVectors.open, (self._path,)

    def __len__(self) -> int:
        """How many different texts there are."""
        return len(self._index)

    def of(self, text: str) -> NDArray[Any]:
        """(dim)"""
        found = self._index.find(digest_of((text,)))
        if found is None:
            raise InputError(
                f"{self._path}: there is no vector of '{text[:60]}'. It was made from other texts. {REMEDY}"
            )
        vector: NDArray[Any] = self._rows[found.start]
        return vector


def texts_of(examples: Iterable[Example], answers: Sequence[str]) -> list[str]:
    """Every question, choice and answer once."""
    found: dict[str, None] = dict.fromkeys(answers)
    for example in examples:
        found[asked(example)] = None
        found.update(dict.fromkeys(example.choices))
    return list(found)


def asked(example: Example) -> str:
    """The question as one text."""
    return join_words(example.query.words)


def wholes_digest(texts: Iterable[str]) -> str:
    """What stands for these texts: vectors of others are not found in their place."""
    return digest_of_all(digest_of((text,)) for text in texts)


def kept_wholes(
    path: Path,
    texts: Sequence[str],
    encoder: WholeEncoder,
    *,
    dtype: str = "float16",
    at_once: int = AT_ONCE,
    progress: Progress = silent,
) -> WholeVectors:
    """The vectors of these texts: found there, or else made and kept there."""
    if not path.is_file():
        small = index_arrays([digest_of((text,)) for text in texts], [1] * len(texts))
        told = {"kind": KIND, "name": encoder.name}
        with row_writer(path, small, Rows(len(texts), (encoder.dim,), dtype), told) as writer:
            for start in range(writer.go_on(small["starts"], at_once), len(texts), at_once):
                writer.append(encoder.encode(texts[start : start + at_once]))
                progress(writer.done, len(texts))
    kept = WholeVectors.open(path)
    check_name(path, kept.name, encoder.name)
    return kept


class WholeReading:
    """Questions as one vector each, and so choices; answers too, where a network scores those by vectors."""

    def __init__(self, known: Vocabularies, vectors: TextVector, *, answers: bool = False) -> None:
        self._known, self._vectors = known, vectors
        self._answers = self._stacked(known.answers) if answers else None  # (answer, dim)

    def length(self, example: Example) -> int:  # noqa: ARG002
        """All alike."""
        return 1

    def batch(self, examples: Sequence[Example]) -> Batch:
        """The examples as vectors."""
        in_view, count = seen(examples, self._known.labels), len(self._known.answers)
        questions = self._stacked([asked(example) for example in examples])
        return Batch(
            present(examples, count),
            gold(examples),
            seen=in_view,
            targets=targets(examples, in_view),
            people=people(examples, count),
            places=places(examples),
            wholes=Wholes(questions, self._choices(examples), self._answers),
        )

    def _choices(self, examples: Sequence[Example]) -> Tensor | None:
        most = max(len(example.choices) for example in examples)
        if not most:
            return None
        found = torch.zeros(len(examples), most, self._vectors.dim)
        for row, example in enumerate(examples):
            found[row, : len(example.choices)] = self._stacked(example.choices)
        return found

    def _stacked(self, texts: Sequence[str]) -> Tensor:
        rows = [self._vectors.of(text) for text in texts]
        return torch.from_numpy(np.asarray(rows, np.float32).reshape(-1, self._vectors.dim))

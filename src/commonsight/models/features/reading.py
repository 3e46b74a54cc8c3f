"""How a network reads examples: as words, with a frozen text encoder's vectors where there are any, or as
sub-words of a tokenizer; each with the objects in view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import torch
from msgspec import structs
from numpy.typing import NDArray
from torch import Tensor

from commonsight.models.features.batch import Batch, Pieces, Seen, Words
from commonsight.models.features.examples import Example, Spoken
from commonsight.models.features.ragged import padded
from commonsight.models.features.vocabulary import PADDING, UNKNOWN, Vocabularies, Vocabulary
from commonsight.models.layers.masks import lengths_to_mask


class Reading(Protocol):
    """Turns examples into batches."""

    def length(self, example: Example) -> int:
        """How long its padded rows are, so that batches can be made even."""
        ...

    def batch(self, examples: Sequence[Example]) -> Batch:
        """The examples as tensors, without pictures."""
        ...


class PairVectors(Protocol):
    """What a frozen text encoder made of the words of each example."""

    dim: int

    def of(self, example: Example) -> Sequence[tuple[NDArray[Any], NDArray[Any]]]:
        """For each choice the vectors of the query's words and of the response's, (word, dim) each.

        They are there for each choice, because an encoder that reads both together gives the query's words
        other vectors beside each response.
        """
        ...


class WordReading:
    """Words by number, and their vectors where an encoder has read them."""

    def __init__(self, known: Vocabularies, vectors: PairVectors | None = None) -> None:
        self._words, self._labels = known.words.numbers(), known.labels
        self._vectors = vectors

    def length(self, example: Example) -> int:
        """Responses are most of what is read, for there are several of them."""
        return max(len(text.words) for text in example.responses)

    def batch(self, examples: Sequence[Example]) -> Batch:
        """The examples as words."""
        most = max(len(example.responses) for example in examples)
        queries: list[Sequence[Spoken]] = [(example.query,) for example in examples]
        if self._vectors is not None:
            queries = [(example.query,) * len(example.responses) for example in examples]
        query = self._read(queries, 1 if self._vectors is None else most)
        responses = self._read([example.responses for example in examples], most)
        if self._vectors is not None:
            pairs = [self._vectors.of(example) for example in examples]
            query = _with_vectors(query, [[first for first, _ in pair] for pair in pairs], self._vectors.dim)
            responses = _with_vectors(
                responses, [[second for _, second in pair] for pair in pairs], self._vectors.dim
            )
        return Batch(
            present(examples), gold(examples), query, responses, seen=seen(examples, self._labels)
        )

    def _read(self, texts: Sequence[Sequence[Spoken]], choices: int) -> Words:
        ids, lengths = padded([[self._numbers(text) for text in several] for several in texts], choices)
        objects = padded([[text.objects for text in several] for several in texts], choices).places
        return Words(ids, lengths, objects)

    def _numbers(self, text: Spoken) -> list[int]:
        return [self._words.get(word, UNKNOWN) for word in text.words]


def _with_vectors(words: Words, vectors: Sequence[Sequence[NDArray[Any]]], dim: int) -> Words:
    filled = np.zeros((*words.ids.shape, dim), np.float32)
    for row, several in enumerate(vectors):
        for choice, own in enumerate(several):
            filled[row, choice, : len(own)] = own
    return replace(words, vectors=torch.from_numpy(filled))


class PieceReading:
    """Query and response in one sequence, as transformers read pairs: [CLS] query [SEP] response [SEP].

    What is longer than the transformer reads loses the query's first words: responses differ, queries do not.
    """

    def __init__(self, tokenizer: Any, labels: Vocabulary, *, longest: int, query: bool = True) -> None:
        """Without `query` only the response is read, to show what choices give away."""
        self._marks = 3 if query else 2
        if longest <= self._marks:
            raise ValueError(f"{longest} sub-words have no room for a text beside {self._marks} marks")
        self._tokenizer, self._labels, self._longest, self._query = tokenizer, labels, longest, query
        self._known: dict[str, tuple[int, ...]] = {}

    def length(self, example: Example) -> int:
        """Of the longest response with the query."""
        own = max(self._count(text) for text in example.responses)
        return min(self._longest, own + (self._count(example.query) if self._query else 0) + self._marks)

    def batch(self, examples: Sequence[Example]) -> Batch:
        """The examples as sub-words."""
        most = max(len(example.responses) for example in examples)
        rows = [[self._row(example, text) for text in example.responses] for example in examples]
        ids, lengths = padded([[row[0] for row in several] for several in rows], most)
        segments = padded([[row[1] for row in several] for several in rows], most).places
        objects = padded([[row[2] for row in several] for several in rows], most).places
        mask = lengths_to_mask(lengths, ids.shape[-1])
        ids = ids.masked_fill(~mask, self._tokenizer.pad_token_id)
        return Batch(
            present(examples),
            gold(examples),
            pieces=Pieces(ids, segments, mask, objects),
            seen=seen(examples, self._labels),
        )

    def _row(self, example: Example, response: Spoken) -> tuple[list[int], list[int], list[int]]:
        second = self._pieces(response)[: self._longest - self._marks]
        first = self._pieces(example.query) if self._query else []
        room = self._longest - self._marks - len(second)
        first = first[len(first) - room :] if len(first) > room else first
        begin, end = (self._tokenizer.cls_token_id, 0), (self._tokenizer.sep_token_id, 0)
        row = [begin, *first, *([end] if self._query else []), *second, end]
        own = len(first) + 2 if self._query else 1
        segments = [int(self._query and place >= own) for place in range(len(row))]
        return [piece for piece, _ in row], segments, [place for _, place in row]

    def _pieces(self, text: Spoken) -> list[tuple[int, int]]:
        return [
            (piece, place)
            for word, place in zip(text.words, text.objects, strict=True)
            for piece in self._of(word)
        ]

    def _of(self, word: str) -> tuple[int, ...]:
        if word not in self._known:
            self._known[word] = tuple(self._tokenizer.encode(word, add_special_tokens=False))
        return self._known[word]

    def _count(self, text: Spoken) -> int:
        return sum(len(self._of(word)) for word in text.words)


def present(examples: Sequence[Example]) -> Tensor:
    """(batch, choice): which choices are there."""
    counts = torch.tensor([len(example.responses) for example in examples])
    return lengths_to_mask(counts)


def gold(examples: Sequence[Example]) -> Tensor:
    """(batch): the right choices."""
    return torch.tensor([-1 if example.gold is None else example.gold for example in examples])


def seen(examples: Sequence[Example], labels: Vocabulary) -> Seen:
    """Boxes and classes of the objects in view."""
    numbers = labels.numbers()
    most = max(len(example.objects) for example in examples)
    mask = np.zeros((len(examples), most), np.bool_)
    boxes = np.zeros((len(examples), most, 4), np.float32)
    classes = np.full((len(examples), most), PADDING, np.int64)
    for row, example in enumerate(examples):
        mask[row, : len(example.objects)] = True
        for place, found in enumerate(example.objects):
            classes[row, place] = numbers.get(found.label, UNKNOWN)
            if found.box is not None:
                boxes[row, place] = np.divide(structs.astuple(found.box), example.size * 2)
    return Seen(torch.from_numpy(mask), torch.from_numpy(boxes), torch.from_numpy(classes))

"""How a network reads examples: as words, with a frozen text encoder's vectors where there are any, or as
sub-words of a tokenizer; each with the objects in view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from msgspec import structs
from numpy.typing import NDArray
from torch import Tensor

from commonsight.core.layout import Layout
from commonsight.core.program import Program
from commonsight.graph.concepts import ConceptGraph
from commonsight.graph.retrieval import Fact
from commonsight.models.features.batch import Batch, Facts, Pieces, Seen, Signs, Words
from commonsight.models.features.concepts import NodeMarks
from commonsight.models.features.examples import Example, Spoken, different_facts, unasked
from commonsight.models.features.facts import facts_read, spoken
from commonsight.models.features.ragged import padded
from commonsight.models.features.signs import Counting
from commonsight.models.features.vocabulary import PADDING, UNKNOWN, Vocabularies, Vocabulary
from commonsight.models.layers.masks import lengths_to_mask
from commonsight.models.text.marks import Spelling, marks_of


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

    def of_fact(self, fact: Fact) -> NDArray[Any]:
        """The vectors of its words, (word, dim)."""
        ...


class WordReading:
    """Words by number, and their vectors where an encoder has read them; signs for those who count."""

    def __init__(
        self,
        known: Vocabularies,
        vectors: PairVectors | None = None,
        *,
        counting: Counting | None = None,
        facts: bool = False,
        query: bool = True,
    ) -> None:
        """With `counting` there are signs of each question, with `facts` those are read, too. Without `query`
        the vectors are those of responses that were read alone, and the query has none."""
        self._words, self._labels = known.words.numbers(), known.labels
        self._answers = len(known.answers)
        self._vectors, self._facts, self._query = vectors, facts, query
        self._counting, self._signs = counting, known.signs.numbers()

    def length(self, example: Example) -> int:
        """Responses are most of what is read, for there are several of them; where answers are named, there
        is only the query."""
        if self._answers:
            return len(example.query.words)
        return max(len(text.words) for text in example.responses)

    def batch(self, examples: Sequence[Example]) -> Batch:
        """The examples as words."""
        most = max(len(example.responses) for example in examples)
        several = self._vectors is not None and self._query
        queries = [(example.query,) * (len(example.responses) if several else 1) for example in examples]
        query = self._read(queries, most if several else 1)
        responses = self._read([example.responses for example in examples], most)
        if self._vectors is not None:
            read, dim = examples if self._query else unasked(examples), self._vectors.dim
            pairs = [self._vectors.of(example) for example in read]
            responses = _with_vectors(responses, [[second for _, second in pair] for pair in pairs], dim)
            if self._query:
                query = _with_vectors(query, [[first for first, _ in pair] for pair in pairs], dim)
        in_view = seen(examples, self._labels)
        return Batch(
            present(examples, self._answers),
            gold(examples),
            query,
            responses,
            seen=in_view,
            targets=targets(examples, in_view),
            signs=self._signs_of(examples),
            programs=programs(examples),
            asked=tuple(tuple(example.query.words) for example in examples),
            facts=self._read_facts(examples) if self._facts else None,
            layouts=layouts(examples),
            people=people(examples, self._answers),
            places=places(examples),
        )

    def _signs_of(self, examples: Sequence[Example]) -> Signs | None:
        """Those that training has; others have no weight."""
        if self._counting is None:
            return None
        known, ids, starts = self._signs, list[int](), list[int]()
        for example in examples:
            starts.append(len(ids))
            own = self._counting.signs(example.query.words, example.counted, example.in_panels)
            ids.extend(known[sign] for sign in own if sign in known)
        return Signs(torch.tensor(ids, dtype=torch.int64), torch.tensor(starts))

    def _read_facts(self, examples: Sequence[Example]) -> Facts:
        different = list(different_facts(examples))
        words = self._read([[spoken(fact) for fact in different]], max(1, len(different)))
        if self._vectors is not None:
            own = [self._vectors.of_fact(fact) for fact in different]
            words = _with_vectors(words, [own], self._vectors.dim)
        return facts_read(examples, different, words)

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
    """Query and response in one sequence, with the marks of the tokenizer around them: for BERT that is
    [CLS] query [SEP] response [SEP].

    What is longer than the transformer reads loses the query's first words: responses differ, queries do not.
    """

    def __init__(
        self,
        tokenizer: Any,
        labels: Vocabulary,
        *,
        longest: int,
        query: bool = True,
        sees: bool = False,
        answers: int = 0,
        graph: ConceptGraph | None = None,
    ) -> None:
        """Without `query` only the response is read, to show what choices give away. A network that `sees`
        lays objects beside the text, so that both make its rows long. Of `answers` there are so many where
        they are named, and there is nothing to read of them. Nodes of a `graph` are marked."""
        self._marks, self._spelling = marks_of("The transformer", tokenizer, pair=query), Spelling(tokenizer)
        if longest <= self._marks.pieces:
            raise ValueError(f"{longest} sub-words have no room for a text beside {self._marks.pieces} marks")
        self._labels, self._longest, self._query, self._sees = labels, longest, query, sees
        self._padding, self._answers = tokenizer.pad_token_id, answers
        self._nodes = None if graph is None else NodeMarks(graph)

    def length(self, example: Example) -> int:
        """Of the longest response with the query, and with the objects where those are beside it."""
        own = max(self._count(text) for text in example.responses)
        asked = self._count(example.query) if self._query else 0
        text = min(self._longest, own + asked + self._marks.pieces)
        return text + (len(example.objects) if self._sees else 0)

    def batch(self, examples: Sequence[Example]) -> Batch:
        """The examples as sub-words."""
        most = max(len(example.responses) for example in examples)
        rows = [[self._row(example, text) for text in example.responses] for example in examples]
        ids, lengths = padded([[row.ids for row in several] for several in rows], most)
        segments, objects, asked, said = (
            padded([[row[part] for row in several] for several in rows], most).places for part in range(1, 5)
        )
        mask = lengths_to_mask(lengths, ids.shape[-1])
        ids = ids.masked_fill(~mask, self._padding)
        in_view = seen(examples, self._labels)
        return Batch(
            present(examples, self._answers),
            gold(examples),
            pieces=Pieces(ids, segments, mask, objects, asked, said),
            marks=None if self._nodes is None else self._nodes.of(examples),
            seen=in_view,
            targets=targets(examples, in_view),
            programs=programs(examples),
            layouts=layouts(examples),
            people=people(examples, self._answers),
            places=places(examples),
        )

    def _row(self, example: Example, response: Spoken) -> _Row:
        room = self._longest - self._marks.pieces
        second = self._pieces(response)[:room]
        first = self._pieces(example.query) if self._query else []
        first = first[max(0, len(first) - (room - len(second))) :]
        begin, middle, end = (
            [_Piece(number, 0, 0) for number in mark.ids]
            for mark in (self._marks.begin, self._marks.middle, self._marks.end)
        )
        before = [*begin, *first, *middle]
        row = [*before, *second, *end]
        own = len(before) if self._query else len(row)  # a response alone is the first text
        return _Row(
            [piece.number for piece in row],
            [int(place >= own) for place in range(len(row))],
            [piece.object for piece in row],
            [piece.word for piece in before] + [0] * (len(row) - len(before)),
            [0] * len(before) + [piece.word for piece in row[len(before) :]],
        )

    def _pieces(self, text: Spoken) -> list[_Piece]:
        return [
            _Piece(piece, place, number)
            for number, (word, place) in enumerate(zip(text.words, text.objects, strict=True), start=1)
            for piece in self._spelling.of(word)
        ]

    def _count(self, text: Spoken) -> int:
        return sum(len(self._spelling.of(word)) for word in text.words)


class _Piece(NamedTuple):
    number: int
    object: int
    word: int
    """Of its text, from 1; 0 for marks."""


class _Row(NamedTuple):
    """One pair, a number a piece: as `Pieces` has them."""

    ids: list[int]
    segments: list[int]
    objects: list[int]
    asked: list[int]
    said: list[int]


def present(examples: Sequence[Example], answers: int = 0) -> Tensor:
    """(batch, choice): which choices are there; all of the answers, where these are named."""
    counts = [len(example.choices) or answers or len(example.responses) for example in examples]
    return lengths_to_mask(torch.tensor(counts))


def people(examples: Sequence[Example], answers: int) -> Tensor | None:
    """(batch, answer): how many people gave each answer, if any example tells."""
    if not any(example.times for example in examples):
        return None
    found = torch.zeros(len(examples), answers)
    for row, example in enumerate(examples):
        for place, several in example.times:
            found[row, place] = several
    return found


def places(examples: Sequence[Example]) -> Tensor | None:
    """(batch, choice): the places of choices among the answers that can be named, if any example tells."""
    most = max(len(example.places) for example in examples)
    if not most:
        return None
    padding = (-1,) * most
    return torch.tensor([(*example.places, *padding)[:most] for example in examples])


def gold(examples: Sequence[Example]) -> Tensor:
    """(batch): the right choices."""
    return torch.tensor([-1 if example.gold is None else example.gold for example in examples])


def targets(examples: Sequence[Example], in_view: Seen) -> Tensor:
    """(batch, object): which of them a right answer may point to."""
    found = torch.zeros_like(in_view.mask)
    for row, example in enumerate(examples):
        found[row, list(example.targets)] = True
    return found


def programs(examples: Sequence[Example]) -> tuple[Program | None, ...]:
    """Of each, if any has one."""
    found = tuple(example.program for example in examples)
    return found if any(one is not None for one in found) else ()


def layouts(examples: Sequence[Example]) -> tuple[Layout, ...]:
    """Of each, if any has one."""
    found = tuple(example.layout for example in examples)
    return found if any(found) else ()


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

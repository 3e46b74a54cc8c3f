"""A batch: several questions as tensors. What a network does not read is simply not looked at.

Padding is 0 everywhere and never changes a score; masks and lengths say what is there.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from torch import Tensor

from commonsight.core.layout import Layout
from commonsight.core.program import Program
from commonsight.models.layers.masks import lengths_to_mask

_T = TypeVar("_T", bound="Movable")


class Movable:
    """A dataclass of tensors, of others like it, and of None."""

    def to(self: _T, device: Any) -> _T:
        """The same on another device."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        moved = {name: part.to(device) for name, part in found.items() if isinstance(part, Tensor | Movable)}
        return replace(self, **moved)  # type: ignore[type-var]


@dataclass(frozen=True)
class Words(Movable):
    """Texts word by word, for networks that read words.

    Queries are (batch, 1 or choice, word): there is one for all choices, unless a text encoder has read it
    together with each of them. Responses are (batch, choice, word).
    """

    ids: Tensor
    """(batch, choice, word): numbers in the vocabulary."""
    lengths: Tensor
    """(batch, choice): at least 1, also where a question has fewer choices than others of the batch."""
    objects: Tensor
    """(batch, choice, word): which object each word points to; 0, the whole picture, for most."""
    vectors: Tensor | None = None
    """(batch, choice, word, dim): what a frozen text encoder made of each word, if one was asked."""

    @property
    def mask(self) -> Tensor:
        """(batch, choice, word): True for words."""
        return lengths_to_mask(self.lengths, self.ids.shape[-1])


@dataclass(frozen=True)
class Pieces(Movable):
    """Query and response in one sequence of sub-words, for transformers; for BERT that is [CLS] query [SEP]
    response [SEP]."""

    ids: Tensor
    """(batch, choice, piece)"""
    segments: Tensor
    """(batch, choice, piece): 0 for the query, 1 for the response."""
    mask: Tensor
    """(batch, choice, piece): True for pieces."""
    objects: Tensor
    """(batch, choice, piece): which object each piece points to; 0, the whole picture, for most."""
    asked: Tensor | None = None
    """(batch, choice, piece): which word of the query each piece is of, from 1; 0 for all others."""
    said: Tensor | None = None
    """(batch, choice, piece): which word of the response, likewise."""


@dataclass(frozen=True)
class Seen(Movable):
    """The objects of each question's picture, the whole picture first."""

    mask: Tensor
    """(batch, object): True for objects; also for such without a box, which are empty boxes at the origin."""
    boxes: Tensor
    """(batch, object, 4): left, top, right, bottom as shares of the picture's width and height."""
    classes: Tensor
    """(batch, object): numbers of the objects' labels; 0 for padding, 1 for unknown ones."""
    masks: Tensor | None = None
    """(batch, object, 14, 14): the share of each bin of the box that the object covers."""
    features: Tensor | None = None
    """(batch, object, ...): what was kept of each object: its pixels, or a backbone's vector."""
    maps: Tensor | None = None
    """(picture, channel, height, width): what a backbone's frozen part made of each picture."""
    picture_of: Tensor | None = None
    """(batch): which of them."""


@dataclass(frozen=True)
class Signs(Movable):
    """Which signs each question has, one question after another, for networks that add up their weights."""

    ids: Tensor
    """(sign of all questions): numbers in the vocabulary."""
    starts: Tensor
    """(batch): where each question's begin; there may be none."""


@dataclass(frozen=True)
class Facts(Movable):
    """Items of knowledge about each question, for networks that read facts."""

    words: Words
    """Texts of the batch's different facts in the place of one question's choices: (1, different fact, word).
    Questions share facts, and each is read once; where there is none, there is an empty text."""
    which: Tensor
    """(batch, fact): the number of each among the different ones; 0 for padding."""
    relations: Tensor
    """(batch, fact): the relation of each, as a position among all that there are; 0 for padding."""
    mask: Tensor
    """(batch, fact): True for facts; there is room for one at least, also where nobody has any."""
    sought: Tensor
    """(batch, relation): True for those that the question's program looks up, to learn from; nowhere if it
    has no program."""


@dataclass(frozen=True)
class Texts(Movable):
    """What networks that write read, and texts that they might write."""

    asked: Tensor
    """(batch, piece): the question; padding is behind it."""
    asked_mask: Tensor
    """(batch, piece): True for pieces."""
    said: Tensor
    """(batch, choice, piece): each text with its end mark; padding is behind it."""
    said_mask: Tensor
    """(batch, choice, piece): True for pieces."""


@dataclass(frozen=True)
class Wholes(Movable):
    """Texts as one vector each, for networks that read no words."""

    question: Tensor
    """(batch, dim)"""
    choices: Tensor | None = None
    """(batch, choice, dim): zeros for padding; nothing where answers are named."""
    answers: Tensor | None = None
    """(answer, dim): of all answers that can be named, the same for every question."""


@dataclass(frozen=True)
class Batch(Movable):
    """Several questions."""

    choices: Tensor
    """(batch, choice): True for choices; False where a question has fewer than others of the batch. Answers
    that are named are choices, too, the same ones for all questions."""
    gold: Tensor
    """(batch): the right choice; -1 where it is not known."""
    query: Words | None = None
    responses: Words | None = None
    pieces: Pieces | None = None
    seen: Seen | None = None
    canvas: Tensor | None = None
    """(batch, channel, height, width): all pictures of a question side by side, as pixels or as maps."""
    targets: Tensor | None = None
    """(batch, object): True for objects that a right answer may point to; nowhere if it points to none."""
    signs: Signs | None = None
    programs: tuple[Program | None, ...] = ()
    """Of each question the steps to its right answer, to learn from; nothing where none has any."""
    asked: tuple[tuple[str, ...], ...] = ()
    """Of each question its words, for those who learn which of them a step of its program takes."""
    facts: Facts | None = None
    marks: Tensor | None = None
    """(batch, node, mark): which nodes of a graph each question brings up, for networks built on one."""
    layouts: tuple[Layout, ...] = ()
    """Of each question the modules to put together, to learn from; nothing where none has any."""
    texts: Texts | None = None
    people: Tensor | None = None
    """(batch, answer): how many people gave each answer, to learn from; nothing where there is one alone."""
    places: Tensor | None = None
    """(batch, choice): of choices that are scored by a network that names answers, their places among those;
    -1 for others, and for padding."""
    wholes: Wholes | None = None

    def __len__(self) -> int:
        return len(self.gold)

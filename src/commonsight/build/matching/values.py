"""What matching works on: queries and the responses that people gave to them."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct, field

from commonsight.core.text import TaggedText

_WORD = re.compile(r"[^\W_]+")


class Annotation(Struct, frozen=True):
    """One raw annotation: a question, its answer and why, about an image with objects.

    For any other text task the question is the context, the answer the response, and there is no rationale.
    """

    id: str
    group: str
    """What must not be torn apart: the movie, the document, the writer."""
    objects: tuple[str, ...]
    question: TaggedText
    answer: TaggedText
    rationale: TaggedText | None = None
    image: str | None = None
    """Items of one image do not lend each other responses, unless that is asked for."""
    split: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


class Pair(Struct, frozen=True):
    """A query and its own response, as one task sees them."""

    id: str
    image: str
    objects: tuple[str, ...]
    query: TaggedText
    response: TaggedText

    def mentions(self) -> list[int]:
        """The objects that the query or its own response points to, each once, in order."""
        return list(dict.fromkeys((*self.query.references(), *self.response.references())))


def answer_pair(annotation: Annotation) -> Pair:
    """Question to answer."""
    image = annotation.image or annotation.id
    return Pair(annotation.id, image, annotation.objects, annotation.question, annotation.answer)


def rationale_pair(annotation: Annotation) -> Pair:
    """Question and answer to rationale."""
    if annotation.rationale is None:
        raise ValueError(f"annotation {annotation.id} has no rationale")
    query = TaggedText(annotation.question.tokens + annotation.answer.tokens)
    image = annotation.image or annotation.id
    return Pair(annotation.id, image, annotation.objects, query, annotation.rationale)


def normalised(text: TaggedText) -> str:
    """A response as matching compares it: lower case, words only, every tag alike.

    Two responses that read the same would be two right answers, whoever they point to.
    """
    # A token may be a whole text (TaggedText.plain), so it is not a word as it stands.
    words = (["#"] if isinstance(token, tuple) else _WORD.findall(token.lower()) for token in text.tokens)
    return " ".join(word for found in words for word in found)

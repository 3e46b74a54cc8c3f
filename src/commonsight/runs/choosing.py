"""From an answer in words to one of the choices: A-OKVQA's rule, for networks that name what they answer.

The rule itself is `score.nearest`; here it gets its word vectors, and a run tells which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from commonsight.core.answer import Pick, Unparsed
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.errors import MissingExtra
from commonsight.score.choices import LoadVectors, words_in
from commonsight.score.nearest import nearest_choice
from commonsight.text.encoders import Encoder, default_encoder
from commonsight.text.vectors import Vector, WordVectors, installed_glove


class EncodedWords:
    """An encoder's vectors of single words, in place of GloVe's where those are not installed."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder, self._known = encoder, dict[str, Vector]()
        self.name = encoder.name

    def lookup(self, word: str) -> Vector:
        """It has one of any word."""
        if word not in self._known:
            self._known[word] = self._encoder.encode([word])[0]
        return self._known[word]


class Nearest(NamedTuple):
    """Tasks that are answered by the choice nearest to what was said."""

    tasks: tuple[Task, ...]
    vectors: WordVectors

    @property
    def told(self) -> str:
        """For the run's provenance."""
        return f"nearest choice by cosine of mean word vectors ({self.vectors.name})"

    def pick(self, ask: Ask, text: str) -> Pick | Unparsed:
        """The choice; none where no word has a vector."""
        return nearest_choice(text, choice_texts(ask), self.vectors)


def choice_texts(ask: Ask) -> tuple[str, ...]:
    """A question's choices as plain texts."""
    labels = ask.scenes[0].labels if ask.scenes else ()
    return tuple(choice.bracketed(labels) for choice in ask.choices)


def nearest(
    tasks: Sequence[Task], items: Iterable[Item], answers: Iterable[str], load: LoadVectors | None = None
) -> Nearest:
    """For these tasks about these items, and for answers that may be named.

    Without `load` the vectors are GloVe's where they are installed, and else the embedded encoder's.
    """
    asks = [task.ask(item) for item in items for task in tasks]
    if load is not None:
        said = [text for ask in asks for text in choice_texts(ask)]
        return Nearest(tuple(tasks), load(words_in([*said, *answers])))
    try:
        return Nearest(tuple(tasks), installed_glove())
    except MissingExtra:
        return Nearest(tuple(tasks), EncodedWords(default_encoder()))

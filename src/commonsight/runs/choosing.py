"""From an answer in words to one of the choices: A-OKVQA's rule, for networks and language models alike.

The rule itself is `score.nearest`; here it gets its word vectors. The log tells of each answer that had to be
brought to a choice by which vectors that was, and the report counts them (decision 5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from commonsight.core.answer import Answer, Pick
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.errors import MissingExtra
from commonsight.runs.labels import asked
from commonsight.score.choices import LoadVectors, rule_of, step_of, words_in
from commonsight.score.nearest import nearest_choice, same_choice
from commonsight.store.runs import AnswerLine
from commonsight.text.encoders import Encoder, default_encoder
from commonsight.text.vectors import Vector, WordVectors, installed_glove

NEAREST = "nearest"
"""Where an answer's `extra` names the vectors that brought it to a choice."""


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


class Chosen(NamedTuple):
    """An answer, and whether it had to be brought to a choice."""

    answer: Answer
    by: str | None = None
    """The vectors that did so; None for an answer that stands as it was given."""

    @property
    def told(self) -> dict[str, Any]:
        """For the answer's `extra` in a log."""
        return {} if self.by is None else {NEAREST: self.by}


def chosen(text: str, ask: Ask, vectors: WordVectors) -> Chosen:
    """The choice nearest to these words by these vectors; none where no word has a vector."""
    choices = choice_texts(ask)
    answer = nearest_choice(text, choices, vectors)
    moved = isinstance(answer, Pick) and same_choice(text, choices) is None
    return Chosen(answer, vectors.name if moved else None)


def steps(lines: Iterable[AnswerLine]) -> tuple[str, ...]:
    """What a report says of it: how many answers were brought to a choice, and by which vectors."""
    moved = Counter(str(line.extra[NEAREST]) for line in lines if NEAREST in line.extra)
    return tuple(step_of(vectors, count) for vectors, count in sorted(moved.items()))


class Nearest(NamedTuple):
    """Tasks that are answered by the choice nearest to what was said."""

    tasks: tuple[Task, ...]
    vectors: WordVectors

    @property
    def told(self) -> str:
        """For the run's provenance."""
        return rule_of(self.vectors.name)

    def pick(self, ask: Ask, text: str) -> Chosen:
        """The choice nearest to what was said."""
        return chosen(text, ask, self.vectors)


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
    if load is not None:
        asks = (asked(task, item) for item in items for task in tasks)
        said = [text for ask in asks if ask is not None for text in choice_texts(ask)]
        return Nearest(tuple(tasks), load(words_in([*said, *answers])))
    try:
        return Nearest(tuple(tasks), installed_glove())
    except MissingExtra:
        return Nearest(tuple(tasks), EncodedWords(default_encoder()))

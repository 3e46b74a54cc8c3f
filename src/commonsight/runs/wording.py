"""Questions with choices, answered in words of one's own: A-OKVQA's way to score what language models write.

The words are brought to the nearest choice, a step that a run takes only where it was asked for, with vectors
that it names, and that its report counts (`score.nearest`; decision 5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from commonsight.core.answer import Answer, FreeText, Pick
from commonsight.core.benchmark import Ask
from commonsight.score.choices import step_of
from commonsight.score.nearest import nearest_choice
from commonsight.score.parse import parse_free_text
from commonsight.score.parse.reply import plain
from commonsight.store.runs import AnswerLine
from commonsight.text.vectors import WordVectors
from commonsight.vlm.client import Reply
from commonsight.vlm.reading import answer_of

NEAREST = "nearest"
"""Where an answer's `extra` names the vectors that brought it to a choice."""


def nearest(reply: Reply, ask: Ask, vectors: WordVectors) -> Answer:
    """The choice nearest to what the reply says; whatever cannot be read stays unread."""
    said = _said(reply, ask)
    return nearest_choice(said.text, _choices(ask), vectors) if isinstance(said, FreeText) else said


def was_moved(reply: Reply, ask: Ask, vectors: WordVectors) -> bool:
    """Whether the words of the reply are none of the choices, and were brought to one."""
    said = _said(reply, ask)
    own = {plain(choice).casefold() for choice in _choices(ask)}
    strayed = isinstance(said, FreeText) and plain(said.text).casefold() not in own
    return strayed and isinstance(nearest(reply, ask, vectors), Pick)


def steps(lines: Iterable[AnswerLine]) -> tuple[str, ...]:
    """What a report says of it: how many answers were brought to a choice, and by which vectors."""
    moved = Counter(str(line.extra[NEAREST]) for line in lines if NEAREST in line.extra)
    return tuple(step_of(vectors, count) for vectors, count in sorted(moved.items()))


def _said(reply: Reply, ask: Ask) -> Answer:
    if reply.finish == "filtered":
        return answer_of(reply, ask)
    return parse_free_text(reply.text, truncated=reply.finish == "length")


def _choices(ask: Ask) -> list[str]:
    labels = ask.scenes[0].labels if ask.scenes else ()
    return [choice.bracketed(labels) for choice in ask.choices]

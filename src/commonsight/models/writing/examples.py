"""Questions for networks that write: what is asked, in letters, and what would be right to say."""

from __future__ import annotations

from msgspec import structs

from commonsight.core.answer import FreeText, Pick, Verdict
from commonsight.core.benchmark import Ask
from commonsight.models.features.examples import NOTHING, Example, Spoken
from commonsight.models.network import needed
from commonsight.models.writing.style import TOLD, Writes, Written, choices_of


def as_written(example: Example, ask: Ask, writes: Writes) -> Example:
    """The same question as such a network reads it. Choices are texts that it might write."""
    said = tuple(writes.text(choice) for choice in choices_of(ask))
    wanted = tuple(writes.text(text) for text in _wanted(ask))
    gold = example.gold if said else None
    written = Written(writes.question(ask), said, wanted)
    return structs.replace(example, answer=None, said=(), gold=gold, written=written)


def _wanted(ask: Ask) -> tuple[str, ...]:
    """The right text first, then all others that people gave."""
    match ask.gold:
        case Pick(index):
            return (choices_of(ask)[index],)
        case Verdict(value):
            return (str(value),)
        case FreeText(text):
            return tuple(dict.fromkeys((text, *ask.answers)))
    return ()


def to_learn(example: Example) -> list[Example]:
    """The question once for each text to learn: every rationale or caption, and of answers the first."""
    written = needed(example.written, "texts as people put them")
    texts = written.wanted if example.task in TOLD else written.wanted[:1]
    return [
        structs.replace(
            example,
            responses=(_spoken(text),),
            gold=0,
            written=structs.replace(written, said=(text,)),
        )
        for text in texts
    ]


def _spoken(text: str) -> Spoken:
    words = tuple(text.lower().split()) or (NOTHING,)
    return Spoken(words, (0,) * len(words))

"""Words that a network does not know: where it knows too few of them it can only guess, and people are told.

Only networks that know words by number have such: those of their training, each a row of a table. Encoders
that others trained, or that read letters, read any word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from commonsight.errors import InputError
from commonsight.models.catalogue_entry import Entry
from commonsight.models.features.examples import Example
from commonsight.models.features.vocabulary import Vocabularies, known_share

T = TypeVar("T")

KNOWN = 0.05
"""A share of known validation words below which something must be wrong with the data."""
MANY = 0.2
"""A share of unknown words above which people are told. Splits of one dataset have fewer, even small ones."""
SAMPLE = 500
"""Items whose words are looked at before a split is answered, from all over it."""
_CLOSED = ("learned", "glove")
"""Where words come from, by the word before the colon, if those that training lacks have no vector."""


def is_closed(entry: Entry, text: str) -> bool:
    """Whether a network that reads words like this knows those of its training alone."""
    return entry.learns and text.partition(":")[0] in _CLOSED


def refuse_unknown(entry: Entry, text: str, known: Vocabularies, judged: Iterable[Example]) -> None:
    """Say so where validation speaks of other things than training, or in another language."""
    if not is_closed(entry, text):
        return
    share = known_share(_read(entry, judged), known.words)
    if share < KNOWN:
        raise InputError(
            f"Only {100 * share:.1f} % of the words to choose the best weights by occur in the training "
            "split, so nothing learned there could help. Are the splits of one dataset, in one language?"
        )


def unknown_told(
    entry: Entry, text: str, known: Vocabularies, asked: Iterable[Example], *, place: str
) -> str | None:
    """How many of the words that are asked at this place the network lacks, if it is many; an error if it
    knows none of them."""
    if not is_closed(entry, text):
        return None
    texts = list(_read(entry, asked))
    share = known_share(texts, known.words)
    if not share:
        some = ", ".join(dict.fromkeys(word for words in texts[:3] for word in words[:3]))
        raise InputError(
            f"{place}: of all the words there ({some}, …) the network knows none, so it could only guess. "
            "Give a dataset that says things as its training did, in one language, or train a network whose "
            "words come from elsewhere (--text static, or bert:PLACE)."
        )
    if 1 - share <= MANY:
        return None
    return (
        f"{place}: {100 * (1 - share):.0f} % of the words are none that the network was trained on; it "
        "cannot tell them apart."
    )


def sampled(several: Sequence[T], most: int = SAMPLE) -> Sequence[T]:
    """So many of them at most, evenly from the first to the last."""
    return several[:: max(1, -(-len(several) // most))]


def _read(entry: Entry, examples: Iterable[Example]) -> Iterator[tuple[str, ...]]:
    """The words that the network reads."""
    for one in examples:
        if entry.query:
            yield one.query.words
        yield from (text.words for text in one.responses)

"""A text as shortcuts see it: its words, its tags, its pronouns, and small lists of telling words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from commonsight.audit.words.grams import words_in
from commonsight.build.matching.similarity_words import negates, stem
from commonsight.core.text import TaggedText, join_words
from commonsight.text.pronouns import FEMALE, MALE

FUNCTION_WORDS = frozenset(
    (
        "a", "an", "the", "this", "that", "these", "those", "and", "or", "but", "if", "so", "as", "of",
        "to", "in", "on", "at", "by", "for", "from", "with", "into", "about", "over", "up", "down", "out",
        "off", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "has", "have",
        "had", "will", "would", "can", "could", "may", "might", "must", "shall", "should", "not", "no",
        "n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "ca", "wo", "i", "you", "he", "she", "it", "we",
        "they", "me", "him", "her", "us", "them", "my", "your", "his", "its", "our", "their", "mine",
        "yours", "hers", "ours", "theirs", "what", "who", "whom", "whose", "which", "why", "how", "when",
        "where", "there", "here", "then", "than", "very", "just", "also", "too", "one", "some", "any",
        "all", "both", "each",
    )
)  # fmt: skip
"""Words that a text can hardly do without: sharing them says nothing."""

_PRONOUNS = {
    **dict.fromkeys(FEMALE, "she"),
    **dict.fromkeys(MALE, "he"),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), "they"),
    **dict.fromkeys(("it", "its", "itself"), "it"),
    **dict.fromkeys(("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"), "we"),
    **dict.fromkeys(("you", "your", "yours", "yourself", "yourselves"), "you"),
}
NUMBERS = frozenset(
    (
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "dozen",
    )
)  # fmt: skip
QUANTIFIERS = frozenset(
    (
        "all", "every", "each", "both", "some", "any", "most", "many", "much", "few", "several", "only",
        "least", "exactly", "more", "less", "fewer", "none", "no", "neither", "either", "half", "various",
        "single", "multiple", "always", "never", "everyone", "everybody", "everything", "someone",
        "somebody", "something", "anyone", "anybody", "anything", "nobody", "nothing",
    )
)  # fmt: skip
_DESCRIBING = re.compile(r".{3,}(?:ful|ous|ive|able|ible|less|ish|ical|ly)")
"""Endings that adjectives and adverbs have, and few other words."""
_WHOLE = re.compile(
    r"\b(?:all|none|any|both|neither|either) of (?:these|those|them|the above|the other)|\bof the above\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"[A-Z]")
_MARK = re.compile(r"[^\w\s]")
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")


class Seen(NamedTuple):
    """What shortcuts go by in one text. Tags are counted apart and are no words."""

    words: tuple[str, ...]
    stems: frozenset[str]
    """Of its words of meaning."""
    tags: tuple[int, ...]
    pronouns: frozenset[str]
    characters: int
    marks: int
    """Punctuation, apostrophes inside words left out."""
    commas: int
    stopped: bool
    """Whether it ends in a full stop, or another mark that ends a sentence."""
    capitals: int
    negations: int
    numbers: int
    quantifiers: int
    describing: int
    whole: bool
    """Whether it is of the kind "all of these"."""


def seen(text: TaggedText) -> Seen:
    """What is to be seen in a text."""
    said = join_words([token for token in text.tokens if isinstance(token, str)])
    words = tuple(words_in(said))
    told = [_told(word) for word in words]
    marks = _MARK.findall(_APOSTROPHE.sub("", said))
    return Seen(
        words,
        frozenset([word.stem for word in told if word.stem]),
        tuple(text.references()),
        frozenset([word.pronoun for word in told if word.pronoun]),
        len(said),
        len(marks),
        marks.count(","),
        said.endswith((".", "!", "?", '."', ".”")),
        len(_CAPITAL.findall(said)),
        sum([word.negates for word in told]),
        sum([word.counts for word in told]),
        sum([word.quantifies for word in told]),
        sum([word.describes for word in told]),
        _WHOLE.search(said) is not None,
    )


class _Told(NamedTuple):
    """What one word tells wherever it stands; an empty stem where it has no meaning of its own."""

    stem: str
    pronoun: str
    negates: bool
    counts: bool
    quantifies: bool
    describes: bool


@lru_cache(maxsize=1 << 17)
def _told(word: str) -> _Told:
    return _Told(
        "" if word in FUNCTION_WORDS else stem(word),
        _PRONOUNS.get(word, ""),
        negates(word),
        word in NUMBERS or word[:1].isdigit(),
        word in QUANTIFIERS,
        _DESCRIBING.fullmatch(word) is not None,
    )

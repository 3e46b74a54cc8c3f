"""Which category a premise is of, told by the template that it comes nearest to by BLEU (PMR, section 3.3).

People change what they are offered, and the category gets lost. The premise is compared with every template,
the slot filled with whichever of its words the premise holds; the highest BLEU decides. Where two templates
read alike ("[person1] is …" is both a trait and a mood), it is the word in the slot that tells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from commonsight.build.premises.offers import filled
from commonsight.build.premises.templates import TEMPLATES, Category, Template
from commonsight.build.premises.words import WORDS
from commonsight.core.text import TaggedText
from commonsight.text.bleu import Smoothing, sentence_bleu

SMOOTHING: Smoothing = "add-one"
"""The paper names none; of the four, this agrees best with the labels of PMR's val-ori."""
PERSON, OPEN = "<person>", "<open>"
"""What stands for anyone who is named, and for a slot whose word is not in the lists."""

_TAG = re.compile(r"\[[^\[\]]+\]|\{[pq]\}")
_WORD = re.compile(r"<\w+>|\w+(?:[-/]\w+)*|[^\w\s]")
_SAME = {
    "an": "a",
    "a/an": "a",
    "his/her": "their",
    "his": "their",
    "her": "their",
    "considerd": "considered",
}
"""Spellings that make no difference between templates, some of them slips of the released premises."""


class Recovered(Struct, frozen=True):
    """The nearest template, and how near it is."""

    category: Category
    bleu: float
    template: str


def category_of(premise: TaggedText | str) -> Category:
    """The category of a premise, given as tokens or in bracket notation."""
    return recovered(premise).category


def recovered(
    premise: TaggedText | str,
    *,
    templates: Sequence[Template] = TEMPLATES,
    words: Mapping[str, Sequence[str]] = WORDS,
    smoothing: Smoothing = SMOOTHING,
) -> Recovered:
    """The template with the highest BLEU; of equals the first, the categories being in the paper's order."""
    said = compared(premise)
    held = _held(said, words)
    best: Recovered | None = None
    for template in templates:
        for word in (None,) if template.words is None else held[template.words]:
            reference = _reference(template, word)
            score = sentence_bleu(said, [reference], smoothing=smoothing)
            if best is None or score > best.bleu:
                best = Recovered(template.category, score, template.text)
    if best is None:
        raise ValueError("there is no template to compare with")
    return best


def compared(premise: TaggedText | str) -> tuple[str, ...]:
    """The words that are compared: in lower case, whoever is named as one and the same."""
    text = premise if isinstance(premise, str) else premise.render(lambda _: f" {PERSON} ")
    text = _TAG.sub(f" {PERSON} ", text).lower()
    text = text.replace("n't", " not").replace("’", "'").rstrip()
    words = [_SAME.get(word, word) for word in _WORD.findall(text)]
    return (*words, *([] if words and words[-1] in ".!?" else ["."]))


def _held(said: Sequence[str], words: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The words of each list that the premise holds; where it holds none, what stands for an open slot."""
    line = f" {' '.join(said)} "
    found = {name: [word for word in listed if _spelled(word) in line] for name, listed in words.items()}
    return {name: hits or [OPEN] for name, hits in found.items()}


@lru_cache(maxsize=1 << 14)
def _reference(template: Template, word: str | None) -> tuple[str, ...]:
    return compared(filled(template, word))


@lru_cache(maxsize=1 << 14)
def _spelled(word: str) -> str:
    return f" {' '.join(compared(word)[:-1])} "

"""Labelled pairs of texts to learn inference from.

Beside what people labelled, the paper has random pairs that are neutral and paraphrases that are entailed,
for pairs of responses are mostly unlike each other, and some say the same in other words (VCR, appendix C).
It translates sentences there and back for paraphrases; here some of their words are left out.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from commonsight.build.matching.similarity_fit import Judged, random_pairs, shortened
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, Problem, fail
from commonsight.models.features.examples import Example, Spoken, spoken
from commonsight.store.jsonfiles import read_lines

LABELS = ("entailment", "neutral", "contradiction")
ENTAILMENT, NEUTRAL, _ = LABELS
UNSETTLED = "-"
"""What SNLI says where people did not agree; such pairs are left out, as its authors do."""
LONGEST = 128
"""Words of a text that are read."""
EVERY = 10
"""One premise in so many is held out, where nobody names a file to judge by."""
EXTRAS = 4
"""One random pair, and one paraphrase, for every so many labelled pairs."""


def read_pairs(path: Path) -> list[Judged]:
    """The labelled pairs of a file of JSON lines."""
    found = []
    for record in read_lines(path, Judged):
        label = record.value.label
        if label == UNSETTLED:
            continue
        if label not in LABELS:
            choices = ", ".join(LABELS)
            remedy = f"Write one of {choices}, or {UNSETTLED} where people did not agree."
            fail(Problem(path, f"'{label}' is no label", remedy, line=record.line, field="label"))
        found.append(record.value)
    if not found:
        raise InputError(f"{path}: no pair in this file has a label. Give labelled pairs.")
    return found


class Parted(NamedTuple):
    """Pairs to learn from, and pairs to judge by."""

    learned: list[Judged]
    judged: list[Judged]


def parted(pairs: Sequence[Judged]) -> Parted:
    """With every tenth premise held out, and whatever is said of it: several pairs share a premise."""
    premises = list(dict.fromkeys(pair.premise for pair in pairs))
    held = frozenset(premises[EVERY - 1 :: EVERY])
    return Parted(
        [pair for pair in pairs if pair.premise not in held], [pair for pair in pairs if pair.premise in held]
    )


def with_extras(pairs: Sequence[Judged], seed: int) -> list[Judged]:
    """The pairs, random ones that are neutral, and paraphrases that are entailed."""
    rng = random.Random(f"{seed}:inference")
    some = rng.sample(pairs, len(pairs) // EXTRAS)
    apart = [Judged(pair.premise, pair.hypothesis, NEUTRAL) for pair in random_pairs(some, rng)]
    said = rng.sample(pairs, len(pairs) // EXTRAS)
    shorter = [Judged(pair.hypothesis, shortened(pair.hypothesis, rng), ENTAILMENT) for pair in said]
    return [*pairs, *apart, *shorter]


def as_words(text: str) -> Spoken:
    """A text word by word, as networks read it."""
    whole = spoken((TaggedText.plain(text),), lambda _: "", {})
    return Spoken(whole.words[:LONGEST], whole.objects[:LONGEST])


def examples(pairs: Iterable[Judged]) -> list[Example]:
    """Each pair as a question whose query is the premise; what is said often is in memory once."""
    known: dict[str, Spoken] = {}
    words: dict[str, str] = {}

    def read(text: str) -> Spoken:
        if text not in known:
            found = as_words(text)
            known[text] = Spoken(tuple(words.setdefault(word, word) for word in found.words), found.objects)
        return known[text]

    return [
        Example(
            str(number), "inference", None, (1, 1), read(pair.premise), (read(pair.hypothesis),), (), (),
            LABELS.index(pair.label),
        )
        for number, pair in enumerate(pairs)
    ]  # fmt: skip

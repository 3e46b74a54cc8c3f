"""A sentence as words that the lexicon knows: in small letters, misspelled ones corrected."""

from __future__ import annotations

import re

from commonsight.graph.shapes.lexicon import Lexicon

WORD = re.compile(r"[a-z]+(?:'t)?|\d+|,")

JOINED = (
    (re.compile(r"\bn't\b|(?<=[a-z])n't\b"), " not"),
    (re.compile(r"\b(?:gr[ea]y) squares?\b"), "box"),
    (re.compile(r"\b(?:right |directly |immediately )?on (?:the )?top of it\b"), "ontopofit"),
    (re.compile(r"\b(?:right |directly )?(?:above|over|on) it\b"), "aboveit"),
    (re.compile(r"\b(?:right |directly )?(?:below|under|beneath|underneath) it\b"), "underit"),
    (re.compile(r"\btouching it\b"), "touchingit"),
    (
        re.compile(
            r"\b(?:right )?(?:on|at) (?:the )?top of (?!(?:\w+ ){0,2}(?:towers?|box(?:es)?|stacks?)\b)"
        ),
        "ontopof ",
    ),
    (re.compile(r"\b(?:each|one an) ?other\b"), "eachother"),
    (re.compile(r"\bfrom (?:the )?top\b"), "fromtop"),
    (re.compile(r"\bfrom (?:the )?(?:base|bottom)\b"), "frombase"),
    (re.compile(r"\b(?:in|inside) (?:the |a |one |only one )?same box\b"), "samebox"),
)
"""Phrases whose small words matter, as one word each; before anything else."""

LONGEST = 30
"""Words of a sentence that are read; nobody writes more, and the chart grows with their third power."""


def words_of(sentence: str, known: Lexicon) -> list[str]:
    """The words that mean something, in order."""
    said = sentence.lower()
    for pattern, put in JOINED:
        said = pattern.sub(put, said)
    found = WORD.findall(said)
    right = [spelled(word, known, first=not place) for place, word in enumerate(found)]
    return [word for word in right if word not in known.ignored][:LONGEST]


def spelled(word: str, known: Lexicon, *, first: bool = False) -> str:
    """The word of the lexicon that a word in small letters was meant to be, or the word itself."""
    if word.isdecimal() or word in known.words or word == ",":
        return word
    if first and f"a{word}" in known.words:  # some sentences have lost the A that they began with
        return f"a{word}"
    allowed = 0 if len(word) < 4 else 1 if len(word) < 7 else 2
    near = [(distance, other) for other in known.words if (distance := _apart(word, other)) <= allowed]
    return min(near)[1] if near and allowed else word


def _apart(one: str, other: str) -> int:
    """How many letters to add, drop, change or swap with the next one; 3 stands for more than two."""
    if abs(len(one) - len(other)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        before, last, row = row, before, [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return min(row[-1], 3)

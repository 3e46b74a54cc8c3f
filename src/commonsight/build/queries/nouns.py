"""The nouns that queries are made from: the shipped list or a file, filled up from WordNet where that is.

A file holds one thing a line, its names separated by commas, as ImageNet's lists of synsets have it:

    acorn
    timber wolf, grey wolf, gray wolf        animal
    n02114367 timber wolf, grey wolf

A synset's number may stand in front. Behind a tab may stand what it is, `animal` or `object`, and behind
another the more general words. What a line does not say, WordNet does; `#` begins a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from commonsight.errors import InvalidRecords, OnProblem, Problem
from commonsight.store.jsonfiles import empty_problem, numbered_lines
from commonsight.text.wordnet import ANIMAL, ARTIFACT, FOOD, OBJECT, PLANT, Synset, WordNet

Kind = Literal["animal", "object"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CONCRETE = (ARTIFACT, FOOD, PLANT, OBJECT)
"""Lexicographer files of things that a photograph can show, animals apart."""
GENERAL = 6
"""Synsets less than this many steps below the top ("artifact", "structure") say nothing to a search."""

_NUMBERED = re.compile(r"n(\d{8})\s+(?=\S)")
_ONE_THING = "One thing a line: names separated by commas, then perhaps a tab and animal or object."


class Noun(Struct, frozen=True):
    """One kind of thing by its names, and what it is."""

    names: tuple[str, ...]
    kind: Kind
    hypernyms: tuple[str, ...] = ()
    """More general words, the nearest first."""
    synset: str | None = None
    """Its number in WordNet, such as n02114367."""


class _Line(Struct):
    number: int
    names: tuple[str, ...]
    synset: int | None
    kind: Kind | None
    hypernyms: tuple[str, ...]


def shipped_nouns(wordnet: WordNet | None = None) -> list[Noun]:
    """The list that comes with the package: 62 animals and 62 objects."""
    with resources.as_file(resources.files(__package__) / "nouns.tsv") as path:
        return read_nouns(path, wordnet)


def read_nouns(path: Path, wordnet: WordNet | None = None) -> list[Noun]:
    """The nouns of a file; whatever is wrong with it is told at once, each with its line."""
    problems: list[Problem] = []
    nouns = []
    used: dict[str, int] = {}
    for line in _lines(path, problems.append):
        before = used.setdefault(line.names[0].casefold(), line.number)
        if before != line.number:
            message = f"line {before} has {line.names[0]} too"
            problems.append(Problem(path, message, "Name every thing once.", line.number, field="names"))
        noun = _noun(path, line, wordnet, problems.append)
        nouns += [] if noun is None else [noun]
    if not nouns and not problems:
        problems.append(empty_problem(path))
    if problems:
        raise InvalidRecords(problems)
    return nouns


def _lines(path: Path, on_problem: OnProblem) -> Iterator[_Line]:
    for number, raw in numbered_lines(path, on_problem):
        try:
            text = raw.decode("utf-8").partition("#")[0].rstrip()
        except UnicodeDecodeError:
            on_problem(Problem(path, "the text is not UTF-8", "Save the file as UTF-8.", number))
            continue
        if not text:
            continue
        columns = [column.strip() for column in text.split("\t")]
        if columns[0] in KINDS and len(columns) > 1:  # the kind may come first, as in the shipped list
            columns = [columns[1], columns[0], *columns[2:]]
        numbered = _NUMBERED.match(columns[0])
        names = _listed(columns[0][numbered.end() if numbered else 0 :])
        kind = columns[1] if len(columns) > 1 else ""
        if not names or len(columns) > 3:
            on_problem(Problem(path, "this names no thing", _ONE_THING, number, field="names"))
        elif kind not in (*KINDS, ""):
            on_problem(Problem(path, f"'{kind}' is no kind", "Write animal or object.", number, field="kind"))
        else:
            known = next((one for one in KINDS if one == kind), None)
            above = _listed(columns[2]) if len(columns) > 2 else ()
            yield _Line(number, names, int(numbered[1]) if numbered else None, known, above)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(name.split()) for name in text.split(",") if name.strip()))


def _noun(path: Path, line: _Line, wordnet: WordNet | None, on_problem: OnProblem) -> Noun | None:
    try:
        synset = None if wordnet is None else _meant(wordnet, line)
    except (InvalidRecords, LookupError):
        message = f"this WordNet has no synset {_number(line.synset)} called {line.names[0]}"
        remedy = "ImageNet's numbers are those of WordNet 3.0; use that, or leave the number out."
        on_problem(Problem(path, message, remedy, line.number, field="synset"))
        return None
    kind = line.kind or (None if synset is None else _kind(synset))
    if kind is None:
        message = f"nothing says whether {line.names[0]} is an animal"
        remedy = "Write a tab and animal or object behind the names" + (
            "." if wordnet is not None else ", or name a WordNet folder with --wordnet."
        )
        on_problem(Problem(path, message, remedy, line.number, field="kind"))
        return None
    if wordnet is None or synset is None:
        return Noun(line.names, kind, line.hypernyms, _number(line.synset))
    names = line.names if len(line.names) > 1 else (*line.names, *synset.words)
    unique: dict[str, str] = {}
    for name in names:
        if name in line.names[:1] or not _scientific(wordnet, name):
            unique.setdefault(name.casefold(), name)
    above = tuple(dict.fromkeys((*line.hypernyms, *general_words(wordnet, synset))))
    return Noun(tuple(unique.values()), kind, above, _number(synset.offset))


def _meant(wordnet: WordNet, line: _Line) -> Synset | None:
    """The synset that a line means: the numbered one, else what fits its names and general words best.

    Of equals it is the most common meaning of the first name that can be photographed. A number that WordNet
    does not have, or has for something else, is an error.
    """
    if line.synset is not None:
        synset = wordnet.synset(line.synset)
        if not _folded(line.names) & _folded(synset.words):
            raise LookupError(line.synset)
        return synset
    kinds = {"animal": (ANIMAL,), "object": CONCRETE, None: (ANIMAL, *CONCRETE)}[line.kind]
    found = [one for name in line.names for one in wordnet.synsets(name) if one.kind in kinds]

    def fit(synset: Synset) -> tuple[int, int]:
        above = [word for one in wordnet.ancestors(synset) for word in one.synset.words]
        return (
            len(_folded(line.names) & _folded(synset.words)),
            len(_folded(line.hypernyms) & _folded(above)),
        )

    return max(found, key=fit, default=None)


def _folded(words: Iterable[str]) -> set[str]:
    return {word.casefold() for word in words}


def _kind(synset: Synset) -> Kind:
    return "animal" if synset.kind == ANIMAL else "object"


def _scientific(wordnet: WordNet, name: str) -> bool:
    """Whether it is a Latin name, known by its genus: nobody puts these into the plural."""
    first, blank, _ = name.partition(" ")
    return bool(blank) and first[:1].isupper() and bool(wordnet.synsets(f"genus {first}"))


def general_words(wordnet: WordNet, synset: Synset) -> tuple[str, ...]:
    """The words of everything above a synset that is not too general, the nearest first.

    Of each meaning they are the first word and the common ones: nobody searches for habiliment.
    """
    ancestors = [one.synset for one in wordnet.ancestors(synset)]
    special = [one.words for one in ancestors if wordnet.depth(one) >= GENERAL]
    good = (word for words in special for word in words if word == words[0] or wordnet.common(word))
    return tuple(dict.fromkeys(good))


def _number(offset: int | None) -> str | None:
    return None if offset is None else f"n{offset:08d}"

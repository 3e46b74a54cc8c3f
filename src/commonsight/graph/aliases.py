"""Words that mean the same, from files in which each line lists them, the one to use first.

near,next to,beside
saver,savers

Visual Genome's alias files and the vocabularies of detectors are written so. Where files disagree, what was
read first holds: `under,below` in one and `below,under` in the next would otherwise go in circles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from commonsight.errors import OnProblem, Problem, fail
from commonsight.store.jsonfiles import empty_problem, numbered_lines


def tidy(text: str) -> str:
    """Lower case, one space between words, none around: "  Traffic  light" is "traffic light"."""
    return " ".join(text.lower().split())


class Aliases:
    """Which word to use for which. Words it does not know are only made tidy."""

    def __init__(self, groups: Iterable[Iterable[str]] = ()) -> None:
        self._use: dict[str, str] = {}
        self._said = _Said(self._use)
        for group in groups:
            self.add(group)

    def add(self, group: Iterable[str]) -> None:
        """Words that mean the same, the one to use first. What was added before stays as it is."""
        words = [word for word in map(tidy, group) if word]
        if not words:
            return
        self._said.clear()
        first = _root(self._use, words[0])
        for word in words[1:]:
            if word not in self._use and word != first:
                self._use[word] = first

    def of(self, text: str) -> str:
        """The word to use."""
        return self._said[text]

    def all_of(self, texts: Iterable[str]) -> list[str]:
        """The words to use for many."""
        return list(map(self._said.__getitem__, texts))

    def __len__(self) -> int:
        return len(self._use)


class _Said(dict[str, str]):
    """The word to use for every one that was asked for: names come again and again."""

    def __init__(self, use: dict[str, str]) -> None:
        self._use = use

    def __missing__(self, text: str) -> str:
        word = self[text] = _root(self._use, tidy(text))
        return word


def _root(use: dict[str, str], word: str) -> str:
    while word in use:  # ends: a word is only ever led to one that leads nowhere else yet
        word = use[word]
    return word


class Group(NamedTuple):
    """One line of a file of aliases."""

    line: int
    words: tuple[str, ...]


def read_groups(path: Path, on_problem: OnProblem = fail) -> Iterator[Group]:
    """The groups of a file: aliases, or a vocabulary whose entries may have other spellings beside them."""
    some = False
    for number, line in numbered_lines(path, on_problem):
        try:
            words = tuple(word for word in map(tidy, line.decode("utf-8").split(",")) if word)
        except UnicodeDecodeError:
            on_problem(Problem(path, "the text is not UTF-8", "Save the file as UTF-8.", number))
            continue
        if not words:
            on_problem(Problem(path, "the line holds no word", "Write: word to use,other word,…", number))
            continue
        some = True
        yield Group(number, words)
    if not some and path.is_file():
        on_problem(empty_problem(path))


def read_aliases(paths: Iterable[Path], on_problem: OnProblem = fail) -> Aliases:
    """The aliases of several files; what an earlier one says holds."""
    return Aliases(group.words for path in paths for group in read_groups(path, on_problem))


@cache
def bundled_predicates() -> tuple[tuple[str, ...], ...]:
    """Our own groups of relations: plain verbs and other spellings, as the published graphs have them."""
    text = resources.files("commonsight.graph").joinpath("predicates.txt").read_text("utf-8")
    return tuple(tuple(line.split(",")) for line in text.splitlines() if line and not line.startswith("#"))

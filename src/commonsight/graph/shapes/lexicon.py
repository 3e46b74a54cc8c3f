"""What words mean: phrases, each with a category of the grammar and a meaning."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from commonsight.graph.shapes.programs import Form, parse

NO_MEANING = "-"
DIGITS = "digit"


class Entry(NamedTuple):
    """One meaning of a phrase."""

    words: tuple[str, ...]
    category: str
    meaning: Any
    """A program or a part of one, a number, a word, or nothing: what the category's rules expect."""
    prior: float = 0.0
    """How likely it is before anything is learned; below zero for what people write by mistake."""

    @property
    def name(self) -> str:
        """The entry as a feature's name."""
        return f"{'_'.join(self.words)}={self.category}:{self.meaning}"


class Lexicon(NamedTuple):
    """All entries by their first word, and the words that mean nothing."""

    by_first: dict[str, list[Entry]]
    ignored: frozenset[str]
    words: frozenset[str]
    """Every word of every phrase, to correct misspelled ones by."""
    priors: dict[str, float]
    """Of entries, by their names."""


@cache
def lexicon() -> Lexicon:
    """Our own, read once."""
    lines = files(__package__).joinpath("lexicon.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    entries = [
        Entry(tuple(row[0].split()), row[1], _meaning(row[1], row[2]), *map(float, row[3:])) for row in rows
    ]
    by_first: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.category != NO_MEANING:
            by_first.setdefault(entry.words[0], []).append(entry)
    ignored = frozenset(word for e in entries if e.category == NO_MEANING for word in e.words[:1])
    words = frozenset(word for entry in entries for word in entry.words)
    return Lexicon(by_first, ignored, words, {f"lex:{entry.name}": entry.prior for entry in entries})


def _meaning(category: str, written: str) -> Any:
    if category in ("MOD", "N", "BN"):
        form: Form = parse(written)
        return form
    if category == "Q":
        compare, number = written.split()
        return compare, int(number)
    return int(written) if category in ("NUM", "ORD") else written

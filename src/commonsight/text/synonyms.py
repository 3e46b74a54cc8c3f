"""Synonyms by WordNet: every word that shares a meaning with a word, in any part of speech.

An inflected word is first brought to the forms that WordNet lists, by its own lists of exceptions and its
rules of detachment (WordNet's morphy).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from commonsight.errors import Problem, fail
from commonsight.store.jsonfiles import read_bytes
from commonsight.text.wordnet import Part, WordNet, database_folder

DEBIAN = Path("/usr/share/wordnet")
"""Where Debian's package wordnet-base puts it."""
ENDINGS: dict[Part, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "verb": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
"""What is taken off a word and put in its place, by part of speech."""


class WordNetSynonyms:
    """The four parts of speech of a WordNet folder, asked together."""

    def __init__(self, folder: Path) -> None:
        self.name = f"WordNet in {folder}"
        self._parts = {part: WordNet(folder, part) for part in ENDINGS}
        self._exceptions = {
            part: _exceptions(database_folder(folder, part) / f"{part}.exc") for part in ENDINGS
        }
        self.of = lru_cache(maxsize=1 << 15)(self._of)

    def _of(self, word: str) -> frozenset[str]:
        return frozenset(
            other
            for part, known in self._parts.items()
            for base in self.bases(word, part)
            for meaning in known.synsets(base)
            for other in meaning.words
            if " " not in other
        )

    def bases(self, word: str, part: Part) -> list[str]:
        """The forms under which WordNet may list a word: itself, and what is irregular or inflected of."""
        listed = self._exceptions[part].get(word)
        if listed is not None:
            return list(dict.fromkeys((word, *listed)))
        cut = (word.removesuffix(old) + new for old, new in ENDINGS[part] if word.endswith(old))
        return list(dict.fromkeys((word, *cut)))


def _exceptions(path: Path) -> dict[str, tuple[str, ...]]:
    """Lines of an inflected word and the words that it is of; a folder may do without."""
    if not path.is_file():
        return {}
    content = read_bytes(path)
    assert content is not None  # `read_bytes` raises here
    try:
        lines = content.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        fail(Problem(path, "the text is not UTF-8", "Give WordNet's own files, unchanged."))
    found = [line.split() for line in lines]
    return {fields[0]: tuple(fields[1:]) for fields in found if len(fields) > 1}


def installed_synonyms() -> WordNetSynonyms | None:
    """Debian's WordNet where it is installed."""
    return WordNetSynonyms(DEBIAN) if (DEBIAN / "index.noun").is_file() else None

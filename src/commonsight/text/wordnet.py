"""WordNet's own database files, read where they lie: `index.noun`, `data.noun` and their like.

Debian's package wordnet-base, Princeton's `dict` folder and nltk's unpacked corpus hold the same files.
Nothing is parsed before it is asked for: the index is searched line by line, and a synset is read at the byte
that its offset names. So opening costs nothing, and memory stays small.
"""

from __future__ import annotations

import mmap
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, NoReturn

from msgspec import Struct

from commonsight.errors import InputError, Problem, fail
from commonsight.store.jsonfiles import unreadable_problem

Part = Literal["noun", "verb", "adj", "adv"]

ANIMAL, ARTIFACT, BODY, FOOD, OBJECT, PLANT = 5, 6, 8, 13, 17, 20
"""Lexicographer files: what kind of thing a noun's synset is about."""
_UP, _DOWN = ("@", "@i"), ("~", "~i")
_REMEDY = "Give a folder with WordNet's own files, all of one version."


class Synset(Struct, frozen=True):
    """Words of one meaning, and the meanings above and below it, all by offset."""

    offset: int
    kind: int
    """The number of its lexicographer file."""
    words: tuple[str, ...]
    above: tuple[int, ...]
    below: tuple[int, ...]
    gloss: str


class Ancestor(Struct, frozen=True):
    """A more general synset, and how many steps up it is."""

    synset: Synset
    steps: int


class Entry(Struct, frozen=True):
    """A line of the index: a word or several with blanks, and where its meanings stand."""

    lemma: str
    met: int
    """How many of the meanings were met in the texts that WordNet's makers read for them."""
    offsets: tuple[int, ...]


class WordNet:
    """One part of speech of a WordNet folder."""

    def __init__(self, folder: Path, part: Part = "noun") -> None:
        folder = database_folder(folder, part)
        self._index_path, self._data_path = folder / f"index.{part}", folder / f"data.{part}"
        self._index, self._data = _mapped(self._index_path), _mapped(self._data_path)
        self.synset = lru_cache(maxsize=1 << 16)(self._read)

    def synsets(self, word: str) -> list[Synset]:
        """The meanings of a word or of several together, the most common first; none where it is unknown."""
        line = self._find(word.strip().lower().replace(" ", "_"))
        return [] if line is None else [self.synset(offset) for offset in self._entry(line).offsets]

    def common(self, word: str) -> bool:
        """Whether the word was met, in any meaning, in the texts that WordNet's makers read."""
        line = self._find(word.strip().lower().replace(" ", "_"))
        return line is not None and self._entry(line).met > 0

    def entries(self) -> Iterator[Entry]:
        """Every line of the index, in its order."""
        start = 0
        while start < len(self._index):
            end = self._index.find(b"\n", start)
            end = len(self._index) if end < 0 else end
            if not self._index[start : start + 1].isspace():  # the licence in front is indented
                yield self._entry(start)
            start = end + 1

    def above(self, synset: Synset) -> list[Synset]:
        """Its direct hypernyms, what it is an instance of included."""
        return [self.synset(offset) for offset in synset.above]

    def below(self, synset: Synset) -> list[Synset]:
        """Its direct hyponyms, instances included."""
        return [self.synset(offset) for offset in synset.below]

    def ancestors(self, synset: Synset) -> list[Ancestor]:
        """Everything above it, each once, the nearest first; a circle in the files ends the way up."""
        found: dict[int, Ancestor] = {}
        waiting = deque([Ancestor(synset, 0)])
        while waiting:
            here = waiting.popleft()
            for up in self.above(here.synset):
                if up.offset not in found and up.offset != synset.offset:
                    found[up.offset] = Ancestor(up, here.steps + 1)
                    waiting.append(found[up.offset])
        return list(found.values())

    def depth(self, synset: Synset) -> int:
        """How many steps it is below the most general synset, by the shortest way."""
        steps = [one.steps for one in self.ancestors(synset) if not one.synset.above]
        return min(steps, default=0)

    # --- the index: sorted lines, found by halving ---------------------------------------------------------

    def _find(self, lemma: str) -> int | None:
        """Where the line of a lemma begins."""
        try:
            wanted = lemma.encode("ascii")
        except UnicodeEncodeError:
            return None
        low, high = 0, len(self._index)
        while low < high:
            start = self._index.rfind(b"\n", 0, (low + high) // 2) + 1
            end = self._index.find(b"\n", start)
            end = len(self._index) if end < 0 else end
            here = self._index[start:end].split(b" ", 1)[0]
            if here == wanted and wanted:
                return start
            if here < wanted:
                low = end + 1
            else:
                high = start
        return None

    def _entry(self, start: int) -> Entry:
        end = self._index.find(b"\n", start)
        fields = self._index[start : end if end >= 0 else len(self._index)].split()
        try:
            count, pointers = int(fields[2]), int(fields[3])
            met, offsets = int(fields[-count - 1]), tuple(int(field) for field in fields[-count:])
        except (ValueError, IndexError):
            self._bad(self._index_path, self._index, start, "this is not a line of an index")
        if count < 1 or len(fields) != 6 + pointers + count:
            self._bad(self._index_path, self._index, start, f"not as many fields as {count} meanings take")
        lemma = self._text(self._index_path, fields[0], start).replace("_", " ")
        return Entry(lemma, met, offsets)

    # --- the data: one synset a line, its offset in front --------------------------------------------------

    def _read(self, offset: int) -> Synset:
        """The synset at an offset."""
        end = self._data.find(b"\n", offset) if 0 <= offset < len(self._data) else -1
        line = self._data[offset:end] if end >= 0 else b""
        if line[:9] != b"%08d " % offset or (offset and self._data[offset - 1 : offset] != b"\n"):
            place = min(max(offset, 0), len(self._data))
            self._bad(self._data_path, self._data, place, f"no synset begins at byte {offset}")
        head, _, gloss = self._text(self._data_path, line, offset).partition(" | ")
        try:
            return _synset(head.split(), gloss.strip())
        except (ValueError, IndexError):
            self._bad(self._data_path, self._data, offset, "this is not a synset's line")

    def _text(self, path: Path, raw: bytes, start: int) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            self._bad(path, self._data if path == self._data_path else self._index, start, "not UTF-8")

    def _bad(self, path: Path, content: mmap.mmap, start: int, message: str) -> NoReturn:
        fail(Problem(path, message, _REMEDY, content[:start].count(b"\n") + 1))


def _synset(fields: Sequence[str], gloss: str) -> Synset:
    words = int(fields[3], 16)
    named = fields[4 : 4 + 2 * words : 2]
    counted = 4 + 2 * words
    pointers = fields[counted + 1 : counted + 1 + 4 * int(fields[counted])]
    if words < 1 or len(named) != words or len(pointers) != 4 * int(fields[counted]):
        raise ValueError("fewer fields than are told")
    # A pointer is a symbol, an offset, a part of speech, and which words it joins.
    joined = [(pointers[at], int(pointers[at + 1])) for at in range(0, len(pointers), 4)]
    return Synset(
        int(fields[0]),
        int(fields[1]),
        tuple(word.partition("(")[0].replace("_", " ") for word in named),  # adjectives carry "(a)", "(p)"
        tuple(offset for symbol, offset in joined if symbol in _UP),
        tuple(offset for symbol, offset in joined if symbol in _DOWN),
        gloss,
    )


def database_folder(folder: Path, part: Part) -> Path:
    """The folder itself, or the one that is called `dict` in it."""
    for place in (folder, folder / "dict"):
        if (place / f"index.{part}").is_file() and (place / f"data.{part}").is_file():
            return place
    raise InputError(
        f"{folder}: there is no index.{part} with its data.{part}. Give WordNet's database folder, "
        "such as the one that Debian's package wordnet-base installs."
    )


def _mapped(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        fail(unreadable_problem(path, error))
    except ValueError:
        fail(Problem(path, "the file is empty", _REMEDY))

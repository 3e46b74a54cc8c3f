"""What a frozen text encoder made of a dataset's words: made once, kept in one file, read as it is needed.

Texts are known by their words and not by the question they are in. So the same text, or for encoders that
read both at once the same pair, is encoded once, however many questions have it, in whatever split or task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonsight.errors import InputError
from commonsight.graph.retrieval import Fact
from commonsight.models.features.examples import Example, different_facts
from commonsight.models.features.files import REMEDY, Opened, Rows, broken, check_name, open_file, rows
from commonsight.models.features.index import Index, digest_of, digest_of_all, index_arrays
from commonsight.models.features.writing import row_writer
from commonsight.models.progress import Progress, shifted, silent
from commonsight.models.text import Pair, Text, WordEncoder

KIND = "text vectors"
AT_ONCE = 512
"""Texts that are encoded before their vectors are written: enough for batches of like length."""


class TextVectors:
    """Vectors of words, in a file. Handed to another process it opens the file anew."""

    def __init__(self, opened: Opened) -> None:
        self._path = opened.path
        self._rows = rows(opened)  # (word of all texts, dim)
        if self._rows.ndim != 2:
            raise broken(opened.path, f"vectors are of the shape {list(self._rows.shape)}, not (word, dim)")
        self._index = Index(opened, len(self._rows))
        self.dim = int(self._rows.shape[1])
        self.name = opened.told.get("name", "unknown")
        self.paired = opened.told.get("paired") == "yes"

    @classmethod
    def open(cls, path: Path) -> TextVectors:
        """The vectors that a file holds."""
        return cls(open_file(path, KIND))

    def __reduce__(self) -> tuple[Any, tuple[Path]]:
        return TextVectors.open, (self._path,)

    def __len__(self) -> int:
        """How many different texts, or pairs of texts, there are."""
        return len(self._index)

    def of(self, example: Example) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """For each choice the vectors of the query's words and of the response's."""
        query, which = example.query.words, f"item {example.item} says in task {example.task}"
        if self.paired:
            both = [
                self._block(which, (query, response.words), len(query) + len(response.words))
                for response in example.responses
            ]
            return [(block[: len(query)], block[len(query) :]) for block in both]
        asked = self._block(which, (query,), len(query))
        return [
            (asked, self._block(which, (response.words,), len(response.words)))
            for response in example.responses
        ]

    def of_fact(self, fact: Fact) -> NDArray[Any]:
        """The vectors of its words."""
        return self._block("a fact says", _alone(fact.words, self.paired), len(fact.words))

    def _block(self, which: str, texts: Sequence[Text], words: int) -> NDArray[Any]:
        found = self._index.find(_digest(texts))
        if found is None:
            raise InputError(
                f"{self._path}: there are no vectors of what {which} ('{' '.join(texts[-1])[:60]}'). "
                f"They were made from other texts. {REMEDY}"
            )
        if found.stop - found.start != words:
            message = f"a text of {words} words has {found.stop - found.start} vectors"
            raise broken(self._path, message)
        return self._rows[found.start : found.stop]


def kept_texts(
    path: Path,
    examples: Iterable[Example],
    encoder: WordEncoder,
    *,
    dtype: str = "float16",
    at_once: int = AT_ONCE,
    progress: Progress = silent,
) -> TextVectors:
    """The vectors of these examples' words: found there, or else made and kept there."""
    if not path.is_file():
        _keep(path, examples, encoder, dtype, at_once, progress)
    kept = TextVectors.open(path)
    check_name(path, kept.name, encoder.name)
    return kept


def texts_digest(examples: Iterable[Example], *, paired: bool) -> str:
    """What stands for all that is to be encoded: features of other texts are not found in its place."""
    return digest_of_all(map(_digest, _different(examples, paired)))


def _keep(
    path: Path,
    examples: Iterable[Example],
    encoder: WordEncoder,
    dtype: str,
    at_once: int,
    progress: Progress,
) -> None:
    # Those of like length stand together: for the encoder's batches, and for training's, which are even too.
    texts = sorted(_different(examples, encoder.paired), key=_words)
    small = index_arrays([_digest(text) for text in texts], [_words(text) for text in texts])
    told = {"kind": KIND, "name": encoder.name, "paired": "yes" if encoder.paired else "no"}
    shape = Rows(int(small["starts"][-1]), (encoder.dim,), dtype)
    with row_writer(path, small, shape, told) as writer:
        ready = writer.go_on(small["starts"], at_once)
        for start in range(ready, len(texts), at_once):
            pairs = [_pair(text) for text in texts[start : start + at_once]]
            encoded = encoder.encode(pairs, progress=shifted(progress, start, len(texts)))
            writer.append(np.concatenate([array for pair in encoded for array in pair]))
        progress(len(texts), len(texts))


def _different(examples: Iterable[Example], paired: bool) -> Iterable[tuple[Text, ...]]:
    """The texts that are to be encoded, each once: one, or a query and a response."""
    words: dict[str, str] = {}  # what is said a thousand times is in memory once
    shared: dict[Text, Text] = {}
    found: dict[tuple[Text, ...], None] = {}
    kept = list(examples)
    facts = (_alone(fact.words, paired) for fact in different_facts(kept))
    for texts in chain(facts, (several for example in kept for several in _said(example, paired))):
        for text in texts:
            if text not in shared:
                own = tuple(words.setdefault(word, word) for word in text)
                shared[own] = own
        found[tuple(shared[text] for text in texts)] = None
    return found


def _alone(text: Text, paired: bool) -> tuple[Text, ...]:
    """A text that belongs to no response, such as a fact."""
    return (text, ()) if paired else (text,)


def _said(example: Example, paired: bool) -> Iterator[tuple[Text, ...]]:
    if paired:
        yield from ((example.query.words, response.words) for response in example.responses)
        return
    yield (example.query.words,)
    yield from ((response.words,) for response in example.responses)


def _pair(texts: tuple[Text, ...]) -> Pair:
    """An encoder that reads texts alone gets them as queries without a response."""
    return Pair(texts[0], texts[1] if len(texts) > 1 else ())


def _words(texts: tuple[Text, ...]) -> int:
    return sum(len(text) for text in texts)


def _digest(texts: Sequence[Text]) -> bytes:
    return digest_of(["\0".join((str(len(text)), *text)) for text in texts])

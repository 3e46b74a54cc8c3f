"""Words by GloVe's vectors, whatever stands beside them: what the papers' networks read before BERT.

The vectors come from the installed package or from a file in GloVe's own format (`text/vectors.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from commonsight.errors import InputError, UsageError
from commonsight.models.features.vocabulary import PADDING, Vocabulary
from commonsight.models.progress import Progress, silent
from commonsight.models.text import Encoded, Pair, Text
from commonsight.store.dataset import sha256
from commonsight.text.vectors import WordVectors, installed_glove, load_glove

_KNOWN = ("the", ".", "of", "to", "and")
"""Words that any vectors of English have, to find out how long vectors are."""
_ENDINGS = ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m")
"""What GloVe's texts were cut into: `don't` is there as `do` and `n't`."""


class GloveWords:
    """Vectors that stand in a table; zeros for words that are not in it."""

    paired = False

    def __init__(self, vectors: WordVectors, *, dim: int, name: str) -> None:
        self._vectors, self.dim = vectors, dim
        self.name = f"glove-1({name})"
        self._known: dict[str, NDArray[np.float32] | None] = {}

    @classmethod
    def installed(cls) -> GloveWords:
        """The 50 numbers for each of 400,000 words that the package of the `nlp` extra carries."""
        vectors = installed_glove()
        return cls(vectors, dim=_width(vectors, _KNOWN), name=vectors.name)

    @classmethod
    def of_file(cls, path: Path, words: Iterable[str]) -> GloveWords:
        """From a file in GloVe's format, of which these words and their parts are kept.

        The file is read line by line; a line that is not as it should be is told with its number.
        """
        wanted = {part for word in words for part in (word, *_parts(word))}
        if not path.is_file():
            raise InputError(f"{path}: there is no such file. Give a text file of GloVe vectors.")
        vectors = load_glove(path, wanted)
        dim = _width(vectors, sorted(wanted))
        if not dim:
            raise InputError(f"{path}: it has none of the {len(wanted)} words wanted. Give others.")
        return cls(vectors, dim=dim, name=f"{path.stem}@{sha256(path)[:12]}")

    def encode(self, pairs: Sequence[Pair], *, progress: Progress = silent) -> list[Encoded]:
        """Each word's vector."""
        found = [Encoded(self._rows(pair.query), self._rows(pair.response)) for pair in pairs]
        progress(len(pairs), len(pairs))
        return found

    def _rows(self, text: Text) -> NDArray[np.float32]:
        rows = np.zeros((len(text), self.dim), np.float32)
        for row, word in zip(rows, text, strict=True):
            vector = self.lookup(word)
            if vector is not None:
                row[:] = vector
        return rows

    def lookup(self, word: str) -> NDArray[np.float32] | None:
        """A word's vector, or the mean of those of the parts that GloVe's texts were cut into."""
        if word not in self._known:
            own = self._vectors.lookup(word)
            if own is None:
                parts = [self._vectors.lookup(part) for part in _parts(word)]
                there = [vector for vector in parts if vector is not None]
                own = np.mean(there, axis=0, dtype=np.float32) if parts and len(there) == len(parts) else None
            self._known[word] = own
        return self._known[word]

    def start_table(self, vocabulary: Vocabulary, dim: int | None = None, *, seed: int = 0) -> Tensor:
        """(name of the vocabulary, dim): what a table of learned vectors may begin from, or stay.

        Words without a vector get a random one from as wide a cloud as the others are in, so that they can be
        told apart.
        """
        if dim is not None and dim != self.dim:
            raise UsageError(
                f"Words were to have {dim} numbers, but the vectors of {self.name} have {self.dim}. "
                "Give vectors of that length, or let words be as long as these."
            )
        found = [self.lookup(name) for name in vocabulary.names]
        there = np.array([vector for vector in found if vector is not None], np.float32).reshape(-1, self.dim)
        middle, spread = (there.mean(), there.std()) if there.size else (0.0, self.dim**-0.5)
        table = np.random.default_rng(seed).normal(middle, spread, (len(vocabulary), self.dim))
        for number, vector in zip(vocabulary.numbers().values(), found, strict=True):
            if vector is not None:
                table[number] = vector
        table[PADDING] = 0.0
        return torch.from_numpy(table.astype(np.float32))


def _width(vectors: WordVectors, words: Iterable[str]) -> int:
    """How long vectors are; 0 where none of the words has one."""
    return next((len(vector) for word in words if (vector := vectors.lookup(word)) is not None), 0)


def _parts(word: str) -> tuple[str, ...]:
    """`don't` as `do` and `n't`, `riley's` as `riley` and `'s`; nothing for most words."""
    plain = word.replace("\u2019", "'")
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) > len(ending):
            return plain.removesuffix(ending), ending
    return ()

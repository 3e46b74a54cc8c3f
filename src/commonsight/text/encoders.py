"""Text encoders: a door, one that needs nothing but numpy, and static embeddings of an installed package.

Nothing here downloads. The name of an encoder goes into provenance, so that one can tell which was used.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from commonsight.errors import MissingExtra

Vectors = NDArray[np.float32]

_WORD = re.compile(r"\w+")
PIECE_WEIGHT = 0.4
"""A word has several pieces and neighbours: with its own weight they would drown it."""
_BATCH = 1024


class Encoder(Protocol):
    """Gives texts vectors, near to each other where the texts are alike."""

    @property
    def name(self) -> str:
        """What to call it in provenance."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a text gets."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each of length 1: (texts, dimension). Empty texts are all alike."""
        ...


class HashedEncoder:
    """Words, pairs of words and pieces of words, hashed and projected: always at hand, and the shipped fake.

    It knows spelling, not meaning. Each gram has a row of signs of its own, the bits of its hash, so that two
    texts are about as near as the share of their grams that they have in common.
    """

    def __init__(self, dimension: int = 256) -> None:
        if dimension < 1:
            raise ValueError(f"an encoder must have at least one dimension, not {dimension}")
        self.dimension = dimension
        self.name = f"hashed-{dimension}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Sums of the signs of a text's grams, each weighed by one plus the logarithm of its count."""
        rows = np.zeros((len(texts), self.dimension))
        for row, text in zip(rows, texts, strict=True):
            words = _WORD.findall(text.lower())
            for word, count in Counter(words).items():
                row += (1.0 + math.log(count)) * _word_vector(word, self.dimension)
            for pair, count in Counter(pairwise(words)).items():
                row += PIECE_WEIGHT * (1.0 + math.log(count)) * _signs(" ".join(pair), self.dimension)
        return _of_length_one(rows)


@lru_cache(maxsize=1 << 14)
def _word_vector(word: str, dimension: int) -> NDArray[np.float64]:
    """The signs of a word and, with less weight, of each run of three or four letters in it."""
    spelled = f"<{word}>"
    total = _signs(word, dimension)
    for size in (3, 4):
        for start in range(len(spelled) - size + 1):
            total = total + PIECE_WEIGHT * _signs(f"-{spelled[start : start + size]}", dimension)
    return total


@lru_cache(maxsize=1 << 14)
def _signs(gram: str, dimension: int) -> NDArray[np.float64]:
    # A hash as long as needed is the projection itself: the same on every machine and in every process.
    octets = hashlib.shake_128(gram.encode("utf-8", "surrogatepass")).digest((dimension + 7) // 8)
    return np.unpackbits(np.frombuffer(octets, np.uint8))[:dimension].astype(np.float64) * 2.0 - 1.0


class WordLlamaEncoder:
    """The mean of static word-piece embeddings that the package wordllama carries.

    Its two files are read where they are installed. The package itself is not imported: it would set up the
    program's logging, and its own loader looks for the tokenizer in the wrong folder and then downloads it.
    """

    dimension = 256

    def __init__(self) -> None:
        folder = _wordllama_folder()
        if folder is None:
            raise MissingExtra("wordllama", "nlp")
        try:
            tokenizers, safetensors = import_module("tokenizers"), import_module("safetensors.numpy")
        except ImportError as error:
            raise MissingExtra(error.name or "tokenizers", "nlp") from error
        weights = safetensors.load_file(folder / "weights" / f"l2_supercat_{self.dimension}.safetensors")
        self._pieces: Vectors = weights["embedding.weight"].astype(np.float32)  # (piece, dimension)
        config = folder / "tokenizers" / "l2_supercat_tokenizer_config.json"
        self._tokenizer: Any = tokenizers.Tokenizer.from_file(str(config))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.name = f"wordllama-{version('wordllama')}-l2_supercat-{self.dimension}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of the vectors of each text's pieces, which does not depend on the texts beside it."""
        rows = np.zeros((len(texts), self.dimension))
        for start in range(0, len(texts), _BATCH):
            batch = [_spelled(text) for text in texts[start : start + _BATCH]]
            encoded = self._tokenizer.encode_batch(batch, add_special_tokens=False)
            for offset, found in enumerate(encoded):
                if batch[offset]:  # the tokenizer makes a piece even of nothing
                    rows[start + offset] = self._pieces[found.ids].sum(axis=0, dtype=np.float64)
        return _of_length_one(rows)


def default_encoder() -> Encoder:
    """Static embeddings if they are installed, else hashed grams; the name tells which."""
    try:
        return WordLlamaEncoder()
    except MissingExtra:
        return HashedEncoder()


def _spelled(text: str) -> str:
    """In lower case with single spaces; half a surrogate pair, which the tokenizer refuses, as a mark."""
    return " ".join(text.lower().split()).encode("utf-8", "replace").decode()


def _wordllama_folder() -> Path | None:
    try:
        spec = find_spec("wordllama")
    except ValueError:  # a module that stands in for it in sys.modules has no spec
        return None
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0]) if places else None


def _of_length_one(rows: NDArray[np.float64]) -> Vectors:
    """Each row divided by its length; a row of zeros, that of an empty text, becomes an even one."""
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    rows = np.where(lengths > 0, rows, 1.0)
    lengths = np.where(lengths > 0, lengths, np.sqrt(rows.shape[1]))
    unit: Vectors = (rows / lengths).astype(np.float32)
    return unit

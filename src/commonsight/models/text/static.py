"""Words by the embedded static encoder, whatever stands beside them: nothing to install, nothing to train."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonsight.models.progress import Progress, silent
from commonsight.models.text import Encoded, Pair, Text
from commonsight.text.encoders import Encoder, default_encoder


class StaticWords:
    """What an encoder of texts makes of each word alone."""

    paired = False

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = default_encoder() if encoder is None else encoder
        self.dim = self._encoder.dimension
        self.name = f"static-1({self._encoder.name})"
        self._known: dict[str, NDArray[np.float32]] = {}

    def encode(self, pairs: Sequence[Pair], *, progress: Progress = silent) -> list[Encoded]:
        """Each word's vector; the encoder reads a word once."""
        new = {word for pair in pairs for text in pair for word in text} - self._known.keys()
        if new:
            words = sorted(new)
            self._known.update(zip(words, self._encoder.encode(words), strict=True))
        found = [Encoded(self._rows(pair.query), self._rows(pair.response)) for pair in pairs]
        progress(len(pairs), len(pairs))
        return found

    def _rows(self, text: Text) -> NDArray[np.float32]:
        return np.array([self._known[word] for word in text], np.float32).reshape(-1, self.dim)

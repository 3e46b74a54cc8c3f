"""Whole texts by the embedded static encoder: nothing to install, nothing to train."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from commonsight.text.encoders import Encoder, default_encoder


class StaticWholes:
    """What an encoder of texts makes of each."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = default_encoder() if encoder is None else encoder
        self.dim = self._encoder.dimension
        self.name = f"static-whole-1({self._encoder.name})"

    def encode(self, texts: Sequence[str]) -> NDArray[Any]:
        """(text, dim)"""
        return self._encoder.encode(texts)

"""Frozen encoders of whole texts: one vector for a question, a choice or an answer. One encoder a file.

What they make is kept (`features/wholes.py`); whole pictures are canvases of one vector (`canvas_eyes.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray


class WholeEncoder(Protocol):
    """Gives texts vectors. A text's depends on no other text."""

    @property
    def name(self) -> str:
        """For provenance and for finding what was kept: says which weights, and how they are used."""
        ...

    @property
    def dim(self) -> int:
        """How many numbers a text gets."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[Any]:
        """(text, dim)"""
        ...

"""Instructions as they are read in the source: paragraphs between empty lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text, each on one line."""
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())


def filled(text: str, settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The same with settings in the places of their names, as `{question_words}`."""
    return tuple(paragraph.format_map(settings) for paragraph in paragraphs(text))

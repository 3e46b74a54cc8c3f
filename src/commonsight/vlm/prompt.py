"""A prompt is a value with a name and a version: what a model is told, and how regions are shown to it.

Prompts that fit a benchmark's tasks are declared with the benchmark; a person may write one in a file.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Shown = Literal["names", "boxes", "coordinates", "both"]
"""How regions are shown: by name alone, by numbered boxes drawn on the picture, by coordinates, by both."""
Reasoning = Literal["none", "before", "after"]


class Prompt(Struct, frozen=True):
    """How one kind of question is put to a model."""

    name: str
    """With its version: `vcr.q2a@1`. A prompt that changes gets a new number; runs record the name."""
    template: str
    """Jinja: `texts` (by role), `choices` (letter and text), `objects`, `context`, `pictures` (how many)."""
    system: str = ""
    regions: Shown = "boxes"
    reasoning: Reasoning = "none"
    most_tokens: int = 256

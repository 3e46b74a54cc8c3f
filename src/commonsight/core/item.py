"""One entry of a benchmark, whichever benchmark it is."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from commonsight.core.answer import Given
from commonsight.core.program import Program
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText


class Item(Struct, frozen=True):
    """Everything that one benchmark entry holds.

    A field that a benchmark does not have stays empty. Native fields that no field here stands for are
    kept in `extra`, word for word, so that writing an item back gives the record it was read from.
    """

    id: str
    split: str
    scenes: tuple[Scene, ...] = ()
    texts: dict[str, TaggedText] = field(default_factory=dict)
    """What is given, by role: question, premise, sentence, caption."""
    choices: tuple[TaggedText, ...] = ()
    gold: Given | None = None
    rationales: tuple[TaggedText, ...] = ()
    """Rationales to choose from (VCR), or several that are all right (A-OKVQA)."""
    rationale_gold: int | None = None
    direct_answers: tuple[str, ...] = ()
    target: tuple[int, ...] | None = None
    """Ids of the objects that a grounded answer may point to; empty for "no such object"."""
    program: Program | None = None
    groups: dict[str, str] = field(default_factory=dict)
    """What the item shares with others: movie, image, sentence, set. Splits and error bars respect these."""
    provenance: dict[str, Any] = field(default_factory=dict)
    """How it came to be: matching folds and sources, seeds, writers; `drawn` for the embedded world."""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the regions that this item's texts point to (those of its only scene)."""
        return self.scenes[0].labels if self.scenes else ()

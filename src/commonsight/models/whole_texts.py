"""How a network reads whole texts: one vector for each, which a frozen encoder makes once.

    static       the embedded static encoder's
    bert:PLACE   a transformer's, from a folder or the hub: the mean over its pieces
    clip:PLACE   a CLIP's, in one space with its pictures
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from commonsight.errors import UsageError
from commonsight.models.features.wholes import TextVector, kept_wholes, wholes_digest
from commonsight.models.keeping import Keeping
from commonsight.models.wholes import WholeEncoder

WAYS = ("static", "bert:PLACE", "clip:PLACE")


class WholeTexts(NamedTuple):
    """One way to read whole texts."""

    name: str
    dim: int
    keep: Callable[[Keeping, Sequence[str]], TextVector]
    """Find the vectors of these texts, or make them."""


def whole_texts(way: str) -> WholeTexts:
    """The way of this name."""
    encoder = _encoder(way)

    def keep(where: Keeping, texts: Sequence[str]) -> TextVector:
        path = where.path("wholes", encoder.name, wholes_digest(texts))
        return kept_wholes(path, texts, encoder, progress=where.told("reading texts"))

    return WholeTexts(encoder.name, encoder.dim, keep)


def _encoder(way: str) -> WholeEncoder:
    kind, _, given = way.partition(":")
    if way == "static":
        from commonsight.models.wholes.static import StaticWholes

        return StaticWholes()
    if kind == "bert" and given:
        from commonsight.models.wholes.bert import BertWholes

        return BertWholes.load(given)
    if kind == "clip" and given:
        from commonsight.models.wholes import clip

        return clip.ClipTexts(clip.load(given))
    raise UsageError(f"There is no way to read whole texts '{way}'. Choose one of: {', '.join(WAYS)}.")

"""How a network reads words: what is kept of texts, and the module that gives each word its vector.

    learned        a table that is trained from nothing
    glove[:FILE]   GloVe's vectors, of the installed package or of a file in its format, not trained
    static         the embedded static encoder's vectors, not trained
    bert:PLACE     a frozen transformer's, from a folder or the hub; query and response are read together, and
                   responses alone for networks that read no query
    elmo:FOLDER    a language model's of letters, which `commonsight train-text` trained, frozen: the mean of
                   its layers
    elmo-mixed:FOLDER   the same, in a mix of its layers that the network learns
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from commonsight.errors import UsageError
from commonsight.models.features.examples import Example, unasked
from commonsight.models.features.texts import TextVectors, kept_texts, texts_digest
from commonsight.models.features.vocabulary import Vocabulary
from commonsight.models.keeping import Keeping
from commonsight.models.text import WordEncoder
from commonsight.models.words import GivenVectors, LearnedVectors, WordVectors

DEFAULT = "learned"
ALONE = "responses alone"
"""Beside a paired encoder's name, where no query was read: the same words have other vectors then."""
WAYS = ("learned", "glove", "glove:FILE", "static", "bert:PLACE", "elmo:FOLDER", "elmo-mixed:FOLDER")


class Wording(NamedTuple):
    """One way to read words."""

    name: str
    dim: int
    module: Callable[[], WordVectors]
    keep: Callable[[Keeping, Sequence[Example]], TextVectors | None]
    """Find the vectors of these texts, or make them; nothing where a table has them."""


def wording(way: str, known: Vocabulary, *, dim: int, query: bool = True) -> Wording:
    """The way of this name; `dim` is how long vectors are where they are learned here. Without `query`
    nothing of it comes into the vectors of responses."""
    kind, _, place = way.partition(":")
    if way == "learned":
        return Wording(way, dim, lambda: LearnedVectors(len(known), dim), lambda *_: None)
    if kind == "glove":
        return _glove(place, known)
    if kind == "elmo-mixed" and place:
        return _mixed(Path(place), query=query)
    encoder = encoder_of(way)
    if encoder is not None:
        return _kept(encoder, query=query)
    raise UsageError(f"There is no way to read words '{way}'. Choose one of: {', '.join(WAYS)}.")


def encoder_of(way: str) -> WordEncoder | None:
    """The frozen encoder of this name, if it is one that reads any word."""
    kind, _, place = way.partition(":")
    if way == "static":
        from commonsight.models.text.static import StaticWords

        return StaticWords()
    if kind == "bert" and place:
        from commonsight.models.text.bert import BertWords

        return BertWords.load(place)
    if kind == "elmo" and place:
        from commonsight.models.text.elmo import ElmoWords

        return ElmoWords.load(Path(place))
    return None


def _glove(file: str, known: Vocabulary) -> Wording:
    from commonsight.models.text.glove import GloveWords

    vectors = GloveWords.of_file(Path(file), known.names) if file else GloveWords.installed()
    return Wording(
        vectors.name,
        vectors.dim,
        lambda: LearnedVectors(len(known), vectors.dim, start=vectors.start_table(known), trained=False),
        lambda *_: None,
    )


def _mixed(folder: Path, *, query: bool) -> Wording:
    from commonsight.models.text.elmo import LAYERS, ElmoWords
    from commonsight.models.text.mix import MixedVectors

    encoder = ElmoWords.load(folder, mix="all")
    dim = encoder.dim // LAYERS
    return _kept(encoder, query=query)._replace(dim=dim, module=lambda: MixedVectors(LAYERS, dim))


def _kept(encoder: WordEncoder, *, query: bool) -> Wording:
    def keep(where: Keeping, examples: Sequence[Example]) -> TextVectors:
        read = examples if query else unasked(examples)
        path = where.path("texts", encoder.name, texts_digest(read, paired=encoder.paired))
        return kept_texts(path, read, encoder, progress=where.told("reading texts"))

    # So that what was trained on responses beside their queries is not asked about responses alone.
    name = encoder.name if query or not encoder.paired else f"{encoder.name}, {ALONE}"
    return Wording(name, encoder.dim, lambda: GivenVectors(encoder.dim), keep)

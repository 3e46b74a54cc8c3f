"""Who judges texts: chosen on the command line, made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from commonsight.build.matching.buckets import Embed
    from commonsight.build.matching.scorers import RelevanceModel, SimilarityModel


class Judges(NamedTuple):
    """Of relevance and of similarity, and what puts texts into buckets."""

    relevance: RelevanceModel
    similarity: SimilarityModel
    embed: Embed


def judges(name: Literal["embedded", "words"]) -> Judges:
    """The embedded models, or counts of shared words."""
    from commonsight.text.encoders import HashedEncoder, default_encoder

    if name == "words":
        from commonsight.build.matching.fakes import WordRelevance, WordSimilarity

        return Judges(WordRelevance(), WordSimilarity(), HashedEncoder().encode)
    from commonsight.build.matching.relevance import EmbeddedRelevance
    from commonsight.build.matching.similarity import EmbeddedSimilarity

    encoder = default_encoder()
    return Judges(EmbeddedRelevance(encoder), EmbeddedSimilarity(encoder), encoder.encode)

"""Who judges texts: chosen on the command line, made here.

The options are named once, so that every command that judges has the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer
from msgspec import Struct

from commonsight.cli.console import err, visible
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.build.matching.buckets import Embed
    from commonsight.build.matching.scorers import RelevanceModel, SimilarityModel
    from commonsight.models.cross_encoder import Step

Scorer = Literal["embedded", "words"]

ALL = "all"
RESCORED = "100"
PANEL = "Transformers as judges"

ScorerOption = Annotated[
    Scorer,
    typer.Option(help="Who judges all pairs: the embedded models, or shared words (quick and rough)."),
]
RemapOption = Annotated[
    Literal["spoken", "paper"],
    typer.Option(
        help="How tags of borrowed responses become objects of the image: as people speak of them, "
        "or at random as in the paper."
    ),
]
TagsOption = Annotated[
    float,
    typer.Option(
        metavar="X", help="How much it counts in matching that tags can stay as they are; 0 as in the paper."
    ),
]
RelevanceOption = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL", rich_help_panel=PANEL,
        help="A folder or hub name: fine-tuned to judge relevance of the best pairs.",
    ),
]  # fmt: skip
SimilarityOption = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL", rich_help_panel=PANEL,
        help="An NLI model: a folder or hub name, or esim:DIR of train-nli; judges the most similar pairs.",
    ),
]  # fmt: skip
RescoreOption = Annotated[
    str | None,
    typer.Option(
        metavar="N|all", rich_help_panel=PANEL,
        help=f"How many pairs of each text these models see, best first (default {RESCORED}).",
    ),
]  # fmt: skip
EpochsOption = Annotated[
    int | None, typer.Option(metavar="N", min=1, rich_help_panel=PANEL, help="Of fine-tuning (default 3).")
]
LearningRateOption = Annotated[
    float | None, typer.Option(metavar="X", rich_help_panel=PANEL, help="Of fine-tuning (default 2e-5).")
]
BatchOption = Annotated[
    int | None, typer.Option(metavar="N", min=1, rich_help_panel=PANEL, help="Of fine-tuning (default 32).")
]
DeviceOption = Annotated[
    str, typer.Option(metavar="NAME", rich_help_panel=PANEL, help="Where torch computes: cpu, cuda, …")
]


class Transformers(Struct, frozen=True):
    """Cross-encoders that judge beside the quick judges, as they were asked for."""

    relevance: str | None = None
    similarity: str | None = None
    rescore: str | None = None
    epochs: int | None = None
    learning_rate: float | None = None
    batch: int | None = None
    device: str = "cpu"


class Judges(NamedTuple):
    """Of relevance and of similarity, and what puts texts into buckets."""

    relevance: RelevanceModel
    similarity: SimilarityModel
    embed: Embed


def judges(name: Scorer, asked: Transformers | None = None, *, keep: Path | None = None) -> Judges:
    """The embedded models, or counts of shared words; and cross-encoders for the best pairs, if asked for.

    What is fine-tuned is kept in the folder `keep`.
    """
    asked = asked or Transformers()
    count = _rescored(asked)
    quick = _quick(name)
    return quick._replace(
        relevance=_relevance(quick.relevance, asked, count, keep),
        similarity=_similarity(quick.similarity, asked, count),
    )


def _quick(name: Scorer) -> Judges:
    from commonsight.text.encoders import HashedEncoder, default_encoder

    if name == "words":
        from commonsight.build.matching.fakes import WordRelevance, WordSimilarity

        return Judges(WordRelevance(), WordSimilarity(), HashedEncoder().encode)
    from commonsight.build.matching.relevance import EmbeddedRelevance
    from commonsight.build.matching.similarity import EmbeddedSimilarity

    encoder = default_encoder()
    return Judges(EmbeddedRelevance(encoder), EmbeddedSimilarity(encoder), encoder.encode)


def _rescored(asked: Transformers) -> int | None:
    """How many of the best pairs cross-encoders see; None for all."""
    if asked.relevance is None:
        for option in ("epochs", "learning_rate", "batch"):
            if getattr(asked, option) is not None:
                raise UsageError(
                    f"--{option.replace('_', '-')} is about fine-tuning. Name a model with --relevance, too."
                )
    if asked.relevance is None and asked.similarity is None and asked.rescore is not None:
        raise UsageError("--rescore needs a model that scores. Name one with --relevance or --similarity.")
    given = asked.rescore or RESCORED
    if given.lower() == ALL:
        return None
    if not given.isdecimal() or int(given) < 1:
        raise UsageError(f"--rescore {given}: give a number of at least 1, or all.")
    return int(given)


def _relevance(
    quick: RelevanceModel, asked: Transformers, count: int | None, keep: Path | None
) -> RelevanceModel:
    if asked.relevance is None:
        return quick
    from commonsight.build.matching.narrow import NarrowRelevance
    from commonsight.models.cross_encoder import BATCH, EPOCHS, LEARNING_RATE, Fitting
    from commonsight.models.matching import TransformerRelevance

    rate = LEARNING_RATE if asked.learning_rate is None else asked.learning_rate
    fitting = Fitting(rate, asked.batch or BATCH, asked.epochs or EPOCHS)
    slow = TransformerRelevance(
        asked.relevance, fitting=fitting, keep=keep, progress=told, device=asked.device
    )
    return slow if count is None else NarrowRelevance(quick, slow, count)


def _similarity(quick: SimilarityModel, asked: Transformers, count: int | None) -> SimilarityModel:
    if asked.similarity is None:
        return quick
    from commonsight.build.matching.narrow import NarrowSimilarity, PairwiseSimilarity
    from commonsight.models.libraries import libraries
    from commonsight.models.matching import TransformerSimilarity

    slow: PairwiseSimilarity
    kind, _, folder = asked.similarity.partition(":")
    if kind == "esim":
        libraries()  # says so where torch is missing, which importing what needs it would not
        from commonsight.models.nli.similarity import EsimSimilarity

        slow = EsimSimilarity(Path(folder), device=asked.device)
    else:
        slow = TransformerSimilarity(asked.similarity, device=asked.device)
    return slow if count is None else NarrowSimilarity(quick, slow, count)


def told(step: Step) -> None:
    """A line for each epoch of fine-tuning, from whichever process does it."""
    if step.batch == step.batches - 1:
        line = f"note: fine-tuning: epoch {step.epoch + 1} of {step.epochs}, loss {step.loss:.3f}"
        err.print(visible(line), markup=False, soft_wrap=True)

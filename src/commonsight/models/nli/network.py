"""ESIM as a model of inference: how it reads, how it is trained, and what is kept of it.

    nli.json            all that is needed to build it again
    best.safetensors    the weights that told most of the pairs to judge by
    checkpoints/        the last moment of training

Each text is read without the other, also by encoders that could read both at once. So everything before the
attention is made once for each text, however many others it is compared with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Generator, nn

from commonsight.errors import InputError, MissingExtra
from commonsight.graph.retrieval import Fact
from commonsight.models.catalogue import ESIM as ENTRY
from commonsight.models.engine.about import AboutFile
from commonsight.models.engine.checkpoint import BEST, restore, weights
from commonsight.models.engine.loop import Judge
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.team import Team
from commonsight.models.features.batch import Batch, Words
from commonsight.models.features.buckets import batches
from commonsight.models.features.examples import Example
from commonsight.models.features.reading import PairVectors, WordReading
from commonsight.models.features.source import Source
from commonsight.models.features.texts import kept_texts, texts_digest
from commonsight.models.features.vocabulary import UNKNOWN, Vocabularies, Vocabulary, vocabularies
from commonsight.models.keeping import Keeping
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.esim import ESIM, esim_paper, esim_small
from commonsight.models.nli.pairs import LABELS, as_words
from commonsight.models.parts import Parts
from commonsight.models.progress import Progress, silent
from commonsight.models.text import Encoded, Pair, Text, WordEncoder
from commonsight.models.wording import encoder_of, wording
from commonsight.models.words import GivenVectors, WordVectors

SizeName = Literal["small", "paper"]
BUILDERS: dict[SizeName, Callable[..., ESIM]] = {"small": esim_small, "paper": esim_paper}
SMALL = Recipe(epochs=12, batch=128, rate=2e-3, decay=0.0, plateau=2, patience=4)
"""For some ten thousand pairs and a CPU, on which a pair of a large batch costs half of one of a small."""
SIZES = {"small": replace(ENTRY.small, recipe=SMALL), "paper": ENTRY.paper}
AT_LEAST = 2
"""Words that occur less often are unknown: a network must meet some such, to know what to make of them."""


class About(Struct, frozen=True):
    """What is kept beside the weights."""

    size: SizeName
    text: str
    """Where words come from, as it was asked for."""
    reads: str
    """Which vectors these were."""
    dim: int
    words: Vocabulary
    """Those with a vector in the weights; none where an encoder reads any word."""
    sources: dict[str, str]
    """Files that it learned from, or was judged by: their names and hashes."""
    recipe: Recipe
    plain: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        """Sizes from a file must be such as a network can have."""
        if not 1 <= self.dim <= 1 << 16:
            raise ValueError(f"no word has {self.dim} numbers")

    @property
    def tabled(self) -> bool:
        """Whether words have their vectors in the weights."""
        return self.text == "learned" or self.text.startswith("glove:")


ABOUT = AboutFile("nli.json", About, what="model of inference", command="train-nli")


class Alone:
    """An encoder that reads texts without another beside them, even if it could."""

    paired = False

    def __init__(self, encoder: WordEncoder) -> None:
        self._encoder, self.dim = encoder, encoder.dim
        self.name = f"{encoder.name}, each text alone" if encoder.paired else encoder.name

    def encode(self, pairs: Sequence[Pair], *, progress: Progress = silent) -> list[Encoded]:
        """Queries; there are no responses."""
        return self._encoder.encode([Pair(pair.query, ()) for pair in pairs], progress=progress)

    def vectors(self, text: Text) -> NDArray[Any]:
        """(word, dim), by a batch of one: what is read before or beside it changes no bit."""
        return self.encode([Pair(text, ())])[0].query


class Reads(NamedTuple):
    """One way to read words."""

    name: str
    dim: int
    module: Callable[[], WordVectors]
    encoder: Alone | None
    """Who gives any word a vector; None where a table has those of some."""


def reads(way: str, known: Vocabulary, dim: int) -> Reads:
    """The way of this name; `dim` is how long vectors are where they are learned."""
    encoder: WordEncoder | None
    if way == "glove":
        from commonsight.models.text.glove import GloveWords

        encoder = GloveWords.installed()
    else:
        encoder = encoder_of(way)
    if encoder is None:
        table = wording(way, known, dim=dim)
        return Reads(table.name, table.dim, table.module, None)
    return Reads(Alone(encoder).name, encoder.dim, partial(GivenVectors, encoder.dim), Alone(encoder))


def default_text() -> str:
    """GloVe where it is installed: it knows words that no pair has shown."""
    from commonsight.models.text.glove import GloveWords

    try:
        GloveWords.installed()
    except MissingExtra:
        return "learned"
    return "glove"


def vocabulary(text: str, learned: Sequence[Example]) -> Vocabulary:
    """The words that have a vector in the weights."""
    if text == "learned" or text.startswith("glove:"):
        return vocabularies(learned, at_least=AT_LEAST).words
    return Vocabulary(())


class Inference(nn.Module):
    """ESIM with an output for each label, as the engine trains networks."""

    def __init__(self, size: SizeName, words: WordVectors) -> None:
        super().__init__()
        self.esim = BUILDERS[size](Parts(1, words=words), outputs=len(LABELS))

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        premises = self.esim.encode(needed(batch.query, "premises"), generator=generator)
        hypotheses = self.esim.encode(needed(batch.responses, "hypotheses"), generator=generator)
        outputs = self.esim.compare(premises, hypotheses, generator=generator).outputs
        return scored(outputs.squeeze(1), batch)  # (batch, label)


class _LookedUp:
    """Vectors that are had at once, so that they need not be kept in a file."""

    def __init__(self, encoder: Alone) -> None:
        self._encoder, self.dim = encoder, encoder.dim

    def of(self, example: Example) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        asked = self._encoder.vectors(example.query.words)
        return [(asked, self._encoder.vectors(text.words)) for text in example.responses]

    def of_fact(self, fact: Fact) -> NDArray[Any]:
        return self._encoder.vectors(fact.words)


class _PairReading(WordReading):
    """Premises are the longer texts, so that both count for even batches."""

    def length(self, example: Example) -> int:
        return len(example.query.words) + super().length(example)


def source(about: About, read: Reads, examples: Sequence[Example], where: Keeping) -> Source:
    """Pairs as the network reads them; what takes long to make is kept."""
    vectors: PairVectors | None = None
    if read.encoder is not None and ":" not in about.text:
        vectors = _LookedUp(read.encoder)
    elif read.encoder is not None:
        path = where.path("texts", read.name, texts_digest(examples, paired=False))
        vectors = kept_texts(path, examples, read.encoder, progress=where.told("reading texts"))
    return Source(examples, _PairReading(Vocabularies(about.words, Vocabulary(())), vectors))


def told_right(judged: Source, size: int) -> Judge:
    """A judge: the share of pairs whose label is the likeliest."""

    def share(network: nn.Module, team: Team) -> float:
        training, right = network.training, 0.0
        network.eval()
        chosen = [team.share(numbers) for numbers in batches(judged.lengths, size, seed=None)]
        with torch.inference_mode():
            for batch in judged.ahead([numbers for numbers in chosen if len(numbers)]):
                found = network(batch.to(team.device)).logits.argmax(dim=1).cpu()
                right += float((found == batch.gold).sum())
        network.train(training)
        return team.summed(right) / len(judged)

    return share


class Trained:
    """A trained model, to read texts one by one and to compare them."""

    def __init__(self, folder: Path, device: Any) -> None:
        about = ABOUT.read(folder)
        # A table is in the weights, wherever it began.
        self._read = reads("learned" if about.tabled else about.text, about.words, about.dim)
        _refuse_other(folder, about, self._read)
        network = Inference(about.size, self._read.module())
        restore(network, weights(folder / BEST), folder / BEST)
        self.esim = network.esim.to(device).eval().requires_grad_(False)
        self._numbers, self._device = about.words.numbers(), device
        self.name = f"{folder.resolve().name}@{_print(folder)}, {about.reads}"

    def words(self, text: str) -> Text:
        """A text as it is read."""
        return as_words(text).words

    def tensors(self, text: Text) -> Words:
        """One text: (1, word)"""
        ids = torch.tensor([[self._numbers.get(word, UNKNOWN) for word in text]])
        vectors = None
        if self._read.encoder is not None:
            found = np.asarray(self._read.encoder.vectors(text), np.float32)
            vectors = torch.from_numpy(found)[None]
        return Words(ids, torch.tensor([len(text)]), torch.zeros_like(ids), vectors).to(self._device)


def _refuse_other(folder: Path, about: About, read: Reads) -> None:
    if not about.tabled and (read.name, read.dim) != (about.reads, about.dim):
        raise InputError(
            f"{folder}: this model was trained with {about.reads}, but {about.text} is now {read.name}. "
            "Put back what was there, or train again."
        )


def _print(folder: Path) -> str:
    with (folder / BEST).open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()[:12]

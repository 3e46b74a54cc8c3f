"""From a blueprint to a network with all that it reads: the one place where parts are put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from torch import nn

from commonsight.errors import UsageError
from commonsight.models import language_models, transformers_from
from commonsight.models.blueprint import Blueprint
from commonsight.models.canvas_eyes import CanvasEyes, canvas_eyes
from commonsight.models.catalogue import find
from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.eyes import Eyes, default_way, eyes
from commonsight.models.features.concepts import Nodes, nodes_of
from commonsight.models.features.examples import Example
from commonsight.models.features.reading import PieceReading, Reading, WordReading
from commonsight.models.features.source import Source, refuse_unseen
from commonsight.models.features.wholes import WholeReading, texts_of
from commonsight.models.keeping import Keeping
from commonsight.models.libraries import seeded
from commonsight.models.parts import Parts
from commonsight.models.text.marks import Spelling
from commonsight.models.transformers_from import Transformer
from commonsight.models.whole_texts import WholeTexts, whole_texts
from commonsight.models.wording import Wording, wording
from commonsight.models.writing.reading import TextReading
from commonsight.models.writing.style import Kind


class Assembled(NamedTuple):
    """A network and how to give it questions."""

    network: nn.Module
    blueprint: Blueprint
    transformer: Transformer | None
    words: Wording | None
    sight: Eyes | CanvasEyes | None
    wholes: WholeTexts | None = None

    @property
    def names(self) -> dict[str, str]:
        """Which weights it reads and sees with, beside those that are trained."""
        told = {} if self.words is None else {"text": self.words.name}
        told |= {} if self.transformer is None else {"text": self.transformer.name}
        told |= {} if self.wholes is None else {"text": self.wholes.name}
        told |= {"knowledge": self.blueprint.facts} if self.blueprint.facts else {}
        return told | ({} if self.sight is None else {"regions": self.sight.name})

    def source(self, examples: Sequence[Example], where: Keeping) -> Source:
        """Questions as this network reads them."""
        reading = self._reading(find(self.blueprint.network), where, examples)
        if self.sight is None:
            return Source(examples, reading)
        refuse_unseen(examples)
        if isinstance(self.sight, CanvasEyes):
            return Source(examples, reading, canvases=self.sight.keep(where, examples))
        kept = self.sight.keep(where, examples)
        return Source(examples, reading, objects=kept.objects, maps=kept.maps, outlines=kept.outlines)

    def _reading(self, entry: Entry, where: Keeping, examples: Sequence[Example]) -> Reading:
        known = self.blueprint.known
        if self.wholes is not None:
            compared = entry.picks == "scored"
            texts = texts_of(examples, known.answers if compared else ())
            return WholeReading(known, self.wholes.keep(where, texts), answers=compared)
        if self.transformer is not None:
            made = self.transformer
            if entry.writes is not None:
                ends = entry.writes.model == "t5"
                return TextReading(made.tokenizer, known.labels, longest=made.longest, ends=ends)
            return PieceReading(
                made.tokenizer,
                known.labels,
                longest=made.longest,
                query=entry.query,
                sees=entry.sees,
                answers=len(known.answers),
                graph=known.graph if entry.graph else None,
            )
        vectors = None if self.words is None else self.words.keep(where, examples)
        return WordReading(known, vectors, counting=entry.counts, facts=entry.facts, query=entry.query)


def size_of(entry: Entry, name: str) -> Size:
    """The network at this size."""
    found: Size | None = getattr(entry, name)
    if found is None:
        raise UsageError(f"There is no {name} {entry.name}. Choose small or paper.")
    return found


def text_of(entry: Entry, size: Size) -> str:
    """Where its words come from if nobody says; published ones read encoders that somebody must name."""
    kind, _, place = size.text.partition(":")
    if place.isupper():
        raise UsageError(
            f"{entry.title} as published reads {_SPOKEN[kind]}. Say where that is with --text {size.text}, "
            f"or choose another, such as --text {'static' if entry.reads == 'wholes' else 'learned'}."
        )
    return size.text


def sight_of(entry: Entry, size: Size) -> str:
    """How it sees if nobody says; published ones look by encoders that somebody must name."""
    if not entry.sees or not size.sight:
        return default_way(entry)
    kind, _, place = size.sight.partition(":")
    if place.isupper():
        raise UsageError(
            f"{entry.title} as published sees by {_SEEING[kind]}. Say where that is with "
            f"--regions {size.sight}, or choose another, such as --regions {default_way(entry)}, which "
            "learns to see from nothing."
        )
    return size.sight


_SPOKEN = {
    "bert": "a BERT",
    "clip": "a CLIP",
    "elmo-mixed": "an ELMo",
    "glove": "GloVe's vectors",
    "gpt2": "a GPT-2",
    "t5": "a T5",
}
_SEEING = {
    "clip": "a CLIP",
    "features": "regions that a detector found",
    "resnet": "a ResNet",
    "resnet-each": "a ResNet",
    "resnet-last": "a ResNet",
    "resnet-masks": "a ResNet",
    "resnet-pooled": "a ResNet",
    "vgg": "a VGG",
}


def assembled(
    blueprint: Blueprint, *, seed: int, examples: Sequence[Example] = (), folder: Path | None = None
) -> Assembled:
    """A network as it begins: from the examples' words, or, given a folder, as one that was kept there.

    Its weights follow from the seed. Those of a kept one are still to be put in.
    """
    entry = find(blueprint.network)
    size = size_of(entry, blueprint.size)
    with seeded(seed):
        transformer = _transformer(entry, size, blueprint, examples, folder)
        words, wholes = None, whole_texts(blueprint.text) if entry.reads == "wholes" else None
        if entry.reads == "words":
            words = wording(blueprint.text, blueprint.known.words, dim=size.words, query=entry.query)
        sight = _sight(entry, size, blueprint.regions)
        parts = Parts(
            len(blueprint.known.labels),
            words=None if words is None else words.module(),
            transformer=None if transformer is None else transformer.model,
            regions=sight.module() if isinstance(sight, Eyes) else None,
            canvas=sight.module() if isinstance(sight, CanvasEyes) else None,
            answers=len(blueprint.known.answers),
            wholes=0 if wholes is None else wholes.dim,
            counts=blueprint.known.counts,
            signs=len(blueprint.known.signs),
            arguments=blueprint.known.arguments,
            nodes=_nodes(entry, blueprint, transformer),
            hidden=blueprint.hidden,
        )
        network: nn.Module = size.build(parts)
    if not entry.learns and wholes is not None and sight is not None:
        _refuse_two_spaces(entry, wholes.name, sight.name)
    return Assembled(network, blueprint, transformer, words, sight, wholes)


def _refuse_two_spaces(entry: Entry, text: str, regions: str) -> None:
    """Vectors of two encoders may be as long, and are no nearer to each other than by chance."""
    spaces = {_weights(text), _weights(regions)}
    if len(spaces) > 1 or "" in spaces:
        raise UsageError(
            f"{entry.title} learns nothing, so texts and pictures must be in one space already, and these "
            f"are of {text} and {regions}. Give the same CLIP twice: --text clip:PLACE --regions clip:PLACE."
        )


def _weights(name: str) -> str:
    """What an encoder's name tells of its weights: `81af59` of `clip-1(clip@81af59, texts)`."""
    return name.rpartition("@")[2].rpartition(",")[0]


def _nodes(entry: Entry, blueprint: Blueprint, transformer: Transformer | None) -> Nodes | None:
    if not entry.graph or transformer is None:
        return None
    known = blueprint.known
    return nodes_of(known.graph, known.answers, Spelling(transformer.tokenizer))


def _sight(entry: Entry, size: Size, way: str) -> Eyes | CanvasEyes | None:
    if not entry.sees:
        return None
    if entry.looks == "objects":
        return eyes(way, dim=size.regions)
    return canvas_eyes(way, dim=size.raw or size.regions, canvas=size.canvas, stages=size.stages)


def _transformer(
    entry: Entry, size: Size, blueprint: Blueprint, examples: Sequence[Example], folder: Path | None
) -> Transformer | None:
    if entry.reads != "pieces":
        return None
    if entry.writes is not None:
        return _language_model(entry, entry.writes.model, size, blueprint, examples, folder)
    if folder is not None:
        return transformers_from.from_kept(folder)
    kind, _, given = blueprint.text.partition(":")
    if blueprint.text == "learned":
        return transformers_from.from_nothing(examples, size.transformer, more=blueprint.known.graph.nodes)
    if kind == "bert" and given:
        return transformers_from.from_place(given)
    raise UsageError(
        f"{entry.title} reads sub-words, and '{blueprint.text}' has none. Choose learned or bert:PLACE."
    )


def _language_model(
    entry: Entry,
    wanted: Kind,
    size: Size,
    blueprint: Blueprint,
    examples: Sequence[Example],
    folder: Path | None,
) -> Transformer:
    if folder is not None:
        return language_models.from_kept(folder)
    kind, _, given = blueprint.text.partition(":")
    if blueprint.text == "learned":
        return language_models.from_nothing(examples, size.transformer, wanted)
    if kind == wanted and given:
        return language_models.from_place(given, wanted)
    raise UsageError(
        f"{entry.title} writes with a language model, and '{blueprint.text}' is none that it can. "
        f"Choose learned or {wanted}:PLACE."
    )


def parameters(network: Any) -> int:
    """How many numbers are trained."""
    return sum(one.numel() for one in network.parameters() if one.requires_grad)

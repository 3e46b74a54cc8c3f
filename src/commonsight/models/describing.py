"""What a network needs and how large it is, found out by building it; meta tensors take no room."""

from __future__ import annotations

import re

import torch
from torch import nn

from commonsight.build.vocabulary import LARGE_ANSWERS, SPECIALISED, SPECIALISED_ANSWERS
from commonsight.models.assembly import parameters
from commonsight.models.canvas.frozen import KeptMaps
from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.features.concepts import Nodes
from commonsight.models.language_models import PIECES as WRITTEN
from commonsight.models.language_models import bare
from commonsight.models.libraries import libraries
from commonsight.models.parts import Parts
from commonsight.models.regions.frozen import KeptRegions
from commonsight.models.untrained import Shape
from commonsight.models.words import GivenVectors

CLASSES = 82
"""Of COCO's objects, with padding and unknown ones."""
ANSWERS = 2
"""True and False, where answers are named."""
SIGNS = 100_000
"""Of a few thousand sentences about drawn shapes, about."""
PIECES = 30_522
"""BERT's vocabulary."""
POSITIONS = 1024
"""GPT-2's."""


def needs(entry: Entry) -> str:
    """In words."""
    read = {"words": "words", "pieces": "sub-words", "wholes": "whole texts"}[entry.reads]
    read += "" if entry.query else " of the responses alone"
    read += " and facts (--knowledge)" if entry.facts else ""
    read += " and a graph of facts (--knowledge)" if entry.graph else ""
    if entry.counts is not None:
        return f"{read}, and which objects pictures show; no pictures"
    seen = "pictures with boxes" if entry.looks == "objects" else "pictures"
    needed = f"{read}, and {seen}" if entry.sees else f"{read}; no pictures"
    return needed if entry.writes is None else f"{needed}; it writes what it answers"


def inputs(entry: Entry) -> str:
    """The same in a few words, for a list of all. What names answers, and is not asked, reads no words."""
    read = {"words": "words", "pieces": "sub-words", "wholes": "texts"}[entry.reads]
    wanted = {
        "no query": not entry.query,
        "pictures": entry.sees,
        "facts": entry.knows,
        "programs": entry.programs,
    }
    told = [read, *(name for name, holds in wanted.items() if holds)]
    if entry.names and not entry.query and entry.reads == "words":
        told = told[2:] or ["answers"]
    return ", ".join(told)


def by(entry: Entry) -> str:
    """Whose it is, shortly: the first author and the year. Nothing for what nobody claims."""
    found = re.match(r"(\S+) [^(]*\((\d{4})\)", entry.citation)
    return "" if found is None else f"{found[1]} {found[2]}"


def sizes(entry: Entry) -> dict[str, Size]:
    """Those that it has, by name."""
    found = {"small": entry.small, "paper": entry.paper, "large": entry.large}
    return {name: size for name, size in found.items() if size is not None}


def parameter_counts(entry: Entry) -> dict[str, int]:
    """At each size, without text and region encoders that are frozen."""
    return {name: _count(entry, size) for name, size in sizes(entry).items()}


def answer_weights(entry: Entry, size: Size) -> frozenset[str]:
    """Weights whose shape follows from how many answers there are to name: none where none are named."""
    if not entry.names:
        return frozenset()
    one, other = (
        {name: weight.shape for name, weight in outlined(entry, size, answers).state_dict().items()}
        for answers in (ANSWERS, ANSWERS + 1)
    )
    return frozenset(name for name, shape in one.items() if other[name] != shape)


def _count(entry: Entry, size: Size) -> int:
    return parameters(outlined(entry, size, _answers(entry)))


def outlined(entry: Entry, size: Size, answers: int) -> nn.Module:
    """The network without its numbers."""
    with torch.device("meta"):
        parts = Parts(
            CLASSES,
            words=GivenVectors(size.words) if entry.reads == "words" else None,
            transformer=_transformer(entry, size) if entry.reads == "pieces" else None,
            regions=KeptRegions(size.regions) if _sees(entry, "objects") else None,
            canvas=KeptMaps(size.regions) if _sees(entry, "canvas") else None,
            answers=answers,
            wholes=size.words if entry.reads == "wholes" else 0,
            signs=SIGNS if entry.counts is not None else 0,
            nodes=Nodes((), (), (-1,) * answers) if entry.graph else None,
        )
        network: nn.Module = size.build(parts)
    return network


def _answers(entry: Entry) -> int:
    """Where a rule says which can be named, as many as the paper had by it."""
    if not entry.names:
        return 0
    if entry.vocabulary is None:
        return ANSWERS
    return SPECIALISED_ANSWERS if entry.vocabulary == SPECIALISED else LARGE_ANSWERS


def _sees(entry: Entry, what: str) -> bool:
    return entry.sees and entry.looks == what


def _transformer(entry: Entry, size: Size) -> object:
    transformers = libraries().transformers
    layers, hidden, heads = size.transformer
    if entry.writes is not None:
        kind = entry.writes.model
        return bare(kind, Shape(layers, hidden, heads, WRITTEN[kind], POSITIONS))
    return transformers.BertModel(
        transformers.BertConfig(
            vocab_size=PIECES,
            hidden_size=hidden,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            intermediate_size=4 * hidden,
        )
    )

"""How much of what networks compute is padding: less than 15 %, on questions like VCR's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from making import DIM, PIXELS, with_crops
from torch import nn
from torch.nn.utils.rnn import PackedSequence

from commonsight.models.catalogue import ALL, find
from commonsight.models.catalogue_entry import Entry
from commonsight.models.features.batch import Batch
from commonsight.models.features.buckets import batches
from commonsight.models.features.examples import Example
from commonsight.models.features.reading import PieceReading, WordReading
from commonsight.models.features.vocabulary import vocabularies
from commonsight.models.libraries import seeded
from commonsight.models.parts import Parts
from commonsight.models.regions.small import SmallRegions
from commonsight.models.transformers_from import from_nothing
from commonsight.models.words import LearnedVectors
from commonsight.runs.labels import labelled
from commonsight.runs.lessons import examples, lessons

MOST = 0.15
SIZE = 16
PIECES = [entry.name for entry in ALL if entry.reads == "pieces" and not (entry.names or entry.writes)]
RECURRENT = ["lstm", "esim", "r2c", "bottom-up", "mlb", "mutan"]


@pytest.fixture(scope="module")
def vcr(drawn_world: Path) -> Path:
    return drawn_world / "vcr"


def questions(entry: Entry, dataset: Path, task: str) -> list[Example]:
    given = lessons(dataset, (task,))
    items = [*given.items("train"), *given.items("val")]
    return examples(entry, labelled(given.tasks[0], items, "count"))


def network_and_batches(entry: Entry, dataset: Path, task: str) -> tuple[nn.Module, Iterator[Batch]]:
    asked = questions(entry, dataset, task)
    known = vocabularies(asked)
    with seeded(0):
        transformer = from_nothing(asked, (2, 16, 2)) if entry.reads == "pieces" else None
        words = LearnedVectors(len(known.words), DIM) if entry.reads == "words" else None
        regions = SmallRegions(DIM, size=PIXELS, widths=(8, 16)) if entry.sees else None
        model = None if transformer is None else transformer.model
        network = entry.small.build(Parts(len(known.labels), words, model, regions)).eval()
    reading: Any = WordReading(known)
    if transformer is not None:
        reading = PieceReading(
            transformer.tokenizer, known.labels, longest=128, query=entry.query, sees=entry.sees
        )
    lengths = np.array([reading.length(one) for one in asked])
    chosen = batches(lengths, SIZE, seed=1)

    def made() -> Iterator[Batch]:
        for numbers in chosen:
            some = [asked[number] for number in numbers]
            batch = reading.batch(some)
            yield with_crops(batch, some) if entry.sees else batch

    return network, made()


@pytest.mark.parametrize("task", ["q2a", "qa2r"])
@pytest.mark.parametrize("name", PIECES)
def test_little_of_what_transformers_compute_is_padding(name: str, task: str, vcr: Path) -> None:
    network, stream = network_and_batches(find(name), vcr, task)
    computed: Counter[str] = Counter()

    def count(stream: str) -> Any:
        return lambda _, given: computed.update({stream: given[0].shape[0] * given[0].shape[1]})

    layers = {
        place: part for place, part in network.named_modules() if type(part).__name__ == "BertAttention"
    }
    for place, layer in layers.items():
        layer.register_forward_pre_hook(count("objects" if place.startswith("layers.") else "text"))
    own = sum(place.startswith("layers.") for place in layers)  # of a stream of objects, where there is one
    there = 0
    with torch.inference_mode():
        for batch in stream:
            network(batch)
            assert batch.pieces is not None
            assert batch.seen is not None
            text, choices = int(batch.pieces.mask.sum()), batch.choices.shape[1]
            objects = int(batch.seen.mask.sum()) * choices if find(name).sees else 0
            beside = 1 if name == "vl-bert" else 0  # what stands after the objects
            rows = len(batch) * choices
            if own:
                there += text * (len(layers) - own) + objects * own
            else:
                there += (text + objects + beside * rows) * len(layers)
    share = 1 - there / sum(computed.values())
    assert 0 <= share < MOST


@pytest.mark.parametrize("name", RECURRENT)
def test_nothing_of_what_recurrent_layers_read_is_padding(name: str, vcr: Path) -> None:
    network, stream = network_and_batches(find(name), vcr, "q2a")
    read: list[PackedSequence] = []
    for part in network.modules():
        if isinstance(part, nn.LSTM | nn.GRU):
            part.register_forward_pre_hook(lambda _, given: read.append(given[0]))
    with torch.inference_mode():
        batch = next(stream)
        network(batch)
    assert batch.query is not None
    assert batch.responses is not None
    steps = {int(words.lengths.sum()) for words in (batch.query, batch.responses)}
    each = int(batch.query.lengths.expand_as(batch.choices).sum())  # a query beside every response
    assert read
    assert {len(one.data) for one in read} <= steps | {each}

"""LXMERT (Tan and Bansal, 2019): an encoder of language, one of objects, and one across both.

In a layer across both, text and objects look at each other by one attention that they share, and then each at
itself. What [CLS] has become names the answer.
"""

from __future__ import annotations

from typing import Any

from torch import Generator, Tensor, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Batch, Seen
from commonsight.models.layers.bert import begun, bert, modelling, read
from commonsight.models.layers.dropout import dropout
from commonsight.models.network import Scores, scored
from commonsight.models.networks.rare import begun_rare
from commonsight.models.networks.single_stream import eyes
from commonsight.models.networks.two_stream import Met, Stream, met_evenly
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.states import shown


class ObjectInputs(nn.Module):
    """An object is the mean of what it looks like and where it is, each normalised."""

    def __init__(self, seen: int, width: int, drop: float) -> None:
        super().__init__()
        self.appearance, self.appearance_norm = nn.Linear(seen, width), nn.LayerNorm(width, eps=1e-12)
        self.location, self.location_norm = nn.Linear(4, width), nn.LayerNorm(width, eps=1e-12)
        self.drop = drop

    def forward(self, seen: Seen, appearance: Tensor, *, generator: Generator | None) -> Tensor:
        """(batch, object, dim)"""
        looks = self.appearance_norm(self.appearance(appearance))
        where = self.location_norm(self.location(seen.boxes))
        return dropout((looks + where) / 2, self.drop, generator, self.training)


class CrossLayer(nn.Module):
    """Text and objects look at each other, then each at itself."""

    def __init__(self, config: Any, *, last: bool) -> None:
        """A BERT's numbers. After the `last` one nobody looks at objects, so they are not read there."""
        super().__init__()
        library = modelling()
        self.attention, self.output = library.BertCrossAttention(config), library.BertSelfOutput(config)
        self.text = library.BertLayer(config)
        self.objects = None if last else library.BertLayer(config)

    def forward(self, text: Stream, objects: Stream) -> Met:
        """What each makes of the other as it was."""
        heard, looks = self.attention(text.values, objects.values, objects.hiding)
        own = read(self.text, self.output(heard, text.values), text.hiding)
        seen = objects.values
        if self.objects is not None:
            told, _ = self.attention(objects.values, text.values, text.hiding)
            seen = read(self.objects, self.output(told, objects.values), objects.hiding).values
        return Met(own.values, seen, looks.mean(dim=1), own.weights)


class Lxmert(nn.Module):
    """The three encoders and a head on [CLS]."""

    def __init__(
        self,
        text: Any,
        regions: RegionEncoder,
        *,
        answers: int,
        language: int | None,
        relating: int,
        crossing: int,
        drop: float,
    ) -> None:
        """`text` is a BERT, of which the first `language` layers are taken, or all of them; `relating` layers
        read objects alone, and `crossing` ones both. All are as wide as the text."""
        super().__init__()
        text = bert(text, wanted_by="LXMERT")
        config, library = text.config, modelling()
        width, there = int(config.hidden_size), int(config.num_hidden_layers)
        if language is not None and there < language:
            raise InputError(f"LXMERT reads with {language} layers, and this BERT has {there}. Give another.")
        self.regions, self.drop = regions, drop
        self.embeddings, self.encoder, self.pooler = text.embeddings, text.encoder, text.pooler
        self.encoder.layer = self.encoder.layer[:language]
        self.inputs = ObjectInputs(regions.dim, width, drop)
        self.relating = nn.ModuleList(library.BertLayer(config) for _ in range(relating))
        self.crossing = nn.ModuleList(
            CrossLayer(config, last=number == crossing - 1) for number in range(crossing)
        )
        norm, self.named = nn.LayerNorm(2 * width, eps=1e-12), nn.Linear(2 * width, answers)
        self.answer = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), norm)
        for new in (self.inputs, self.relating, self.crossing, self.answer, self.named):
            begun(new, config.initializer_range)
        # An object without a box is nowhere: all zeros, which a norm cannot scale. Biases give it a length.
        for part in (self.inputs.appearance, self.inputs.location):
            nn.init.normal_(part.bias, 0.0, config.initializer_range)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        pieces, seen = shown(batch)
        text: Tensor = self.embeddings(input_ids=pieces.ids[:, 0], token_type_ids=pieces.segments[:, 0])
        objects = self.inputs(seen, self.regions(seen), generator=generator)  # (batch, object, dim)
        met = met_evenly(self._read, text, pieces.mask[:, 0], objects, seen.mask)
        pooled = dropout(self.pooler(met.text), self.drop, generator, self.training)  # (batch, dim)
        return scored(self.named(self.answer(pooled)), batch, attention={"glimpses": met.looks[:, None, :1]})

    def _read(self, text: Stream, objects: Stream) -> Met:
        """Each alone, then both."""
        for layer in self.encoder.layer:
            text = text._replace(values=read(layer, *text).values)
        for layer in self.relating:
            objects = objects._replace(values=read(layer, *objects).values)
        met = Met(text.values, objects.values, text.values, text.values)
        for layer in self.crossing:
            met = layer(text._replace(values=met.text), objects._replace(values=met.objects))
        return met


def lxmert_small(parts: Parts) -> Lxmert:
    """One layer of objects and two across both, beside the text that it is given."""
    text, regions = eyes(parts, "LXMERT")
    network = Lxmert(
        text, regions, answers=parts.answers, language=None, relating=1, crossing=2, drop=0.1
    )
    begun_rare(network.named)
    return network


def lxmert_paper(parts: Parts) -> Lxmert:
    """9 layers of language, 5 of objects and 5 across both, of 768 numbers and 12 heads (section 4.2); the
    head is the released one, twice as wide inside. Its last layer across both, as released, also reads
    objects, which changes no answer."""
    text, regions = eyes(parts, "LXMERT")
    return Lxmert(text, regions, answers=parts.answers, language=9, relating=5, crossing=5, drop=0.1)

"""ClipCap (Mokady et al., 2021), as A-OKVQA adapts it: GPT-2 goes on with a picture and a question.

What CLIP sees of the whole picture is one vector. A mapping makes a few places of it that look to GPT-2 like
words; the question's words follow, and then GPT-2 writes the answer, or a rationale (A-OKVQA, appendices B.3
and C).
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import torch
from torch import Tensor, nn

from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.batch import Batch
from commonsight.models.network import needed
from commonsight.models.parts import Parts
from commonsight.models.writing.decoding import Remembering, Telling
from commonsight.models.writing.writer import Writer


class PerceptronMapping(nn.Module):
    """One hidden layer, half as wide as all that it gives."""

    def __init__(self, seen: int, width: int, places: int) -> None:
        super().__init__()
        self.width, self.places = width, places
        inner = width * places // 2
        self.model = nn.Sequential(nn.Linear(seen, inner), nn.Tanh(), nn.Linear(inner, width * places))

    def forward(self, seen: Tensor) -> Tensor:
        """(batch, seen) -> (batch, place, width)"""
        made: Tensor = self.model(seen)
        return made.reshape(-1, self.places, self.width)


class TransformerMapping(nn.Module):
    """The picture as several places, and as many learned ones that look at them; the latter are given."""

    def __init__(self, seen: int, width: int, places: int, *, layers: int, heads: int) -> None:
        super().__init__()
        self.width, self.places = width, places
        self.linear = nn.Linear(seen, places * width)
        self.prefix_const = nn.Parameter(torch.randn(places, width))
        self.layers = nn.ModuleList(MappingLayer(width, heads) for _ in range(layers))

    def forward(self, seen: Tensor) -> Tensor:
        """(batch, seen) -> (batch, place, width)"""
        # The picture's direction counts, not its length.
        pictured = self.linear(nn.functional.normalize(seen, dim=-1)).reshape(-1, self.places, self.width)
        both = torch.cat((pictured, self.prefix_const.expand_as(pictured)), dim=1)
        for layer in self.layers:
            both = layer(both)
        return both[:, self.places :]


class MappingLayer(nn.Module):
    """A transformer's layer with norms in front and twice the width within."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.to_queries = nn.Linear(width, width, bias=False)
        self.to_keys_values = nn.Linear(width, 2 * width, bias=False)
        self.project = nn.Linear(width, width)
        self.fc1, self.fc2 = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, values: Tensor) -> Tensor:
        """(batch, place, width), all of it there."""
        normed = self.norm1(values)
        keys, contents = self.to_keys_values(normed).chunk(2, dim=-1)
        seen = nn.functional.scaled_dot_product_attention(
            self._split(self.to_queries(normed)), self._split(keys), self._split(contents)
        )  # (batch, head, place, width / heads)
        values = values + self.project(seen.transpose(1, 2).flatten(2))
        made: Tensor = values + self.fc2(self.fc1(self.norm2(values)).relu())
        return made

    def _split(self, values: Tensor) -> Tensor:
        return values.reshape(*values.shape[:2], self.heads, -1).transpose(1, 2)


class ClipCap(Writer):
    """A picture's vector, a mapping, and a language model that goes on."""

    def __init__(
        self, mapping: nn.Module, language: Any, canvas: CanvasEncoder, *, frozen: bool = False
    ) -> None:
        """With `frozen` the language model stays as it is, and only the mapping learns."""
        super().__init__(int(language.config.eos_token_id))
        self.mapping, self.language, self.canvas = mapping, language, canvas
        self.frozen = frozen
        if frozen:
            language.requires_grad_(False)

    def train(self, mode: bool = True) -> Self:
        """What is frozen drops nothing either."""
        super().train(mode)
        if self.frozen:
            self.language.eval()
        return self

    def told(self, batch: Batch) -> Telling:
        """Picture and question, read once."""
        texts, canvas = needed(batch.texts, "texts"), needed(batch.canvas, "pictures")
        seen = self.canvas(canvas).mean(dim=(2, 3))  # (batch, dim): of CLIP there is one place
        prefix = self.mapping(seen)  # (batch, place, width)
        words = self.language.get_input_embeddings()(texts.asked)
        there = torch.cat((texts.asked_mask.new_ones(prefix.shape[:2]), texts.asked_mask), dim=1)
        return GoingOn(self.language, torch.cat((prefix, words), dim=1), there)


class _Rows(NamedTuple):
    """Of each row of a text that goes on."""

    there: Tensor
    """(row, place)"""
    length: Tensor
    """(row): how many of the places are there."""
    first: Tensor
    """(row, token): logits of what comes first."""


class GoingOn(Remembering[_Rows]):
    """A language model that has read a beginning; places that are not there stand between it and what comes,
    and nobody looks at them."""

    def __init__(self, language: Any, values: Tensor, there: Tensor) -> None:
        """`values` are (row, place, width), `there` says which of the places are."""
        self._language = language
        length = there.sum(dim=1)
        read = language.base_model(
            inputs_embeds=values,
            attention_mask=there.long(),
            position_ids=(there.cumsum(dim=1) - 1).clamp(min=0),
            use_cache=True,
        )
        last = read.last_hidden_state[torch.arange(len(there), device=there.device), length - 1]
        first: Tensor = language.get_output_embeddings()(last)
        super().__init__(read.past_key_values, _Rows(there, length, first))

    def begun(self) -> Tensor:
        """(row, token)"""
        return self.rows.first

    def after(self, tokens: Tensor) -> Tensor:
        """(row, place) -> (row, place, token)"""
        there, length, first = self.rows
        there = torch.cat((there, torch.ones_like(tokens, dtype=torch.bool)), dim=1)
        read = self._language.base_model(
            input_ids=tokens,
            attention_mask=there.long(),
            position_ids=length[:, None] + torch.arange(tokens.shape[1], device=tokens.device),
            past_key_values=self.memory,
            use_cache=True,
        )
        self.rows = _Rows(there, length + tokens.shape[1], first)
        found: Tensor = self._language.get_output_embeddings()(read.last_hidden_state)
        return found


def clipcap_small(parts: Parts) -> ClipCap:
    """Four places; the language model that it is given learns with it."""
    given = _given(parts)
    return ClipCap(PerceptronMapping(given.canvas.dim, given.width, 4), *given)


def clipcap_paper(parts: Parts) -> ClipCap:
    """Ten places of CLIP ViT-B/32's vector by a perceptron; GPT-2 is fine-tuned (A-OKVQA, appendix B.3)."""
    given = _given(parts)
    return ClipCap(PerceptronMapping(given.canvas.dim, given.width, 10), *given)


def clipcap_transformer_small(parts: Parts) -> ClipCap:
    """Four places and two layers. A language model that begins from nothing has nothing to keep, so that it
    learns with the rest."""
    given = _given(parts)
    mapping = TransformerMapping(given.canvas.dim, given.width, 4, layers=2, heads=4)
    return ClipCap(mapping, *given)


def clipcap_transformer_paper(parts: Parts) -> ClipCap:
    """Forty places, eight layers of eight heads; GPT-2 is frozen (ClipCap, sections 3.2 and 3.3; places as
    A-OKVQA's authors released it, for CLIP RN50x4)."""
    given = _given(parts)
    mapping = TransformerMapping(given.canvas.dim, given.width, 40, layers=8, heads=8)
    return ClipCap(mapping, *given, frozen=True)


class _Given(NamedTuple):
    """What it is built from."""

    language: Any
    canvas: CanvasEncoder

    @property
    def width(self) -> int:
        return int(self.language.config.hidden_size)


def _given(parts: Parts) -> _Given:
    return _Given(needed(parts.transformer, "a language model"), needed(parts.canvas, "pictures"))

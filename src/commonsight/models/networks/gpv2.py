"""GPV-2 (Kamath et al., 2022): T5 reads a question together with the objects of a picture, and writes.

An object is what it looks like and where it is, made as wide as T5's words by one linear layer, and is read
as a word would be; positions are of the words alone. The picture as a whole is an object too, and marked as
the one that is asked about. For A-OKVQA it writes the answer by a beam of 20, or ranks given choices by how
likely it would write them (A-OKVQA, appendix D).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from commonsight.models.features.batch import Batch, Seen
from commonsight.models.layers.masks import without_padding
from commonsight.models.network import needed
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.writing.decoding import Remembering, Telling
from commonsight.models.writing.writer import Writer

PLACE = 5
"""Numbers that tell where an object is."""
_SPREAD = 0.05


class Gpv2(Writer):
    """Objects and words in one sequence for T5's encoder; its decoder writes."""

    def __init__(self, language: Any, regions: RegionEncoder) -> None:
        super().__init__(int(language.config.eos_token_id))
        width = int(language.config.d_model)
        self.language, self.regions = language, regions
        self.joiner = nn.Linear(regions.dim + PLACE, width)
        self.whole = nn.Parameter(torch.empty(width).uniform_(-_SPREAD, _SPREAD))
        # Objects begin as something like a word (as released: the mean of the words for COCO's classes).
        with torch.no_grad():
            self.joiner.bias.copy_(language.get_input_embeddings().weight.mean(dim=0))

    def told(self, batch: Batch) -> Telling:
        """Picture and question, read once."""
        texts, seen = needed(batch.texts, "texts"), needed(batch.seen, "pictures")
        words = self.language.get_input_embeddings()(texts.asked)
        values = torch.cat((words, self._objects(seen)), dim=1)
        there = torch.cat((texts.asked_mask, seen.mask), dim=1)
        return WritingAnew(self.language, self._read(values, there, words.shape[1]), there)

    def _objects(self, seen: Seen) -> Tensor:
        """(batch, object, width)"""
        made = self.joiner(torch.cat((self.regions(seen), placed(seen.boxes)), dim=-1))
        first = torch.zeros_like(seen.mask)
        first[:, 0] = True
        return without_padding(made + self.whole * first[..., None], seen.mask)

    def _read(self, values: Tensor, there: Tensor, words: int) -> Tensor:
        """T5's encoder over both. How far words are apart counts, and objects are nowhere among them."""
        encoder = self.language.encoder
        near = encoder.block[0].layer[0].SelfAttention.compute_bias(words, words)  # (1, head, word, word)
        objects = values.shape[1] - words
        near = nn.functional.pad(near, (0, objects, 0, objects)).expand(len(values), -1, -1, -1)
        hidden = torch.where(there[:, None, None], 0.0, torch.finfo(values.dtype).min)  # (batch, 1, 1, place)
        read = encoder.dropout(values)
        for block in encoder.block:
            read = block(read, attention_mask=hidden, position_bias=near)[0]
        made: Tensor = encoder.dropout(encoder.final_layer_norm(read))
        return made


def placed(boxes: Tensor) -> Tensor:
    """Middle, width, height and area, as shares of the picture's: (..., 4) -> (..., 5)."""
    size = boxes[..., 2:] - boxes[..., :2]
    return torch.cat((boxes[..., :2] + size / 2, size, size.prod(dim=-1, keepdim=True)), dim=-1)


class _Rows(NamedTuple):
    """Of each row of a text that is written."""

    read: Tensor
    """(row, place, width): what the encoder made of question and picture."""
    there: Tensor
    """(row, place)"""
    first: Tensor
    """(row, token): logits of what comes first."""


class WritingAnew(Remembering[_Rows]):
    """A decoder that looks at what an encoder has read."""

    def __init__(self, language: Any, read: Tensor, there: Tensor) -> None:
        """`read` is (row, place, width), `there` says which of the places are."""
        self._language = language
        super().__init__(None, _Rows(read, there, read))
        start = int(language.config.decoder_start_token_id)
        first = self.after(torch.full((len(read), 1), start, device=read.device))[:, 0]
        self.rows = _Rows(read, there, first)

    def begun(self) -> Tensor:
        """(row, token)"""
        return self.rows.first

    def after(self, tokens: Tensor) -> Tensor:
        """(row, place) -> (row, place, token)"""
        said = self._language(
            encoder_outputs=(self.rows.read,),
            attention_mask=self.rows.there.long(),
            decoder_input_ids=tokens,
            past_key_values=self.memory,
            use_cache=True,
        )
        self.memory = said.past_key_values
        found: Tensor = said.logits
        return found


def gpv2_small(parts: Parts) -> Gpv2:
    """Small is the T5 that it is given; nothing else has a size."""
    return _built(parts)


def gpv2_paper(parts: Parts) -> Gpv2:
    """With T5-base, 12 layers of 768 each way, and VinVL's 2,048 numbers an object."""
    return _built(parts)


def _built(parts: Parts) -> Gpv2:
    return Gpv2(needed(parts.transformer, "a language model"), needed(parts.regions, "pictures"))

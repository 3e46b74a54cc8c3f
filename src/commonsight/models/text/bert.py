"""Words as a frozen BERT reads them, each query together with each response.

As the VCR paper has it (appendix E): "[CLS] query [SEP] response [SEP]", the second-to-last layer, and for a
word of several sub-words the mean of theirs. Any transformer of the library that reads pairs will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from commonsight.errors import InputError, UsageError
from commonsight.models.libraries import libraries
from commonsight.models.local_vlm.loading import device_of
from commonsight.models.pretrained import pretrained
from commonsight.models.progress import Progress, silent
from commonsight.models.sources import place, source
from commonsight.models.text import Encoded, Pair
from commonsight.models.text.pieces import NO_WORD, PairPieces, Row, padded_rows

LAYER = -2
"""The second-to-last: both of BERT's own tasks read it (VCR, appendix E)."""
LONGEST = 512
"""Pieces of a pair that are read at most, even if a transformer could read more."""
BATCH = 32


class BertWords:
    """A transformer that was trained by others, or adapted (`adapt.py`), and is not trained here."""

    paired = True

    def __init__(
        self,
        model: Any,
        pieces: PairPieces,
        *,
        name: str,
        padding: int,
        layer: int = LAYER,
        batch: int = BATCH,
    ) -> None:
        """`layer` counts from 0, the sub-words' own embeddings, or from the last backwards."""
        layers = int(model.config.num_hidden_layers) + 1
        if not -layers <= layer < layers:
            raise UsageError(f"There is no layer {layer}. Give one from 0 to {layers - 1}, or -1: the last.")
        self._model, self._pieces, self._padding = model.eval().requires_grad_(False), pieces, padding
        self._layer, self._batch = layer % layers, batch
        self.dim = int(model.config.hidden_size)
        self.name = f"bert-1({name}, layer {self._layer} of {layers - 1})"

    @classmethod
    def load(
        cls,
        given: str,
        *,
        layer: int = LAYER,
        longest: int = LONGEST,
        batch: int = BATCH,
        device: str = "cpu",
    ) -> BertWords:
        """From a folder or a hub name."""
        found = source(given)  # looks at config and tokenizer before weights are read
        transformers = libraries().transformers
        config = transformers.AutoConfig.from_pretrained(found.place)
        if getattr(config, "is_encoder_decoder", False):
            raise InputError(f"{given}: this is an encoder with a decoder. Give a model like BERT.")
        tokenizer = transformers.AutoTokenizer.from_pretrained(found.place)
        longest = min(longest, found.tokens)
        pieces = PairPieces(given, tokenizer, longest)
        # The pooler, which not every folder has, is not asked for anything.
        model = pretrained(transformers.AutoModel, place(given), new=lambda key: key.startswith("pooler."))
        model.to(device_of(device))
        name = f"{found.name}, at most {longest} pieces"
        return cls(model, pieces, name=name, padding=tokenizer.pad_token_id, layer=layer, batch=batch)

    def encode(self, pairs: Sequence[Pair], *, progress: Progress = silent) -> list[Encoded]:
        """Vectors of words; zeros for words that were cut off, or that have no sub-word."""
        rows = [self._pieces.row(pair) for pair in pairs]
        order = sorted(range(len(rows)), key=lambda number: len(rows[number].ids))
        found: list[Encoded] = [Encoded(np.empty(0), np.empty(0))] * len(pairs)
        for start in range(0, len(order), self._batch):
            chosen = order[start : start + self._batch]
            batch = [pairs[number] for number in chosen]
            for number, encoded in zip(chosen, self._read(batch, [rows[one] for one in chosen]), strict=True):
                found[number] = encoded
            progress(start + len(chosen), len(order))
        return found

    def _read(self, pairs: Sequence[Pair], rows: Sequence[Row]) -> list[Encoded]:
        counts = [len(pair.query) + len(pair.response) for pair in pairs]
        batch = padded_rows(rows, self._padding).to(self._model.device)
        inputs = {"input_ids": batch.ids, "attention_mask": batch.mask.long()}
        if int(getattr(self._model.config, "type_vocab_size", 0) or 0) > 1:  # RoBERTa knows no segments
            inputs["token_type_ids"] = batch.segments
        with torch.inference_mode():
            hidden = self._model(**inputs, output_hidden_states=True).hidden_states[self._layer]
            words = averaged(hidden, batch.words, counts).cpu().numpy()  # (word of all pairs, dim)
        parts = np.split(words, np.cumsum(counts)[:-1])
        return [
            Encoded(part[: len(pair.query)], part[len(pair.query) :])
            for pair, part in zip(pairs, parts, strict=True)
        ]


def averaged(hidden: Tensor, words: Tensor, counts: Sequence[int]) -> Tensor:
    """The mean of each word's pieces: (row, piece, dim) and (row, piece) -> (word of all rows, dim).

    `words` says of which word of its row each piece is, `counts` how many words each row has.
    """
    several = torch.tensor(counts, device=hidden.device)
    starts = several.cumsum(0) - several  # (row)
    there = words != NO_WORD  # (row, piece)
    target = (words + starts.unsqueeze(1))[there]  # (piece of a word)
    sums = hidden.new_zeros(sum(counts), hidden.shape[-1]).index_add(0, target, hidden[there])
    return sums / target.bincount(minlength=sum(counts)).clamp(min=1).unsqueeze(1)

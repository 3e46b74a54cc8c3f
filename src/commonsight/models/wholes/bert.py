"""Whole texts by a frozen BERT: the mean of what its last layer makes of all pieces, marks included.

So the authors of A-OKVQA read questions, with a BERT that was trained on inference
(sentence-transformers/bert-base-nli-mean-tokens). Any transformer of the library that encodes texts will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from commonsight.errors import InputError
from commonsight.models.libraries import libraries
from commonsight.models.pretrained import pretrained
from commonsight.models.sources import place, source

LONGEST = 128
BATCH = 32


class BertWholes:
    """A transformer that was trained by others and is not trained here."""

    def __init__(self, model: Any, tokenizer: Any, *, name: str, longest: int) -> None:
        self._model, self._tokenizer = model.eval().requires_grad_(False), tokenizer
        self._longest = longest
        self.dim = int(model.config.hidden_size)
        self.name = f"bert-whole-1({name}, at most {longest} pieces)"

    @classmethod
    def load(cls, given: str) -> BertWholes:
        """From a folder or a hub name."""
        found = source(given)  # looks at config and tokenizer before weights are read
        transformers = libraries().transformers
        config = transformers.AutoConfig.from_pretrained(found.place)
        if getattr(config, "is_encoder_decoder", False) or not hasattr(config, "hidden_size"):
            raise InputError(f"{given}: this is no encoder of texts alone. Give a model like BERT.")
        tokenizer = transformers.AutoTokenizer.from_pretrained(found.place)
        model = pretrained(transformers.AutoModel, place(given), new=lambda key: key.startswith("pooler."))
        return cls(model, tokenizer, name=found.name, longest=min(LONGEST, found.tokens))

    def encode(self, texts: Sequence[str]) -> NDArray[Any]:
        """(text, dim)"""
        found = [self._read(list(texts[start : start + BATCH])) for start in range(0, len(texts), BATCH)]
        return np.concatenate(found) if found else np.zeros((0, self.dim), np.float32)

    def _read(self, texts: list[str]) -> NDArray[np.float32]:
        read = self._tokenizer(
            texts, padding=True, truncation=True, max_length=self._longest, return_tensors="pt"
        )
        with torch.inference_mode():
            hidden = self._model(**read).last_hidden_state  # (text, piece, dim)
            there = read["attention_mask"].unsqueeze(-1)  # (text, piece, 1)
            mean = (hidden * there).sum(dim=1) / there.sum(dim=1).clamp(min=1)
        found: NDArray[np.float32] = mean.float().numpy()
        return found

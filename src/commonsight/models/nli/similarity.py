"""ESIM as judge of similarity, as the paper has it (VCR, appendix C): texts are read once, then all compared.

A text is read by a batch of one. That is slower than reading many at once, but then no bit of it depends on
what else is read, so it may be kept from bucket to bucket in any worker; and reading is little beside
comparing, as a bucket of n texts has n² pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from commonsight.build.matching.scorers import Scores
from commonsight.models.layers.masks import lengths_to_mask
from commonsight.models.libraries import threads
from commonsight.models.local_vlm.loading import device_of
from commonsight.models.matching import EntailmentSimilarity, elsewhere
from commonsight.models.networks.esim import EncodedText
from commonsight.models.nli.network import Trained
from commonsight.models.nli.pairs import ENTAILMENT, LABELS
from commonsight.models.text import Text

AT_ONCE = 128
"""Pairs that are compared in a batch."""
KEPT = 256 * 1024**2
"""Bytes of texts that are kept as they were read; those read first go first."""


class EsimSimilarity(EntailmentSimilarity):
    """A model that `commonsight train-nli` trained. It is handed to workers as a folder's name."""

    def __init__(self, folder: Path, *, device: str = "cpu", kept: int = KEPT) -> None:
        self._folder, self._device, self._kept = folder.resolve(), device, kept
        self._texts: _Texts | None = None
        # Loaded, to find out now whether it can be, and not after hours in a worker.
        self.name = f"esim-similarity-1({self._loaded().model.name}{elsewhere(device)})"

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_texts": None}  # each process loads its own

    def either_way(self, ones: Sequence[str], others: Sequence[str]) -> Scores:
        """The greater of both directions, of which all but the last layers is the same."""
        texts = self._loaded()
        words = {text: texts.model.words(text) for text in dict.fromkeys((*ones, *others))}
        pairs = [(words[one], words[other]) for one, other in zip(ones, others, strict=True)]
        order = sorted(range(len(pairs)), key=lambda place: tuple(map(len, pairs[place])))
        chances = np.zeros(len(pairs), np.float32)
        with torch.inference_mode(), threads(1):
            for start in range(0, len(order), AT_ONCE):
                batch = order[start : start + AT_ONCE]
                first, second = (texts.read([pairs[place][side] for place in batch]) for side in (0, 1))
                there, back = texts.model.esim.both_ways(first, second)
                greater = torch.maximum(_entailed(there), _entailed(back))
                chances[batch] = greater.cpu().numpy()
        return chances

    def _loaded(self) -> _Texts:
        if self._texts is None:
            with threads(1):
                self._texts = _Texts(Trained(self._folder, device_of(self._device)), self._kept)
        return self._texts


def _entailed(outputs: Tensor) -> Tensor:
    """(pair, label) -> (pair)"""
    return outputs.float().softmax(dim=-1)[..., LABELS.index(ENTAILMENT)]


class _Texts:
    """Texts as they were read: everything before the attention."""

    def __init__(self, model: Trained, most: int) -> None:
        self.model, self._most, self._size = model, most, 0
        self._known: dict[Text, Tensor] = {}

    def read(self, texts: Sequence[Text]) -> EncodedText:
        """Texts side by side: (text, word, dim)"""
        steps = [self._steps(text) for text in texts]
        lengths = torch.tensor([len(text) for text in texts], device=steps[0].device)
        return EncodedText(pad_sequence(steps, batch_first=True), lengths_to_mask(lengths), lengths)

    def _steps(self, text: Text) -> Tensor:
        """(word, dim)"""
        if text not in self._known:
            found = self.model.esim.encode(self.model.tensors(text)).steps[0]
            self._known[text] = found
            self._size += found.nbytes
            while self._size > self._most and len(self._known) > 1:
                oldest = next(iter(self._known))
                self._size -= self._known.pop(oldest).nbytes
            return found
        return self._known[text]

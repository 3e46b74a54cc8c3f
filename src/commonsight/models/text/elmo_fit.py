"""Training a language model of letters from nothing: it guesses each next word, forwards and backwards.

Its guesses are among the frequent words of its texts. Of many of those only a few are drawn to be told apart
from the right one, and how likely each was to be drawn is taken into account (a sampled softmax, as ELMo's).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from commonsight.errors import InputError, UsageError
from commonsight.models.cross_encoder import mixed
from commonsight.models.libraries import seeded
from commonsight.models.local_vlm.loading import device_of
from commonsight.models.progress import Progress, silent
from commonsight.models.text import Text
from commonsight.models.text.elmo import BiLM, Layers, Sizes, sentences

_RARE = 0
"""The class of all words that are not frequent; that of sentences' beginnings and of their ends are next."""
_FIRST, _LAST, _WORDS = 1, 2, 3
_LONGEST_GRADIENT = 1.0


class Fitting(Struct, frozen=True):
    """How a model is trained."""

    epochs: int = 2
    batch: int = 32
    rate: float = 4e-3
    dropout: float = 0.1
    words: int = 20_000
    """How many words it guesses at most, the most frequent ones."""
    drawn: int = 512
    """Wrong words in each batch that the right ones are told from; all of them where there are fewer."""
    held: int = 500
    """Texts that are not trained on, to measure it; at most one in twenty."""

    def __post_init__(self) -> None:
        if min(self.epochs, self.batch, self.words, self.drawn) < 1 or self.held < 0:
            raise UsageError("Give at least one epoch, one text in a batch, one word and one drawn word.")
        if not 0 < self.rate < 1 or not 0 <= self.dropout < 1:
            raise UsageError("Give a rate between 0 and 1, and a dropout from 0 up to 1.")


class Fitted(NamedTuple):
    """A trained model, and how well it guesses."""

    model: BiLM
    words: int
    """Words that it guesses."""
    steps: int
    perplexity: float | None
    """On texts it has not seen: among how many words that are all as likely it would have to choose. None
    where too few texts were given to keep any back."""


def fit_elmo(
    texts: Sequence[Text],
    sizes: Sizes | None = None,
    fitting: Fitting | None = None,
    *,
    seed: int,
    device: str = "cpu",
    progress: Progress = silent,
) -> Fitted:
    """Train on these texts, each different one once an epoch."""
    fitting = Fitting() if fitting is None else fitting
    different = sorted({text for text in texts if text})
    if not different:
        raise InputError("There is no text with a word to learn from. Give a dataset with texts.")
    random.Random(f"{seed}:held").shuffle(different)
    held = different[: min(fitting.held, len(different) // 20)]
    own = different[len(held) :]
    with seeded(seed):
        trainer = _Trainer(BiLM(sizes or Sizes()), own, fitting, device_of(device))
        steps = trainer.train(own, seed, progress)
    return Fitted(trainer.model.eval(), trainer.words, steps, trainer.perplexity(held) if held else None)


class _Guesses(nn.Module):
    """A vector and a bias for each word that may be guessed; both directions share them."""

    def __init__(self, words: int, hidden: int) -> None:
        super().__init__()
        self.vectors = nn.Parameter(torch.randn(words, hidden) * hidden**-0.5)
        self.biases = nn.Parameter(torch.zeros(words))

    def forward(self, states: Tensor, chosen: Tensor) -> Tensor:
        """(place, hidden) with (word): (place, word)"""
        return states @ self.vectors[chosen].T + self.biases[chosen]


class _Trainer:
    def __init__(self, model: BiLM, texts: Sequence[Text], fitting: Fitting, device: Any) -> None:
        counts = Counter(word for text in texts for word in text)
        frequent = sorted(counts, key=lambda word: (-counts[word], word))[: fitting.words]
        self._classes = {word: number for number, word in enumerate(frequent, start=_WORDS)}
        self.words = len(frequent) + _WORDS
        self.model, self._fitting, self._device = model.to(device), fitting, device
        self._guesses = _Guesses(self.words, model.sizes.hidden).to(device)
        # The n-th most frequent is drawn about once in n (Zipf); marks and rare words are frequent too.
        ranks = np.arange(1, self.words + 1)
        self._chances: NDArray[np.float64] = (1 / ranks) / (1 / ranks).sum()

    def train(self, texts: Sequence[Text], seed: int, progress: Progress) -> int:
        fitting, chance = self._fitting, np.random.default_rng(seed)
        weights = [*self.model.parameters(), *self._guesses.parameters()]
        adam = torch.optim.Adam(weights, lr=fitting.rate)
        total = fitting.epochs * -(-len(texts) // fitting.batch)
        rates = torch.optim.lr_scheduler.LambdaLR(adam, lambda step: 1 - step / total)
        lengths, done = [len(text) for text in texts], 0
        self.model.train()
        for epoch in range(fitting.epochs):
            for numbers in mixed(lengths, fitting.batch, random.Random(f"{seed}:{epoch}")):
                loss = self._loss([texts[number] for number in numbers], chance)
                adam.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(weights, _LONGEST_GRADIENT)
                adam.step()
                rates.step()
                done += 1
                progress(done, total)
                if not torch.isfinite(loss):
                    raise InputError("Training came to nothing: the loss is no number. Give a lower rate.")
        return done

    def _loss(self, texts: Sequence[Text], chance: np.random.Generator) -> Tensor:
        states, wanted = self._states(texts, self._fitting.dropout)
        if self.words <= self._fitting.drawn:
            return cross_entropy(self._guesses(states, torch.arange(self.words, device=self._device)), wanted)
        drawn = np.unique(chance.choice(self.words, self._fitting.drawn, p=self._chances))
        return self._sampled(states, wanted, torch.from_numpy(drawn).to(self._device))

    def _sampled(self, states: Tensor, wanted: Tensor, drawn: Tensor) -> Tensor:
        """The right word against the drawn ones, each weighed by how seldom it is drawn."""
        often = torch.from_numpy(-np.expm1(self._fitting.drawn * np.log1p(-self._chances)))
        often = often.to(states).log()  # (word): that it is among those drawn
        right = (states * self._guesses.vectors[wanted]).sum(dim=1) + self._guesses.biases[wanted]
        right = right - often[wanted]  # (place)
        others = self._guesses(states, drawn) - often[drawn]  # (place, drawn)
        others = others.masked_fill(wanted.unsqueeze(1) == drawn, torch.finfo(others.dtype).min)
        logits = torch.cat((right.unsqueeze(1), others), dim=1)
        return cross_entropy(logits, torch.zeros_like(wanted))

    def _states(self, texts: Sequence[Text], dropout: float) -> tuple[Tensor, Tensor]:
        """What both directions know before each word, and the word: (place, hidden) and (place)."""
        read = sentences(texts, self.model.sizes.longest)
        layers: Layers = self.model(*(part.to(self._device) for part in read), dropout=dropout)
        classes = np.full(tuple(read.which.shape), -1, np.int64)
        for row, text in zip(classes, texts, strict=True):
            own = (_FIRST, *(self._classes.get(word, _RARE) for word in text), _LAST)
            row[: len(own)] = own
        wanted = torch.from_numpy(classes).to(self._device)
        there = wanted[:, 1:] >= 0  # (sentence, place but the first): both have something to guess there
        states = (layers.forwards[-1][:, :-1][there], layers.backwards[-1][:, 1:][there])
        return torch.cat(states), torch.cat((wanted[:, 1:][there], wanted[:, :-1][there]))

    def perplexity(self, texts: Sequence[Text]) -> float:
        self.model.eval()
        total, count = 0.0, 0
        every = torch.arange(self.words, device=self._device)
        with torch.inference_mode():
            for start in range(0, len(texts), self._fitting.batch):
                states, wanted = self._states(texts[start : start + self._fitting.batch], 0.0)
                total += float(cross_entropy(self._guesses(states, every), wanted, reduction="sum"))
                count += len(wanted)
        return float(np.exp(total / count))

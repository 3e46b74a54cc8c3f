"""A cross-encoder: a transformer that reads two texts at once and says which class the pair is of.

Loading, fine-tuning and scoring, for whatever task. The same seed gives the same model and the same scores,
as long as the number of threads is the same; by default that is one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.errors import InputError, UsageError
from commonsight.models.libraries import libraries, seeded, threads
from commonsight.models.sources import Source, unusable

LEARNING_RATE = 2e-5
BATCH = 32
EPOCHS = 3
"""How BERT is fine-tuned with Adam to judge relevance (VCR, appendix C, relevance model details)."""
MOST_TOKENS = 128
"""Longer pairs are cut, the longer text first. Question, answer and rationale together seldom reach it."""
LETTERS_A_TOKEN = 32
"""Texts are cut to so many letters for each token that is read: tokenizers take the square of the length."""
SCORED_AT_ONCE = 64
"""Pairs in a batch when nothing is learned: more gain nothing on a processor."""
READ_AT_ONCE = 8192
"""Pairs whose tokens are in memory at once, among which batches of like length are made."""
SORTED_AT_ONCE = 32
"""Batches among which like lengths are put together in training: it saves padding, and still mixes."""

LogChances = NDArray[np.float32]
Tokens = dict[str, list[int]]


class Fitting(Struct, frozen=True):
    """How to fine-tune; the paper's values are the defaults."""

    learning_rate: float = LEARNING_RATE
    batch: int = BATCH
    epochs: int = EPOCHS

    def __post_init__(self) -> None:
        if not 0 < self.learning_rate < 1:
            raise UsageError(f"The learning rate is {self.learning_rate:g}. Give a number between 0 and 1.")
        for name in ("batch", "epochs"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}. Give at least 1.")

    def __str__(self) -> str:
        return f"learning rate {self.learning_rate:g}, batch {self.batch}, epochs {self.epochs}"


class Example(NamedTuple):
    """Two texts and the number of their class."""

    first: str
    second: str
    label: int


class Step(NamedTuple):
    """How far fine-tuning has come."""

    epoch: int
    epochs: int
    batch: int
    batches: int
    loss: float
    """The mean over the epoch so far."""


Draw = Callable[[int], Sequence[Example]]
"""The examples of an epoch, by its number: they may be others in each."""
Progress = Callable[[Step], None]


def silent(step: Step) -> None:
    """Tell nobody."""
    del step


class CrossEncoder:
    """A model and its tokenizer, in memory."""

    def __init__(self, model: Any, tokenizer: Any, *, most_tokens: int, thread_count: int = 1) -> None:
        self._model, self._tokenizer = model, tokenizer
        self._most_tokens, self._threads = most_tokens, thread_count

    @classmethod
    def load(
        cls,
        source: Source,
        *,
        classes: int | None = None,
        seed: int = 0,
        most_tokens: int = MOST_TOKENS,
        thread_count: int = 1,
        device: str = "cpu",
    ) -> CrossEncoder:
        """The model of a source; with `classes`, one with so many, made anew from the seed if need be."""
        torch, transformers = libraries()
        options = {} if classes is None else {"num_labels": classes, "ignore_mismatched_sizes": True}
        try:
            with seeded(seed), threads(thread_count):
                model = transformers.AutoModelForSequenceClassification.from_pretrained(
                    source.place, dtype=torch.float32, **options
                )
                model.to(device)
            tokenizer = transformers.AutoTokenizer.from_pretrained(source.place)
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
            raise unusable(source.place, error) from error
        return cls(model, tokenizer, most_tokens=min(most_tokens, source.tokens), thread_count=thread_count)

    def save(self, folder: Path) -> None:
        """Model and tokenizer, so that `source(folder)` finds them."""
        self._model.save_pretrained(folder)
        self._tokenizer.save_pretrained(folder)

    def fit(
        self, draw: Draw, fitting: Fitting | None = None, *, seed: int, progress: Progress = silent
    ) -> None:
        """Fine-tune with Adam on the examples that are drawn for each epoch."""
        torch = libraries().torch
        fitting = Fitting() if fitting is None else fitting
        rng = random.Random(f"{seed}:batches")
        with seeded(seed), threads(self._threads):
            adam = torch.optim.Adam(self._model.parameters(), lr=fitting.learning_rate)
            self._model.train()
            for epoch in range(fitting.epochs):
                self._epoch(draw(epoch), fitting, epoch, adam, rng, progress)
            self._model.eval()

    def _epoch(
        self,
        examples: Sequence[Example],
        fitting: Fitting,
        epoch: int,
        adam: Any,
        rng: random.Random,
        progress: Progress,
    ) -> None:
        torch = libraries().torch
        read = self._read([example.first for example in examples], [example.second for example in examples])
        batches = mixed([len(tokens["input_ids"]) for tokens in read], fitting.batch, rng)
        total, seen = 0.0, 0
        for number, batch in enumerate(batches):
            labels = torch.tensor([examples[place].label for place in batch], device=self._model.device)
            logits = self._model(**self._padded([read[place] for place in batch])).logits  # (batch, class)
            loss = torch.nn.functional.cross_entropy(logits.float(), labels)
            adam.zero_grad()
            loss.backward()
            adam.step()
            total, seen = total + float(loss.detach()) * len(batch), seen + len(batch)
            progress(Step(epoch, fitting.epochs, number, len(batches), total / seen))
        if not np.isfinite(total):
            raise InputError(
                f"Fine-tuning came to nothing: the loss of epoch {epoch + 1} is not a number. "
                "Give a lower learning rate."
            )

    def log_chances(self, firsts: Sequence[str], seconds: Sequence[str]) -> LogChances:
        """The logarithm of each class's chance for each first text with the one beside it: (pairs, classes).

        Pairs that read the same are scored once.
        """
        places: dict[tuple[str, str], int] = {}
        pairs = zip(firsts, seconds, strict=True)
        where = np.array([places.setdefault(pair, len(places)) for pair in pairs], np.int64)
        scored = [np.zeros((0, self._model.config.num_labels), np.float32)]
        unique = iter(places)
        with libraries().torch.inference_mode(), threads(self._threads):
            self._model.eval()
            while chunk := list(islice(unique, READ_AT_ONCE)):
                scored.append(self._scored(chunk))
        return np.concatenate(scored)[where]

    def _scored(self, pairs: Sequence[tuple[str, str]]) -> LogChances:
        read = self._read([first for first, _ in pairs], [second for _, second in pairs])
        order = sorted(range(len(read)), key=lambda place: len(read[place]["input_ids"]))
        scores = np.zeros((len(pairs), self._model.config.num_labels), np.float32)
        for batch in _cut(order, SCORED_AT_ONCE):
            logits = self._model(**self._padded([read[place] for place in batch])).logits  # (batch, class)
            scores[batch] = logits.float().log_softmax(dim=-1).cpu().numpy()
        return scores

    def _read(self, firsts: Sequence[str], seconds: Sequence[str]) -> list[Tokens]:
        """The tokens of each pair, not padded."""
        if not firsts:
            return []
        most = LETTERS_A_TOKEN * self._most_tokens
        read = self._tokenizer(
            [_spelled(text[:most]) for text in firsts],
            [_spelled(text[:most]) for text in seconds],
            truncation=True,
            max_length=self._most_tokens,
        )
        names = [name for name in self._tokenizer.model_input_names if name in read]
        return [{name: read[name][place] for name in names} for place in range(len(firsts))]

    def _padded(self, batch: Sequence[Tokens]) -> dict[str, Any]:
        """What the model reads: (batch, longest of it)."""
        torch = libraries().torch
        longest = max(len(tokens["input_ids"]) for tokens in batch)
        filling = {"input_ids": self._tokenizer.pad_token_id, "token_type_ids": 0, "attention_mask": 0}
        rows = {
            name: [tokens[name] + [fill] * (longest - len(tokens[name])) for tokens in batch]
            for name, fill in filling.items()
            if name in batch[0]
        }
        return {name: torch.tensor(row, device=self._model.device) for name, row in rows.items()}


def mixed(lengths: Sequence[int], batch: int, rng: random.Random) -> list[list[int]]:
    """All places in a random order, in batches whose lengths are about alike."""
    order = list(range(len(lengths)))
    rng.shuffle(order)
    batches: list[list[int]] = []
    for part in _cut(order, batch * SORTED_AT_ONCE):
        batches += _cut(sorted(part, key=lambda place: lengths[place]), batch)
    rng.shuffle(batches)
    return batches


def _cut(places: list[int], size: int) -> Iterator[list[int]]:
    return (places[start : start + size] for start in range(0, len(places), size))


def _spelled(text: str) -> str:
    """Half a surrogate pair, which tokenizers refuse, becomes a mark."""
    return text.encode("utf-8", "replace").decode()

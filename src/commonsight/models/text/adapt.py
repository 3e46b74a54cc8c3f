"""A BERT gets used to a dataset's own texts before it is frozen.

Footnote 27 of the VCR paper: because the texts that BERT learned from are unlike the dataset's, it is trained
on the dataset's for one epoch, with BERT's own two tasks: to guess words that are hidden, and to tell whether
the second text belongs to the first. Here the second question is whether a response is the query's right one,
or the right one of another query. Families without the second task (RoBERTa) learn the first alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from commonsight.errors import InputError, UsageError
from commonsight.models.cross_encoder import mixed
from commonsight.models.libraries import libraries, seeded
from commonsight.models.local_vlm.loading import device_of
from commonsight.models.pretrained import pretrained
from commonsight.models.progress import Progress, silent
from commonsight.models.sources import place, source
from commonsight.models.text import Pair
from commonsight.models.text.pieces import NO_WORD, PairPieces, PieceRows, padded_rows
from commonsight.models.untrained import TINY, Shape, untrained
from commonsight.store.atomic import new_folder

_HIDDEN, _OTHER = 0.8, 0.1
"""Of the pieces to guess so many are hidden, and so many are others; the rest stay (Devlin et al., 2019)."""
_IGNORED = -100
_LONGEST_GRADIENT = 1.0


class Adapting(Struct, frozen=True):
    """How long and how fast. One epoch is the paper's (footnote 27), the rate what BERT's authors advise."""

    epochs: int = 1
    rate: float = 2e-5
    batch: int = 32
    longest: int = 128
    """Pieces of a pair that are read."""
    masked: float = 0.15
    """The share of pieces that are to be guessed (Devlin et al., 2019)."""
    warm_up: float = 0.1
    """The share of all steps over which the rate rises from nothing; it then falls evenly to nothing."""

    def __post_init__(self) -> None:
        if not 0 < self.rate < 1 or not 0 < self.masked < 1 or not 0 <= self.warm_up < 1:
            raise UsageError("Give a rate, a share of masked pieces and a warm-up between 0 and 1.")
        if min(self.epochs, self.batch) < 1:
            raise UsageError("Give at least one epoch, and at least one pair in a batch.")


FROM_NOTHING = Adapting(epochs=10, rate=1e-3)
"""For a small transformer that has learned nothing yet."""


class Adapted(NamedTuple):
    """What became of it; the losses are means over the last epoch."""

    folder: Path
    steps: int
    words: float
    """The loss of guessing pieces."""
    pairs: float | None
    """The loss of telling right responses; None for families without that task."""


class _Losses(NamedTuple):
    words: Tensor
    pairs: Tensor | None

    @property
    def sum(self) -> Tensor:
        return self.words if self.pairs is None else self.words + self.pairs


def adapt(
    given: str,
    pairs: Sequence[Pair],
    folder: Path,
    adapting: Adapting | None = None,
    *,
    seed: int,
    device: str = "cpu",
    overwrite: bool = False,
    progress: Progress = silent,
) -> Adapted:
    """Train the model of a folder or a hub name on queries with their right responses.

    The result is written as any model is, so that `BertWords.load(folder)` reads it.
    """
    adapting = Adapting() if adapting is None else adapting
    if len({pair.response for pair in pairs}) < 2:
        raise InputError("Adapting needs at least two different responses to tell apart. Give more texts.")
    found = source(given)
    transformers = libraries().transformers
    config = transformers.AutoConfig.from_pretrained(found.place)
    tokenizer = transformers.AutoTokenizer.from_pretrained(found.place)
    if tokenizer.mask_token_id is None:
        raise InputError(f"{given}: its tokenizer hides no words (no mask token). Give a model like BERT.")
    pieces = PairPieces(given, tokenizer, min(adapting.longest, found.tokens))
    both = type(config) in transformers.MODEL_FOR_NEXT_SENTENCE_PREDICTION_MAPPING
    kinds = transformers.MODEL_FOR_PRETRAINING_MAPPING if both else transformers.MODEL_FOR_MASKED_LM_MAPPING
    if type(config) not in kinds:
        raise InputError(f"{given}: a {type(config).__name__} guesses no words. Give a model like BERT.")
    kind = kinds[type(config)]
    inner = f"{kind.base_model_prefix}."  # what is not in there is of a task, and many folders have it not

    def of_a_task(weight: str) -> bool:
        return not weight.startswith(inner) or ".pooler." in weight

    model = pretrained(kind, place(given), new=of_a_task, seed=seed).to(device_of(device))
    trainer = _Trainer(model, tokenizer, adapting, both)
    with new_folder(folder, overwrite=overwrite) as beside:
        steps, losses = trainer.train(pieces, pairs, seed, progress)
        model.save_pretrained(beside)
        tokenizer.save_pretrained(beside)
    return Adapted(folder, steps, losses[0], losses[1] if both else None)


def adapt_untrained(
    pairs: Sequence[Pair],
    folder: Path,
    adapting: Adapting = FROM_NOTHING,
    *,
    shape: Shape = TINY,
    seed: int,
    device: str = "cpu",
    overwrite: bool = False,
    progress: Progress = silent,
) -> Adapted:
    """The same from a BERT of any size that has learned nothing, with a vocabulary of these texts."""
    with TemporaryDirectory() as beside:
        texts = [" ".join(text) for pair in pairs for text in pair]
        start = untrained(Path(beside) / "untrained", texts, shape, seed=seed)
        return adapt(
            str(start), pairs, folder, adapting,
            seed=seed, device=device, overwrite=overwrite, progress=progress,
        )  # fmt: skip


class Example(NamedTuple):
    """A pair, and whether its response is another query's."""

    pair: Pair
    other: bool


def drawn(pairs: Sequence[Pair], seed: int, epoch: int) -> list[Example]:
    """Each query once: every second with its right response, the others with another's."""
    rng = random.Random(f"{seed}:{epoch}:responses")
    turns = [number % 2 == 1 for number in range(len(pairs))]
    rng.shuffle(turns)
    responses = sorted({pair.response for pair in pairs})
    made = []
    for pair, other in zip(pairs, turns, strict=True):
        response = pair.response
        while other and response == pair.response:  # there are two different ones at least
            response = rng.choice(responses)
        made.append(Example(Pair(pair.query, response), other))
    return made


class Masked(NamedTuple):
    """Rows with pieces hidden."""

    ids: Tensor
    """(row, piece)"""
    wanted: Tensor
    """(row, piece): what stood there, where it is to be guessed; -100 elsewhere."""


def masked(
    rows: PieceRows, share: float, *, mask: int, others: NDArray[np.int64], chance: np.random.Generator
) -> Masked:
    """Choose pieces of words to be guessed, at least one a row; `others` are pieces to put in their place."""
    ids, words = rows.ids.numpy(), rows.words.numpy() != NO_WORD
    drawn = np.where(words, chance.random(ids.shape), np.inf)
    chosen = words & ((drawn < share) | (drawn == drawn.min(axis=1, keepdims=True)))
    how = chance.random(ids.shape)
    random_ids = chance.choice(others, ids.shape)
    shown = np.where(how < _HIDDEN, mask, np.where(how < _HIDDEN + _OTHER, random_ids, ids))
    return Masked(
        torch.from_numpy(np.where(chosen, shown, ids)), torch.from_numpy(np.where(chosen, ids, _IGNORED))
    )


class _Trainer:
    """A model that is being adapted."""

    def __init__(self, model: Any, tokenizer: Any, adapting: Adapting, both: bool) -> None:
        self._model, self._tokenizer, self._adapting, self._both = model, tokenizer, adapting, both
        marks = set(tokenizer.all_special_ids)
        self._others = np.array([number for number in range(len(tokenizer)) if number not in marks], np.int64)

    def train(
        self, pieces: PairPieces, pairs: Sequence[Pair], seed: int, progress: Progress
    ) -> tuple[int, tuple[float, float]]:
        """How many steps there were, and the losses of the last epoch."""
        adapting = self._adapting
        total = adapting.epochs * -(-len(pairs) // adapting.batch)
        adam = torch.optim.AdamW(self._model.parameters(), lr=adapting.rate, weight_decay=0.01)
        rate = torch.optim.lr_scheduler.LambdaLR(adam, _rates(total, adapting.warm_up))
        done, means = 0, (0.0, 0.0)
        with seeded(seed):
            self._model.train()
            for epoch in range(adapting.epochs):
                told: list[tuple[float, float]] = []
                for batch in self._batches(pieces, drawn(pairs, seed, epoch), seed, epoch):
                    told.append(self._step(*batch, adam))
                    rate.step()
                    done += 1
                    progress(done, total)
                words, right = np.mean(told, axis=0)
                means = (float(words), float(right))
                if not np.isfinite(means).all():
                    raise InputError("Adapting came to nothing: the loss is no number. Give a lower rate.")
            self._model.eval()
        return done, means

    def _batches(
        self, pieces: PairPieces, examples: Sequence[Example], seed: int, epoch: int
    ) -> Iterator[tuple[PieceRows, Masked, Tensor]]:
        lengths = [len(pieces.row(example.pair).ids) for example in examples]
        chance = np.random.default_rng((seed, epoch))
        for numbers in mixed(lengths, self._adapting.batch, random.Random(f"{seed}:{epoch}:batches")):
            batch = [examples[number] for number in numbers]
            rows = [pieces.row(example.pair) for example in batch]
            padded = padded_rows(rows, self._tokenizer.pad_token_id)
            hidden = masked(
                padded, self._adapting.masked,
                mask=self._tokenizer.mask_token_id, others=self._others, chance=chance,
            )  # fmt: skip
            yield padded, hidden, torch.tensor([int(example.other) for example in batch])

    def _step(self, rows: PieceRows, hidden: Masked, other: Tensor, adam: Any) -> tuple[float, float]:
        losses = self._losses(rows, hidden, other)
        adam.zero_grad()
        losses.sum.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), _LONGEST_GRADIENT)
        adam.step()
        return losses.words.item(), 0.0 if losses.pairs is None else losses.pairs.item()

    def _losses(self, rows: PieceRows, hidden: Masked, other: Tensor) -> _Losses:
        where = self._model.device
        inputs = {"input_ids": hidden.ids.to(where), "attention_mask": rows.mask.long().to(where)}
        if int(getattr(self._model.config, "type_vocab_size", 0) or 0) > 1:
            inputs["token_type_ids"] = rows.segments.to(where)
        told = self._model(**inputs)
        logits: Tensor = told.prediction_logits if self._both else told.logits  # (row, piece, vocabulary)
        wanted = hidden.wanted.to(where)
        guessed = wanted != _IGNORED
        # A sum: the mean of none, where all texts of a batch are without a piece, would be no number.
        several = cross_entropy(logits[guessed].float(), wanted[guessed], reduction="sum")
        words = several / guessed.sum().clamp(min=1)
        if not self._both:
            return _Losses(words, None)
        return _Losses(words, cross_entropy(told.seq_relationship_logits.float(), other.to(where)))


def _rates(total: int, warm_up: float) -> Callable[[int], float]:
    """The share of the rate at each step: up, then evenly down."""
    rising = int(total * warm_up)

    def share(step: int) -> float:
        return (step + 1) / (rising + 1) if step < rising else (total - step) / max(1, total - rising)

    return share

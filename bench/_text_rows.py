"""Question-only rows of A-OKVQA's Table 3, made with what is at hand: static encoders and small networks.

Nobody sees a picture here. What a row learns from are questions with the answers that people gave, each with
a weight: min(1, people / 3), as the direct answers are scored; a right choice counts fully.

These rows are not the catalogue's networks, which are trained on datasets with a split to choose weights by;
folds of the validation questions have none to spare. All take a fixed number of steps here, and the last
weights. The vocabulary is that of `build vocabulary`. Besides, `classifier` differs from `bert-classifier` by
a hidden layer, by answers that are right in part and by a loss that is summed over the vocabulary; `lstm`
from `question-only` by GloVe's vectors of 50 numbers and by learning all answers, not one; `contrastive` from
`clip-contrastive-text` by always learning the answer that most people gave, where that draws one of them.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.vocabulary import answer_vocabulary
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.score.parse.reply import plain, tokens
from commonsight.text.encoders import default_encoder
from commonsight.text.vectors import installed_glove

Floats = NDArray[np.float32]

FOLDS = 5
HIDDEN, RATE, BATCH = 256, 0.01, 128
"""Rate and batch are the paper's (appendix B), which does not tell how wide the hidden layer is."""
STEPS = 500
"""The paper trains for 500 epochs; this is 7 of OK-VQA's questions, and 62 of four fifths of the others."""
WIDTH, SLOWER = 64, 3e-3
"""Of the LSTM: its state, each way, and its rate."""
TEMPERATURE = 0.07
"""Of cosines in the contrastive loss: CLIP's at the beginning of its training."""


class Solved(NamedTuple):
    """A question to learn from."""

    question: str
    answers: Mapping[str, float]
    right: str = ""
    """The right choice, where there are choices; the others are wrong."""
    wrong: tuple[str, ...] = ()
    people: frozenset[str] = frozenset()
    """What people answered in their own words, each once."""


class Asked(NamedTuple):
    """A question to answer."""

    question: str
    choices: tuple[str, ...]


class Said(NamedTuple):
    """What a row answers: in words, and one of the choices or, as far as it knows, nothing but the words."""

    direct: str
    choice: str


def okvqa(path: Path) -> list[Solved]:
    """OK-VQA's questions with soft scores."""
    records = json.loads(path.read_text("utf-8"))
    return [Solved(one["sent"], one["label"], people=frozenset(one["label"])) for one in records]


def solved(record: Mapping[str, Any]) -> Solved:
    """One of A-OKVQA's."""
    right = record["choices"][record["correct_choice_idx"]]
    people = {answer: min(1.0, count / 3) for answer, count in Counter(record["direct_answers"]).items()}
    wrong = tuple(choice for choice in record["choices"] if choice != right)
    return Solved(record["question"], people | {right: 1.0}, right, wrong, frozenset(people))


def folds(records: Sequence[Mapping[str, Any]], seed: int) -> list[list[int]]:
    """Places of the records, in five parts; questions of one picture are in one."""
    images = sorted({record["image_id"] for record in records})
    random.Random(f"{seed}:folds").shuffle(images)
    part = {image: at % FOLDS for at, image in enumerate(images)}
    return [[at for at, one in enumerate(records) if part[one["image_id"]] == fold] for fold in range(FOLDS)]


def vocabulary(data: Sequence[Solved]) -> list[str]:
    """By the paper's rule for large pre-trained models (appendix B)."""
    return list(answer_vocabulary(map(_item, data)))


def _item(one: Solved) -> Item:
    """As far as a vocabulary is concerned: its choices, the right one first, and what people answered."""
    choices = tuple(map(TaggedText.plain, (one.right, *one.wrong))) if one.right else ()
    gold = Pick(0) if choices else None
    return Item("", "train", choices=choices, gold=gold, direct_answers=tuple(sorted(one.people)))


def _targets(data: Sequence[Solved], words: Sequence[str]) -> Floats:
    place = {word: at for at, word in enumerate(words)}
    found = np.zeros((len(data), len(words)), np.float32)
    for row, one in zip(found, data, strict=True):
        for answer, weight in one.answers.items():
            if answer in place:
                row[place[answer]] = weight
    return found


@cache
def _encoder() -> Any:
    return default_encoder()


@cache
def _glove() -> Any:
    return installed_glove()


def static(texts: Sequence[str]) -> Floats:
    """The embedded default encoder's vectors."""
    found: Floats = _encoder().encode(list(texts))
    return found


@cache
def glove_words(text: str) -> Floats:
    """Vectors of the words that have one: (word, dim)."""
    known = [vector for token in tokens(plain(text)) if (vector := _glove().lookup(token.word)) is not None]
    return np.stack(known or [np.zeros(50, np.float32)]).astype(np.float32)


Row = Callable[[Sequence[Solved], Sequence[Asked], int], list[Said]]
"""Learns from questions and answers others; the number is the seed."""


def most_common(data: Sequence[Solved], asked: Sequence[Asked], _: int) -> list[Said]:
    """Table 3, row c: the most frequent answer in training, and the choice that is it most often."""
    times: Counter[str] = Counter()
    for one in data:
        times.update({answer: 1 for answer, weight in one.answers.items() if weight == 1})
    top = times.most_common(1)[0][0]
    return [Said(top, max(one.choices, key=lambda choice: times[choice])) for one in asked]


def zero_shot(data: Sequence[Solved], asked: Sequence[Asked], _: int) -> list[Said]:
    """Row f: what is most like the question itself."""
    return _nearest(static([one.question for one in asked]), data, asked)


def contrastive(data: Sequence[Solved], asked: Sequence[Asked], seed: int) -> list[Said]:
    """Row g: a linear layer that takes a question to its answer, learned against the others of its batch."""
    import torch

    rng = _seeded(seed)
    pairs = [(at, max(one.answers, key=lambda answer: (one.answers[answer], answer)))
             for at, one in enumerate(data) if one.answers]  # fmt: skip
    questions = torch.from_numpy(static([data[at].question for at, _ in pairs]))
    answers = torch.from_numpy(static([answer for _, answer in pairs]))
    layer = torch.nn.Linear(questions.shape[1], answers.shape[1])
    steps = torch.optim.Adam(layer.parameters(), RATE)
    for places in _batches(len(pairs), rng):
        made = torch.nn.functional.normalize(layer(questions[places]), dim=1)
        scores = made @ answers[places].T / TEMPERATURE  # (question, answer)
        loss = torch.nn.functional.cross_entropy(scores, torch.arange(len(places)))
        _step(steps, loss)
    with torch.inference_mode():
        made = layer(torch.from_numpy(static([one.question for one in asked]))).numpy()
    return _nearest(made, data, asked)


def _nearest(vectors: Floats, data: Sequence[Solved], asked: Sequence[Asked]) -> list[Said]:
    """The likeliest answer of the vocabulary, and the likeliest choice, both by cosine."""
    words = vocabulary(data)
    best = (vectors @ static(words).T).argmax(axis=1)
    choices = static([choice for one in asked for choice in one.choices])
    found, start = [], 0
    for row, one in enumerate(asked):
        mine = choices[start : start + len(one.choices)]
        start += len(one.choices)
        found.append(Said(words[best[row]], one.choices[int((mine @ vectors[row]).argmax())]))
    return found


def classifier(data: Sequence[Solved], asked: Sequence[Asked], seed: int) -> list[Said]:
    """Rows d and e: one hidden layer over a vector of the question, a sigmoid for each answer.

    In words only; the nearest choice is found when it is scored, as in the paper.
    """
    import torch

    rng, words = _seeded(seed), vocabulary(data)
    inputs = torch.from_numpy(static([one.question for one in data]))
    network = torch.nn.Sequential(
        torch.nn.Linear(inputs.shape[1], HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, len(words))
    )
    _learn(network, lambda places: inputs[places], _targets(data, words), rng)
    with torch.inference_mode():
        scores = network(torch.from_numpy(static([one.question for one in asked])))
    return [Said(word := words[at], word) for at in scores.argmax(dim=1).tolist()]


def lstm(data: Sequence[Solved], asked: Sequence[Asked], seed: int) -> list[Said]:
    """The same over what a bidirectional LSTM makes of GloVe's vectors, word by word."""
    import torch

    class Reader(torch.nn.Module):
        def __init__(self, answers: int) -> None:
            super().__init__()
            self.words = torch.nn.LSTM(50, WIDTH, batch_first=True, bidirectional=True)
            self.answers = torch.nn.Linear(2 * WIDTH, answers)

        def forward(self, texts: Any) -> Any:
            _, (last, _) = self.words(texts)
            return self.answers(last.transpose(0, 1).flatten(1))

    def packed(questions: Sequence[str]) -> Any:
        read = [torch.from_numpy(glove_words(question)) for question in questions]  # (word, dim) each
        return torch.nn.utils.rnn.pack_sequence(read, enforce_sorted=False)

    rng, words = _seeded(seed), vocabulary(data)
    network = Reader(len(words))
    questions = [one.question for one in data]
    targets = _targets(data, words)
    _learn(network, lambda places: packed([questions[at] for at in places]), targets, rng, SLOWER)
    with torch.inference_mode():
        scores = network(packed([one.question for one in asked]))
    return [Said(word := words[at], word) for at in scores.argmax(dim=1).tolist()]


def _learn(
    network: Any,
    inputs: Callable[[list[int]], Any],
    targets: Floats,
    rng: random.Random,
    rate: float = RATE,
) -> None:
    import torch

    steps, wanted = torch.optim.Adam(network.parameters(), rate), torch.from_numpy(targets)
    for places in _batches(len(targets), rng):
        scores = network(inputs(places))
        loss = torch.nn.functional.binary_cross_entropy_with_logits(scores, wanted[places], reduction="sum")
        _step(steps, loss / len(places))


def _batches(count: int, rng: random.Random) -> list[list[int]]:
    """As many as there are steps; every epoch in an order of its own."""
    found: list[list[int]] = []
    while len(found) < STEPS:
        order = list(range(count))
        rng.shuffle(order)
        found += [order[start : start + BATCH] for start in range(0, count, BATCH)]
    return found[:STEPS]


def _step(steps: Any, loss: Any) -> None:
    steps.zero_grad()
    loss.backward()
    steps.step()


def _seeded(seed: int) -> random.Random:
    import torch

    torch.manual_seed(seed)
    return random.Random(seed)


ROWS: dict[str, Row] = {
    "most-common": most_common,
    "static-zero-shot": zero_shot,
    "static-classifier": classifier,
    "glove-lstm": lstm,
    "static-contrastive": contrastive,
}

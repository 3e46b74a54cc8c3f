"""Question-only rows of A-OKVQA's Table 3, made with what is at hand: sentence encoders and small networks.

Nobody sees a picture here. What a row learns from are questions with the answers that people gave, each with
a weight: min(1, people / 3), as the direct answers are scored; a right choice counts fully.

`static` is the embedded encoder. `minilm` is all-MiniLM-L6-v2, a small BERT that was trained to bring
sentences of like meaning together, captions of COCO's pictures among them. Of what can be had without a model
hub it is the nearest to the encoders of the paper: a BERT that was trained on inference (row d), and CLIP's
reader of texts (rows e to g), which was trained beside pictures.

These rows are not the catalogue's networks, which are trained on datasets with a split to choose weights by;
folds of the validation questions have none to spare. All take a fixed number of epochs here, and the last
weights (settings: `_text_learning.py`). The vocabulary is that of `build vocabulary`, and questions that have
no answer in it are left out, as there. Besides, `classifier` differs from `bert-classifier` by the loss, soft
cross entropy, where that has the paper's sigmoids, and by vectors of length 1; `lstm` from `question-only` by
GloVe's vectors of 50 numbers, a narrower state and the same loss; `contrastive` from `clip-contrastive-text`
by always learning the answer that most people gave, where that draws one of them.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from _text_learning import (
    CLASSIFIER,
    CONTRASTIVE,
    LSTM,
    Floats,
    Matching,
    Naming,
    Reader,
    Reads,
    lacking,
    layers,
    learn_matching,
    learn_naming,
    minilm,
    packed,
    seeded,
    static,
)
from commonsight.build.vocabulary import answer_vocabulary
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText

FOLDS = 5


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


def _targets(data: Sequence[Solved], words: Sequence[str]) -> torch.Tensor:
    """How right each answer is: (question, answer)."""
    place = {word: at for at, word in enumerate(words)}
    found = np.zeros((len(data), len(words)), np.float32)
    for row, one in zip(found, data, strict=True):
        for answer, weight in one.answers.items():
            if answer in place:
                row[place[answer]] = weight
    return torch.from_numpy(found)


Row = Callable[[Sequence[Solved], Sequence[Asked], int], list[Said]]
"""Learns from questions and answers others; the number is the seed."""


def most_common(data: Sequence[Solved], asked: Sequence[Asked], _: int) -> list[Said]:
    """Table 3, row c: the most frequent answer in training, and the choice that is it most often."""
    times: Counter[str] = Counter()
    for one in data:
        times.update({answer: 1 for answer, weight in one.answers.items() if weight == 1})
    top = times.most_common(1)[0][0]
    return [Said(top, max(one.choices, key=lambda choice: times[choice], default=top)) for one in asked]


def zero_shot(reads: Reads, data: Sequence[Solved], asked: Sequence[Asked], _: int) -> list[Said]:
    """Row f: what is most like the question itself."""
    return _nearest(reads, reads([one.question for one in asked]), data, asked)


def contrastive(
    reads: Reads,
    data: Sequence[Solved],
    asked: Sequence[Asked],
    seed: int,
    how: Matching = CONTRASTIVE,
) -> list[Said]:
    """Row g: a linear layer that takes a question to its answer, learned against the others of its batch."""
    rng = seeded(seed)
    answered = [one for one in data if one.answers]
    questions = torch.from_numpy(reads([one.question for one in answered]))
    layer = torch.nn.Linear(questions.shape[1], questions.shape[1])
    learn_matching(layer, questions, _answers(reads, answered, how, rng), how, rng)
    with torch.inference_mode():
        made = layer(torch.from_numpy(reads([one.question for one in asked]))).numpy()
    return _nearest(reads, made, data, asked)


def _answers(
    reads: Reads, answered: Sequence[Solved], how: Matching, rng: random.Random
) -> Callable[[list[int]], torch.Tensor]:
    """Vectors of the answers to learn."""
    if not how.drawn:
        vectors = torch.from_numpy(reads([best(one.answers) for one in answered]))
        return lambda places: vectors[places]
    reads([answer for one in answered for answer in one.answers])  # all at once, which is quicker
    return lambda places: torch.from_numpy(reads([_drawn(answered[at].answers, rng) for at in places]))


def _drawn(answers: Mapping[str, float], rng: random.Random) -> str:
    return rng.choices(list(answers), list(answers.values()))[0]


def best(answers: Mapping[str, float]) -> str:
    """What most people gave; of equals the last by name."""
    return max(answers, key=lambda answer: (answers[answer], answer))


def _nearest(reads: Reads, vectors: Floats, data: Sequence[Solved], asked: Sequence[Asked]) -> list[Said]:
    """The likeliest answer of the vocabulary, and the likeliest choice, both by cosine."""
    words = vocabulary(data)
    nearest = (vectors @ reads(words).T).argmax(axis=1)
    found = []
    for at, row, one in zip(nearest, vectors, asked, strict=True):
        choice = one.choices[int((reads(one.choices) @ row).argmax())] if one.choices else words[at]
        found.append(Said(words[at], choice))
    return found


def classifier(
    reads: Reads,
    data: Sequence[Solved],
    asked: Sequence[Asked],
    seed: int,
    how: Naming = CLASSIFIER,
) -> list[Said]:
    """Rows d and e: one layer over a vector of the question scores every answer.

    In words only; the nearest choice is found when it is scored, as in the paper.
    """
    rng, words = seeded(seed), vocabulary(data)
    inputs = torch.from_numpy(reads([one.question for one in data]))
    network = layers(inputs.shape[1], len(words), how)
    learn_naming(network, lambda places: inputs[places], _targets(data, words), how, rng)
    return _named(network, torch.from_numpy(reads([one.question for one in asked])), words)


def lstm(data: Sequence[Solved], asked: Sequence[Asked], seed: int, how: Naming = LSTM) -> list[Said]:
    """The same over what a bidirectional LSTM makes of GloVe's vectors, word by word."""
    rng, words = seeded(seed), vocabulary(data)
    assert how.hidden is not None
    network = Reader(how.hidden, len(words), how.dropout)
    questions = [one.question for one in data]
    learn_naming(
        network, lambda places: packed([questions[at] for at in places]), _targets(data, words), how, rng
    )
    return _named(network, packed([one.question for one in asked]), words)


def _named(network: torch.nn.Module, inputs: Any, words: Sequence[str]) -> list[Said]:
    with torch.inference_mode():
        likeliest = network(inputs).argmax(dim=1).tolist()
    return [Said(words[at], words[at]) for at in likeliest]


ROWS: dict[str, Row] = {
    "most-common": most_common,
    "static-zero-shot": partial(zero_shot, static),
    "minilm-zero-shot": partial(zero_shot, minilm),
    "static-classifier": partial(classifier, static),
    "minilm-classifier": partial(classifier, minilm),
    "glove-lstm": lstm,
    "static-contrastive": partial(contrastive, static),
    "minilm-contrastive": partial(contrastive, minilm),
}


def missing(row: str) -> str | None:
    """Why a row cannot be run here."""
    return lacking() if row.startswith("minilm-") else None

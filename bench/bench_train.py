"""Training R2C: what is made once and kept, and even batches, against the straightforward way.

Both train the same small network with the same frozen encoder of objects on the same drawn questions. The
straightforward way opens each question's picture anew in every epoch, cuts out its objects, runs the encoder
on them question by question, pads every text to the longest of all, and lets LSTMs read the padding.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, pad

from _figures import ROUNDS, Figure, arguments, show
from _timing import Timings, in_child, interleaved
from commonsight.benchmarks import find
from commonsight.core.item import Item
from commonsight.graph.retrieval import Fact
from commonsight.models.features.batch import Batch, Words
from commonsight.models.features.buckets import batches
from commonsight.models.features.examples import Example, example_of
from commonsight.models.features.objects import shares
from commonsight.models.features.pictures import Crops, kept_objects, opened, pictures_of
from commonsight.models.features.reading import WordReading
from commonsight.models.features.source import Source
from commonsight.models.features.texts import kept_texts
from commonsight.models.features.vocabulary import Vocabularies, vocabularies
from commonsight.models.layers.recurrent import BidirectionalLSTM, Encoded
from commonsight.models.libraries import seeded
from commonsight.models.networks.r2c import R2C, r2c_small
from commonsight.models.parts import Parts
from commonsight.models.regions.frozen import KeptRegions
from commonsight.models.regions.small import SmallRegions
from commonsight.models.text import Encoded as Read
from commonsight.models.text import Pair
from commonsight.models.text.bert import BertWords
from commonsight.models.untrained import Shape, untrained
from commonsight.models.words import GivenVectors, LearnedVectors
from commonsight.store.dataset import read_dataset
from commonsight.world.make import Plan, make_world

SCENES, BATCH, DIM, PIXELS = 240, 32, 128, 64
TASKS = ("q2a", "qa2r")
"""Each has a network of its own, and one that is trained is a pair of them."""
GOAL = 3.0
BERT_MINI = Shape(4, 256, 4, 2000, 128)
"""Layers, width, heads; sub-words, and how many are read. R2C is published with 12 layers, 768 wide."""
SAME = 1e-3
"""How far scores of the two ways may be apart: kept vectors are added up in another order."""


class Encoder:
    """A frozen encoder of objects; which weights it has does not matter for speed."""

    dim, size, name = DIM, PIXELS, "bench"

    def __init__(self) -> None:
        with seeded(1):
            self._regions = SmallRegions(DIM, size=PIXELS).eval().requires_grad_(False)

    def encode(self, crops: Any) -> Any:
        """(object, 3, size, size) -> (object, dim)"""
        with torch.inference_mode():
            return self._regions.vectors(torch.from_numpy(crops)).numpy()


class Lesson(NamedTuple):
    """Drawn questions, where their pictures are, and whose vectors their words have if they are frozen."""

    folder: Path
    examples: list[Example]
    known: Vocabularies
    items: list[Item]
    reader: BertWords | None = None


class ReadAnew:
    """`PairVectors` that a frozen transformer makes of a question whenever it is asked."""

    def __init__(self, reader: BertWords) -> None:
        self.reader, self.dim = reader, reader.dim

    def of(self, example: Example) -> list[Read]:
        """Query and response, for each choice."""
        return self.reader.encode([Pair(example.query.words, one.words) for one in example.responses])

    def of_fact(self, fact: Fact) -> Any:
        """Nothing is asked for: these questions have no facts."""
        raise NotImplementedError(f"There should be no fact here, yet there is {fact}.")


@contextmanager
def lessons() -> Iterator[list[Lesson]]:
    """A small world's training questions, of each task."""
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "world"
        make_world(world, Plan(SCENES, 1, ("vcr",)), progress=lambda done, _: done)
        items = list(read_dataset(world / "vcr", split="train"))
        asked = [[example_of(find("vcr").task(name).ask(item)) for item in items] for name in TASKS]
        yield [Lesson(world / "vcr", examples, vocabularies(examples), items) for examples in asked]


def with_reader(given: Lesson) -> Lesson:
    """The same, read by a frozen transformer as R2C is published; of a size that BERT is released in."""
    texts = [" ".join(text.words) for one in given.examples for text in (one.query, *one.responses)]
    folder = given.folder.parent / f"bert-{len(texts)}-{len(given.known.words)}"
    return given._replace(reader=BertWords.load(str(untrained(folder, texts, BERT_MINI))))


def network(given: Lesson) -> R2C:
    """The network, as it begins."""
    with seeded(0):
        known, reader = given.known, given.reader
        words = LearnedVectors(len(known.words), 96) if reader is None else GivenVectors(reader.dim)
        return r2c_small(Parts(len(known.labels), words=words, regions=KeptRegions(DIM)))


class Unpacked(nn.Module):
    """An LSTM that steps through padding as well, and throws away what it made of it.

    Forward, what comes after a text changes nothing in it. Backward, each text is turned round in its place.
    """

    def __init__(self, packed: BidirectionalLSTM) -> None:
        super().__init__()
        assert packed.dropout == 0  # as the small network has it: nothing to draw
        self.lstm = packed.lstm

    def forward(self, steps: Tensor, lengths: Tensor, *, generator: object = None) -> Encoded:
        """As `BidirectionalLSTM` does."""
        del generator  # nothing is dropped
        before, longest = steps.shape[:-2], steps.shape[-2]
        read, ends = steps.reshape(-1, *steps.shape[-2:]), lengths.reshape(-1, 1)
        places = torch.arange(longest)
        turned = torch.where(places < ends, ends - 1 - places, places)[..., None]  # (text, step, 1)
        for layer in range(self.lstm.num_layers):
            ahead = self._direction(read, f"_l{layer}")
            back = self._direction(read.gather(1, turned.expand_as(read)), f"_l{layer}_reverse")
            last = torch.cat([one.gather(1, _at(ends - 1, one)).squeeze(1) for one in (ahead, back)], dim=-1)
            read = torch.cat((ahead, back.gather(1, turned.expand_as(back))), dim=-1)
        read = read * (places < ends)[..., None]
        return Encoded(read.reshape(*before, longest, -1), last.reshape(*before, -1))

    def _direction(self, steps: Tensor, ending: str) -> Tensor:
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        weights = [getattr(self.lstm, name + ending) for name in names]
        nothing = steps.new_zeros(1, len(steps), self.lstm.hidden_size)
        read: Tensor = torch.lstm(steps, (nothing, nothing), weights, True, 1, 0.0, True, False, True)[0]
        return read


def _at(place: Tensor, steps: Tensor) -> Tensor:
    return place[..., None].expand(-1, -1, steps.shape[-1])


def unpacked(built: R2C) -> R2C:
    """The same network with the same weights, whose LSTMs read padding."""
    for module in built.modules():
        for name, part in module.named_children():
            if isinstance(part, BidirectionalLSTM):
                setattr(module, name, Unpacked(part))
    return built


class Learner:
    """One network that is trained one epoch after another, either way."""

    def __init__(self, built: nn.Module, order: Callable[[int], Iterator[Batch]]) -> None:
        self.network = built.train()
        self._order, self._epoch = order, 0
        self._optimiser = torch.optim.Adam(self.network.parameters(), lr=1e-3)
        self.in_model = 0.0

    def epoch(self) -> None:
        """Once through all questions."""
        for batch in self._order(self._epoch):
            start = time.process_time()
            scores = self.network(batch, generator=torch.Generator().manual_seed(0))
            loss = cross_entropy(scores.logits, batch.gold) + scores.extra.mean()
            self._optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self._optimiser.step()
            self.in_model += time.process_time() - start
        self._epoch += 1


def kept(given: Lesson) -> Source:
    """Questions whose objects were encoded once."""
    pictures = pictures_of(scene for item in given.items for scene in item.scenes)
    path = given.folder.parent / "objects.safetensors"
    objects = kept_objects(path, given.folder, pictures, Encoder(), dtype="float32")
    vectors = None
    if given.reader is not None:
        texts = given.folder.parent / f"{given.examples[0].task}.safetensors"
        vectors = kept_texts(texts, given.examples, given.reader, dtype="float32")
    return Source(given.examples, WordReading(given.known, vectors), objects=objects)


def even(source: Source, epoch: int) -> Iterator[Batch]:
    """Batches of like length."""
    yield from source.ahead(batches(source.lengths, BATCH, seed=0, epoch=epoch))


class Straightforward:
    """Everything anew for every question of every epoch."""

    def __init__(self, given: Lesson) -> None:
        self._given, self._encoder, self._cut = given, Encoder(), Crops(PIXELS)
        vectors = None if given.reader is None else ReadAnew(given.reader)
        self._reading = WordReading(given.known, vectors)
        texts = [text for one in given.examples for text in (one.query, *one.responses)]
        self._longest = max(len(text.words) for text in texts)

    def order(self, epoch: int) -> Iterator[Batch]:
        """Batches in a random order."""
        numbers = np.random.default_rng(epoch).permutation(len(self._given.examples))
        for start in range(0, len(numbers), BATCH):
            yield self.batch([self._given.examples[n] for n in numbers[start : start + BATCH]])

    def batch(self, examples: Sequence[Example]) -> Batch:
        """These questions."""
        made = self._reading.batch(examples)
        assert made.seen is not None
        vectors = torch.zeros(*made.seen.mask.shape, DIM)
        for row, example in enumerate(examples):
            vectors[row, : len(example.objects)] = self._vectors(example)
        return replace(
            made,
            seen=replace(made.seen, features=vectors),
            query=self._padded(made.query),
            responses=self._padded(made.responses),
        )

    def _vectors(self, example: Example) -> Tensor:
        assert example.picture is not None
        picture = opened(self._given.folder, example.picture)
        boxes = [shares(seen.box, example.size) for seen in example.objects if seen.box is not None]
        return torch.from_numpy(self._encoder.encode(self._cut.cut(picture, boxes)))

    def _padded(self, words: Words | None) -> Words:
        assert words is not None
        more = (0, self._longest - words.ids.shape[-1])
        vectors = None if words.vectors is None else pad(words.vectors, (0, 0, *more))
        return replace(words, ids=pad(words.ids, more), objects=pad(words.objects, more), vectors=vectors)


def furthest(given: Lesson, source: Source) -> float:
    """How far apart the scores of the two ways are, before anything is learned."""
    built, plain = network(given).eval(), unpacked(network(given)).eval()
    numbers = list(range(min(96, len(given.examples))))
    slow = Straightforward(given).batch([given.examples[number] for number in numbers])
    with torch.inference_mode():
        return float((built(source.batch(numbers)).logits - plain(slow).logits).abs().max())


def ours(given: Lesson, source: Source) -> Learner:
    """With what was kept, in even batches."""
    return Learner(network(given), partial(even, source))


def straightforward(given: Lesson) -> Learner:
    """Everything anew, padding included."""
    return Learner(unpacked(network(given)), Straightforward(given).order)


class Learners(NamedTuple):
    """A network for each task."""

    several: list[Learner]

    def epoch(self) -> None:
        """Once through all questions of all tasks."""
        for one in self.several:
            one.epoch()

    @property
    def in_model(self) -> float:
        """Seconds within the networks."""
        return sum(one.in_model for one in self.several)


def learners(way: str, given: list[Lesson]) -> Learners:
    """Trained either way."""
    if way == "anew":
        return Learners([straightforward(one) for one in given])
    return Learners([ours(one, kept(one)) for one in given])


def two_epochs(way: str) -> None:
    """All that a training needs, in memory, either way."""
    torch.set_num_threads(1)
    with lessons() as given:
        trained = learners(way, given)
        for _ in range(2):
            trained.epoch()


class Compared(NamedTuple):
    """Both ways in the same rounds."""

    questions: int
    timed: Timings
    within: float
    """Seconds that ours was within its networks."""


def compared(given: list[Lesson], rounds: int) -> Compared:
    """Both ways, once it is sure that they give the same scores."""
    apart = max(furthest(one, kept(one)) for one in given)
    if apart > SAME:
        raise SystemExit(f"the two ways give other scores: {apart:g} apart")
    fast, slow = learners("kept", given), learners("anew", given)
    timed = interleaved({"kept": fast.epoch, "anew": slow.epoch}, rounds, time.process_time)
    return Compared(sum(len(one.examples) for one in given), timed, fast.in_model)


def figures(rounds: int = ROUNDS) -> list[Figure]:
    """Rates, share of time in the network, memory."""
    torch.set_num_threads(1)
    with lessons() as given:
        plain, read = compared(given, rounds), compared([with_reader(one) for one in given], rounds)
    kept_time = sum(plain.timed.seconds["kept"])
    return [
        Figure("train_rate", "R2C, small, questions and rationales trained on, one core",
               plain.questions / plain.timed.median("kept"), unit="/s"),
        Figure("train_straightforward", "time of the straightforward way by ours, words learned",
               plain.timed.ratio("anew", "kept")),
        Figure("train_straightforward_read", "the same, words by a frozen transformer as published",
               read.timed.ratio("anew", "kept"), GOAL, "at least"),
        Figure("train_in_network", "share of our time within the network, words learned",
               100 * plain.within / kept_time, unit=" %"),
        Figure("train_memory", "peak memory", in_child(two_epochs, "kept").peak / 1e9, unit=" GB"),
        Figure("train_memory_straightforward", "peak memory of the straightforward way",
               in_child(two_epochs, "anew").peak / 1e9, unit=" GB"),
    ]  # fmt: skip


def main() -> None:
    """Run from the command line."""
    options = arguments(__doc__ or "").parse_args()
    show(figures(options.rounds), options.json)


if __name__ == "__main__":
    main()

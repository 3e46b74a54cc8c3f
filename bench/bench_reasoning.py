"""Training FiLM and MAC: canvases made once and kept, packed texts, even batches, and MAC's looks as one
product, against the straightforward way.

Both train the same small networks on the same drawn pairs of pictures. The straightforward way opens, joins
and resizes each question's pictures anew in every epoch, pads every text to the longest of all and lets the
GRU or LSTM read the padding; and it computes MAC's control and read units as their equations are written,
layer after layer for every word and every place.
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
from torch.nn.functional import pad

from _figures import ROUNDS, Figure, arguments, show
from _timing import interleaved
from bench_train import Learner, Unpacked, even
from commonsight.benchmarks import find as benchmark
from commonsight.models.canvas.pixels import PixelMaps
from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch, Words
from commonsight.models.features.canvases import PlainPixels, canvases_of, kept_canvases, side_by_side
from commonsight.models.features.examples import Example, example_of
from commonsight.models.features.pictures import opened
from commonsight.models.features.reading import WordReading
from commonsight.models.features.source import Source
from commonsight.models.features.vocabulary import Vocabularies, numbered, vocabularies
from commonsight.models.layers.masks import masked_softmax
from commonsight.models.layers.reasoning import ControlUnit, Read, ReadUnit
from commonsight.models.layers.recurrent import GRU, BidirectionalLSTM
from commonsight.models.libraries import seeded
from commonsight.models.parts import Parts
from commonsight.models.words import LearnedVectors
from commonsight.store.dataset import read_dataset
from commonsight.world.make import Plan, make_world

SCENES, BATCH = 240, 32
CANVAS = (224, 112)
NETWORKS = ("film", "mac")
SAME = 1e-3
"""How far scores of the two ways may be apart: the same sums, added up in another order."""


class Lesson(NamedTuple):
    """Drawn questions, and where their pictures are."""

    folder: Path
    examples: list[Example]
    known: Vocabularies


@contextmanager
def lesson(scenes: int = SCENES) -> Iterator[Lesson]:
    """A small world's training questions about pairs of pictures."""
    task = benchmark("nlvr2").tasks[0]
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "world"
        make_world(world, Plan(scenes, 1, ("nlvr2",)), progress=lambda done, _: done)
        examples = [
            example_of(task.ask(item), named=True) for item in read_dataset(world / "nlvr2", split="train")
        ]
        known = vocabularies(examples)
        yield Lesson(world / "nlvr2", numbered(examples, known.answers), known)


def network(name: str, known: Vocabularies) -> nn.Module:
    """The network, as it begins."""
    size = find(name).small
    with seeded(0):
        words = LearnedVectors(len(known.words), size.words)
        parts = Parts(
            len(known.labels), words=words, canvas=PixelMaps(size.regions), answers=len(known.answers)
        )
        built: nn.Module = size.build(parts)
    for module in built.modules():
        if hasattr(module, "dropout"):
            setattr(module, "dropout", 0.0)  # noqa: B010 - the straightforward way would have to draw the same
    return built


class UnpackedGRU(nn.Module):
    """A GRU that steps through padding as well; what it knows after each text's last word is kept."""

    def __init__(self, packed: GRU) -> None:
        super().__init__()
        self.gru = packed.gru

    def forward(self, steps: Tensor, lengths: Tensor, *, generator: object = None) -> Tensor:
        """As `GRU` does."""
        del generator  # nothing is dropped
        read, _ = self.gru(steps.reshape(-1, *steps.shape[-2:]))  # (text, step, hidden)
        last: Tensor = read[torch.arange(len(read)), lengths.reshape(-1) - 1]
        return last.reshape(*steps.shape[:-2], -1)


class WrittenControl(nn.Module):
    """The control unit as its equations are written."""

    def __init__(self, unit: ControlUnit) -> None:
        super().__init__()
        self.unit = unit

    def forward(self, control: Tensor, asked: Tensor, words: Tensor, mask: Tensor) -> Read:
        """As `ControlUnit` does."""
        joined = self.unit.join(control, asked)
        scores = self.unit.attend(joined[:, None] * words).squeeze(-1)
        weights = masked_softmax(scores, mask)
        return Read((weights[..., None] * words).sum(dim=1), scores, weights)


class WrittenRead(nn.Module):
    """The read unit as its equations are written: two layers for every place, at every step."""

    def __init__(self, unit: ReadUnit) -> None:
        super().__init__()
        self.unit = unit

    def forward(self, memory: Tensor, control: Tensor, places: Tensor, mask: Tensor) -> Read:
        """As `ReadUnit` does."""
        met = self.unit.remember(memory)[:, None] * self.unit.know(places)
        joined = self.unit.join(torch.cat((met, places), dim=-1))
        scores = self.unit.attend(control[:, None] * joined).squeeze(-1)
        weights = masked_softmax(scores, mask)
        return Read((weights[..., None] * places).sum(dim=1), scores, weights)


PLAIN: dict[type[nn.Module], Callable[..., nn.Module]] = {
    GRU: UnpackedGRU,
    BidirectionalLSTM: Unpacked,
    ControlUnit: WrittenControl,
    ReadUnit: WrittenRead,
}


def plain(built: nn.Module) -> nn.Module:
    """The same network with the same weights, computed without any shortcut."""
    for name, part in list(built.named_children()):
        made = PLAIN.get(type(part))
        if made is None:
            plain(part)
        else:
            setattr(built, name, made(part))
    return built


def kept(given: Lesson) -> Source:
    """Questions whose canvases were made once."""
    path = given.folder.parent / "canvases.safetensors"
    canvases = kept_canvases(path, given.folder, canvases_of(given.examples), PlainPixels(CANVAS))
    return Source(given.examples, WordReading(given.known), canvases=canvases)


class Straightforward:
    """Everything anew for every question of every epoch."""

    def __init__(self, given: Lesson) -> None:
        self._given, self._reading = given, WordReading(given.known)
        self._longest = max(len(one.query.words) for one in given.examples)

    def order(self, epoch: int) -> Iterator[Batch]:
        """Batches in a random order."""
        numbers = np.random.default_rng(epoch).permutation(len(self._given.examples))
        for start in range(0, len(numbers), BATCH):
            yield self.batch([self._given.examples[n] for n in numbers[start : start + BATCH]])

    def batch(self, examples: Sequence[Example]) -> Batch:
        """These questions."""
        made = self._reading.batch(examples)
        canvas = torch.from_numpy(np.stack([self._canvas(example) for example in examples]))
        assert made.query is not None
        return replace(made, canvas=canvas, query=self._padded(made.query))

    def _canvas(self, example: Example) -> Any:
        assert example.picture is not None
        pictures = [opened(self._given.folder, one) for one in (example.picture, *example.beside)]
        return side_by_side(pictures, CANVAS)

    def _padded(self, words: Words) -> Words:
        more = (0, self._longest - words.ids.shape[-1])
        return replace(words, ids=pad(words.ids, more), objects=pad(words.objects, more))


def furthest(name: str, given: Lesson, source: Source) -> float:
    """How far apart the scores of the two ways are, before anything is learned."""
    ours, slow = network(name, given.known).eval(), plain(network(name, given.known)).eval()
    numbers = list(range(min(96, len(given.examples))))
    anew = Straightforward(given).batch([given.examples[number] for number in numbers])
    with torch.inference_mode():
        return float((ours(source.batch(numbers)).logits - slow(anew).logits).abs().max())


def figures(rounds: int = ROUNDS, scenes: int = SCENES) -> list[Figure]:
    """Of each network how many questions it learns from in a second, and how much longer the plain way takes.
    """
    torch.set_num_threads(1)
    found = []
    with lesson(scenes) as given:
        source = kept(given)
        for name in NETWORKS:
            apart = furthest(name, given, source)
            if apart > SAME:
                raise SystemExit(f"the two ways of {name} give other scores: {apart:g} apart")
            fast = Learner(network(name, given.known), partial(even, source))
            slow = Learner(plain(network(name, given.known)), Straightforward(given).order)
            timed = interleaved({"kept": fast.epoch, "anew": slow.epoch}, rounds, time.process_time)
            title, questions = find(name).title, len(given.examples)
            found += [
                Figure(f"{name}_rate", f"{title}, small, pairs trained on, one core",
                       questions / timed.median("kept"), unit="/s"),
                Figure(f"{name}_straightforward", f"{title}: time of the straightforward way by ours",
                       timed.ratio("anew", "kept")),
                Figure(f"{name}_in_network", f"{title}: share of our time within the network",
                       100 * fast.in_model / sum(timed.seconds["kept"]), unit=" %"),
            ]  # fmt: skip
    return found


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--scenes", type=int, default=SCENES, help="how large a world is drawn")
    options = parser.parse_args()
    show(figures(options.rounds, options.scenes), options.json)


if __name__ == "__main__":
    main()

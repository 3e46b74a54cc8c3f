"""A scene graph read from a picture whose boxes are given: what each object is, what it is like, and how any
two of them relate.

An object is what a frozen encoder (`commonsight train-regions`) tells of it, and where it is. Its name is one
of training's, its attributes and the relations of each pair are questions of yes or no. What relates two
objects is told from both of them and from how their boxes lie: places are never seen in a crop
(docs/decisions/0017).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Generator as Chance
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from commonsight.core.scene import Scene
from commonsight.models.engine.loop import Judge
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.team import Team
from commonsight.models.features.batch import Batch, Seen
from commonsight.models.features.source import made_ahead
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.network import Scores, scored

RECIPE = Recipe(epochs=30, batch=8, optimiser="adamw", rate=2e-3, decay=1e-2, plateau=3, patience=8)
HIDDEN, DROPOUT = 96, 0.2
PLACED, BETWEEN = 6, 10
"""Numbers that say where an object is, and how two lie to each other."""
Floats = NDArray[np.float32]


class Terms(Struct, frozen=True):
    """What there is to say of a scene."""

    labels: tuple[str, ...]
    attributes: tuple[str, ...]
    predicates: tuple[str, ...]


class Looks(NamedTuple):
    """The objects of one picture, as an encoder tells them."""

    vectors: Floats
    """(object, dim)"""
    boxes: Floats
    """(object, 4): shares of the picture's width and height."""


class ToldScene(NamedTuple):
    """How likely all that could be said of a scene is."""

    labels: Floats
    """(object, label): together 1 for each object."""
    attributes: Floats
    """(object, attribute)"""
    relations: Floats
    """(subject, object, predicate)"""


def terms_of(scenes: Sequence[Scene]) -> Terms:
    """All that these scenes say, in the order of letters."""
    return Terms(
        tuple(sorted({region.label for scene in scenes for region in scene.regions})),
        tuple(sorted({one for scene in scenes for region in scene.regions for one in region.attributes})),
        tuple(sorted({edge.predicate for scene in scenes for edge in scene.relations})),
    )


@dataclass(frozen=True)
class SceneBatch(Batch):
    """Several scenes; objects that are padding have label -1."""

    labels: Tensor | None = None  # (batch, object)
    attributes: Tensor | None = None  # (batch, object, attribute)
    relations: Tensor | None = None  # (batch, subject, object, predicate)


class SceneReader(nn.Module):
    """Objects to labels and attributes, pairs of objects to relations."""

    def __init__(self, terms: Terms, *, dim: int, hidden: int = HIDDEN, dropout: float = DROPOUT) -> None:
        super().__init__()
        self.dropout = dropout
        self.counts = len(terms.attributes), len(terms.predicates)
        likes, relations = (max(1, count) for count in self.counts)  # scenes may have none, layers must
        self.label = Perceptron(dim + PLACED, 2 * hidden, len(terms.labels), dropout=dropout)
        self.attribute = Perceptron(dim + PLACED, 2 * hidden, likes, dropout=dropout)
        self.subject, self.object = nn.Linear(dim, hidden), nn.Linear(dim, hidden, bias=False)
        self.between = Perceptron(BETWEEN, hidden, hidden)
        self.relate = Perceptron(hidden, hidden, relations)

    def told(
        self, vectors: Tensor, boxes: Tensor, generator: Chance | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of labels, of attributes and of relations: (..., object, dim) and (..., object, 4)."""
        seen = dropout(vectors, self.dropout, generator, self.training)
        own = torch.cat((seen, boxes, boxes[..., 2:] - boxes[..., :2]), dim=-1)
        pairs = self.subject(seen)[..., :, None, :] + self.object(seen)[..., None, :, :]
        pairs = (pairs + self.between(lying(boxes))).relu()  # (..., subject, object, hidden)
        return self.label(own, generator), self.attribute(own, generator), self.relate(pairs)

    def forward(self, batch: Batch, *, generator: Chance | None = None) -> Scores:
        """No answer, but what learning costs."""
        assert isinstance(batch, SceneBatch)
        assert batch.seen is not None
        assert batch.seen.features is not None
        assert batch.labels is not None
        assert batch.attributes is not None
        assert batch.relations is not None
        labels, attributes, relations = self.told(batch.seen.features, batch.seen.boxes, generator)
        there = batch.labels >= 0  # (batch, object)
        known = batch.labels.clamp(min=0)
        names = cross_entropy(labels.flatten(0, 1), known.flatten(), reduction="none").view_as(known)
        like = binary_cross_entropy_with_logits(attributes, batch.attributes, reduction="none").sum(dim=2)
        pairs = binary_cross_entropy_with_logits(relations, batch.relations, reduction="none").sum(dim=3)
        both = there[:, :, None] & there[:, None]
        loss = (names + like).masked_fill(~there, 0.0).sum(dim=1) + pairs.masked_fill(~both, 0.0).sum((1, 2))
        return scored(loss.new_zeros(len(loss), 1), batch, extra=loss / there.sum(dim=1).clamp(min=1))


def lying(boxes: Tensor) -> Tensor:
    """How each two boxes lie to each other: (..., object, 4) -> (..., subject, object, `BETWEEN`)."""
    first, second = boxes[..., :, None, :], boxes[..., None, :, :]
    middle = [(one[..., :2] + one[..., 2:]) / 2 for one in (first, second)]
    corners = torch.cat((first - second, middle[0] - middle[1]), dim=-1)  # 6 numbers
    overlap = (
        torch.minimum(first[..., 2:], second[..., 2:]) - torch.maximum(first[..., :2], second[..., :2])
    ).clamp(min=0)
    shared = overlap[..., :1] * overlap[..., 1:]
    sides = [(one[..., 2:] - one[..., :2]).clamp(min=0) for one in (first, second)]
    areas = [one.prod(dim=-1, keepdim=True) for one in sides]
    parts = [shared / area.clamp(min=1e-6) for area in areas]
    sizes = [area.sqrt().expand_as(shared) for area in areas]
    return torch.cat((corners, *parts, *sizes), dim=-1)


class SceneSource:
    """Scenes to learn from."""

    def __init__(self, scenes: Sequence[Scene], looks: Sequence[Looks], terms: Terms) -> None:
        self.scenes, self.looks, self._terms = scenes, looks, terms
        self._labels, self._attributes, self._predicates = (
            {name: place for place, name in enumerate(names)}
            for names in (terms.labels, terms.attributes, terms.predicates)
        )
        self.lengths: NDArray[np.int64] = np.array([len(one.boxes) for one in looks], np.int64)

    def __len__(self) -> int:
        return len(self.scenes)

    def ahead(self, chosen: Sequence[NDArray[np.int64]]) -> Generator[Batch]:
        """Batches, made in the background."""
        return made_ahead(self.batch, chosen)

    def batch(self, numbers: NDArray[np.int64]) -> SceneBatch:
        """These scenes."""
        count, most = len(numbers), int(self.lengths[numbers].max())
        dim = self.looks[0].vectors.shape[1]
        vectors, boxes = np.zeros((count, most, dim), np.float32), np.zeros((count, most, 4), np.float32)
        labels = np.full((count, most), -1, np.int64)
        attributes = np.zeros((count, most, max(1, len(self._attributes))), np.float32)
        relations = np.zeros((count, most, most, max(1, len(self._predicates))), np.float32)
        for row, number in enumerate(numbers.tolist()):
            own, scene = self.looks[number], self.scenes[number]
            vectors[row, : len(own.boxes)], boxes[row, : len(own.boxes)] = own.vectors, own.boxes
            for place, region in enumerate(scene.regions):
                labels[row, place] = self._labels.get(region.label, -1)
                known = [self._attributes[one] for one in region.attributes if one in self._attributes]
                attributes[row, place, known] = 1.0
            for edge in scene.relations:
                if edge.predicate in self._predicates:
                    relations[row, edge.subject, edge.object, self._predicates[edge.predicate]] = 1.0
        there = torch.ones(count, 1, dtype=torch.bool)
        parts = [torch.from_numpy(one) for one in (vectors, boxes, labels, attributes, relations)]
        seen = Seen(parts[2] >= 0, parts[1], parts[2].clamp(min=0), features=parts[0])
        gold = torch.zeros(count, dtype=torch.long)
        return SceneBatch(there, gold, seen=seen, labels=parts[2], attributes=parts[3], relations=parts[4])


def tell(reader: SceneReader, looks: Looks) -> ToldScene:
    """How likely all that could be said of a picture is."""
    device = next(reader.parameters()).device
    with torch.inference_mode():
        vectors, boxes = (torch.from_numpy(part).to(device) for part in looks)
        labels, attributes, relations = reader.told(vectors, boxes)
        shares = labels.softmax(dim=1), attributes.sigmoid(), relations.sigmoid()
    names, like, pairs = (part.cpu().numpy() for part in shares)
    like, pairs = like[..., : reader.counts[0]], pairs[..., : reader.counts[1]]
    pairs[np.arange(len(names)), np.arange(len(names))] = 0.0  # nothing relates to itself
    return ToldScene(names, like, pairs)


class ToldRight(NamedTuple):
    """Of labels the share that is right; of attributes and of relations the harmonic mean of how many of
    those told hold, and how many of those that hold are told."""

    labels: float
    attributes: float
    relations: float


def told_right(reader: SceneReader, source: SceneSource) -> ToldRight:
    """How well scenes are read, where more likely than not is told."""
    reader.eval()
    right = objects = 0
    hits, sums = np.zeros(2), np.zeros(2)
    for number in range(len(source)):
        told, true = tell(reader, source.looks[number]), source.batch(np.array([number]))
        assert true.labels is not None
        assert true.attributes is not None
        assert true.relations is not None
        right += int((told.labels.argmax(axis=1) == true.labels[0].numpy()).sum())
        objects += len(told.labels)
        pairs = (told.attributes, true.attributes[0]), (told.relations, true.relations[0])
        for place, (said, likely) in enumerate(pairs):
            holds = likely[..., : said.shape[-1]].numpy()
            hits[place] += float(((said > 0.5) & (holds > 0.5)).sum())
            sums[place] += float((said > 0.5).sum() + (holds > 0.5).sum())
    means = 2 * hits / np.maximum(1, sums)
    return ToldRight(right / max(1, objects), float(means[0]), float(means[1]))


def judge(source: SceneSource) -> Judge:
    """A judge: the mean of how well labels, attributes and relations are told."""

    def judged(network: nn.Module, team: Team) -> float:
        del team  # every process reads all scenes, which are few
        assert isinstance(network, SceneReader)
        training = network.training
        found = told_right(network, source)
        network.train(training)
        return sum(found) / len(found)

    return judged

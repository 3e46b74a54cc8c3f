"""How different texts are from one another: mean pairwise cosine distance (A-OKVQA, Table 2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.describe.texts import nothing_to_describe, part_of, right_choice, right_rationale
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Cell, Section, Table
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.text.encoders import Encoder

BATCH = 4096
"""Texts that are encoded at a time: what is kept of them is one vector."""


class MeanDistance:
    """The mean cosine distance over all pairs of unit vectors, which needs only their sum.

    The scalar products of all ordered pairs add up to the squared length of the sum; what is left without
    the n products of a vector with itself, over n (n - 1) pairs, is the mean similarity.
    """

    def __init__(self, dimension: int) -> None:
        self.count = 0
        self._sum: NDArray[np.float64] = np.zeros(dimension)
        self._own = 0.0

    def add(self, vectors: NDArray[np.floating]) -> None:
        """More vectors, one a row."""
        exact = vectors.astype(np.float64)
        self.count += len(exact)
        self._sum += exact.sum(axis=0)
        self._own += float(np.square(exact).sum())

    def join(self, other: MeanDistance) -> None:
        """The vectors of another, too."""
        self.count += other.count
        self._sum += other._sum
        self._own += other._own

    @property
    def value(self) -> float | None:
        """The mean distance; None with fewer than two."""
        if self.count < 2:
            return None
        return 1.0 - (float(self._sum @ self._sum) - self._own) / (self.count * (self.count - 1))


@dataclass(frozen=True)
class DiversityProbe:
    """Mean distances of questions, right answers and rationales, by split."""

    name: str = "diversity"
    title: str = "How different texts are from one another"

    codes: ClassVar[tuple[str, ...]] = ()  # it only describes

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One table: roles by splits, and over all."""
        gathered = _Gathered(setting.encoder)
        for item in subject.read():
            gathered.add(item)
        if not gathered.items:
            raise nothing_to_describe()
        found = gathered.finished()
        if not any(mean.count > 1 for mean in found.values()):
            raise CannotMeasure("There are no two texts of one role, so that they have no distance.")
        parts = list(dict.fromkeys(part for _, part in found))
        roles = list(dict.fromkeys(role for role, _ in found))
        rows = tuple((role, *(_value(found.get((role, part))) for part in parts)) for role in roles)
        last = parts[-1]
        numbers = {role.replace(" ", "_"): _value(found.get((role, last))) for role in roles}
        return [
            Section(
                self.name,
                self.title,
                "0 where all texts are alike, about 1 where they have nothing to do with one another.",
                numbers={name: value for name, value in numbers.items() if isinstance(value, float)},
                tables=(
                    Table(
                        "Mean cosine distance between all pairs of texts",
                        ("role", *parts),
                        rows,
                        f"Encoded by {setting.encoder.name}; one rationale an item, tags by class. A-OKVQA's "
                        "Table 2, by a sentence transformer: questions 0.8564 (VCR 0.7095, VQAv2 0.8405), "
                        "rationales 0.8779 (VCR 0.8017). Compare only what one encoder made.",
                    ),
                ),
            )
        ]


def _value(mean: MeanDistance | None) -> Cell:
    return None if mean is None else mean.value


class _Gathered:
    """Texts on their way to the encoder, a batch at a time."""

    def __init__(self, encoder: Encoder) -> None:
        self.items = 0
        self._encoder = encoder
        self._waiting: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        self._means: dict[tuple[str, str], MeanDistance] = {}

    def add(self, item: Item) -> None:
        """Take an item's texts."""
        self.items += 1
        right, told = right_choice(item), right_rationale(item)
        texts = [
            *item.texts.items(),
            *([("right choice", right)] if right is not None else []),
            *([("rationale", told)] if told is not None else []),
        ]
        for role, text in texts:
            key = role, part_of(item)
            waiting = self._waiting[key]
            waiting.append(_by_class(text, item.labels))
            if len(waiting) >= BATCH:
                self._encode(key)

    def _encode(self, key: tuple[str, str]) -> None:
        mean = self._means.setdefault(key, MeanDistance(self._encoder.dimension))
        mean.add(self._encoder.encode(self._waiting[key]))
        self._waiting[key] = []

    def finished(self) -> dict[tuple[str, str], MeanDistance]:
        """The means by role and part, and over all parts where there are several."""
        for key in list(self._waiting):
            if self._waiting[key]:
                self._encode(key)
        found = dict(self._means)
        if len({part for _, part in found}) > 1:
            for (role, _), mean in self._means.items():
                found.setdefault((role, "all"), MeanDistance(self._encoder.dimension)).join(mean)
        return found


def _by_class(text: TaggedText, labels: Sequence[str]) -> str:
    return text.render(lambda index: labels[index] if 0 <= index < len(labels) else "object")

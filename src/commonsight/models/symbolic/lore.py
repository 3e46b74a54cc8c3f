"""What is known, as masks over the names that objects can have: what programs ask of knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.graph.knowledge import Knowledge, Query

Mask = NDArray[np.float32]
"""(label): 1 for those that are meant."""


class Fit(NamedTuple):
    """Labels that answer a query, as long as something is seen that has one of others."""

    labels: Mask
    seen: Mask | None


class Lore:
    """Knowledge about so many labels."""

    def __init__(self, knowledge: Knowledge, labels: Sequence[str]) -> None:
        self.knowledge, self._labels = knowledge, tuple(labels)
        self._places = {label: place for place, label in enumerate(labels)}
        self._members: dict[str, list[int]] = {}
        for place, label in enumerate(labels):
            for kind in knowledge.kinds(label):
                self._members.setdefault(kind, []).append(place)
        self._fits: dict[Query, tuple[Fit, ...]] = {}

    def named(self, name: str) -> Mask:
        """The label of this name."""
        return self._mask([self._places[name]] if name in self._places else [])

    def of_kind(self, kind: str) -> Mask:
        """All labels of a category; a label is of its own kind."""
        return self._mask(self._members.get(kind, []))

    def fits(self, query: Query) -> tuple[Fit, ...]:
        """What answers a query; one for each thing that would have to be seen."""
        known = self._fits.get(query)
        if known is None:
            known = self._fits[query] = self._found(query)
        return known

    def _found(self, query: Query) -> tuple[Fit, ...]:
        by_seen: dict[str | None, set[int]] = {}
        for filler in self.knowledge.queries.get(query, ()):
            by_seen.setdefault(filler.vision, set()).update(self._members.get(filler.blank, ()))
        return tuple(
            Fit(self._mask(sorted(places)), None if seen is None else self.of_kind(seen))
            for seen, places in by_seen.items()
        )

    def _mask(self, places: Sequence[int]) -> Mask:
        found = np.zeros(len(self._labels), np.float32)
        found[list(places)] = 1.0
        return found

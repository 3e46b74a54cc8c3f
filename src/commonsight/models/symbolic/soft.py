"""Programs executed over what is likely: every object is in every set, as far as it is likely to be.

A set is kept as numbers (object, label): how far the object would be in it if it had that name. So what a
program has said about names (a category, what something is used for) still holds when the object is named in
the end. Attributes and relations are taken to be independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.core.program import Program, Step
from commonsight.graph.attributes import attribute_type
from commonsight.graph.execute import NO, YES
from commonsight.graph.knowledge import Query
from commonsight.graph.programs import ANY, inputs_of
from commonsight.models.symbolic.lore import Lore
from commonsight.models.symbolic.scene_reader import Terms, ToldScene

Floats = NDArray[np.float32]
NOTHING = 1e-6
"""What is less likely is not answered."""


class Likely(NamedTuple):
    """What a program came to."""

    answer: str | None
    """None where nothing that could be recognised is likely at all."""
    target: int | None
    """The object that it is about, by its place; None where the answer is that there is none."""
    weights: tuple[Floats | None, ...]
    """For each step (object): how likely each is in its set; None for steps that give a concept."""


class SoftExecutor:
    """One told scene, on which programs are executed."""

    def __init__(self, told: ToldScene, terms: Terms, lore: Lore, *, threshold: float) -> None:
        """There is something, for Verify, if an object is in the set with more than the threshold."""
        self._told, self._terms, self._lore, self._threshold = told, terms, lore, threshold
        self._attributes = {name: place for place, name in enumerate(terms.attributes)}
        self._predicates = {name: place for place, name in enumerate(terms.predicates)}

    def execute(self, program: Program) -> Likely:
        """From its first step to its last; it must be well typed."""
        sets: list[Floats | None] = []
        for number, step in enumerate(program.steps):
            given = [sets[place] for place in inputs_of(step, number)]
            objects = [one for one in given if one is not None]
            if step.function in ("Verify", "Recognition"):
                weights = tuple(None if one is None else self._weights(one) for one in (*sets, None))
                return self._concluded(step, objects[0], weights)
            sets.append(self._applied(step, objects))
        return Likely(None, None, tuple(None if one is None else self._weights(one) for one in sets))

    def _weights(self, own: Floats) -> Floats:
        """(object): how likely each is in a set."""
        found: Floats = (own * self._told.labels).sum(axis=1)
        return found

    def _applied(self, step: Step, given: Sequence[Floats]) -> Floats:
        texts = step.text_input or ()
        match step.function:
            case "Initial":
                return np.ones_like(self._told.labels)
            case "Find":
                return self._find(given[0], texts)
            case "Find_Hypernym":
                return given[0] * self._lore.of_kind(texts[0])
            case "Relate" | "Relate_Reverse":
                return self._related(given[0], texts[0], reverse=step.function == "Relate_Reverse")
            case "And":
                return given[0] * given[1]
            case _:
                return self._fitting(given, Query(*texts))

    def _find(self, own: Floats, texts: Sequence[str]) -> Floats:
        found = own if texts[0] == ANY else own * self._lore.named(texts[0])
        for attribute in texts[1:]:
            place = self._attributes.get(attribute)
            found = found * (0.0 if place is None else self._told.attributes[:, place, None])
        return found

    def _related(self, own: Floats, predicate: str, *, reverse: bool) -> Floats:
        place = self._predicates.get(predicate)
        if place is None or not len(own):
            return np.zeros_like(own)
        pairs = self._told.relations[:, :, place]  # (subject, object)
        towards = pairs.T if reverse else pairs
        reached = (self._weights(own)[:, None] * towards).max(axis=0)  # (object)
        return np.repeat(reached[:, None], own.shape[1], axis=1)

    def _fitting(self, given: Sequence[Floats], query: Query) -> Floats:
        labels = np.zeros(self._told.labels.shape[1], np.float32)
        for fit in self._lore.fits(query):
            certain = 1.0
            if fit.seen is not None:
                seen = given[1] if len(given) > 1 else np.zeros_like(given[0])
                certain = float((seen * self._told.labels * fit.seen).sum(axis=1).max(initial=0.0))
            labels = np.maximum(labels, certain * fit.labels)
        return given[0] * labels

    def _concluded(self, step: Step, own: Floats, weights: tuple[Floats | None, ...]) -> Likely:
        if step.function == "Verify":
            inside = self._weights(own)
            if inside.max(initial=0.0) > self._threshold:
                return Likely(YES, int(inside.argmax()), weights)
            return Likely(NO, None, weights)
        joint, names = self._recognisable(own, (step.text_input or (ANY,))[0])
        if joint.max(initial=0.0) <= NOTHING:
            return Likely(None, None, weights)
        place, which = np.unravel_index(int(joint.argmax()), joint.shape)
        return Likely(names[int(which)], int(place), weights)

    def _recognisable(self, own: Floats, kind: str) -> tuple[Floats, tuple[str, ...]]:
        """(object, concept): how likely an object is the one that is asked about, and shows this."""
        like = [place for name, place in self._attributes.items() if attribute_type(name) == kind]
        if like:
            joint = self._weights(own)[:, None] * self._told.attributes[:, like]
            return joint, tuple(self._terms.attributes[place] for place in like)
        joint = own * self._told.labels
        return (joint if kind == ANY else joint * self._lore.of_kind(kind)), self._terms.labels

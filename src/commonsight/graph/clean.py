"""Scene graphs made fit to ask about: one wording, no rare words, every object once (CRIC, section 3).

People drew several boxes around one object, told relations twice and named things as they liked. What is left
out is counted by reason, so that a report can say what became of a source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from commonsight.core.scene import Region, Relation, Scene
from commonsight.graph.boxes import same_object
from commonsight.graph.vocabulary import Limits, Source, Vocabulary, Wording, counted, frequent

SAME_OVER = 0.7
"""Boxes of one name that overlap by more than this are one object."""

NAMELESS = "object without a name"
RARE_OBJECT = "object too rare or not in the vocabulary"
RARE_ATTRIBUTE = "attribute too rare or not in the vocabulary"
RARE_RELATION = "relation too rare or not in the vocabulary"
MERGED = "box of an object that has one already"
LOST_ATTRIBUTE = "attribute of an object that was left out"
LOST_END = "relation of an object that was left out"
TO_ITSELF = "relation of an object to itself"
TOLD_TWICE = "relation told twice"
ATTRIBUTE_TWICE = "attribute told twice"
NOTHING_LEFT = "picture with no object left"
REASONS = (
    NAMELESS, RARE_OBJECT, MERGED, RARE_ATTRIBUTE, LOST_ATTRIBUTE, ATTRIBUTE_TWICE, RARE_RELATION, LOST_END,
    TO_ITSELF, TOLD_TWICE, NOTHING_LEFT,
)  # fmt: skip


class Dropped(NamedTuple):
    """Something that was left out, and why."""

    reason: str
    what: str


class Cleaned(NamedTuple):
    """A scene fit to ask about, and what is no longer in it. It may have no regions left."""

    scene: Scene
    dropped: Counter[Dropped]


class Cleaner(Struct):
    """All rules, with the numbers and words they go by. A plain one changes no vocabulary."""

    wording: Wording = field(default_factory=Wording)
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    same_over: float = SAME_OVER

    def clean(self, scene: Scene) -> Cleaned:
        """The scene by all rules, in the paper's order: words, rare words, then boxes."""
        dropped: Counter[Dropped] = Counter()
        scene = reworded(scene, self.wording)
        scene = without_rare(scene, self.vocabulary, dropped)
        scene = with_objects_once(scene, self.same_over, dropped)
        scene = with_relations_once(scene, dropped)
        if not scene.regions:
            dropped[Dropped(NOTHING_LEFT, scene.image)] += 1
        return Cleaned(scene, dropped)


def fitted_cleaner(
    source: Source, wording: Wording | None = None, limits: Limits | None = None, same_over: float = SAME_OVER
) -> Cleaner:
    """A cleaner that keeps the most frequent words of these scenes, which are gone through once for it."""
    wording = wording or Wording()
    return Cleaner(wording, frequent(counted(source(), wording), limits), same_over)


def reworded(scene: Scene, wording: Wording) -> Scene:
    """Names, attributes and relations in the words to use."""
    labels = wording.objects.all_of([region.label for region in scene.regions])
    predicates = wording.relations.all_of([relation.predicate for relation in scene.relations])
    regions = [_reworded(*pair, wording) for pair in zip(scene.regions, labels, strict=True)]
    relations = [
        each if word == each.predicate else Relation(each.subject, word, each.object)
        for each, word in zip(scene.relations, predicates, strict=True)
    ]
    return replace(scene, regions=tuple(regions), relations=tuple(relations))


def _reworded(region: Region, label: str, wording: Wording) -> Region:
    attributes = tuple(wording.attributes.all_of(region.attributes))
    if label == region.label and attributes == region.attributes:  # as most are
        return region
    return replace(region, label=label, attributes=attributes)


def without_rare(scene: Scene, vocabulary: Vocabulary, dropped: Counter[Dropped]) -> Scene:
    """Only words of the vocabulary; an object that goes takes its relations along."""
    kept: list[int] = []
    regions = []
    for place, region in enumerate(scene.regions):
        reason = _why_not(region, vocabulary)
        if reason is None:
            kept.append(place)
            regions.append(_described(region, vocabulary, dropped))
            continue
        dropped[Dropped(reason, region.label or f"object {region.id}")] += 1
        dropped.update(Dropped(LOST_ATTRIBUTE, f"{word} {region.label}") for word in region.attributes)
    relations = _related(scene, vocabulary, dropped)
    return _renumbered(replace(scene, relations=relations), regions, kept, dropped)


def _why_not(region: Region, vocabulary: Vocabulary) -> str | None:
    if not region.label:
        return NAMELESS
    if vocabulary.objects is not None and region.label not in vocabulary.objects:
        return RARE_OBJECT
    return None


def _described(region: Region, vocabulary: Vocabulary, dropped: Counter[Dropped]) -> Region:
    """The region with attributes of the vocabulary, each once."""
    if not region.attributes:
        return region
    attributes: dict[str, None] = {}
    for word in region.attributes:
        if not word or (vocabulary.attributes is not None and word not in vocabulary.attributes):
            dropped[Dropped(RARE_ATTRIBUTE, word)] += 1
        elif word in attributes:
            dropped[Dropped(ATTRIBUTE_TWICE, f"{word} {region.label}")] += 1
        else:
            attributes[word] = None
    if len(attributes) == len(region.attributes):
        return region
    return replace(region, attributes=tuple(attributes))


def _related(scene: Scene, vocabulary: Vocabulary, dropped: Counter[Dropped]) -> tuple[Relation, ...]:
    known = []
    for relation in scene.relations:
        word = relation.predicate
        if not word or (vocabulary.relations is not None and word not in vocabulary.relations):
            dropped[Dropped(RARE_RELATION, word)] += 1
        else:
            known.append(relation)
    return tuple(known)


def _renumbered(
    scene: Scene, regions: Sequence[Region], kept: Sequence[int], dropped: Counter[Dropped]
) -> Scene:
    """The scene with these regions, which had the positions `kept`; relations follow them or go."""
    if len(kept) == len(scene.regions):
        return replace(scene, regions=tuple(regions))
    place = {old: new for new, old in enumerate(kept)}
    relations = []
    for relation in scene.relations:
        if relation.subject in place and relation.object in place:
            relations.append(Relation(place[relation.subject], relation.predicate, place[relation.object]))
        else:
            dropped[Dropped(LOST_END, _said(scene, relation))] += 1
    return replace(scene, regions=tuple(regions), relations=tuple(relations))


def with_objects_once(scene: Scene, over: float, dropped: Counter[Dropped]) -> Scene:
    """Boxes of one name that overlap by more than `over` become one object, and chains of them as well.

    The first one stays, with its id and its box; attributes and relations of all are its own from then on.
    """
    stands_for = _stands_for(scene.regions, over)
    if not stands_for:
        return scene
    merged = list(scene.regions)
    for place, first in stands_for.items():
        merged[first] = _united(merged[first], merged[place], dropped)
    kept = [place for place in range(len(merged)) if place not in stands_for]
    relations = tuple(
        Relation(
            stands_for.get(relation.subject, relation.subject), relation.predicate,
            stands_for.get(relation.object, relation.object),
        )
        for relation in scene.relations
    )  # fmt: skip
    return _renumbered(replace(scene, relations=relations), [merged[place] for place in kept], kept, dropped)


def _united(first: Region, again: Region, dropped: Counter[Dropped]) -> Region:
    """The first, with the attributes of both."""
    dropped[Dropped(MERGED, again.label)] += 1
    new = [word for word in again.attributes if word not in first.attributes]
    for word in again.attributes:
        if word in first.attributes:
            dropped[Dropped(ATTRIBUTE_TWICE, f"{word} {again.label}")] += 1
    return replace(first, attributes=(*first.attributes, *new)) if new else first


def _stands_for(regions: Sequence[Region], over: float) -> dict[int, int]:
    """Positions of regions that are another one again, and which that is."""
    by_name: dict[str, list[int]] = {}
    for place, region in enumerate(regions):
        if region.box is not None:
            by_name.setdefault(region.label, []).append(place)
    found = {}
    for places in by_name.values():
        if len(places) > 1:
            boxes = [box for place in places if (box := regions[place].box) is not None]
            for place, first in zip(places, same_object(boxes, over), strict=True):
                if places[first] != place:
                    found[place] = places[first]
    return found


def with_relations_once(scene: Scene, dropped: Counter[Dropped]) -> Scene:
    """No relation twice, and none of an object to itself, as merging leaves them behind."""
    relations: dict[Relation, None] = {}
    for relation in scene.relations:
        if relation.subject == relation.object:
            dropped[Dropped(TO_ITSELF, _said(scene, relation))] += 1
        elif relation in relations:
            dropped[Dropped(TOLD_TWICE, _said(scene, relation))] += 1
        else:
            relations[relation] = None
    if len(relations) == len(scene.relations):
        return scene
    return replace(scene, relations=tuple(relations))


def _said(scene: Scene, relation: Relation) -> str:
    regions = scene.regions
    return f"{regions[relation.subject].label} {relation.predicate} {regions[relation.object].label}"

"""What can be wrong with an item whatever benchmark it belongs to.

Kept apart from the readers so that items from every door (native files, datasets, generators, the
collection app) are held to the same rules. Each fault names our field; readers translate it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText

EDGE = 1.0
"""How many pixels a box may reach over the image's edge: detectors round, and that is no error."""


class Fault(NamedTuple):
    """One thing wrong with one field."""

    field: str
    message: str
    remedy: str


def faults(item: Item) -> Iterator[Fault]:
    """Everything wrong with the item, field by field."""
    if not item.id:
        yield Fault("id", "the id is empty", "Give every record an id of its own.")
    yield from _label_faults("gold", item.gold, len(item.choices))
    if item.rationale_gold is not None:
        yield from _label_faults("rationale_gold", Pick(item.rationale_gold), len(item.rationales))
    yield from _tag_faults(item)
    for scene in item.scenes:
        yield from scene_faults(scene)


def _label_faults(field: str, gold: object, choices: int) -> Iterator[Fault]:
    if type(gold) is Pick and not 0 <= gold.index < choices:
        yield Fault(
            field,
            f"the label {gold.index} is not one of the {choices} choices",
            f"Labels count from 0 to {choices - 1}." if choices else "Add the choices or remove the label.",
        )


def _tag_faults(item: Item) -> Iterator[Fault]:
    regions = len(item.scenes[0].regions) if item.scenes else 0
    if _all_tags_fit(item, regions):
        return
    for field, texts in ((role, (text,)) for role, text in item.texts.items()):
        yield from _beyond(field, texts, regions)
    yield from _beyond("choices", item.choices, regions)
    yield from _beyond("rationales", item.rationales, regions)


def _all_tags_fit(item: Item, regions: int) -> bool:
    # The innermost loop of reading, and nearly always all there is to do: hence plain loops, no calls.
    for texts in (item.texts.values(), item.choices, item.rationales):
        for text in texts:
            for token in text.tokens:
                if type(token) is tuple:
                    for index in token:
                        if not 0 <= index < regions:
                            return False
    return True


def _beyond(field: str, texts: Iterable[TaggedText], regions: int) -> Iterator[Fault]:
    for text in texts:
        if any(not 0 <= index < regions for index in text.references()):
            yield _tag_fault(field, text, regions)


def _tag_fault(field: str, text: TaggedText, regions: int) -> Fault:
    beyond = next(index for index in text.references() if not 0 <= index < regions)
    known = f"Tags count objects from 0 to {regions - 1}." if regions else "The record lists no objects."
    return Fault(field, f"the tag [{beyond}] points to no object", known)


def scene_faults(scene: Scene) -> Iterator[Fault]:
    """Everything wrong with a scene: boxes that are inverted, not numbers, or outside the image."""
    for position, region in enumerate(scene.regions):
        if region.box is not None:
            yield from _box_faults(position, region, scene)
    for relation in scene.relations:
        if not (0 <= relation.subject < len(scene.regions) and 0 <= relation.object < len(scene.regions)):
            yield Fault(
                "relations",
                f"the relation '{relation.predicate}' points to an object that the scene does not have",
                f"Relations count objects from 0 to {len(scene.regions) - 1}.",
            )


def _box_faults(position: int, region: Region, scene: Scene) -> Iterator[Fault]:
    box = region.box
    assert box is not None
    name = f"the box of object {position} ({region.label})"
    corners = f"({box.left:g}, {box.top:g}, {box.right:g}, {box.bottom:g})"
    if not (box.left <= box.right and box.top <= box.bottom):  # also catches NaN
        yield Fault("boxes", f"{name} is inverted: {corners}", "Write left, top, right, bottom in pixels.")
        return
    outside = box.left < -EDGE or box.top < -EDGE
    if scene.width is not None and scene.height is not None:
        outside = outside or box.right > scene.width + EDGE or box.bottom > scene.height + EDGE
    if outside:
        size = f"{scene.width} x {scene.height}" if scene.width is not None else "of unknown size"
        yield Fault(
            "boxes",
            f"{name} reaches outside the image ({size}): {corners}",
            "Check that box and image belong together and are in the same scale.",
        )

"""A stage as a scene graph in Visual Genome's layout: objects, their boxes and attributes, relationships."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from commonsight.world.draw.geometry import AGE_HEIGHT, HEIGHT, WIDTH, extent, foot
from commonsight.world.facts import Fact, seen
from commonsight.world.layout import Box, person_body
from commonsight.world.model import Actor, Prop, Stage
from commonsight.world.things import THINGS

if TYPE_CHECKING:  # the picture is only looked at; drawing libraries stay out
    from commonsight.world.draw.compose import Rendered

PREDICATES = {
    "holds": "holding", "looks_at": "looking at", "points_at": "pointing at", "lies_on": "lying on",
    "hugs": "hugging", "on": "on", "in": "in", "next_to": "next to", "behind": "behind",
    "left_of": "left of", "right_of": "right of",
}  # fmt: skip
"""Facts of two entities, and how Visual Genome says them."""

RIDDEN = ("bicycle", "motorcycle", "horse", "skateboard")
ROOFS = ("dining table", "desk", "parasol", "tree")
"""What things on the floor can be under."""


GARMENTS = {
    "casual": "shirt", "suit": "suit", "dress": "dress", "apron": "apron", "chef jacket": "jacket",
    "doctor coat": "coat", "police uniform": "uniform", "work vest": "vest", "swimwear": "swimsuit",
    "pyjamas": "pyjamas", "sports kit": "jersey",
}  # fmt: skip
"""What an outfit's upper part is called."""
WORN_FROM = 1000
"""Ids of worn things begin here: they are parts of a person, not entities of the stage."""


class Worn(NamedTuple):
    """Something that a person wears, and which part of the person's box it takes, from the head down."""

    name: str
    attributes: tuple[str, ...]
    begins: float
    ends: float


class Relation(NamedTuple):
    """One edge of the scene graph."""

    subject: int
    predicate: str
    object: int


def instance_names(stage: Stage) -> dict[int, str]:
    """Class names with instance numbers, in the order of ids: person1, person2, cup1."""
    count: Counter[str] = Counter()
    names = {}
    for entity, name in _names(stage).items():
        count[name] += 1
        names[entity] = f"{name}{count[name]}"
    return names


def _names(stage: Stage) -> dict[int, str]:
    return {actor.id: "person" for actor in stage.actors} | {prop.id: prop.name for prop in stage.props}


def visual_genome(stage: Stage, rendered: Rendered | None = None) -> dict[str, Any]:
    """The scene graph. Boxes are the visible ones of a drawn picture; without one, guesses from sizes.

    What cannot be seen at all has no box and is left out, with its relationships.
    """
    boxes = _guessed(stage)
    if rendered is not None:
        boxes = {entity: Box(*visible.box) for entity, visible in rendered.visible.items()}
    width, height = rendered.image.size if rendered is not None else (WIDTH, HEIGHT)
    names = _names(stage)
    objects = [
        _object(stage, entity, name, boxes[entity]) for entity, name in names.items() if entity in boxes
    ]
    kept = [edge for edge in relations(stage) if edge.subject in boxes and edge.object in boxes]
    for actor in (actor for actor in stage.actors if actor.id in boxes):
        for number, worn in enumerate(worn_by(actor)):
            objects.append(_worn_object(actor, number, worn, boxes[actor.id]))
            kept.append(Relation(actor.id, "wearing", objects[-1]["object_id"]))
    return {
        "image_id": stage.id,
        "width": width,
        "height": height,
        "objects": objects,
        "relationships": [
            {
                "relationship_id": number,
                "predicate": edge.predicate,
                "subject_id": edge.subject,
                "object_id": edge.object,
            }
            for number, edge in enumerate(kept)
        ],
    }


def _object(stage: Stage, entity: int, name: str, box: Box) -> dict[str, Any]:
    thing = entity >= len(stage.actors)
    return {
        "object_id": entity,
        "names": [name],
        "x": round(box.left),
        "y": round(box.top),
        "w": round(box.right - box.left),
        "h": round(box.bottom - box.top),
        "attributes": _of_thing(stage.prop(entity)) if thing else _of_person(stage.actor(entity)),
    }


def _of_person(actor: Actor) -> list[str]:
    """What can be said of a person in a word or two; clothes and hats are told here and as worn things."""
    look = actor.look
    told = [actor.pose, look.age, f"{look.hair} hair", f"{look.top} top", look.outfit]
    told += [look.hat] if look.hat else []
    told += ["glasses"] if look.glasses else []
    return told + ([actor.expression] if actor.expression != "neutral" else [])


def worn_by(actor: Actor) -> list[Worn]:
    """Clothes, hat and glasses: what "wearing" relates a person to."""
    look = actor.look
    worn = [Worn(GARMENTS[look.outfit], (look.top,), 0.28, 0.62)]
    worn += [Worn(look.hat, (), 0.0, 0.14)] if look.hat else []
    return worn + ([Worn("glasses", (), 0.1, 0.2)] if look.glasses else [])


def _worn_object(actor: Actor, number: int, worn: Worn, box: Box) -> dict[str, Any]:
    """A worn thing; its box is that share of the person's, from the head on, which lies left in a bed."""
    left, top, right, bottom = box.left, box.top, box.right, box.bottom
    if actor.pose in ("lying", "sleeping") and right - left > bottom - top:
        left, right = left + worn.begins * (right - left), left + worn.ends * (right - left)
    else:
        top, bottom = top + worn.begins * (bottom - top), top + worn.ends * (bottom - top)
    return {
        "object_id": WORN_FROM + 10 * actor.id + number,
        "names": [worn.name],
        "x": round(left),
        "y": round(top),
        "w": max(1, round(right - left)),
        "h": max(1, round(bottom - top)),
        "attributes": list(worn.attributes),
    }


def _of_thing(prop: Prop) -> list[str]:
    told = [prop.colour, prop.size if prop.size != "medium" else "", prop.material, prop.state or ""]
    return [word for word in told if word]


def relations(stage: Stage) -> tuple[Relation, ...]:
    """Every relationship that the picture shows, sorted."""
    facts = seen(stage)
    names = _names(stage)
    found = {edge for fact in facts for edge in _edges(fact, names)}
    return tuple(sorted(found | set(_under(stage))))


def _edges(fact: Fact, names: Mapping[int, str]) -> Iterator[Relation]:
    kind, *rest = fact
    entities = [part for part in rest if isinstance(part, int)]
    if kind == "hands":
        yield Relation(entities[0], "handing to", entities[2])
    elif kind == "sits_on":
        predicate = "riding" if names[entities[1]] in RIDDEN else "sitting on"
        yield Relation(entities[0], predicate, entities[1])
    elif isinstance(kind, str) and kind in PREDICATES:
        yield Relation(entities[0], PREDICATES[kind], entities[1])


def _under(stage: Stage) -> Iterator[Relation]:
    """Small things on the floor that a table, a tree or a parasol reaches over."""
    held = {actor.holds for actor in stage.actors}
    loose = [
        prop for prop in stage.props
        if prop.on is None and prop.inside is None and prop.id not in held
        and THINGS[prop.name].stands in ("floor", "surface") and THINGS[prop.name].height < 0.4
    ]  # fmt: skip
    boxes = _guessed(stage)
    for roof in (prop for prop in stage.props if prop.name in ROOFS):
        for prop in loose:
            inner, outer = boxes[prop.id], boxes[roof.id]
            close = abs(stage.spots[prop.id].depth - stage.spots[roof.id].depth) < 0.08
            if prop.id != roof.id and close and outer.left <= inner.left and inner.right <= outer.right:
                yield Relation(prop.id, "under", roof.id)


def _guessed(stage: Stage) -> dict[int, Box]:
    """Boxes by size and spot alone, nothing hidden."""
    boxes = {actor.id: _guessed_person(stage, actor) for actor in stage.actors}
    holders = {actor.holds: actor for actor in stage.actors if actor.holds is not None}
    for prop in stage.props:
        at = foot(stage.spots[prop.id], stage.camera)
        size = extent(prop, at.unit)
        base = at.y - _lift(stage, prop) * at.unit
        if prop.id in holders:
            base = at.y - 0.45 * AGE_HEIGHT[holders[prop.id].look.age] * at.unit
        boxes[prop.id] = _within(Box(at.x - size.width / 2, base - size.height, at.x + size.width / 2, base))
    return boxes


def _guessed_person(stage: Stage, actor: Actor) -> Box:
    seat = THINGS[stage.prop(actor.seat).name] if actor.seat is not None else None
    lift = (seat.seat or 0.0) * seat.height if seat else 0.0
    return _within(
        person_body(actor.look.age, actor.pose, stage.spots[actor.id], lift, seat is not None).solid
    )


def _lift(stage: Stage, prop: Prop) -> float:
    """How high a thing is above the floor."""
    kind = THINGS[prop.name]
    if prop.on is not None:
        under = THINGS[stage.prop(prop.on).name]
        return (under.top or 0.0) * under.height
    return 0.7 if kind.stands in ("wall", "ceiling") and prop.name != "door" else 0.0


def _within(box: Box) -> Box:
    return Box(max(box.left, 0), max(box.top, 0), min(box.right, WIDTH), min(box.bottom, HEIGHT))

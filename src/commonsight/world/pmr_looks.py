"""How PMR's annotators describe someone: words that are true of the picture, and words that are false.

All that could be said of a person is thought of; what the seen facts prove is true, and what they do not is
false, unless someone might take it for true in a small drawing.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import get_args

from msgspec import Struct, structs

from commonsight.world import pmr_tables as tables
from commonsight.world.english import OUTFITS, mark
from commonsight.world.facts import Fact
from commonsight.world.forms import Form, Seen, fits, true_of
from commonsight.world.model import COLOURS, HAIRS, Hat, Stage
from commonsight.world.places import PLACES
from commonsight.world.pmr_tables import Category
from commonsight.world.things import THINGS

FAR = 0.3
"""How far from someone, across the room, a thing must be that is falsely said to be next to them."""
APART = 0.12
"""How far behind someone's back a thing must be that they are falsely said to look at."""


class ImageWords(Struct, frozen=True):
    """Words that describe someone, and what they claim about the picture."""

    kind: str
    value: str
    """What is claimed, by the name that tables know; `said` is how people name it."""
    said: str
    entity: int
    claim: Form
    """A description that must fit the entity, ("scene", kind, value), or ("fact", …) for one seen fact."""
    evidence: tuple[Fact, ...] = ()
    """The seen facts that make the claim true; none if it is false."""
    text: str = ""


class View:
    """A scene as an annotator sees it."""

    def __init__(self, stage: Stage, facts: Iterable[Fact], visible: Iterable[int]) -> None:
        self.stage, self.facts, self.shown = stage, frozenset(facts), frozenset(visible)
        self.seen = Seen(self.facts)
        awake = [actor.id for actor in stage.actors if actor.pose != "sleeping"]
        self.people = [person for person in awake if person in self.shown]
        self.names = {prop.id: prop.name for prop in stage.props}
        self.about = {name for thing, name in self.names.items() if thing in self.shown}
        held = {actor.holds for actor in stage.actors}
        put = {prop.id for prop in stage.props if prop.on is not None or prop.inside is not None}
        self.free = self.shown - held - put


def image_words(
    view: View, who: int, category: Category, mistaken: bool, rng: random.Random
) -> tuple[ImageWords, ImageWords] | None:
    """Words that are true of someone and words of the same kind that are false; both true, if mistaken."""
    true: dict[str, list[ImageWords]] = {}
    false: dict[str, list[ImageWords]] = {}
    for word in _conceivable(view, who):
        if word.kind == "face" and category != "identity":
            continue  # a face beside a premise about feelings would take sides
        if claimed(word, view.seen, view.facts):
            true.setdefault(word.kind, []).append(word)
        else:
            false.setdefault(word.kind, []).append(word)
    true = {kind: kept for kind, words in true.items() if (kept := _evident(view, words))}
    choices = [
        (word, rivals)
        for kind in true
        for word in true[kind]
        if (rivals := _rivals(view, word, false.get(kind, [])))
    ]
    if not choices:
        return None
    weights = [tables.KINDS[word.kind] / len(true[word.kind]) / _common(word) ** 0.5 for word, _ in choices]
    told, rivals = rng.choices(choices, weights)[0]
    if mistaken:
        rivals = [word for kind in true if kind != told.kind for word in true[kind]]
        return (told, rng.choice(rivals)) if rivals else None
    return told, rng.choices(rivals, [_weight(view, word) for word in rivals])[0]


def _conceivable(view: View, who: int) -> Iterator[ImageWords]:
    """All that could be said of someone, true or not."""
    look = view.stage.actor(who).look
    for colour in COLOURS:
        for garment in tables.GARMENTS.get(look.outfit, "").split("|"):
            if garment:
                claim = ("all_of", ("has", "outfit", look.outfit), ("has", "top", colour))
                yield ImageWords("top", colour, f"{colour} {garment}", who, claim)
    for outfit, said in OUTFITS.items():
        if outfit != "casual":
            yield ImageWords("outfit", outfit, said, who, ("has", "outfit", outfit))
    for hat in get_args(Hat):
        yield ImageWords("hat", hat, hat, who, ("has", "hat", hat))
    for colour in () if look.hair_style == "bald" else HAIRS:
        yield ImageWords("hair", colour, colour, who, ("has", "hair", colour))
    for face, said in tables.FACES.items():
        yield ImageWords("face", face, said, who, ("has", "expression", face))
    for pose in tables.POSES:
        yield ImageWords("pose", pose, pose, who, ("has", "pose", pose))
    for place, told in PLACES.items():
        yield ImageWords("place", place, told.phrase, who, ("scene", "place", place))
    yield from _conceivable_relations(view, who)


def _conceivable_relations(view: View, who: int) -> Iterator[ImageWords]:
    for name, thing in THINGS.items():
        kinds = {"held": thing.held, "seat": thing.seat is not None, "bed": thing.seat is not None,
                 "neighbour": thing.stands == "floor"}  # fmt: skip
        for kind in (kind for kind, possible in kinds.items() if possible):
            claim = ("rel", tables.RELATION[kind], ("is", name))
            yield ImageWords(kind, name, name, who, claim)
    for entity in sorted(view.shown - {who}):
        yield ImageWords("gaze", str(entity), mark(entity), who, ("fact", "looks_at", who, entity))


def claimed(word: ImageWords, seen: Seen, facts: frozenset[Fact]) -> bool:
    """Whether the words are true of the picture."""
    match word.claim:
        case ("fact", *parts):
            return tuple(parts) in facts
        case ("scene", *_):
            return true_of(word.claim, seen)
    return fits(word.claim, (0, word.entity), seen)


def _evident(view: View, words: list[ImageWords]) -> list[ImageWords]:
    """Those whose evidence can be made out in the picture, with it."""
    proved = []
    for word in words:
        evidence = tuple(_evidence(word.claim, word.entity, view))
        entities = {part for fact in evidence for part in fact if isinstance(part, int)}
        if evidence and entities <= view.shown:
            proved.append(structs.replace(word, evidence=evidence))
    return proved


def _evidence(claim: Form, who: int, view: View) -> Iterator[Fact]:
    match claim:
        case ("all_of", *parts):
            for part in parts:
                yield from _evidence(part, who, view)
        case ("has", kind, value):
            yield (kind, who, value)
        case ("rel", relation, ("is", name)):
            things = [thing for thing in view.names if (relation, who, thing) in view.facts]
            alike = [thing for thing in things if view.names[thing] == name]
            for thing in sorted(alike, key=lambda thing: thing not in view.shown)[:1]:
                yield from ((relation, who, thing), ("is", thing, name))
        case ("fact", *fact):
            yield tuple(fact)
        case _:
            yield claim[1:]


def _rivals(view: View, told: ImageWords, false: list[ImageWords]) -> list[ImageWords]:
    """False words that nobody can take for true, worded like the true ones."""
    actor = view.stage.actor(told.entity)
    at = view.stage.spots[told.entity].x
    side = 1 if actor.facing == "right" else -1

    def clear(word: ImageWords) -> bool:
        if word.kind == "top":
            return word.said.partition(" ")[2] == told.said.partition(" ")[2]
        if word.kind == "gaze":  # behind the back, and standing free
            entity = int(word.value)
            return entity in view.free and side * (at - view.stage.spots[entity].x) > APART
        if word.kind == "neighbour":
            alike = [thing for thing, name in view.names.items() if name == word.value]
            return all(abs(at - view.stage.spots[thing].x) > FAR for thing in alike)
        return True

    return [word for word in false if clear(word) and not _alike(told.value, word.value)]


def _alike(one: str, other: str) -> bool:
    return any(one in group and other in group for group in tables.ALIKE)


def _weight(view: View, word: ImageWords) -> float:
    """What is about in the picture makes the better distractor."""
    about = word.kind in ("held", "neighbour", "seat") and word.value in view.about
    return _common(word) * (4.0 if about else 1.0)


def _common(word: ImageWords) -> float:
    return tables.COMMON.get(word.kind, {}).get(word.value, 1.0)

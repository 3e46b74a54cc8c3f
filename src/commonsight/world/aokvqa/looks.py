"""Questions about what a look implies: clothes, hats, light, weather, material, shape, and riddles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from commonsight.world.aokvqa import tables
from commonsight.world.aokvqa.known import things, triple_tails
from commonsight.world.aokvqa.tables import Meaning
from commonsight.world.aokvqa.topic import Ground, KnowledgeType, Right, Subject, Topic, ample, apart, entity
from commonsight.world.aokvqa.view import View, clues
from commonsight.world.facts import Fact
from commonsight.world.model import COLOURS
from commonsight.world.places import PLACES
from commonsight.world.things import THINGS

SHADES = 3
"""A thing whose class comes in fewer colours is not asked the colour of: one knows without looking."""


def whole(_: View) -> Iterator[Subject]:
    """The scene as such."""
    yield ()


def people(view: View) -> Iterator[Subject]:
    """Every person in sight."""
    return ((person,) for person in view.people)


def by_look(
    name: str, kind: str, table: Mapping[str, Meaning], more: tuple[str, ...], scatter: float = 0.35
) -> Topic:
    """What one look of a person means."""

    def right(view: View, subject: Subject) -> Right:
        value = view.value(kind, entity(subject))
        if value is None or value not in table:
            return {}
        return {table[value].answer: Ground(((kind, subject[0], value),), ("table", name, value))}

    def wrong(view: View, subject: Subject) -> list[str]:
        value = str(view.value(kind, entity(subject)))
        known = [meaning.answer for meaning in table.values()]
        return ample(known, more, (table[value].answer, *table[value].also))

    hides = ("outfit", "hat", "holds")
    return Topic(name, "visual", people, right, wrong, hides, scatter)


def by_scene(
    name: str, kind: str, table: Mapping[str, Meaning], more: tuple[str, ...], rare: float = 1.0
) -> Topic:
    """What light or weather means for the whole scene."""

    def value(view: View) -> str:
        found = view.of_kind(kind)
        return str(found[0][1]) if found and (kind != "weather" or _sky(view)) else ""

    def right(view: View, _: Subject) -> Right:
        seen = value(view)
        return {table[seen].answer: Ground(((kind, seen),), ("table", name, seen))} if seen in table else {}

    def wrong(view: View, _: Subject) -> list[str]:
        meaning = table[value(view)]
        known = [other.answer for other in table.values()]
        return ample(known, more, (meaning.answer, *meaning.also))

    return Topic(name, "visual", whole, right, wrong, rare=rare)


def _sky(view: View) -> bool:
    """Whether the weather can be seen, that is, outside."""
    return any(place in PLACES and not PLACES[str(place)].indoors for _, place in view.of_kind("place"))


def by_name(
    name: str, knowledge: KnowledgeType, table: Mapping[str, str], more: tuple[str, ...],
    alike: tuple[tuple[str, ...], ...] = (), hides: tuple[str, ...] = ("name", "clue", "category"),
    rare: float = 1.0,
) -> Topic:  # fmt: skip
    """What is known of a class of things."""

    def right(view: View, subject: Subject) -> Right:
        thing = view.names.get(entity(subject), "")
        ground = Ground((("is", subject[0], thing),), ("table", name, thing))
        return {table[thing]: ground} if thing in table else {}

    def wrong(view: View, subject: Subject) -> list[str]:
        return ample(table.values(), more, tuple(right(view, subject)), alike)

    return Topic(name, knowledge, things, right, wrong, hides, rare=rare)


# --- looks that take more than one row ------------------------------------------------------------------


def _material(view: View, subject: Subject) -> Right:
    value = view.value("material", entity(subject))
    if value not in tables.MATERIALS:
        return {}
    return {tables.MATERIALS[value]: Ground((("material", subject[0], value),), ("table", "material", value))}


def _other_materials(view: View, subject: Subject) -> list[str]:
    right = [*_material(view, subject), *triple_tails(view, "MadeFrom", view.names[entity(subject)])]
    return ample(tables.MATERIALS.values(), tables.MORE_MATERIALS, right, tables.MATERIALS_ALIKE)


def _season(view: View, _: Subject) -> Right:
    found: dict[str, list[Fact]] = {}
    for (kind, value), season in tables.SEASONS.items():
        found.setdefault(season, []).extend(fact for fact in view.of_kind(kind) if fact[2] == value)
    told = {season: facts for season, facts in found.items() if facts}
    if len(told) != 1:  # nothing to go by, or a swimmer in a beanie
        return {}
    return {season: Ground(tuple(facts[:1]), ("table", "season", season)) for season, facts in told.items()}


def _other_seasons(view: View, subject: Subject) -> list[str]:
    return apart(tables.SEASON_NAMES, _season(view, subject), ())


def _lights(view: View) -> Iterator[Subject]:
    return ((thing,) for thing in view.things if view.names[thing] == "traffic light")


def _drivers(view: View, subject: Subject) -> Right:
    colour = str(view.value("colour", entity(subject)))
    if colour not in tables.DRIVERS:
        return {}
    ground = Ground((("colour", subject[0], colour),), ("table", "drivers", colour))
    return {tables.DRIVERS[colour].answer: ground}


def _no_driving(view: View, subject: Subject) -> list[str]:
    meaning = tables.DRIVERS[str(view.value("colour", entity(subject)))]
    known = [other.answer for other in tables.DRIVERS.values()]
    return ample(known, tables.MORE_DRIVING, (meaning.answer, *meaning.also))


def _who(view: View) -> Iterator[Subject]:
    """Remarks that fit exactly one person."""
    for kind, value in tables.WHO:
        if len(_fitting(view, kind, value)) == 1 and len(view.people) > 1:
            yield (kind, value)


def _fitting(view: View, kind: str, value: str) -> list[int]:
    return [person for person in view.people if view.value(kind, person) == value]


def _worn(view: View, subject: Subject) -> Right:
    kind, value = map(str, subject)
    fitting = _fitting(view, kind, value)
    if len(fitting) != 1 or view.value("outfit", fitting[0]) in tables.COVERED:
        return {}
    top = str(view.value("top", fitting[0]))
    return {top: Ground(((kind, fitting[0], value), ("top", fitting[0], top)), ("table", "who", value))}


def _colours(view: View, right: Right) -> list[str]:
    worn = [str(view.value("top", person)) for person in view.people]  # those that tempt come first
    return apart((*worn, *COLOURS), right, ())


def _clued(view: View) -> Iterator[Subject]:
    for clue in clues(view):
        yield (view.meant(clue.form)[0], clue.text)


def _painted(view: View, subject: Subject) -> Right:
    colour = view.value("colour", entity(subject))
    if len(THINGS[view.names[entity(subject)]].colours) < SHADES:
        return {}
    is_fact: Fact = ("is", subject[0], view.names[entity(subject)])
    seen: Fact = ("colour", subject[0], colour)
    return {str(colour): Ground((is_fact, seen), ("table", "clues", str(subject[1])))}


def _other_paints(view: View, subject: Subject) -> list[str]:
    """Other colours that such a thing may have: a purple dog fools nobody."""
    usual = THINGS[view.names[entity(subject)]].colours
    return ample(usual, COLOURS, tuple(_painted(view, subject)))


def _under(view: View, subject: Subject) -> Right:
    for fact in view.of_kind("on"):
        if fact[1] == subject[0] and fact[2] in view.things:
            below = view.names[int(str(fact[2]))]
            is_fact: Fact = ("is", subject[0], view.names[entity(subject)])
            return {below: Ground((is_fact, fact), ("table", "clues", str(subject[1])))}
    return {}


def _other_tops(view: View, subject: Subject) -> list[str]:
    right = _under(view, subject)
    floor = [name for name, thing in THINGS.items() if thing.top is not None or thing.seat is not None]
    return apart(sorted(floor, key=lambda name: name not in view.present), right, ())


MATERIAL = Topic(
    "material", "visual", things, _material, _other_materials, ("material", "name", "clue", "category"), 0.35
)
DRIVERS = Topic("drivers", "visual", _lights, _drivers, _no_driving, ("name", "colour"), 0.3)
SEASON = Topic("season", "visual", whole, _season, _other_seasons, (), 0.2, 0.5)
WORN = Topic("worn by", "visual", _who, _worn, lambda view, who: _colours(view, _worn(view, who)), (), 0.25)
PAINTED = Topic("painted", "visual", _clued, _painted, _other_paints, (), 0.25, 0.7)
UNDER = Topic("under", "visual", _clued, _under, _other_tops, (), 0.4)

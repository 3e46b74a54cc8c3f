"""What a program gives when it is executed over the shapes of a picture, and what every step gave."""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from commonsight.graph.shapes.functions import FUNCTIONS
from commonsight.graph.shapes.programs import Form, text, type_of
from commonsight.graph.shapes.values import (
    AT_WALL,
    NEAR,
    SIZES,
    Panel,
    Place,
    Shape,
    Tableau,
    above,
    resting_on,
    touching,
)  # fmt: skip

Objects = frozenset[Place]
Boxes = frozenset[int]
Value = Objects | Boxes | bool

COMPARED: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge, "==": operator.eq, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip

SIZED = dict(zip(("small", "medium", "big"), SIZES, strict=True))


class Executed(NamedTuple):
    """Whether the program is true of the picture, and its steps, the innermost first."""

    holds: bool
    trace: tuple[str, ...]


def execute(program: Form, shown: Tableau) -> Executed:
    """Run a program after a look at its types; with a trace of every step."""
    type_of(program, "truth")
    steps: list[str] = []
    holds = bool(_value(program, shown, {}, steps))
    return Executed(holds, tuple(steps))


class Runner:
    """Runs many programs over one picture, each part that they share once; their types must fit."""

    def __init__(self, shown: Tableau) -> None:
        self.shown = shown
        self._known: dict[Form, Value] = {}

    def holds(self, program: Form) -> bool:
        """Whether a program is true of the picture."""
        return bool(_value(program, self.shown, self._known, None))


def _value(form: Form, shown: Tableau, known: dict[Form, Value], steps: list[str] | None) -> Value:
    if form in known:
        return known[form]
    given = [_value(part, shown, known, steps) if isinstance(part, tuple) else part for part in form[1:]]
    name = str(form[0])
    value: Value = APPLIED[name](shown, *given)
    known[form] = value
    if steps is not None:
        steps.append(f"{text(form)} = {_told(name, value, shown)}")
    return value


def _told(name: str, value: Any, shown: Tableau) -> str:
    """A value in words: boxes are counted from one, shapes are named by what and where they are."""
    if FUNCTIONS[name].gives == "truth":
        return str(value).lower()
    if not value:
        return "none"
    if FUNCTIONS[name].gives == "boxes":
        return "boxes " + ", ".join(str(box + 1) for box in sorted(value))
    return "; ".join(f"box {place[0] + 1}: {shown.shape(place)}" for place in sorted(value))


def _kept(test: Callable[[Shape], bool]) -> Callable[[Tableau, Objects], Objects]:
    return lambda shown, objects: frozenset(place for place in objects if test(shown.shape(place)))


def _wall(shown: Tableau, wall: str, objects: Objects, within: int = AT_WALL) -> Objects:
    def reaches(shape: Shape) -> bool:
        walls = shape.walls(within)
        if wall == "corner":
            return bool(walls & {"left", "right"}) and bool(walls & {"top", "bottom"})
        if wall == "side":
            return bool(walls & {"left", "right"})
        return bool(walls) if wall == "any" else wall in walls

    return _kept(reaches)(shown, objects)


def _near_wall(shown: Tableau, wall: str, objects: Objects) -> Objects:
    return _wall(shown, wall, objects, NEAR) - _wall(shown, wall, objects)


def _at(shown: Tableau, objects: Objects, levels: Callable[[Panel], Iterable[int]]) -> Objects:
    meant = {(box, n) for box, panel in enumerate(shown.panels) for n in levels(panel)}
    return objects & meant


def _level(shown: Tableau, number: int, objects: Objects) -> Objects:
    return _at(shown, objects, lambda panel: panel.levels[number - 1 : number] if number else ())


def _from_top(shown: Tableau, number: int, objects: Objects) -> Objects:
    return _at(shown, objects, lambda panel: panel.levels[::-1][number - 1 : number] if number else ())


RELATED: dict[str, Callable[[Shape, Shape], bool]] = {
    "above": above,
    "below": lambda one, other: above(other, one),
    "on": resting_on,
    "under": lambda one, other: resting_on(other, one),
    "touching": touching,
    "near": lambda one, other: touching(one, other, NEAR),
    "beside": lambda one, other: touching(one, other) and not (above(one, other) or above(other, one)),
}


def _related(
    also: Callable[[Shape, Shape], bool],
) -> Callable[[Tableau, str, Objects, Objects], Objects]:
    def related(shown: Tableau, relation: str, ones: Objects, others: Objects) -> Objects:
        test, at = RELATED[relation], shown.shape
        return frozenset(
            one
            for one in ones
            if any(
                one != other and one[0] == other[0] and test(at(one), at(other)) and also(at(one), at(other))
                for other in others
            )
        )

    return related


def _in_box(shown: Tableau, objects: Objects) -> Iterator[list[Place]]:
    """These objects box by box; a box may have none."""
    by_box: dict[int, list[Place]] = defaultdict(list)
    for place in objects:
        by_box[place[0]].append(place)
    return (by_box[box] for box in range(len(shown.panels)))


def _boxes_by(measure: Callable[[Tableau, list[Place]], int]) -> Callable[..., Boxes]:
    """Boxes of which what is measured of some objects compares with a number."""

    def boxes(shown: Tableau, compare: str, number: int, objects: Objects) -> Boxes:
        fits = COMPARED[compare]
        found = (measure(shown, places) for places in _in_box(shown, objects))
        return frozenset(box for box, size in enumerate(found) if fits(size, number))

    return boxes


def _hues(shown: Tableau, places: Iterable[Place]) -> int:
    return len({shown.shape(place).colour for place in places})


def _forms(shown: Tableau, places: Iterable[Place]) -> int:
    return len({shown.shape(place).kind for place in places})


def _commonest(shown: Tableau, places: Iterable[Place]) -> int:
    return max(Counter(shown.shape(place).colour for place in places).values(), default=0)


def _run(shown: Tableau, places: list[Place]) -> int:
    return shown.panels[places[0][0]].longest_run(n for _, n in places) if places else 0


def _only(shown: Tableau, objects: Objects) -> Boxes:
    return frozenset(
        box
        for box, panel in enumerate(shown.panels)
        if panel.shapes and all((box, n) in objects for n in range(len(panel.shapes)))
    )


def _compared(fits: Callable[[int, int], bool]) -> Callable[[Tableau, Objects, Objects], Boxes]:
    def boxes(shown: Tableau, ones: Objects, others: Objects) -> Boxes:
        sizes = zip(_in_box(shown, ones), _in_box(shown, others), strict=True)
        return frozenset(box for box, (one, other) in enumerate(sizes) if fits(len(one), len(other)))

    return boxes


def _extreme(best: Callable[[Iterable[int]], int]) -> Callable[[Tableau, Boxes], Boxes]:
    def boxes(shown: Tableau, among: Boxes) -> Boxes:
        heights = {box: len(shown.panels[box].shapes) for box in among}
        return frozenset(box for box, height in heights.items() if height == best(heights.values()))

    return boxes


def _trait(panel: Panel, trait: str) -> object:
    if trait == "height" or not panel.shapes:
        return len(panel.shapes)
    if trait == "colours":
        return frozenset(shape.colour for shape in panel.shapes)
    return panel.shapes[panel.levels[0 if trait == "base" else -1]].colour


def _shared(shown: Tableau, compare: str, number: int, trait: str, among: Boxes) -> bool:
    alike = Counter(_trait(shown.panels[box], trait) for box in among)
    return COMPARED[compare](max(alike.values(), default=0), number)


def _differing(shown: Tableau, compare: str, number: int, trait: str, among: Boxes) -> bool:
    return COMPARED[compare](len({_trait(shown.panels[box], trait) for box in among}), number)


APPLIED: dict[str, Callable[..., Any]] = {
    "objects": lambda shown: shown.places,
    "colour": lambda shown, colour, objects: _kept(lambda s: s.colour == colour)(shown, objects),
    "kind": lambda shown, kind, objects: _kept(lambda s: s.kind == kind)(shown, objects),
    "size": lambda shown, size, objects: _kept(lambda s: s.size == SIZED[size])(shown, objects),
    "wall": _wall,
    "near-wall": _near_wall,
    "top": lambda shown, objects: _from_top(shown, 1, objects),
    "base": lambda shown, objects: _level(shown, 1, objects),
    "middle": lambda shown, objects: _at(shown, objects, lambda panel: panel.levels[1:-1]),
    "level": _level,
    "from-top": _from_top,
    "relate": _related(lambda _one, _other: True),
    "unlike": _related(lambda one, other: one.colour != other.colour),
    "alike": _related(lambda one, other: one.colour == other.colour),
    "except": lambda _, ones, others: ones - others,
    "union": lambda _, ones, others: ones | others,
    "inside": lambda _, boxes, objects: frozenset(place for place in objects if place[0] in boxes),
    "boxes": lambda shown: frozenset(range(len(shown.panels))),
    "has": _boxes_by(lambda _, places: len(places)),
    "only": _only,
    "hues": _boxes_by(_hues),
    "forms": _boxes_by(_forms),
    "same": _boxes_by(_commonest),
    "run": _boxes_by(_run),
    "more": _compared(operator.gt),
    "equal": _compared(operator.eq),
    "both": lambda _, ones, others: ones & others,
    "either": lambda _, ones, others: ones | others,
    "other": lambda shown, boxes: frozenset(range(len(shown.panels))) - boxes,
    "tallest": _extreme(max),
    "shortest": _extreme(min),
    "count": lambda _, compare, number, objects: COMPARED[compare](len(objects), number),
    "count-boxes": lambda _, compare, number, boxes: COMPARED[compare](len(boxes), number),
    "every": lambda _, ones, others: ones <= others,
    "all": lambda _, ones, others: bool(ones) and ones <= others,
    "together": lambda _, objects: len({box for box, _ in objects}) == 1,
    "all-hues": lambda shown, compare, number, objects: COMPARED[compare](_hues(shown, objects), number),
    "all-forms": lambda shown, compare, number, objects: COMPARED[compare](_forms(shown, objects), number),
    "share": _shared,
    "differ": _differing,
    "outnumber": lambda _, ones, others: len(ones) > len(others),
    "and": lambda _, one, other: one and other,
    "or": lambda _, one, other: one or other,
    "not": lambda _, one: not one,
}

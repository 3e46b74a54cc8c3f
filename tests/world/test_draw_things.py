"""Every thing has a drawing; states, colours and classes can be told apart; a drawing keeps to its box."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from commonsight.world.draw.geometry import extent
from commonsight.world.draw.pen import Pen
from commonsight.world.draw.things import DRAWN, draw_thing
from commonsight.world.model import COLOURS, Prop
from commonsight.world.things import THINGS

UNIT, PAPER = 150.0, "#e9e2d3"
SLACK = 1.25
"""How much larger than its box, measured from the middle of its foot, a drawing may be."""

STATES = [(thing.name, state) for thing in THINGS.values() for state in thing.states]
EVERYTHING = [(thing.name, state) for thing in THINGS.values() for state in (None, *thing.states)]
BY_CATEGORY = [
    (first.name, second.name)
    for first, second in combinations(THINGS.values(), 2)
    if first.category == second.category
]


class Drawn(NamedTuple):
    pixels: NDArray[np.float64]
    """(height, width, channel)"""
    numbers: NDArray[np.uint8]
    foot: tuple[float, float]


def prop(name: str, colour: str | None = None, state: str | None = None, **more: str) -> Prop:
    return Prop(6, name, colour or THINGS[name].colours[0], state=state, **more)  # type: ignore[arg-type]


def drawn(thing: Prop, unit: float = UNIT) -> Drawn:
    wide, high = extent(thing, unit)
    pen = Pen(int(wide * 1.6) + 16, int(high * 1.6) + 16, PAPER)
    x, y = pen.width / 2, pen.height - 0.3 * high - 8
    pen.entity = 7
    draw_thing(pen, thing, x, y, unit)
    return Drawn(np.asarray(pen.picture(), dtype=float), pen.numbers(), (x, y))


def difference(first: Drawn, second: Drawn) -> float:
    """Mean difference of the pixels that either one covers, of 255."""
    touched = (first.numbers > 0) | (second.numbers > 0)
    return float(np.abs(first.pixels - second.pixels)[touched].mean())


def thumbnail(name: str) -> Drawn:
    """The thing in a square of its own, 48 pixels wide: its shape and paint without its size."""
    thing = THINGS[name]
    pen = Pen(48, 48, PAPER)
    pen.entity = 7
    draw_thing(pen, prop(name), 24, 44, 40 / max(thing.width, thing.height))
    return Drawn(np.asarray(pen.picture(), dtype=float), pen.numbers(), (24, 44))


def test_the_table_is_the_world() -> None:
    assert set(DRAWN) == set(THINGS)


@pytest.mark.parametrize(("name", "state"), EVERYTHING)
def test_a_drawing_keeps_to_its_box_and_fills_it(name: str, state: str | None) -> None:
    thing = prop(name, state=state)
    picture = drawn(thing)
    wide, high = extent(thing, UNIT)
    rows, columns = np.nonzero(picture.numbers == 7)
    x, y = picture.foot
    pixel = 1.0
    assert np.abs(columns - x).max() <= SLACK * wide / 2 + pixel
    assert y - rows.min() <= SLACK * high + pixel
    assert rows.max() - y <= (SLACK - 1) * high + pixel
    share = len(rows) / (wide * high)
    assert 0.1 <= share <= 1.3, f"{name} {state} covers {share:.2f} of its box"


@pytest.mark.parametrize(("name", "state"), STATES)
def test_a_state_shows(name: str, state: str) -> None:
    assert difference(drawn(prop(name)), drawn(prop(name, state=state))) > 4


@pytest.mark.parametrize("name", THINGS)
def test_states_differ_from_each_other(name: str) -> None:
    pictures = {state: drawn(prop(name, state=state)) for state in THINGS[name].states}
    for first, second in combinations(pictures, 2):
        assert difference(pictures[first], pictures[second]) > 4, f"{first} and {second} look alike"


@pytest.mark.parametrize("name", THINGS)
def test_every_colour_shows(name: str) -> None:
    pictures = {colour: drawn(prop(name, colour), unit=60) for colour in COLOURS}
    for first, second in combinations(pictures, 2):
        assert difference(pictures[first], pictures[second]) > 1, f"{first} and {second} look alike"


@pytest.mark.parametrize(("first", "second"), BY_CATEGORY)
def test_classes_of_a_category_can_be_told_apart(first: str, second: str) -> None:
    assert difference(thumbnail(first), thumbnail(second)) > 20


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("chair", "wooden", "plastic"), ("cup", "clay", "paper"), ("spoon", "metal", "wooden"),
        ("dining table", "wooden", "glass"), ("bottle", "glass", "plastic"), ("couch", "leather", "cloth"),
    ],
)  # fmt: skip
def test_a_material_shows(name: str, one: str, other: str) -> None:
    assert difference(drawn(prop(name, material=one)), drawn(prop(name, material=other))) > 0.5


@pytest.mark.parametrize("name", ["cup", "tree", "fork"])
def test_a_size_shows(name: str) -> None:
    counts = [(drawn(prop(name, size=size)).numbers == 7).sum() for size in ("small", "medium", "large")]
    assert counts[0] < counts[1] * 0.75
    assert counts[1] < counts[2] * 0.75


@pytest.mark.parametrize("name", ["fork", "knife", "spoon", "pencil", "ticket", "candle", "cell phone"])
@pytest.mark.parametrize("paper", ["#f1efe9", "#8a5a35"])
def test_what_is_tiny_stands_out_from_a_table(name: str, paper: str) -> None:
    pen = Pen(40, 40, paper)
    bare = np.asarray(pen.picture(), dtype=float)
    pen.entity = 7
    draw_thing(pen, prop(name), 20, 36, UNIT)
    contrast = np.abs(np.asarray(pen.picture(), dtype=float) - bare).max(axis=2)
    assert np.count_nonzero(contrast > 60) > 20


@pytest.mark.parametrize("name", THINGS)
def test_the_same_thing_gives_the_same_bytes(name: str) -> None:
    first, second = drawn(prop(name)), drawn(prop(name))
    assert first.pixels.tobytes() == second.pixels.tobytes()
    assert first.numbers.tobytes() == second.numbers.tobytes()


@pytest.mark.parametrize("unit", [12.0, 40.0, 400.0])
def test_things_can_be_far_and_near(unit: float) -> None:
    for name, state in EVERYTHING:
        assert (drawn(prop(name, state=state), unit).numbers == 7).any(), f"{name} {state} vanishes"


def test_the_hour_and_the_weather_show_in_a_window() -> None:
    pictures = []
    for light, weather in (("day", "clear"), ("dusk", "clear"), ("night", "clear"), ("day", "rain")):
        pen = Pen(60, 60, PAPER)
        draw_thing(pen, prop("window"), 30, 56, UNIT, light, weather)
        pictures.append(np.asarray(pen.picture(), dtype=float))
    for first, second in combinations(pictures, 2):
        assert np.abs(first - second).mean() > 3

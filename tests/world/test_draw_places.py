"""Fourteen places, none like another; palettes, light, weather and seeds show in them."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from commonsight.world.draw.geometry import HEIGHT, WIDTH
from commonsight.world.draw.pen import BACKGROUND, Pen
from commonsight.world.draw.places import PALETTES, PLACES_DRAWN, draw_place

PLACES = (
    "kitchen", "restaurant", "office", "classroom", "street", "park", "hospital room", "beach", "shop",
    "living room", "bus", "stage", "bedroom", "train station",
)  # fmt: skip
WITHOUT_SKY = {"shop", "stage", "bedroom", "bus", "classroom", "hospital room"}
"""The last four have windows that are things of their own."""


@cache
def painted(
    place: str, palette: int = 0, light: str = "day", weather: str = "clear", seed: int = 0
) -> NDArray[np.float64]:
    pen = Pen(WIDTH, HEIGHT, "#ff00ff")
    pen.entity = 9
    draw_place(pen, place, palette, light, weather, seed)
    assert (pen.numbers() == BACKGROUND).all()
    return np.asarray(pen.picture(), dtype=float)


def apart(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    return float(np.abs(first - second).mean())


def test_there_are_fourteen_places_with_four_palettes() -> None:
    assert tuple(PLACES_DRAWN) == tuple(PALETTES) == PLACES
    assert {len(schemes) for schemes in PALETTES.values()} == {4}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("light", ["day", "dusk", "night"])
@pytest.mark.parametrize("weather", ["clear", "rain"])
def test_the_whole_picture_is_painted(place: str, light: str, weather: str) -> None:
    picture = painted(place, light=light, weather=weather, seed=5)
    assert not (picture == (255, 0, 255)).all(axis=2).any()


@pytest.mark.parametrize("place", PLACES)
def test_palettes_differ(place: str) -> None:
    for first, second in combinations([painted(place, palette) for palette in range(4)], 2):
        assert apart(first, second) > 5


@pytest.mark.parametrize("place", PLACES)
def test_seeds_differ(place: str) -> None:
    for first, second in combinations([painted(place, seed=seed) for seed in range(6)], 2):
        assert apart(first, second) > 0.1


@pytest.mark.parametrize("place", sorted(set(PLACES) - WITHOUT_SKY))
def test_light_and_weather_show_outside(place: str) -> None:
    pictures = [painted(place, light=light) for light in ("day", "dusk", "night")]
    for first, second in combinations([*pictures, painted(place, weather="rain")], 2):
        assert apart(first, second) > 0.8


def test_a_room_is_not_darkened_at_night() -> None:
    day, night = painted("kitchen"), painted("kitchen", light="night")
    assert apart(day[200:], night[200:]) == 0


def test_places_can_be_told_apart() -> None:
    for first, second in combinations(PLACES, 2):
        nearest = min(apart(painted(first, i), painted(second, j)) for i in range(2) for j in range(2))
        assert nearest > 8, f"{first} and {second} look alike"


@pytest.mark.parametrize("place", PLACES)
def test_the_same_seed_gives_the_same_bytes(place: str) -> None:
    first = painted(place, 1, "dusk", "rain", 8)
    painted.cache_clear()
    assert painted(place, 1, "dusk", "rain", 8).tobytes() == first.tobytes()


@pytest.mark.parametrize("size", [(96, 64), (768, 512)])
def test_a_place_can_be_painted_at_any_size(size: tuple[int, int]) -> None:
    for place in PLACES:
        pen = Pen(*size)
        draw_place(pen, place, 3, "night", "clear", 2)
        assert pen.picture().size == size

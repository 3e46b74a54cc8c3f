# ruff: noqa: E501 - tables: one row, one line
"""The places of the world: what stands where, and what usually lies about."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonsight.world.model import Light


class Fixture(Struct, frozen=True):
    """Something that belongs to a place, at its usual spot. Things on the wall or ceiling have depth 1."""

    name: str
    x: float
    depth: float = 1.0
    on: str = ""
    """The fixture that it stands on, if any."""
    chance: float = 1.0
    """How often it is there at all."""


class Place(Struct, frozen=True):
    """A place: its furniture, and the small things that people leave in it."""

    name: str
    indoors: bool
    phrase: str
    fixtures: tuple[Fixture, ...]
    usual: tuple[str, ...]
    """Small things for surfaces."""
    floor: tuple[str, ...]
    """Loose things for the floor."""
    lights: tuple[Light, ...] = ("day", "day", "day", "dusk", "night")
    """What light one meets there, the usual ones more than once."""
    children: bool = True
    """Whether children happen to be there."""


def _place(
    name: str, phrase: str, fixtures: tuple[Fixture, ...], usual: str, floor: str, indoors: bool = True, **more: Any
) -> Place:  # fmt: skip
    return Place(name, indoors, phrase, fixtures, _names(usual), _names(floor), **more)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


_F = Fixture

PLACES: dict[str, Place] = {
    place.name: place
    for place in (
        _place(
            "kitchen", "in a kitchen",
            (_F("counter", 0.26, 0.86), _F("oven", 0.47, 0.86), _F("sink", 0.6, 0.86), _F("refrigerator", 0.78, 0.88),
             _F("clock", 0.55), _F("dining table", 0.5, 0.52), _F("chair", 0.27, 0.58),
             _F("chair", 0.73, 0.58), _F("potted plant", 0.94, 0.85, chance=0.4)),
            "cup, bowl, plate, bottle, apple, banana, orange, carrot, spoon, knife, fork, pot", "bucket, broom, cat",
        ),
        _place(
            "restaurant", "in a restaurant",
            (_F("dining table", 0.32, 0.42), _F("chair", 0.12, 0.5), _F("chair", 0.52, 0.5), _F("counter", 0.82, 0.9),
             _F("painting", 0.62), _F("potted plant", 0.95, 0.8, chance=0.5),
             _F("lamp", 0.06, 0.9, chance=0.6)),
            "cup, wine glass, bottle, plate, fork, knife, candle, flower, bowl", "handbag",
        ),
        _place(
            "office", "in an office",
            (_F("desk", 0.3, 0.48), _F("chair", 0.3, 0.6), _F("laptop", 0.22, 0.48, on="desk"), _F("desk", 0.74, 0.66),
             _F("chair", 0.74, 0.78), _F("clock", 0.5), _F("door", 0.9), _F("shelf", 0.52, 0.92),
             _F("potted plant", 0.06, 0.85, chance=0.5)),
            "cup, book, pencil, letter, cell phone, newspaper, scissors", "backpack, handbag",
            lights=("day", "day", "day", "dusk"), children=False,
        ),
        _place(
            "classroom", "in a classroom",
            (_F("blackboard", 0.5), _F("desk", 0.2, 0.42), _F("chair", 0.2, 0.54), _F("desk", 0.76, 0.42),
             _F("chair", 0.76, 0.54), _F("clock", 0.7), _F("window", 0.02), _F("window", 0.24), _F("shelf", 0.95, 0.9, chance=0.5)),
            "book, pencil, apple, scissors, bottle", "backpack, sports ball", lights=("day",),
        ),
        _place(
            "street", "on a street",
            (_F("car", 0.3, 0.8), _F("traffic light", 0.9, 0.6), _F("tree", 0.07, 0.95, chance=0.7),
             _F("fire hydrant", 0.76, 0.7, chance=0.5), _F("truck", 0.72, 0.95, chance=0.3),
             _F("stop sign", 0.6, 0.85, chance=0.3)),
            "", "bird, puddle", indoors=False,
        ),
        _place(
            "park", "in a park",
            (_F("tree", 0.1, 0.92), _F("tree", 0.88, 0.85), _F("bench", 0.5, 0.66), _F("bench", 0.18, 0.75, chance=0.4),
             _F("bicycle", 0.78, 0.8, chance=0.3)),
            "", "bird, dog, sports ball, frisbee, puddle", indoors=False, lights=("day", "day", "day", "dusk"),
        ),
        _place(
            "hospital room", "in a hospital room",
            (_F("bed", 0.62, 0.52), _F("wheelchair", 0.16, 0.6), _F("window", 0.74), _F("door", 0.94), _F("clock", 0.26),
             _F("desk", 0.36, 0.88), _F("chair", 0.36, 0.64, chance=0.5)),
            "cup, flower, bottle, book, bowl", "handbag",
        ),
        _place(
            "beach", "on a beach",
            (_F("parasol", 0.14, 0.72), _F("beach towel", 0.36, 0.5), _F("boat", 0.82, 0.95, chance=0.6)),
            "", "bucket, sports ball, bird, frisbee, bottle", indoors=False, lights=("day", "day", "day", "dusk"),
        ),
        _place(
            "shop", "in a shop",
            (_F("shelf", 0.12, 0.9), _F("shelf", 0.36, 0.9), _F("counter", 0.78, 0.55),
             _F("cash register", 0.7, 0.55, on="counter"), _F("door", 0.58), _F("shopping cart", 0.08, 0.5, chance=0.5),
             _F("lamp", 0.96, 0.9, chance=0.4)),
            "apple, banana, orange, bottle, carrot, flower, handbag, teddy bear", "bucket, suitcase, sports ball",
        ),
        _place(
            "living room", "in a living room",
            (_F("couch", 0.3, 0.66), _F("counter", 0.8, 0.88), _F("tv", 0.8, 0.88, on="counter"), _F("painting", 0.3),
             _F("lamp", 0.58, 0.85), _F("door", 0.95), _F("potted plant", 0.06, 0.88, chance=0.5),
             _F("dining table", 0.52, 0.4, chance=0.4), _F("chair", 0.72, 0.62, chance=0.5)),
            "cup, book, remote, vase, candle, apple, newspaper", "teddy bear, cat, dog, sports ball, book",
        ),
        _place(
            "bus", "on a bus",
            (_F("bench", 0.2, 0.66), _F("bench", 0.52, 0.66), _F("bench", 0.82, 0.66),
             _F("window", 0.02), _F("window", 0.26), _F("window", 0.5), _F("window", 0.74), _F("window", 0.98)),
            "", "backpack, handbag, suitcase", indoors=True,
        ),
        _place(
            "stage", "on a stage",
            (_F("stage light", 0.2), _F("stage light", 0.5), _F("stage light", 0.8), _F("piano", 0.8, 0.75),
             _F("drum", 0.3, 0.8), _F("guitar", 0.56, 0.88, chance=0.3)),
            "candle, flower, cup", "flower, bottle",
        ),
        _place(
            "bedroom", "in a bedroom",
            (_F("bed", 0.62, 0.58), _F("lamp", 0.92, 0.8), _F("window", 0.4), _F("painting", 0.7), _F("door", 0.08),
             _F("desk", 0.3, 0.86), _F("chair", 0.14, 0.64, chance=0.6)),
            "book, cup, candle, vase, cell phone, flower", "teddy bear, backpack, cat, sports ball",
        ),
        _place(
            "train station", "at a train station",
            (_F("bench", 0.3, 0.68), _F("bench", 0.72, 0.68), _F("clock", 0.5), _F("door", 0.92), _F("shelf", 0.06, 0.92, chance=0.4)),
            "", "suitcase, backpack, bird, newspaper",
        ),
    )
}  # fmt: skip

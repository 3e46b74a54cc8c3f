"""The things of the world: what they are, how large, where they belong, what they can be like.

Sizes are in units of a grown-up's height. Names are COCO's where one fits.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Stands = Literal["floor", "surface", "wall", "ceiling"]


class ThingClass(Struct, frozen=True):
    """One class of things."""

    name: str
    category: str
    """What one would call it without its name: furniture, food, animal …"""
    width: float
    height: float
    stands: Stands = "surface"
    colours: tuple[str, ...] = ("brown",)
    materials: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    """What state it may be in, beyond the ordinary: open, full, lit, broken, empty …"""
    held: bool = False
    """Whether a hand can hold it."""
    top: float | None = None
    """How high its upper surface is, as a share of its height, if things can stand on it."""
    seat: float | None = None
    """How high people sit or lie on it, as a share of its height."""


def _thing(name: str, category: str, width: float, height: float, stands: Stands, colours: str, **more: Any) -> ThingClass:
    return ThingClass(name, category, width, height, stands, tuple(colours.split()), **more)


_WOOD, _METAL, _GLASS, _PLASTIC = ("wooden",), ("metal",), ("glass",), ("plastic",)

THINGS: dict[str, ThingClass] = {
    thing.name: thing
    for thing in (
        # furniture and fixtures
        _thing("chair", "furniture", 0.32, 0.55, "floor", "brown red blue green", materials=("wooden", "plastic"), seat=0.5, states=("fallen",)),
        _thing("couch", "furniture", 1.1, 0.5, "floor", "red blue green grey brown", materials=("leather", "cloth"), seat=0.5),
        _thing("bench", "furniture", 0.9, 0.42, "floor", "brown green grey", materials=("wooden", "metal"), seat=0.6),
        _thing("bed", "furniture", 1.2, 0.42, "floor", "white blue pink", materials=_WOOD, seat=0.6),
        _thing("dining table", "furniture", 0.95, 0.45, "floor", "brown white", materials=("wooden", "glass"), top=1.0),
        _thing("desk", "furniture", 0.8, 0.45, "floor", "brown grey white", materials=("wooden", "metal"), top=1.0),
        _thing("counter", "furniture", 1.2, 0.52, "floor", "grey brown white", materials=("stone", "wooden"), top=1.0),
        _thing("shelf", "furniture", 0.7, 0.95, "floor", "brown white", materials=_WOOD, states=("full", "empty")),
        _thing("potted plant", "plant", 0.28, 0.5, "floor", "green", materials=("clay",), states=("broken",)),
        _thing("lamp", "electric device", 0.2, 0.75, "floor", "yellow white red", materials=_METAL, states=("lit",)),
        _thing("refrigerator", "appliance", 0.42, 0.95, "floor", "white grey", materials=_METAL, states=("open",)),
        _thing("oven", "appliance", 0.42, 0.5, "floor", "grey white black", materials=_METAL, states=("lit", "open"), top=1.0),
        _thing("sink", "fixture", 0.5, 0.5, "floor", "grey white", materials=_METAL, top=1.0, states=("full",)),
        _thing("blackboard", "school equipment", 0.95, 0.5, "wall", "green black", states=("full", "empty")),
        _thing("window", "fixture", 0.6, 0.58, "wall", "white brown", materials=_GLASS, states=("open", "broken")),
        _thing("door", "fixture", 0.42, 0.95, "wall", "brown white red green", materials=_WOOD, states=("open",)),
        _thing("clock", "instrument", 0.2, 0.2, "wall", "white black red"),
        _thing("painting", "decoration", 0.42, 0.32, "wall", "blue green red yellow"),
        _thing("tv", "electric device", 0.5, 0.34, "surface", "black grey", materials=_PLASTIC, states=("lit",)),
        _thing("cash register", "machine", 0.24, 0.2, "surface", "grey black", states=("open",)),
        _thing("shopping cart", "vehicle", 0.45, 0.5, "floor", "grey red", materials=_METAL, states=("full", "empty")),
        _thing("wheelchair", "vehicle", 0.45, 0.52, "floor", "grey blue", materials=_METAL, seat=0.5),
        _thing("parasol", "shelter", 0.7, 1.05, "floor", "red yellow blue green", states=("open",)),
        _thing("beach towel", "textile", 0.9, 0.08, "floor", "red blue yellow pink", seat=0.9),
        _thing("sand castle", "toy", 0.35, 0.26, "floor", "yellow", states=("broken",)),
        _thing("stage light", "electric device", 0.18, 0.22, "ceiling", "yellow red blue", states=("lit",)),
        _thing("balloon", "decoration", 0.17, 0.42, "ceiling", "red blue yellow green pink", held=True),
        _thing("piano", "musical instrument", 0.9, 0.6, "floor", "black brown", materials=_WOOD, top=1.0),
        _thing("drum", "musical instrument", 0.34, 0.36, "floor", "red blue white"),
        _thing("easel", "tool", 0.42, 0.8, "floor", "brown", materials=_WOOD),
        _thing("ladder", "tool", 0.28, 1.15, "floor", "brown grey yellow", materials=("wooden", "metal")),
        _thing("puddle", "water", 0.5, 0.06, "floor", "blue"),
        _thing("bucket", "container", 0.18, 0.18, "floor", "blue red grey", materials=("plastic", "metal"), states=("full", "empty"), held=True),
        # outside
        _thing("tree", "plant", 0.7, 1.6, "floor", "green"),
        _thing("car", "vehicle", 1.35, 0.55, "floor", "red blue white black green yellow", states=("broken",)),
        _thing("bus", "vehicle", 2.1, 0.95, "floor", "red yellow blue green"),
        _thing("truck", "vehicle", 1.7, 0.8, "floor", "white red blue"),
        _thing("bicycle", "vehicle", 0.75, 0.5, "floor", "red blue green black", seat=0.85, states=("fallen", "broken")),
        _thing("motorcycle", "vehicle", 0.85, 0.5, "floor", "red black blue", seat=0.7),
        _thing("boat", "vehicle", 1.1, 0.65, "floor", "white red blue", materials=_WOOD),
        _thing("traffic light", "sign", 0.16, 1.2, "floor", "red green yellow"),
        _thing("stop sign", "sign", 0.24, 0.95, "floor", "red"),
        _thing("fire hydrant", "equipment", 0.18, 0.34, "floor", "red yellow", states=("broken",)),
        # animals
        _thing("dog", "animal", 0.42, 0.34, "floor", "brown black white", states=("asleep",)),
        _thing("cat", "animal", 0.32, 0.26, "floor", "grey black orange white", states=("asleep",)),
        _thing("bird", "animal", 0.16, 0.13, "floor", "blue red yellow grey"),
        _thing("horse", "animal", 0.95, 0.85, "floor", "brown black white", seat=0.6),
        # food and what it is served in
        _thing("cup", "tableware", 0.08, 0.08, "surface", "white red blue yellow green", materials=("clay", "paper"), states=("full", "empty", "fallen"), held=True),
        _thing("wine glass", "tableware", 0.07, 0.13, "surface", "white", materials=_GLASS, states=("full", "empty", "broken"), held=True),
        _thing("bottle", "container", 0.07, 0.19, "surface", "green brown blue white", materials=("glass", "plastic"), states=("full", "empty", "broken"), held=True),
        _thing("bowl", "tableware", 0.15, 0.08, "surface", "white blue red", materials=("clay",), states=("full", "empty"), held=True),
        _thing("plate", "tableware", 0.18, 0.04, "surface", "white blue", materials=("clay",), states=("full", "empty", "broken"), held=True),
        _thing("fork", "cutlery", 0.03, 0.13, "surface", "grey", materials=_METAL, held=True),
        _thing("knife", "cutlery", 0.03, 0.14, "surface", "grey", materials=_METAL, held=True),
        _thing("spoon", "cutlery", 0.03, 0.13, "surface", "grey", materials=("metal", "wooden"), held=True),
        _thing("pot", "kitchenware", 0.2, 0.15, "surface", "grey red black", materials=_METAL, states=("full", "empty"), held=True),
        _thing("tray", "tableware", 0.3, 0.04, "surface", "grey brown", materials=("metal", "wooden"), held=True),
        _thing("apple", "fruit", 0.08, 0.09, "surface", "red green", held=True),
        _thing("banana", "fruit", 0.13, 0.07, "surface", "yellow", held=True),
        _thing("orange", "fruit", 0.08, 0.08, "surface", "orange", held=True),
        _thing("carrot", "vegetable", 0.14, 0.05, "surface", "orange", held=True),
        _thing("sandwich", "food", 0.13, 0.08, "surface", "brown", held=True),
        _thing("pizza", "food", 0.24, 0.06, "surface", "yellow", held=True),
        _thing("hot dog", "food", 0.15, 0.06, "surface", "brown", held=True),
        _thing("donut", "food", 0.1, 0.07, "surface", "pink brown", held=True),
        _thing("cake", "food", 0.24, 0.2, "surface", "white pink brown", states=("lit",), held=True),
        # things to carry, use and play with
        _thing("book", "reading matter", 0.13, 0.16, "surface", "red blue green brown", materials=("paper",), states=("open",), held=True),
        _thing("newspaper", "reading matter", 0.22, 0.2, "surface", "white", materials=("paper",), states=("open",), held=True),
        _thing("letter", "reading matter", 0.12, 0.09, "surface", "white", materials=("paper",), states=("open",), held=True),
        _thing("map", "reading matter", 0.24, 0.18, "surface", "green", materials=("paper",), states=("open",), held=True),
        _thing("laptop", "electric device", 0.26, 0.2, "surface", "grey black", states=("lit",), held=True),
        _thing("cell phone", "electric device", 0.05, 0.1, "surface", "black white blue", states=("lit", "broken"), held=True),
        _thing("remote", "electric device", 0.05, 0.12, "surface", "black", held=True),
        _thing("camera", "electric device", 0.13, 0.1, "surface", "black grey", held=True),
        _thing("microphone", "electric device", 0.05, 0.15, "surface", "black grey", held=True),
        _thing("umbrella", "accessory", 0.5, 0.5, "surface", "red blue black yellow green purple", states=("open",), held=True),
        _thing("backpack", "bag", 0.22, 0.27, "floor", "red blue green black", states=("open",), held=True),
        _thing("handbag", "bag", 0.2, 0.2, "surface", "red brown black yellow", materials=("leather",), held=True),
        _thing("suitcase", "bag", 0.28, 0.36, "floor", "red blue brown black", states=("open",), held=True),
        _thing("gift box", "container", 0.19, 0.19, "surface", "red blue green yellow purple", materials=("paper",), states=("open",), held=True),
        _thing("candle", "light source", 0.04, 0.14, "surface", "white red", states=("lit",), held=True),
        _thing("flower", "plant", 0.12, 0.24, "surface", "red pink yellow white purple", held=True),
        _thing("vase", "container", 0.12, 0.21, "surface", "blue white red", materials=("glass", "clay"), states=("broken", "empty", "full")),
        _thing("teddy bear", "toy", 0.2, 0.26, "surface", "brown white", held=True),
        _thing("sports ball", "toy", 0.15, 0.15, "floor", "red white orange blue", held=True),
        _thing("kite", "toy", 0.3, 0.4, "ceiling", "red blue yellow green", held=True),
        _thing("frisbee", "toy", 0.16, 0.06, "floor", "red yellow blue", materials=_PLASTIC, held=True),
        _thing("skateboard", "vehicle", 0.42, 0.12, "floor", "red blue black", held=True),
        _thing("surfboard", "sports equipment", 0.26, 1.0, "floor", "yellow red blue white", held=True),
        _thing("tennis racket", "sports equipment", 0.17, 0.34, "surface", "red blue yellow", held=True),
        _thing("guitar", "musical instrument", 0.26, 0.55, "floor", "brown red black", materials=_WOOD, held=True),
        _thing("stethoscope", "medical equipment", 0.12, 0.2, "surface", "black", held=True),
        _thing("medicine", "medical supply", 0.06, 0.12, "surface", "orange white", materials=_PLASTIC, states=("full", "empty"), held=True),
        _thing("broom", "tool", 0.16, 0.75, "floor", "brown", materials=_WOOD, held=True),
        _thing("hammer", "tool", 0.13, 0.2, "surface", "grey", materials=_METAL, held=True),
        _thing("scissors", "tool", 0.1, 0.13, "surface", "red grey blue", materials=_METAL, held=True),
        _thing("pencil", "stationery", 0.03, 0.13, "surface", "yellow red", materials=_WOOD, held=True),
        _thing("money", "valuable", 0.12, 0.06, "surface", "green", materials=("paper",), held=True),
        _thing("ticket", "document", 0.11, 0.07, "surface", "yellow white", materials=("paper",), held=True),
    )
}  # fmt: skip


def one_can_lie_on(name: str) -> bool:
    """Whether there is room to lie: whoever sleeps on anything else sits."""
    return THINGS[name].width > 0.85 and THINGS[name].category in ("furniture", "textile")


SCALE: dict[str, float] = {"small": 0.75, "medium": 1.0, "large": 1.3}
"""What a size makes of a class's width and height."""

"""How things of the world behave: what floats, breaks, rolls, burns. Yes and no are both written down.

What a row does not name is left open, and is then neither a right nor a wrong answer.
"""

from __future__ import annotations

from typing import NamedTuple


class Behaviour(NamedTuple):
    """One physical property: what is asked, what has it, what surely has it not."""

    asks: tuple[str, ...]
    """After "What here …" or "Which thing …"."""
    why: str
    """Why the things of `yes` do; begins after the thing's name."""
    yes: tuple[str, ...]
    no: tuple[str, ...]


_METAL = ("fork", "knife", "pot", "hammer", "scissors")
_FRAIL = ("wine glass", "plate", "vase", "bowl")
_PAPER = ("book", "newspaper", "letter", "map", "money", "ticket")
_FRUIT = ("apple", "orange", "banana", "carrot")
_ANIMALS = ("dog", "cat", "bird", "horse")
_BIG = ("car", "bus", "truck", "piano", "refrigerator", "couch", "bed", "tree", "horse")
_SOFT = ("teddy bear", "beach towel", "couch")

BEHAVIOURS: dict[str, Behaviour] = {
    "break": Behaviour(
        ("would break if it fell", "could shatter on the floor", "must not be dropped"),
        "is brittle and breaks in a fall", _FRAIL,
        (*_METAL, *_PAPER, *_SOFT, *_FRUIT, "sports ball", "frisbee", "balloon", "broom"),
    ),
    "roll": Behaviour(
        ("would roll down a slope", "would roll away if pushed"),
        "is round and rolls", ("sports ball", "orange", "apple"),
        (*_PAPER, *_SOFT, "chair", "dining table", "bench", "laptop", "sandwich", "bed", "gift box", "tray"),
    ),
    "float": Behaviour(
        ("would float on water", "would stay on top of a lake"),
        "is lighter than water", ("sports ball", "apple", "surfboard", "frisbee", "boat", "pencil",
        "balloon"),
        (*_METAL, "car", "bus", "truck", "motorcycle", "bicycle", "refrigerator", "oven"),
    ),
    "burn": Behaviour(
        ("would catch fire easily", "would burn quickly"),
        "is paper, which burns fast", _PAPER,
        (*_METAL, *_FRAIL, *_FRUIT, "puddle", "fire hydrant", "refrigerator", "sand castle"),
    ),
    "melt": Behaviour(
        ("would melt near a fire", "gets soft when it is hot"),
        "is wax, which melts", ("candle",),
        (*_METAL, *_PAPER, *_FRUIT, *_FRAIL, "fire hydrant", "hammer"),
    ),
    "spoil": Behaviour(
        ("would go bad in a week", "would rot if left out"),
        "is food, and food goes bad", (*_FRUIT, "sandwich", "pizza", "hot dog", "cake"),
        (*_METAL, *_PAPER, *_FRAIL, "chair", "clock", "laptop", "teddy bear", "suitcase"),
    ),
    "heavy": Behaviour(
        ("would be too heavy to lift alone", "could one person never carry"),
        "weighs far more than a person can lift", _BIG,
        (*_METAL, *_PAPER, *_FRUIT, *_FRAIL, "cup", "pencil", "candle", "teddy bear", "remote", "camera"),
    ),
    "wind": Behaviour(
        ("would blow away in a strong wind", "would the wind take first"),
        "is so light that wind carries it off", (*_PAPER, "balloon", "kite"),
        (*_BIG, *_METAL, "bench", "oven", "fire hydrant", "counter"),
    ),
    "bounce": Behaviour(
        ("would bounce if it were dropped", "would jump back up from the floor"),
        "is springy and bounces", ("sports ball",),
        (*_METAL, *_PAPER, *_FRAIL, *_SOFT, "cake", "sandwich", "pizza", "clock", "laptop"),
    ),
    "cut": Behaviour(
        ("could hurt a careless finger", "is sharp enough to cut skin"),
        "has a sharp edge", ("knife", "scissors"),
        (*_SOFT, *_FRUIT, "sports ball", "balloon", "banana", "spoon", "cup", "bowl"),
    ),
    "plug": Behaviour(
        ("needs electricity", "would stop in a power cut", "would not work without power"),
        "runs on electricity", ("tv", "refrigerator", "lamp", "stage light", "laptop", "cell phone"),
        (*_METAL, *_PAPER, *_FRUIT, *_FRAIL, *_ANIMALS, "chair", "bicycle", "candle", "umbrella"),
    ),
    "grow": Behaviour(
        ("will be bigger in a year", "is still growing"),
        "is alive and keeps growing", ("tree", "potted plant"),
        (*_METAL, *_PAPER, *_FRAIL, "chair", "car", "bench", "clock", "bus", "couch", "lamp"),
    ),
}  # fmt: skip

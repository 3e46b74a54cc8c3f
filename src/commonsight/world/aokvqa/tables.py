"""What everyone knows, as tables: what looks imply, what things do, which answers are told apart.

A row says what is so; where an answer must be provably wrong, a row says that too, because what a table
leaves out may still be true.
"""

from __future__ import annotations

from typing import NamedTuple


class Meaning(NamedTuple):
    """What a look stands for: the right answer, and answers that fit as well and so are never offered."""

    answer: str
    also: tuple[str, ...] = ()


MATERIALS = {
    "wooden": "wood", "metal": "metal", "glass": "glass", "plastic": "plastic", "paper": "paper",
    "clay": "clay", "leather": "leather", "cloth": "cloth", "stone": "stone",
}  # fmt: skip
MORE_MATERIALS = ("rubber", "wool", "bamboo", "wax", "ice", "straw", "bone")
MATERIALS_ALIKE = (("clay", "stone"), ("cloth", "wool", "leather"), ("wood", "bamboo", "straw", "paper"))

DRESSED_FOR = {
    "suit": Meaning("business", ("party",)),
    "dress": Meaning("party", ("business",)),
    "chef jacket": Meaning("cooking"),
    "apron": Meaning("cooking", ("cleaning",)),
    "doctor coat": Meaning("medicine"),
    "police uniform": Meaning("law enforcement"),
    "work vest": Meaning("construction"),
    "swimwear": Meaning("swimming"),
    "pyjamas": Meaning("sleeping"),
    "sports kit": Meaning("sports"),
}
MORE_EVENTS = ("hunting", "skiing", "space travel", "firefighting", "farming", "flying planes")

HATS_FOR = {
    "cap": Meaning("sun", ("rain", "wind")),
    "straw hat": Meaning("sun", ("rain",)),
    "beanie": Meaning("cold", ("wind", "rain", "snow")),
    "hard hat": Meaning("falling objects", ("rain", "sun")),
    "chef hat": Meaning("hair in food", ("sun",)),
}
MORE_DANGERS = ("rain", "noise", "insects", "fire", "snow", "smoke")

HATS_AT = {
    "party hat": Meaning("birthday party"),
    "hard hat": Meaning("construction site"),
    "chef hat": Meaning("restaurant"),
    "police cap": Meaning("police station"),
    "straw hat": Meaning("beach", ("farm",)),
    "beanie": Meaning("ski slope"),
}
MORE_HAT_PLACES = ("courtroom", "opera", "wedding", "library", "church")

TIMES = {
    "day": Meaning("daytime", ("morning", "noon", "afternoon", "dawn")),
    "dusk": Meaning("evening", ("dawn", "afternoon", "morning")),
    "night": Meaning("night", ("midnight",)),
}
MORE_TIMES = ("midnight", "noon", "morning", "afternoon")

MEALS = {
    "day": Meaning("lunch", ("breakfast", "brunch")),
    "dusk": Meaning("dinner"),
    "night": Meaning("midnight snack", ("dinner",)),
}
MORE_MEALS = ("breakfast", "brunch", "elevenses")

WEATHERS = {"rain": Meaning("rainy", ("windy",)), "clear": Meaning("clear", ("sunny", "windy"))}
MORE_WEATHERS = ("snowy", "foggy", "sunny", "stormy")

DRIVERS = {
    "red": Meaning("stop"),
    "green": Meaning("go"),
    "yellow": Meaning("slow down", ("stop",)),
}
MORE_DRIVING = ("park", "turn around", "honk", "speed up")

SHAPES = {
    "sports ball": "sphere", "orange": "sphere", "stop sign": "octagon", "kite": "diamond",
    "donut": "ring", "pizza": "circle", "plate": "circle", "frisbee": "circle", "clock": "circle",
    "book": "rectangle", "newspaper": "rectangle", "letter": "rectangle", "map": "rectangle",
    "laptop": "rectangle", "cell phone": "rectangle", "money": "rectangle", "ticket": "rectangle",
    "painting": "rectangle", "door": "rectangle", "tv": "rectangle", "blackboard": "rectangle",
    "gift box": "cube", "candle": "cylinder", "drum": "cylinder",
}  # fmt: skip
MORE_SHAPES = ("pyramid", "triangle", "star", "crescent", "heart")
SHAPES_ALIKE = (("circle", "sphere", "ring", "cylinder"), ("rectangle", "cube", "diamond"))

SEASONS = {
    ("outfit", "swimwear"): "summer", ("is", "sand castle"): "summer", ("is", "parasol"): "summer",
    ("is", "beach towel"): "summer", ("hat", "beanie"): "winter",
}  # fmt: skip
SEASON_NAMES = ("spring", "summer", "fall", "winter")

INSTRUMENTS = {
    "piano": "keys", "drum": "drumsticks", "guitar": "strings", "microphone": "voice",
}  # fmt: skip
MORE_SOUND_PARTS = ("reed", "bow", "bellows", "whistle", "pedals")

SOUNDS = {"dog": "bark", "cat": "meow", "bird": "chirp", "horse": "neigh"}
MORE_SOUNDS = ("moo", "oink", "roar", "hiss", "quack", "croak")
YOUNG = {"dog": "puppy", "cat": "kitten", "bird": "chick", "horse": "foal"}
MORE_YOUNG = ("calf", "lamb", "piglet", "cub", "tadpole")
FEEDS_ON = {"dog": "meat", "cat": "fish", "bird": "seeds", "horse": "hay"}
MORE_FEED = ("bamboo", "plankton", "honey", "blood", "coal")
GROWS_ON = {"apple": "tree", "orange": "tree", "banana": "banana plant", "carrot": "underground"}
MORE_GROWTH = ("vine", "cactus", "seabed", "pond")
RUNS_ON = {
    "car": "gasoline", "bus": "diesel", "truck": "diesel", "motorcycle": "gasoline", "bicycle": "muscles",
    "skateboard": "muscles", "wheelchair": "muscles", "shopping cart": "muscles", "tv": "electricity",
    "laptop": "battery", "cell phone": "battery", "remote": "battery", "camera": "battery",
    "lamp": "electricity", "refrigerator": "electricity", "stage light": "electricity",
}  # fmt: skip
MORE_POWER = ("steam", "wind", "coal", "water", "hay")
POWERS_ALIKE = (("gasoline", "diesel"), ("electricity", "battery"))

CLUES: dict[str, tuple[str, ...]] = {
    "people sit on": ("chair", "couch", "bench", "wheelchair"),
    "people ride": (
        "bicycle",
        "motorcycle",
        "horse",
        "bus",
        "skateboard",
        "surfboard",
        "boat",
        "car",
        "truck",
    ),
    "tells the time": ("clock",),
    "keeps food cold": ("refrigerator",),
    "people sleep in": ("bed",),
    "people drink from": ("cup", "wine glass", "bottle"),
    "can be eaten": ("apple", "banana", "orange", "carrot", "sandwich", "pizza", "hot dog", "donut", "cake"),
    "grew on a plant": ("apple", "banana", "orange", "carrot"),
    "people read": ("book", "newspaper", "letter", "map"),
    "makes music": ("piano", "drum", "guitar"),
    "takes photos": ("camera",),
    "can call someone": ("cell phone",),
    "keeps people dry": ("umbrella",),
    "carries belongings": ("backpack", "handbag", "suitcase"),
    "is alive and moves": ("dog", "cat", "bird", "horse"),
    "barks": ("dog",),
    "purrs": ("cat",),
    "can fly by itself": ("bird",),
    "children play with": ("teddy bear", "sports ball", "kite", "frisbee"),
    "sweeps the floor": ("broom",),
    "drives nails": ("hammer",),
    "cuts paper": ("scissors", "knife"),
    "was wrapped for someone": ("gift box",),
    "holds cut flowers": ("vase",),
    "is needed to get up high": ("ladder",),
    "puts out fires": ("fire hydrant",),
    "tells cars to stop": ("stop sign", "traffic light"),
    "needs watering": ("potted plant", "tree", "flower"),
    "drifts away when let go": ("balloon",),
    "lets people watch shows": ("tv",),
    "gives shade at the beach": ("parasol",),
}
"""What a thing can be known by, and every thing of the world that it is true of."""

WHO: dict[tuple[str, str], tuple[str, ...]] = {
    ("age", "old"): ("is probably retired", "was born first", "most likely has grandchildren"),
    ("age", "child"): ("is too young to drive", "probably goes to elementary school", "may not vote yet"),
    ("outfit", "police uniform"): ("may arrest people", "enforces the law", "would catch a thief"),
    ("outfit", "chef jacket"): ("cooks for a living", "works in a kitchen"),
    ("outfit", "work vest"): ("works on a building site", "repairs roads for a living"),
    ("outfit", "suit"): ("is dressed for the office", "could walk into a board meeting"),
    ("outfit", "pyjamas"): ("is dressed for bed", "is ready to sleep"),
    ("outfit", "sports kit"): ("is dressed to exercise", "is ready for a match"),
    ("pose", "sleeping"): ("cannot see anything now", "would be woken by a noise"),
    ("pose", "running"): ("has the fastest heartbeat", "is burning most energy"),
    ("expression", "sad"): ("needs comforting", "could use a hug"),
    ("expression", "happy"): ("is in a good mood", "is enjoying this"),
    ("expression", "angry"): ("should calm down", "might start shouting"),
    ("expression", "tired"): ("needs some sleep", "should go to bed soon"),
}
"""Whom a remark is about: the fact that one person must have, and wordings of the remark."""

COVERED = ("doctor coat", "apron", "swimwear")
"""Outfits over or without an upper garment: one would not name the wearer by its colour."""

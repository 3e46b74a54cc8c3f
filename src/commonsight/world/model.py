"""What a drawn scene is before it is drawn: who and what is there, where it stands, what it does.

Everything that can be asked about a scene follows from these values; the pixels follow from them as well.
Positions are in the room, not in the picture: `x` runs from left (0) to right (1), `depth` from the front (0)
to the back (1). The picture puts what is deeper higher, smaller, and behind.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Pose = Literal[
    "standing", "sitting", "lying", "walking", "running", "pointing", "hugging", "handing over", "eating",
    "reading", "playing", "sleeping", "crouching",
]  # fmt: skip
Expression = Literal["neutral", "happy", "sad", "angry", "surprised", "afraid", "tired"]
Age = Literal["child", "adult", "old"]
HairStyle = Literal["short", "long", "curly", "bun", "ponytail", "bald"]
Outfit = Literal[
    "casual", "suit", "dress", "apron", "chef jacket", "doctor coat", "police uniform", "work vest",
    "swimwear", "pyjamas", "sports kit",
]  # fmt: skip
Hat = Literal["cap", "chef hat", "police cap", "hard hat", "party hat", "straw hat", "beanie"]
Light = Literal["day", "dusk", "night"]
Size = Literal["small", "medium", "large"]

COLOURS: dict[str, str] = {
    "red": "#c8402f", "orange": "#e0822f", "yellow": "#e8c547", "green": "#5b9a4b", "blue": "#3f6fb5",
    "purple": "#7d55a0", "pink": "#e39ab0", "brown": "#8a5a35", "black": "#33343a", "white": "#f1efe9",
    "grey": "#9a9ba0",
}  # fmt: skip
"""Names that people use, and how they are painted."""

SKINS = ("#f3d3b3", "#e3b48c", "#c98e62", "#9c6740", "#6d4528")
HAIRS: dict[str, str] = {
    "black": "#2b2522", "brown": "#6b4427", "blond": "#d9b35c", "red": "#a8482a", "grey": "#b5b3ae",
}  # fmt: skip


class Look(Struct, frozen=True):
    """What a character looks like; mostly the same through a movie."""

    skin: str
    """One of `SKINS`."""
    hair: str
    """A name in `HAIRS`."""
    hair_style: HairStyle
    top: str
    """A name in `COLOURS`, as is `bottom`."""
    bottom: str
    age: Age = "adult"
    outfit: Outfit = "casual"
    hat: Hat | None = None
    glasses: bool = False


class Actor(Struct, frozen=True):
    """A person in a scene. Whom and what they deal with is named by id."""

    id: int
    character: str
    """Who this is in the movie's cast."""
    look: Look
    pose: Pose = "standing"
    expression: Expression = "neutral"
    facing: Literal["left", "right"] = "right"
    holds: int | None = None
    looks_at: int | None = None
    points_at: int | None = None
    seat: int | None = None
    """What the actor sits or lies on."""
    partner: int | None = None
    """Whom the actor hugs or hands something to."""


class Prop(Struct, frozen=True):
    """A thing in a scene."""

    id: int
    name: str
    """A name in `things.THINGS`."""
    colour: str
    size: Size = "medium"
    material: str = ""
    state: str | None = None
    """One of the states that its class can be in, such as open, full, lit, broken."""
    on: int | None = None
    """The thing that it stands or lies on; None for the floor, or the wall for things that hang."""
    inside: int | None = None


class Spot(Struct, frozen=True):
    """Where something stands. For what is on, in or held by another, `x` only orders its neighbours."""

    x: float
    depth: float


class Camera(Struct, frozen=True):
    """How the scene is looked at: a little shift and zoom, never the same twice."""

    shift_x: float = 0.0
    shift_y: float = 0.0
    zoom: float = 1.0


class Stage(Struct, frozen=True):
    """Everything that is drawn, and everything that is true of it."""

    id: str
    movie: str
    place: str
    """A name in `places.PLACES`."""
    actors: tuple[Actor, ...]
    props: tuple[Prop, ...]
    spots: dict[int, Spot]
    light: Light = "day"
    weather: Literal["clear", "rain"] = "clear"
    camera: Camera = Camera()
    palette: int = 0
    """Which of the place's colour schemes; a movie keeps to one."""
    seed: int = 0
    """For the drawing's small irregularities."""

    def actor(self, entity: int) -> Actor:
        """The actor with this id."""
        return next(actor for actor in self.actors if actor.id == entity)

    def prop(self, entity: int) -> Prop:
        """The thing with this id."""
        return next(prop for prop in self.props if prop.id == entity)

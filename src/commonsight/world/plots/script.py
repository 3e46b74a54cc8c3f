"""What an episode is made of. Wherever a text may say `a|b`, one of them is chosen anew for each scene.

A thing is written `name`, `name:state` or `name/colour`. Roles and needs are named by key; what a role holds
has the key `@role`, and what it sits on `%role`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Where = Literal["near", "floor", "back", "surface", "wall", "ceiling", "there"]
"""near: on the floor beside a role; floor: in front; back: far off; there: the place's own one."""


class Role(Struct, frozen=True):
    """Someone an episode needs: who may play it, and what can be seen of them."""

    key: str
    age: str = "adult|old"
    pose: str = "standing"
    face: str = "neutral"
    outfit: str = ""
    """Empty for the character's own clothes; the same for the hat."""
    hat: str = ""
    holds: str = ""
    looks: str = ""
    """A key."""
    points: str = ""
    seat: str = ""
    """Classes of seats to choose from."""
    partner: str = ""
    near: str = ""
    """A key to stand next to."""
    deep: bool = False
    """Whether to stand at the back, as teachers and shop assistants do."""


class Need(Struct, frozen=True):
    """A thing an episode needs."""

    key: str
    thing: str
    where: Where = "surface"
    near: str = ""
    """Beside whom it lies on the floor, or whose surface it is on."""


class Episode(Struct, frozen=True):
    """A recipe for scenes, and what must follow from each of them."""

    name: str
    places: tuple[str, ...]
    roles: tuple[Role, ...]
    needs: tuple[Need, ...] = ()
    proves: tuple[str, ...] = ()
    """Facts that must be provable, with keys for entities: `"happened, broke, vase, child"`."""
    light: str = ""
    weather: str = "clear"


def choices(text: str) -> list[str]:
    """What a text with `|` allows."""
    return text.split("|")


def castable(episode: Episode, ages: Sequence[str]) -> bool:
    """Whether a cast of these ages can play it."""
    return _castable(list(episode.roles), list(ages))


def _castable(roles: list[Role], ages: list[str]) -> bool:
    if not roles:
        return True
    for age in set(ages) & set(choices(roles[0].age)):
        left = list(ages)
        left.remove(age)
        if _castable(roles[1:], left):
            return True
    return False

"""The papers' rules by which pictures are chosen, with the papers' numbers."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from commonsight.build.imaging.sightings import Sighting
from commonsight.errors import InputError

DARK = 0.15
"""The least brightness. PMR (3.1) leaves out pictures of low brightness and does not say how low; this is a
mean shade of 38 in 255, where people in film frames begin to be hard to make out."""


class Rule(Struct, frozen=True):
    """What a picture must be like; a bound of None binds nothing. The names are of what is counted."""

    least_people: int | None = None
    most_people: int | None = None
    least_objects: int | None = None
    """Objects with people among them, which VCR and PMR call tags."""
    most_objects: int | None = None
    least_brightness: float | None = None

    def against(self, seen: Sighting) -> tuple[str, ...]:
        """Why a picture is not chosen; nothing for one that is."""
        told = []
        for what, value in (("people", seen.people), ("objects", seen.objects)):
            least, most = getattr(self, f"least_{what}"), getattr(self, f"most_{what}")
            if least is not None and value < least:
                told.append(f"fewer than {least} {what}")
            if most is not None and value > most:
                told.append(f"more than {most} {what}")
        if self.least_brightness is not None and _brightness(seen) < self.least_brightness:
            told.append(f"darker than {self.least_brightness:g}")
        return tuple(told)


def _brightness(seen: Sighting) -> float:
    if seen.brightness is None:
        raise InputError(
            f"{seen.name}: nobody has measured how bright it is. Run `commonsight build detect` on the "
            "pictures, or leave brightness out of the rule with --least-brightness 0."
        )
    return seen.brightness


class NamedRule(NamedTuple):
    """A paper's rule, and where it is told."""

    rule: Rule
    source: str


RULES = {
    "vcr": NamedRule(
        Rule(least_people=2, least_objects=3),
        "VCR, appendices B.2 and G.3: three objects, two of them people",
    ),
    "aokvqa": NamedRule(Rule(least_objects=4), "A-OKVQA, section 3: more than three objects"),
    "pmr": NamedRule(
        Rule(most_people=5, most_objects=15, least_brightness=DARK),
        "PMR, section 3.1: not too dark, at most five people, at most fifteen tags",
    ),
    "none": NamedRule(Rule(), "every picture"),
}

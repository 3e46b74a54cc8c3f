"""The wordings: frames of questions, and verbs of knowledge. Several of each, none better than the others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from commonsight.core.inflect import article
from commonsight.graph.attributes import attribute_type


class Verb(Struct, frozen=True, gc=False):
    """A verb and what follows: "can … be used for", and without its subject between: "can be used for"."""

    auxiliary: str
    rest: str
    plain: str


QUERY_OBJECT: Mapping[str, tuple[str, ...]] = {
    "object": ("what", "which object", "what object in the image", "which object in the picture"),
    "noun": ("what {noun}", "which {noun}"),
}
QUERY_ATTRIBUTE: Mapping[str, tuple[str, ...]] = {
    "color": ("what color is {the}", "which color is {the}", "what is the color of {the}"),
    "material": ("what material is {the}", "what material is {the} made of", "what is {the} made of"),
    "size": ("what size is {the}", "what is the size of {the}"),
    "shape": ("what shape is {the}", "what is the shape of {the}"),
    "pattern": ("what pattern does {the} have", "what is the pattern of {the}"),
    "age": ("what age is {the}", "what is the age of {the}"),
    "pose": ("what is {the} doing",),
    "activity": ("what is {the} doing",),
    "expression": ("how does {the} look", "what mood is {the} in"),
}
"""The types of attributes that are asked for, and how."""
EXISTS = ("is there {some}", "is there {some} in the image", "is there {some} in the picture")

LOCATION_ON = frozenset((
    "street", "beach", "table", "stage", "wall", "road", "desk", "shelf", "counter", "floor", "sidewalk",
    "roof", "farm", "boat", "ship", "train", "plane", "bus", "plate", "lawn", "field", "bed", "porch",
    "patio", "track", "ground", "highway", "mountain", "hill", "sand", "body", "face", "head", "hand",
    "finger", "foot",
))  # fmt: skip
LOCATION_AT = frozenset((
    "party", "birthday", "concert", "school", "station", "airport", "restaurant", "zoo", "home", "work",
    "game", "wedding", "crossing", "market", "fair", "circus", "museum", "hotel", "bank", "picnic",
    "college", "university", "stop",
))  # fmt: skip

_ATTRIBUTE: Mapping[str, tuple[str, str]] = {
    "hair color": ("have", "{}"),
    "top color": ("wear", "{a}"),
    "outfit": ("wear", "{a}"),
    "headwear": ("wear", "{a}"),
    "eyewear": ("wear", "{}"),
}
"""Types of attributes that are not said with "is", or not by themselves."""
PERSONS = frozenset(("child", "adult", "baby"))
_PARTS = {"casual": "casual clothes", "swimwear": "swimwear", "pyjamas": "pyjamas"}
"""Outfits that are no garment by name, or of which there is no single one."""

_FORWARD: Mapping[str, tuple[tuple[str, str], ...]] = {
    "UsedFor": (("can", "be used for"), ("be", "usually used for"), ("be", "used for")),
    "CapableOf": (("can", ""),),
    "AtLocation": (("be", "likely to be found"), ("be", "usually found"), ("can", "often be found")),
    "HasProperty": (("be", "usually"), ("be", "typically")),  # a plain "is red" would speak of this one
    "HasA": (("have", ""), ("have", "usually")),
    "ReceivesAction": (("can", "be"),),
    "MadeFrom": (("be", "made from"), ("can", "be made from")),
    "IsA-Taxonomy": (("be", "a type of"), ("be", "a kind of")),
}
_REVERSE: Mapping[str, tuple[tuple[str, str], ...]] = {
    "UsedFor": (("can", "be used for"), ("be", "used for")),
    "CapableOf": (("can", ""),),
    "MadeFrom": (("be", "made from"),),
    "HasPrerequisite": (("require", ""),),
    "HasSubevent": (("involve", ""),),
}
_THIRD = {"be": "is", "have": "has", "can": "can", "require": "requires", "involve": "involves"}
_MANY = {"be": "are", "have": "have", "can": "can", "require": "require", "involve": "involve"}


@cache
def verbs(relation: str, many: bool, reverse: bool) -> tuple[Verb, ...]:
    """All ways to say a relation of one thing or of many, from its head or, in reverse, about its tail."""
    ways = (_REVERSE if reverse else _FORWARD)[relation]
    return tuple(_verb(verb, rest, many) for verb, rest in ways)


def _verb(verb: str, rest: str, many: bool) -> Verb:
    finite = (_MANY if many else _THIRD)[verb]
    if verb in ("be", "can"):
        return Verb(finite, rest, f"{finite} {rest}".strip())
    plain = f"{rest} {finite}".strip()  # usually has
    return Verb("do" if many else "does", f"{rest} {verb}".strip(), plain)


@cache
def attributed(attribute: str, many: bool = False) -> Verb:
    """How an attribute is said of something: is red, has brown hair, is wearing a cap."""
    verb, shape = _ATTRIBUTE.get(attribute_type(attribute) or "", ("be", "{}"))
    named = _PARTS.get(attribute, f"{article(attribute)} {attribute}")
    words = named if attribute in PERSONS else shape.format(attribute, a=named)
    if verb == "wear":
        be = "are" if many else "is"
        return Verb(be, f"wearing {words}", f"{be} wearing {words}")
    made = _verb(verb, "", many)
    return Verb(made.auxiliary, f"{made.rest} {words}".strip(), f"{made.plain} {words}")

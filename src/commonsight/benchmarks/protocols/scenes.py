"""A scene as a payload and back: what every protocol about one picture with numbered boxes needs.

A payload holds the picture with its regions under `picture`, and under `_source` where it comes from, so that
a record is an item again without looking anything up. A record's data have both, as `picture` and `source`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from posixpath import dirname, splitext
from typing import Any

from msgspec import convert, structs, to_builtins

from commonsight.build.imaging.interest.rules import Rule
from commonsight.build.imaging.sightings import Sighting, counted
from commonsight.collect.protocol import Payload, Shown
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText

LONGEST = 120
"""Of a picture's name in a key, which must leave room for what comes of the task."""
HASH = 8
"""So much of the content's hash tells pictures of one name apart."""


def scene_payload(item: Item, scene: Scene, keep: Callable[[str], Shown]) -> dict[str, Any]:
    """The picture with its boxes, and where it comes from."""
    return {"picture": to_builtins(shown(scene, keep)), "_source": source(item, scene)}


def shown(scene: Scene, keep: Callable[[str], Shown]) -> Shown:
    """The picture as it is kept, with the scene's regions and words for those who cannot see it."""
    named = ", ".join(f"{label} {number}" for number, label in enumerate(scene.labels, 1))
    alt = f"The picture. Its numbered boxes: {named}." if named else "The picture, without boxes."
    kept = keep(scene.stored or scene.image)
    return structs.replace(kept, alt=alt, regions=tuple(to_builtins(region) for region in scene.regions))


def source(item: Item, scene: Scene) -> dict[str, Any]:
    """What the item says of where its picture comes from."""
    return {
        "image": scene.image,
        "split": item.split,
        "groups": {
            "movie": item.groups.get("movie") or _folder(scene.image),
            "image": item.groups.get("image") or scene.image,
        },
        "metadata_fn": item.extra.get("metadata_fn") or f"{splitext(scene.image)[0]}.json",
        **drawn_of(item),
    }


def _folder(image: str) -> str:
    """What pictures have in common that nobody has grouped: as in VCR, the folder is the movie."""
    return dirname(image).strip("/") or image


def drawn_of(item: Item) -> dict[str, Any]:
    """What an imported item says of being drawn: no figure from the embedded world passes for another."""
    return {"drawn": True} if item.provenance.get("drawn") is True else {}


def key_of(payload: Payload) -> str:
    """A picture's own key: its name, and enough of its content to tell it from another of that name."""
    name, content = payload["_source"]["image"], payload["picture"]["picture"]
    return f"{name[-LONGEST:]}#{content[:HASH]}"


def scene_of(data: Mapping[str, Any]) -> Scene:
    """The scene that `scene_payload` was given; `stored` is the name under which the picture is kept."""
    picture = data["picture"]
    return Scene(
        data["source"]["image"],
        convert(picture["regions"], tuple[Region, ...]),
        width=picture["width"],
        height=picture["height"],
        stored=picture["picture"],
    )


def fits(scene: Scene, rule: Rule, least_score: float = 0.0) -> bool:
    """Whether a picture is one that a paper would take, by the boxes of which the detector is sure enough.

    How bright it is counts where somebody measured it: `brightness` among what its source says.
    """
    sure = [each.label for each in scene.regions if each.score is None or each.score >= least_score]
    brightness = scene.extra.get("brightness")
    if brightness is None:
        rule = structs.replace(rule, least_brightness=None)
    return not rule.against(Sighting(scene.image, None, counted(sure), brightness=brightness))


def pointed_at(text: str, labels: tuple[str, ...]) -> set[int]:
    """The regions that a text in bracket notation points to."""
    return set(TaggedText.parse(text, labels).references())


def number_of(key: str) -> int:
    """A number for a record that has none: the same for the same key, and hardly ever another's (48 bits)."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=6).digest(), "big")


def provenance_of(key: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """How an item came to be: which record it is, who wrote it, and whether its picture was drawn."""
    drawn = {"drawn": True} if data["source"].get("drawn") else {}
    return {"record": key, "writer": data["writer"], **drawn}

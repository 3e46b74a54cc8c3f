"""What VCR and PMR share: records about movie frames, with objects, tags and a metadata file per image."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from commonsight.core.benchmark import Sidecar
from commonsight.core.item import Item
from commonsight.core.scene import Box, Polygon, Region, Scene
from commonsight.core.text import TaggedText, Token
from commonsight.store.native import FieldError

Tokens = tuple[Token, ...]
Pixels = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class Metadata(Struct):
    """The JSON file beside each image: boxes (left, top, right, bottom, score), polygons, names, size."""

    boxes: tuple[tuple[float, ...], ...]
    segms: tuple[tuple[Polygon, ...], ...] | UnsetType = UNSET
    names: tuple[str, ...] | UnsetType = UNSET
    width: Pixels | UnsetType = UNSET
    height: Pixels | UnsetType = UNSET


def scene(image: str, objects: tuple[str, ...]) -> Scene:
    """A frame of which only the objects' names are known."""
    return Scene(image, tuple([Region(label) for label in objects]))


def texts(many: tuple[Tokens, ...]) -> tuple[TaggedText, ...]:
    """Choices as tagged texts."""
    return tuple([TaggedText(tokens) for tokens in many])


def native(many: tuple[TaggedText, ...]) -> list[list[str | list[int]]]:
    """Choices as the record writes them."""
    return [text.native() for text in many]


def attach(item: Item, metadata: Metadata, unknown: dict[str, Any]) -> Item:
    """The item with boxes, polygons and sizes from its image's metadata file."""
    frame = item.scenes[0]
    count = len(frame.regions)
    for name, values in (("boxes", metadata.boxes), ("segms", metadata.segms), ("names", metadata.names)):
        if values is not UNSET and len(values) != count:
            message = f"{len(values)} entries for the record's {count} objects"
            raise FieldError(name, message, "Use the metadata file that belongs to this image.")
    if metadata.names is not UNSET and metadata.names != frame.labels:
        raise FieldError("names", "they differ from the record's objects", "Use the metadata of this image.")
    regions = tuple(_region(metadata, index, region) for index, region in enumerate(frame.regions))
    return structs.replace(
        item,
        scenes=(
            structs.replace(
                frame,
                regions=regions,
                width=None if metadata.width is UNSET else metadata.width,
                height=None if metadata.height is UNSET else metadata.height,
                extra=unknown,
            ),
        ),
    )


def _region(metadata: Metadata, index: int, region: Region) -> Region:
    box = metadata.boxes[index]
    if len(box) not in (4, 5):
        message = f"the box of object {index} has {len(box)} numbers"
        raise FieldError("boxes", message, "Write left, top, right, bottom and, if known, the score.")
    return structs.replace(
        region,
        box=Box(*box[:4]),
        score=box[4] if len(box) == 5 else None,
        polygons=None if metadata.segms is UNSET else metadata.segms[index],
    )


def extract(item: Item) -> dict[str, Any] | None:
    """The metadata file's content, if the item carries boxes."""
    frame = item.scenes[0]
    if not frame.regions or any(region.box is None for region in frame.regions):
        return None
    content: dict[str, Any] = {"boxes": [_box(region) for region in frame.regions]}
    if all(region.polygons is not None for region in frame.regions):
        content["segms"] = [region.polygons for region in frame.regions]
    content["names"] = list(frame.labels)
    sizes = {"width": frame.width, "height": frame.height}
    content |= {name: size for name, size in sizes.items() if size is not None}
    return {**content, **frame.extra}


def _box(region: Region) -> list[float]:
    assert region.box is not None
    corners = [region.box.left, region.box.top, region.box.right, region.box.bottom]
    return corners if region.score is None else [*corners, region.score]


METADATA = Sidecar(
    record=Metadata,
    name=lambda item: item.extra.get("metadata_fn"),
    attach=attach,
    extract=extract,
)

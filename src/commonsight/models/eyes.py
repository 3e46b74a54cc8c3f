"""How a network sees: what is kept of pictures, and the module that reads it. One name for each way.

    crops          each object's pixels; a small network of convolutions is trained with the rest
    seen:FOLDER    vectors of an encoder that `commonsight train-regions` trained, frozen
    resnet:PLACE   maps of a ResNet's frozen blocks, its last block trained after RoIAlign (VCR, appendix E)
    resnet-masks:PLACE   the same with objects' outlines laid over them, as R2C's authors released it
    efficientnet   vectors of EfficientNet-lite0, trained on ImageNet, frozen
    features:PLACE   vectors that somebody made elsewhere, of regions that are matched by their boxes
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from commonsight.build.imaging.sets.encoders import Encoder
from commonsight.errors import UsageError
from commonsight.models import canvas_eyes
from commonsight.models.catalogue_entry import Entry
from commonsight.models.features.canvases import alone, kept_canvases
from commonsight.models.features.examples import Example
from commonsight.models.features.objects import ObjectFeatures, PictureMaps, pictures_digest
from commonsight.models.features.pictures import Crops, PictureEncoder, kept_objects
from commonsight.models.keeping import Keeping
from commonsight.models.regions import RegionEncoder

DEFAULT = "crops"
WAYS = (
    "crops",
    "seen:FOLDER",
    "resnet:PLACE",
    "resnet-masks:PLACE",
    "efficientnet",
    "features:FILE_OR_FOLDER",
)
OUTLINED: tuple[str, ...] = ("resnet-masks",)
"""Ways that read objects' outlines too, by the word before the colon. Others are not given them: of a dataset
with outlines they are nearly all that there is to hold in memory."""
_CROP = 64


class Kept(NamedTuple):
    """Features that batches bring along."""

    objects: ObjectFeatures | None = None
    maps: PictureMaps | None = None
    outlines: bool = False
    """Whether each object's outline is brought along, too."""


class Eyes(NamedTuple):
    """One way to see."""

    name: str
    """Says which weights, for provenance."""
    dim: int
    module: Callable[[], RegionEncoder]
    """What reads the features; new each time, since some of it may be trained."""
    keep: Callable[[Keeping, Sequence[Example]], Kept]
    """Find the features of these questions, or make them."""


def reads_outlines(way: str) -> bool:
    """Whether what is seen this way depends on objects' outlines."""
    return way.partition(":")[0] in OUTLINED


def default_way(entry: Entry) -> str:
    """How a network sees unless a person says otherwise."""
    return DEFAULT if entry.looks == "objects" else canvas_eyes.DEFAULT


def eyes(way: str, *, dim: int) -> Eyes:
    """The way to see of this name; `dim` is how long vectors are where they are learned here."""
    kind, _, place = way.partition(":")
    if way == "crops":
        return _crops(dim)
    if kind == "seen" and place:
        return _learned(Path(place))
    if kind in ("resnet", "resnet-masks") and place:
        return _resnet(place, outlines=reads_outlines(way))
    if way == "efficientnet":
        return _efficientnet()
    if kind == "features" and place:
        return _given(Path(place))
    raise UsageError(f"There is no way to see '{way}'. Choose one of: {', '.join(WAYS)}.")


def _crops(dim: int) -> Eyes:
    from commonsight.models.regions.small import SmallRegions

    cut = Crops(_CROP)
    return Eyes(cut.name, dim, lambda: SmallRegions(dim, size=_CROP), lambda where, _: _objects(where, cut))


def _learned(folder: Path) -> Eyes:
    from commonsight.models.regions.frozen import KeptRegions
    from commonsight.models.regions.learning import LearnedLooks

    encoder = LearnedLooks(folder)
    return Eyes(
        encoder.name,
        encoder.dim,
        lambda: KeptRegions(encoder.dim),
        lambda where, _: _objects(where, encoder),
    )


def _resnet(given: str, *, outlines: bool) -> Eyes:
    from commonsight.models.regions.resnet import ResNetRegions, resnet

    seeing = resnet(given)
    return Eyes(
        seeing.frozen.name,
        seeing.dim,
        lambda: ResNetRegions(seeing.last, dim=seeing.dim, masks=outlines),
        lambda where, _: Kept(maps=_maps(where, seeing.frozen), outlines=outlines),
    )


def _efficientnet() -> Eyes:
    from commonsight.models.regions.efficientnet import EfficientNetObjects
    from commonsight.models.regions.frozen import KeptRegions

    encoder = EfficientNetObjects.installed()
    return Eyes(
        encoder.name, encoder.dim, lambda: KeptRegions(encoder.dim), lambda where, _: _objects(where, encoder)
    )


def _given(place: Path) -> Eyes:
    from commonsight.models.features.given import GivenFeatures
    from commonsight.models.features.matched import kept_matches
    from commonsight.models.regions.frozen import KeptRegions

    given = GivenFeatures(place)
    return Eyes(
        given.name,
        given.dim,
        lambda: KeptRegions(given.dim),
        lambda where, examples: Kept(kept_matches(where, examples, given)),
    )


def _maps(where: Keeping, encoder: PictureEncoder) -> PictureMaps:
    pictures = where.pictures()
    path = where.path("maps", encoder.name, pictures_digest(pictures))
    told = where.told("looking at pictures")
    canvases = alone(pictures)
    return kept_canvases(path, where.dataset, canvases, encoder, threads=where.threads, progress=told)


def _objects(where: Keeping, encoder: Encoder | Crops) -> Kept:
    pictures = where.pictures()
    path = where.path("objects", encoder.name, pictures_digest(pictures))
    told = where.told("looking at objects")
    return Kept(kept_objects(path, where.dataset, pictures, encoder, threads=where.threads, progress=told))

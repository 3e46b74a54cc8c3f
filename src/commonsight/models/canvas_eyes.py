"""How a network sees a whole canvas: what is kept of it, and the module that reads it. One name for each way.

    pixels[:WxH]        its pixels, W wide and H tall; convolutions are trained with the rest
    resnet:PLACE        maps of a ResNet's stem and first three blocks (its conv4), frozen
    resnet-last:PLACE   maps of all of its blocks (its res5c), frozen
    vgg:PLACE           maps of VGG-16's last pooling (its pool5), frozen
    resnet-pooled:PLACE the mean of those over a canvas of 224 by 224: one vector
    resnet-each:PLACE   the same of each of two pictures by itself: two vectors
    clip:PLACE          one vector by a CLIP, in one space with its texts, frozen
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from commonsight.errors import UsageError
from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.canvases import (
    Apart,
    PlainPixels,
    Pooled,
    canvases_digest,
    canvases_of,
    kept_canvases,
)
from commonsight.models.features.examples import Example
from commonsight.models.features.objects import PictureMaps
from commonsight.models.features.pictures import PictureEncoder
from commonsight.models.keeping import Keeping

DEFAULT = "pixels"
WAYS = (
    "pixels",
    "pixels:WIDTHxHEIGHT",
    "resnet:PLACE",
    "resnet-last:PLACE",
    "resnet-pooled:PLACE",
    "resnet-each:PLACE",
    "vgg:PLACE",
    "clip:PLACE",
)
CANVAS = (224, 112)
"""For a CPU, unless another size is said."""
STAGES = (24, 48)
"""Channels of the convolutions over pixels, before the last."""
RESNET_CANVAS = {"resnet": (224, 224), "resnet-last": (448, 448), "resnet-pooled": (224, 224)}
"""As FiLM and MAC, and as N2NMN, see pairs of photographs (NLVR2, appendix E); pooled, as A-OKVQA's authors
see with a ResNet-50."""
_SIZE = re.compile(r"(\d{2,4})x(\d{2,4})")


class CanvasEyes(NamedTuple):
    """One way to see."""

    name: str
    """Says which weights, for provenance."""
    dim: int
    module: Callable[[], CanvasEncoder]
    """What reads the maps; new each time, since some of it may be trained."""
    keep: Callable[[Keeping, Sequence[Example]], PictureMaps]
    """Find the maps of these questions, or make them."""
    canvas: tuple[int, int]
    """Width and height of what is seen."""


def canvas_eyes(
    way: str, *, dim: int, canvas: tuple[int, int] = CANVAS, stages: tuple[int, ...] = STAGES
) -> CanvasEyes:
    """The way to see of this name; `dim` is how many channels maps have where they are learned here, `canvas`
    how large pixels are unless the way says, and `stages` what is learned of them before."""
    kind, _, given = way.partition(":")
    size = _SIZE.fullmatch(given)
    if kind == "pixels" and (not given or size):
        return _pixels(canvas if size is None else (int(size[1]), int(size[2])), dim, stages)
    if kind == "resnet-pooled" and given:
        return _frozen(pooled_resnet(given))
    if kind == "resnet-each" and given:
        return _frozen(Apart(pooled_resnet(given)))
    if kind in RESNET_CANVAS and given:
        return _frozen(_resnet(kind, given))
    if kind == "vgg" and given:
        from commonsight.models.regions.vgg import vgg

        return _frozen(vgg(given))
    if kind == "clip" and given:
        from commonsight.models.wholes import clip

        return _frozen(clip.ClipPictures(clip.load(given)))
    raise UsageError(f"There is no way to see '{way}' as a whole. Choose one of: {', '.join(WAYS)}.")


def _pixels(size: tuple[int, int], dim: int, stages: tuple[int, ...]) -> CanvasEyes:
    from commonsight.models.canvas.pixels import PixelMaps

    return _looking(PlainPixels(size), dim, lambda: PixelMaps(dim, widths=stages))


def pooled_resnet(given: str) -> Pooled:
    """All blocks of a residual network, from a folder or a hub name, the last maps averaged."""
    return Pooled(_resnet("resnet-pooled", given))


def _resnet(kind: str, given: str) -> PictureEncoder:
    from commonsight.models.regions.resnet import resnet

    split = resnet(given, canvas=RESNET_CANVAS[kind])
    return split.frozen if kind == "resnet" else split.whole()


def _frozen(encoder: PictureEncoder) -> CanvasEyes:
    from commonsight.models.canvas.frozen import KeptMaps

    dim = encoder.shape[0]
    return _looking(encoder, dim, lambda: KeptMaps(dim))


def _looking(encoder: PictureEncoder, dim: int, module: Callable[[], CanvasEncoder]) -> CanvasEyes:
    def keep(where: Keeping, examples: Sequence[Example]) -> PictureMaps:
        return _kept(where, examples, encoder)

    return CanvasEyes(encoder.name, dim, module, keep, encoder.canvas)


def _kept(where: Keeping, examples: Sequence[Example], encoder: PictureEncoder) -> PictureMaps:
    canvases = canvases_of(examples)
    path = where.path("canvases", encoder.name, canvases_digest(canvases))
    told = where.told("looking at pictures")
    return kept_canvases(path, where.dataset, canvases, encoder, threads=where.threads, progress=told)

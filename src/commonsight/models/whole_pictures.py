"""Networks that give whole pictures vectors, by which pictures are compared.

    efficientnet    EfficientNet-lite0, trained on ImageNet, from two packages that pip installs
    resnet:PLACE    a residual network, pooled; PLACE is a folder or a hub name, such as microsoft/resnet-50
    clip:PLACE      the vision half of CLIP, such as openai/clip-vit-base-patch32
    seen:FOLDER     an encoder that `commonsight train-regions` wrote, which looks at the whole as one thing

All of them see the whole picture, stretched to a square.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonsight.build.imaging.sets.encoders import Encoder
from commonsight.errors import UsageError
from commonsight.models.features.pictures import PictureEncoder

WAYS = ("efficientnet", "resnet:PLACE", "clip:PLACE", "seen:FOLDER")


def whole_encoder(way: str) -> Encoder:
    """The network that a name means; an error that lists them if it means none."""
    kind, _, given = way.partition(":")
    if way == "efficientnet":
        from commonsight.models.regions.efficientnet import EfficientNetObjects

        return EfficientNetObjects.installed()
    if kind == "resnet" and given:
        from commonsight.models.canvas_eyes import pooled_resnet

        pooled = pooled_resnet(given)
        return Squares(pooled, name=f"pooled {pooled.encoder.name}")
    if kind == "clip" and given:
        from commonsight.models.wholes import clip

        found = clip.load(given)
        return Squares(clip.ClipPictures(found), name=f"clip-1({found.name})")
    if kind == "seen" and given:
        from commonsight.models.regions.learning import LearnedLooks

        return LearnedLooks(Path(given))
    raise UsageError(f"{way} is no encoder of pictures. Give one of: {', '.join(WAYS)}.")


class Squares:
    """A `PictureEncoder` of square canvases that makes a single vector of each, as an `Encoder`."""

    def __init__(self, encoder: PictureEncoder, *, name: str) -> None:
        """Under the name that what was kept of such vectors goes by."""
        self._encoder, self.name = encoder, name
        (self.dim,), (self.size, _) = encoder.shape, encoder.canvas

    def encode(self, crops: NDArray[np.uint8]) -> NDArray[Any]:
        """(picture, 3, size, size), 0 to 255 -> (picture, dim)."""
        return self._encoder.encode(crops)

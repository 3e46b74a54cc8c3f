"""Networks that give whole pictures vectors, by which pictures are compared.

    efficientnet    EfficientNet-lite0, trained on ImageNet, from two packages that pip installs
    resnet:PLACE    a residual network, pooled; PLACE is a folder or a hub name, such as microsoft/resnet-50
    clip:PLACE      the vision half of CLIP, such as openai/clip-vit-base-patch32
    seen:FOLDER     an encoder that `commonsight train-regions` wrote, which looks at the whole as one thing

All of them see the whole picture, stretched to a square.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from commonsight.errors import InputError, UsageError
from commonsight.models.libraries import libraries
from commonsight.models.sources import place, unusable

if TYPE_CHECKING:
    from commonsight.models.features.pictures import ObjectEncoder
    from commonsight.models.regions.frozen_maps import FrozenMaps

WAYS = ("efficientnet", "resnet:PLACE", "clip:PLACE", "seen:FOLDER")
PIXELS = 224
"""That residual networks were trained with, each way."""


def whole_encoder(way: str) -> ObjectEncoder:
    """The network that a name means; an error that lists them if it means none."""
    kind, _, given = way.partition(":")
    if way == "efficientnet":
        from commonsight.models.regions.efficientnet import EfficientNetObjects

        return EfficientNetObjects.installed()
    if kind == "resnet" and given:
        from commonsight.models.regions.resnet import resnet

        return PooledResNet(resnet(given, canvas=(PIXELS, PIXELS)).whole())
    if kind == "clip" and given:
        return clip_pictures(given)
    if kind == "seen" and given:
        from commonsight.models.regions.learning import LearnedLooks

        return LearnedLooks(Path(given))
    raise UsageError(f"{way} is no encoder of pictures. Give one of: {', '.join(WAYS)}.")


class PooledResNet:
    """A residual network with all of its blocks, its last maps averaged."""

    def __init__(self, network: FrozenMaps) -> None:
        self._network = network
        self.name, self.dim, self.size = f"pooled {network.name}", network.shape[0], network.canvas[0]

    def encode(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(picture, 3, size, size), 0 to 255 -> (picture, dim)."""
        maps = self._network.encode(crops)  # (picture, dim, height, width)
        pooled: NDArray[np.float32] = maps.mean(axis=(2, 3), dtype=np.float32)
        return pooled


class ClipPictures:
    """The vision half of CLIP, in the space that it shares with texts."""

    def __init__(self, model: Any, *, name: str, mean: list[float], deviation: list[float]) -> None:
        self._model = model.eval().requires_grad_(False)
        self.name = f"clip-1({name})"
        self.dim, self.size = model.config.projection_dim, model.config.image_size
        torch = libraries().torch
        self._mean, self._deviation = (torch.tensor(one)[:, None, None] for one in (mean, deviation))

    def encode(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(picture, 3, size, size), 0 to 255 -> (picture, dim)."""
        torch = libraries().torch
        with torch.inference_mode():
            pixels = (torch.from_numpy(crops).float() / 255 - self._mean) / self._deviation
            vectors: NDArray[np.float32] = self._model(pixel_values=pixels).image_embeds.float().numpy()
        return vectors


def clip_pictures(given: str) -> ClipPictures:
    """From a folder or a hub name; its preprocessor says which colours it was trained with."""
    from commonsight.models.pretrained import pretrained

    where = place(given)
    transformers = libraries().transformers
    try:
        config = transformers.AutoConfig.from_pretrained(where.path)
        told, _ = transformers.ImageProcessingMixin.get_image_processor_dict(where.path)
    except (OSError, ValueError, KeyError) as error:
        raise unusable(given, error) from error
    if not isinstance(config, transformers.CLIPConfig | transformers.CLIPVisionConfig):
        raise InputError(f"{given}: this is a {type(config).__name__}, not CLIP. Give one.")
    if not {"image_mean", "image_std"} <= set(told):
        raise InputError(f"{given}: its preprocessor does not say image_mean and image_std. Restore it.")
    model = pretrained(transformers.CLIPVisionModelWithProjection, where)
    return ClipPictures(
        model, name=where.named(config), mean=list(told["image_mean"]), deviation=list(told["image_std"])
    )

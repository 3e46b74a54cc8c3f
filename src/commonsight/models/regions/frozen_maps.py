"""Maps of whole pictures by a frozen network that was trained on ImageNet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


class Colours(NamedTuple):
    """Mean and deviation of red, green and blue, from 0 to 1, of the pictures that a network learned from."""

    mean: tuple[float, ...]
    deviation: tuple[float, ...]


IMAGENET = Colours((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))


class FrozenMaps:
    """Some of a network's layers, one after another: a `PictureEncoder`."""

    def __init__(self, parts: Sequence[nn.Module], *, kind: str, name: str, canvas: tuple[int, int]) -> None:
        self._parts = nn.Sequential(*parts).eval().requires_grad_(False)
        self.canvas, self._kind, self._of = canvas, kind, name
        self.name = f"{kind}({name}, {canvas[0]} x {canvas[1]})"
        # Found out by looking, so that a network with other strides than usual is right too.
        wide, tall = canvas
        self.shape = tuple(self.encode(np.zeros((1, 3, tall, wide), np.uint8)).shape[1:])

    def followed_by(self, last: nn.Module) -> FrozenMaps:
        """The same with a further block, frozen too."""
        name = f"{self._of}, all blocks"
        return FrozenMaps((*self._parts, last), kind=self._kind, name=name, canvas=self.canvas)

    def encode(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(picture, 3, height, width), 0 to 255 -> (picture, channel, height / stride, width / stride)."""
        where = next(self._parts.parameters()).device
        with torch.inference_mode():
            maps: Tensor = self._parts(normalised(torch.from_numpy(pictures).to(where)))
        found: NDArray[np.float32] = maps.float().cpu().numpy()
        return found


def normalised(pixels: Tensor, colours: Colours = IMAGENET) -> Tensor:
    """Colours as a network knows them: (..., 3, height, width), 0 to 255."""
    mean, deviation = (pixels.new_tensor(values, dtype=torch.float32) for values in colours)
    return (pixels.float() / 255 - mean[:, None, None]) / deviation[:, None, None]

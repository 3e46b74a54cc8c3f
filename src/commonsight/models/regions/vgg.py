"""VGG-16's convolutions up to its last pooling (pool5), as N2NMN sees drawings (NLVR2, appendix E.3).

The layers are those of Simonyan and Zisserman (2014, Table 1, D). Weights are a safetensors file with
torchvision's names, `features.0.weight` and so on; what else it has, such as the layers that classify, is
left. How wide layers are (as published 64, 128, 256, 512 and 512) is taken from the file. Nothing is ever
unpickled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.local_vlm.loading import device_of
from commonsight.models.regions.frozen_maps import FrozenMaps

DEPTHS = (2, 2, 3, 3, 3)
"""Convolutions of each block; a pooling ends it, which halves the map."""
CANVAS = (480, 320)
"""Width and height; pool5 then has 10 x 15 places, as N2NMN's released settings for CLEVR have them, which
NLVR2's authors took for NLVR."""
KERNEL = 3
_REMEDY = (
    "Give a safetensors file with the weights of torchvision's vgg16, or a folder with one such file; "
    "safetensors.torch.save_file writes one of its state_dict()."
)


def vgg(given: str, *, canvas: tuple[int, int] = CANVAS, device: str = "cpu") -> FrozenMaps:
    """From a file, or from a folder with one."""
    path = _file(Path(given))
    try:
        kept: dict[str, Tensor] = load_file(path)
        with path.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise InputError(f"{path}: this is not a safetensors file ({error}). {_REMEDY}") from error
    layers = nn.Sequential(*_layers(kept, path)).to(device_of(device))
    return FrozenMaps((layers,), kind="vgg16-1", name=f"{path.stem}@{digest[:12]}", canvas=canvas)


def _file(given: Path) -> Path:
    if given.is_file() and given.suffix == ".safetensors":
        return given
    found = sorted(given.glob("*.safetensors")) if given.is_dir() else []
    if len(found) != 1:
        told = f"{len(found)} safetensors files in this folder" if given.is_dir() else "no safetensors file"
        raise InputError(f"{given}: there is one file of weights to read, and this is {told}. {_REMEDY}")
    return found[0]


def _layers(kept: Mapping[str, Tensor], path: Path) -> Iterator[nn.Module]:
    """Numbered as torchvision numbers them: every convolution is followed by a rectifier."""
    number, channels = 0, 3
    for depth in DEPTHS:
        for _ in range(depth):
            layer = _convolution(kept, f"features.{number}", channels, path)
            channels, number = layer.out_channels, number + 2
            yield from (layer, nn.ReLU(inplace=True))
        number += 1
        yield nn.MaxPool2d(2, 2)


def _convolution(kept: Mapping[str, Tensor], name: str, channels: int, path: Path) -> nn.Conv2d:
    weight, bias = (kept.get(f"{name}.{part}") for part in ("weight", "bias"))
    if weight is None or bias is None:
        raise InputError(f"{path}: {name} is missing, so this is no VGG-16. {_REMEDY}")
    wide = weight.shape[0]
    if weight.shape != (wide, channels, KERNEL, KERNEL) or bias.shape != (wide,):
        shapes = f"{list(weight.shape)} and {list(bias.shape)}"
        raise InputError(
            f"{path}: {name} is {shapes} and should be [n, {channels}, {KERNEL}, {KERNEL}] and [n]. {_REMEDY}"
        )
    layer = nn.Conv2d(channels, wide, KERNEL, padding=KERNEL // 2)
    layer.load_state_dict({"weight": weight.float(), "bias": bias.float()})
    return layer

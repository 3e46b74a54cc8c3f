"""VGG-16's convolutions: the published layers, and weights that are read safely or refused."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import Generator, Tensor
from torch.nn.functional import conv2d, max_pool2d

from commonsight.errors import InputError
from commonsight.models.canvas_eyes import canvas_eyes
from commonsight.models.regions.frozen_maps import normalised
from commonsight.models.regions.vgg import CANVAS, DEPTHS, vgg

PUBLISHED = (0, 2, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28)
"""What torchvision calls the convolutions of its VGG-16."""
NARROW = (4, 4, 6, 8, 8)


def tensors(widths: tuple[int, ...] = NARROW) -> dict[str, Tensor]:
    """Weights that have learned nothing, beside a layer that classifies."""
    chance, found, channels = Generator().manual_seed(0), {"classifier.0.weight": torch.zeros(2, 2)}, 3
    wide = [width for width, depth in zip(widths, DEPTHS, strict=True) for _ in range(depth)]
    for number, width in zip(PUBLISHED, wide, strict=True):
        found[f"features.{number}.weight"] = 0.4 * torch.randn(width, channels, 3, 3, generator=chance)
        found[f"features.{number}.bias"] = 0.1 * torch.randn(width, generator=chance)
        channels = width
    return found


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    save_file(tensors(), tmp_path / "vgg16.safetensors")
    return tmp_path / "vgg16.safetensors"


def test_layers_are_those_of_the_paper(kept: Path) -> None:
    assert sum(DEPTHS) == 13
    pictures = np.random.default_rng(0).integers(0, 256, (2, 3, 64, 96), dtype=np.uint8)
    found, weights = vgg(str(kept), canvas=(96, 64)).encode(pictures), tensors()
    maps = normalised(torch.from_numpy(pictures))
    for number in PUBLISHED:
        one = f"features.{number}"
        maps = conv2d(maps, weights[f"{one}.weight"], weights[f"{one}.bias"], padding=1).relu()
        if number in (2, 7, 14, 21, 28):
            maps = max_pool2d(maps, 2)
    assert found.shape == (2, 8, 2, 3)
    assert found.any()
    np.testing.assert_allclose(found, maps.numpy(), rtol=1e-4, atol=1e-5)


def test_a_folder_with_one_file_is_as_good_and_provenance_is_by_content(kept: Path) -> None:
    one, other = vgg(str(kept), canvas=(64, 64)), vgg(str(kept.parent), canvas=(64, 64))
    assert one.name == other.name
    assert re.fullmatch(r"vgg16-1\(vgg16@[0-9a-f]{12}, 64 x 64\)", one.name)


def test_a_canvas_is_seen_with_it_as_n2nmn_counts_places(kept: Path) -> None:
    seeing = canvas_eyes(f"vgg:{kept}", dim=16)
    assert seeing.dim == NARROW[-1]
    assert CANVAS == (480, 320)
    assert vgg(str(kept)).shape == (8, 10, 15)
    maps = torch.zeros(1, 8, 10, 15)
    assert torch.equal(seeing.module()(maps), maps)


def test_what_is_no_vgg_is_refused(kept: Path) -> None:
    short = tensors()
    del short["features.28.bias"]
    save_file(short, kept)
    with pytest.raises(InputError, match=r"features\.28 is missing, so this is no VGG-16"):
        vgg(str(kept))
    odd = tensors() | {"features.2.weight": torch.zeros(4, 5, 3, 3)}
    save_file(odd, kept)
    with pytest.raises(InputError, match=r"features\.2 is \[4, 5, 3, 3\] and \[4\] and should be \[n, 4,"):
        vgg(str(kept))


def test_pickles_and_broken_files_are_refused(kept: Path, tmp_path: Path) -> None:
    pickled = tmp_path / "vgg16.pth"
    pickled.write_bytes(pickle.dumps({"features.0.weight": 1}))
    with pytest.raises(InputError, match="this is no safetensors file"):
        vgg(str(pickled))
    with pytest.raises(InputError, match="this is no safetensors file"):
        vgg(str(tmp_path / "nowhere"))
    save_file(tensors(), tmp_path / "other.safetensors")
    with pytest.raises(InputError, match="2 safetensors files in this folder"):
        vgg(str(tmp_path))
    kept.write_bytes(b"broken")
    with pytest.raises(InputError, match="this is not a safetensors file"):
        vgg(str(kept))

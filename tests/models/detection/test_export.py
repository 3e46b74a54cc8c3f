"""The exported file says what the network says, of pictures of any size."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
import torch

from commonsight.models.detection.export import exported
from commonsight.models.detection.network import SmallDetector, Widths

LABELS = ("person", "dog", 'it\'s a "quoted" one')


@pytest.fixture(scope="module")
def network() -> SmallDetector:
    torch.manual_seed(3)
    made = SmallDetector(len(LABELS), Widths(8, 8, 16, 16, 8))
    for module in made.modules():  # as if it had been trained: norms that do nothing would hide a mistake
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
            torch.nn.init.uniform_(module.bias, -0.5, 0.5)
            module.running_mean.uniform_(-0.5, 0.5)
            module.running_var.uniform_(0.5, 2.0)
    return made.eval()


@pytest.mark.parametrize("shape", [(1, 64, 96), (3, 32, 32), (2, 96, 64)])
def test_it_gives_what_torch_gives(network: SmallDetector, shape: tuple[int, int, int]) -> None:
    session = onnxruntime.InferenceSession(exported(network, LABELS, (96, 64)))
    pictures, tall, wide = shape
    pixels = np.random.default_rng(0).random((pictures, 3, tall, wide), np.float32)
    (table,) = session.run(["output0"], {"images": pixels})
    with torch.inference_mode():
        found = network(torch.from_numpy(pixels))
    assert table.shape == (pictures, 4 + len(LABELS), tall * wide // 64)
    low, high = table[:, :2] - table[:, 2:4] / 2, table[:, :2] + table[:, 2:4] / 2
    boxes = np.concatenate((low, high), axis=1).swapaxes(1, 2)
    np.testing.assert_allclose(boxes, found.boxes.numpy(), rtol=2e-2, atol=0.1)  # weights have 16 bits
    np.testing.assert_allclose(table[:, 4:].swapaxes(1, 2), found.logits.sigmoid().numpy(), atol=5e-3)


def test_it_tells_its_labels_and_its_size(network: SmallDetector) -> None:
    session = onnxruntime.InferenceSession(exported(network, LABELS, (96, 64)))
    told = session.get_modelmeta().custom_metadata_map
    assert told["imgsz"] == "[64, 96]"
    assert told["names"] == str(dict(enumerate(LABELS)))


def test_the_same_weights_give_the_same_bytes(network: SmallDetector) -> None:
    assert exported(network, LABELS, (96, 64)) == exported(network, LABELS, (96, 64))

"""Networks that give whole pictures vectors, made small and without having learned anything."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from commonsight.build.imaging.sets.encoders import Encoder
from commonsight.errors import InputError, UsageError
from commonsight.models.libraries import libraries, seeded
from commonsight.models.regions.resnet import TINY, resnet
from commonsight.models.whole_pictures import whole_encoder
from commonsight.models.wholes.clip import ClipPictures, load

PIXELS = np.random.default_rng(0).integers(0, 256, (3, 3, 32, 32), np.uint8)
MEAN, DEVIATION = [0.4, 0.5, 0.6], [0.2, 0.25, 0.3]


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clip")
    transformers = libraries().transformers
    config = transformers.CLIPVisionConfig(
        hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2, image_size=32,
        patch_size=8, projection_dim=12,
    )  # fmt: skip
    with seeded(1):
        model = transformers.CLIPVisionModelWithProjection(config)
    model.save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(
        f'{{"image_mean": {MEAN}, "image_std": {DEVIATION}, "image_processor_type": "CLIPImageProcessor"}}'
    )
    return folder


def test_clip_sees_what_the_library_itself_sees(clip: Path) -> None:
    encoder: Encoder = whole_encoder(f"clip:{clip}")
    vectors = encoder.encode(PIXELS)
    assert vectors.shape == (3, encoder.dim) == (3, 12)
    assert encoder.size == 32
    torch, transformers = libraries()
    model = transformers.CLIPVisionModelWithProjection.from_pretrained(clip)
    shown = (PIXELS / 255 - np.array(MEAN)[:, None, None]) / np.array(DEVIATION)[:, None, None]
    with torch.no_grad():
        expected = model(pixel_values=torch.tensor(shown, dtype=torch.float32)).image_embeds.numpy()
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(vectors, expected, atol=1e-5)
    assert encoder.name == f"clip-1({load(str(clip)).name})"


def test_a_residual_network_is_pooled(tmp_path: Path) -> None:
    transformers = libraries().transformers
    config = transformers.ResNetConfig(
        embedding_size=TINY.stem, hidden_sizes=list(TINY.widths), depths=list(TINY.depths)
    )
    transformers.ResNetModel(config).save_pretrained(tmp_path)
    encoder: Encoder = whole_encoder(f"resnet:{tmp_path}")
    network = resnet(str(tmp_path), canvas=(encoder.size, encoder.size)).whole()
    pixels = np.random.default_rng(0).integers(0, 256, (2, 3, 224, 224), np.uint8)
    maps = network.encode(pixels)
    assert encoder.encode(pixels).shape == (2, encoder.dim) == (2, maps.shape[1])
    assert np.allclose(encoder.encode(pixels), maps.mean(axis=(2, 3)), atol=1e-5)
    assert (encoder.size, encoder.name) == (224, f"pooled {network.name}")


def test_pictures_are_compared_by_what_networks_are_shown(clip: Path) -> None:
    compared, shown = whole_encoder(f"clip:{clip}"), ClipPictures(load(str(clip)))
    assert np.array_equal(compared.encode(PIXELS), shown.encode(PIXELS))
    assert shown.canvas == (compared.size, compared.size)


def test_another_model_is_not_taken_for_clip(tmp_path: Path) -> None:
    libraries().transformers.ResNetConfig().save_pretrained(tmp_path)
    (tmp_path / "preprocessor_config.json").write_text('{"image_mean": [0, 0, 0], "image_std": [1, 1, 1]}')
    with pytest.raises(InputError, match="this is a ResNetConfig, not a CLIP"):
        whole_encoder(f"clip:{tmp_path}")


@pytest.mark.parametrize("way", ["magic", "clip", "clip:", "resnet:", ""])
def test_names_that_mean_nothing_are_told(way: str) -> None:
    with pytest.raises(UsageError, match="efficientnet, resnet:PLACE, clip:PLACE, seen:FOLDER"):
        whole_encoder(way)

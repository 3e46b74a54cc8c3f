"""CLIP's two towers by folder: as the library computes them, of length 1, and refused where they are not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from commonsight.errors import InputError
from commonsight.models.canvas_eyes import canvas_eyes
from commonsight.models.features.canvases import Pooled
from commonsight.models.libraries import seeded
from commonsight.models.regions.resnet import TINY as TINY_RESNET
from commonsight.models.regions.resnet import untrained_resnet
from commonsight.models.wholes import clip
from commonsight.models.wholes.clip_learning import LONGEST, Shape, untrained_clip

TEXTS = ["a red cup", "a man holding an umbrella", "", "red " * 200]
TINY = Shape(dim=16, width=32, heads=2, text_layers=1, picture_layers=1, pixels=24, patch=8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("clip")
    with seeded(1):
        model, tokenizer = untrained_clip(TEXTS, TINY)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return out


def test_texts_are_as_the_library_reads_them(folder: Path) -> None:
    found = clip.ClipTexts(clip.load(str(folder)))
    vectors = found.encode(TEXTS)
    assert vectors.shape == (4, found.dim) == (4, 16)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    model = transformers.CLIPModel.from_pretrained(folder)
    cut = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        alone = [
            model.get_text_features(**cut(text, return_tensors="pt", truncation=True, max_length=LONGEST))
            for text in TEXTS
        ]
    wanted = torch.cat([torch.nn.functional.normalize(one.pooler_output, dim=-1) for one in alone]).numpy()
    np.testing.assert_allclose(vectors, wanted, atol=1e-5)  # padding beside longer texts changes nothing
    assert not np.allclose(vectors[0], vectors[1], atol=1e-2)


def test_pictures_are_as_the_library_sees_them(folder: Path) -> None:
    found = clip.ClipPictures(clip.load(str(folder)))
    pixels = np.random.default_rng(0).integers(0, 256, (3, 3, 24, 24), np.uint8)
    assert (found.canvas, found.shape) == ((24, 24), (16,))
    scaled = (pixels.transpose(0, 2, 3, 1) / 255 - clip.COLOURS.mean) / clip.COLOURS.deviation
    model = transformers.CLIPModel.from_pretrained(folder)
    with torch.no_grad():
        told = model.get_image_features(torch.tensor(scaled, dtype=torch.float32).permute(0, 3, 1, 2))
    wanted = torch.nn.functional.normalize(told.pooler_output, dim=-1).numpy()
    np.testing.assert_allclose(found.encode(pixels), wanted, atol=1e-5)


def test_both_towers_have_the_name_of_their_content(folder: Path, tmp_path: Path) -> None:
    moved = shutil.copytree(folder, tmp_path / "moved")
    names = [clip.ClipTexts(clip.load(str(one))).name.partition("@")[2] for one in (folder, moved)]
    assert names[0] == names[1]


def test_what_is_no_clip_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder, and it is no hub name"):
        clip.load("no/such/folder/anywhere")
    other = tmp_path / "bert"
    transformers.BertConfig(hidden_size=8, num_hidden_layers=1, num_attention_heads=1).save_pretrained(other)
    with pytest.raises(InputError, match="this is a BertConfig, not a CLIP"):
        clip.load(str(other))


def test_colours_are_those_that_the_preprocessor_says(folder: Path, tmp_path: Path) -> None:
    assert clip.load(str(folder)).colours == clip.COLOURS  # where there is none
    said = tmp_path / "clip" / "preprocessor_config.json"
    shutil.copytree(folder, said.parent)
    own = {"image_mean": [0.4, 0.5, 0.6], "image_std": [0.2, 0.25, 0.3]}
    said.write_text(json.dumps(own | {"image_processor_type": "CLIPImageProcessor"}))
    assert clip.load(str(said.parent)).colours == ((0.4, 0.5, 0.6), (0.2, 0.25, 0.3))
    for wrong in ({}, own | {"image_std": [0.2]}):
        said.write_text(json.dumps(wrong))
        with pytest.raises(InputError, match="does not say image_mean and image_std of three colours"):
            clip.load(str(said.parent))
    said.write_text("{")
    with pytest.raises(InputError, match="cannot be loaded as a model"):
        clip.load(str(said.parent))


def test_half_a_clip_reads_no_texts(folder: Path, tmp_path: Path) -> None:
    transformers.CLIPVisionModelWithProjection.from_pretrained(folder).save_pretrained(tmp_path / "half")
    for path in ("config.json", "model.safetensors"):
        shutil.copy(folder / path, tmp_path)
    pixels = np.random.default_rng(0).integers(0, 256, (1, 3, 24, 24), np.uint8)
    whole = clip.ClipPictures(clip.load(str(folder))).encode(pixels)
    for half in (tmp_path / "half", tmp_path):
        found = clip.load(str(half))
        np.testing.assert_allclose(clip.ClipPictures(found).encode(pixels), whole, atol=1e-6)
        with pytest.raises(InputError, match=f"{half}: there is no tokenizer with this model"):
            clip.ClipTexts(found)


def test_a_whole_picture_is_a_map_of_one_place(folder: Path) -> None:
    seeing = canvas_eyes(f"clip:{folder}", dim=1)
    vectors = torch.arange(32.0).reshape(2, 16)
    assert seeing.dim == 16
    assert torch.equal(seeing.module()(vectors), vectors[:, :, None, None])
    with pytest.raises(InputError, match="reads maps of 16 channels"):
        seeing.module()(vectors[:, :8])


def test_pooled_maps_are_their_mean_over_all_places() -> None:
    split = untrained_resnet(TINY_RESNET, seed=1, canvas=(64, 32))
    pooled = Pooled(split.whole())
    pixels = np.random.default_rng(0).integers(0, 256, (2, 3, 32, 64), np.uint8)
    assert (pooled.canvas, pooled.shape) == ((64, 32), (TINY_RESNET.widths[3],))
    np.testing.assert_allclose(pooled.encode(pixels), split.whole().encode(pixels).mean(axis=(2, 3)))
    assert pooled.name != split.whole().name

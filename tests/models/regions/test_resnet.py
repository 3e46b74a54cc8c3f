"""A residual network in two: the halves make the whole, and only the last block learns."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from PIL import Image
from safetensors.torch import load_file, save_file

from commonsight.core.scene import Box, Region, Scene
from commonsight.errors import InputError
from commonsight.models.features.batch import Seen
from commonsight.models.features.canvases import alone, kept_canvases
from commonsight.models.features.pictures import PictureEncoder, pictures_of
from commonsight.models.layers.roi_align import roi_align
from commonsight.models.regions import RegionEncoder
from commonsight.models.regions.frozen_maps import normalised
from commonsight.models.regions.resnet import (
    CANVAS,
    RESNET50,
    TINY,
    ResNetRegions,
    Split,
    resnet,
    untrained_resnet,
)

SMALL = (96, 64)


@pytest.fixture(scope="module")
def split() -> Split:
    return untrained_resnet(TINY, seed=1, canvas=SMALL)


def _pictures(count: int, size: tuple[int, int] = SMALL) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(2).integers(0, 256, (count, 3, size[1], size[0]), np.uint8)


def _seen(split: Split, *, objects: int = 3) -> Seen:
    """Three questions about two pictures; the last object of the second is padding, of the third boxless."""
    maps = torch.from_numpy(split.frozen.encode(_pictures(2)))
    boxes = torch.tensor([[0.0, 0, 1, 1], [0.1, 0.2, 0.6, 0.9], [0.5, 0.5, 0.8, 1.0]]).repeat(3, 1, 1)
    boxes[1, 2] = boxes[2, 2] = 0.0
    mask = torch.tensor([[True] * 3, [True, True, False], [True] * 3])
    view = Seen(mask, boxes, mask.long(), maps=maps, picture_of=torch.tensor([0, 1, 0]))
    return replace(view, mask=mask[:, :objects], boxes=boxes[:, :objects], classes=mask.long()[:, :objects])


def _regions(split: Split, *, masks: bool = False) -> ResNetRegions:
    torch.manual_seed(0)
    return ResNetRegions(split.last, dim=split.dim, masks=masks).eval()


def _folder(folder: Path, kind: str = "model") -> tuple[Path, transformers.ResNetForImageClassification]:
    torch.manual_seed(4)
    config = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[16, 24, 32, 48], depths=[2, 1, 1, 2], layer_type="bottleneck"
    )
    model = transformers.ResNetForImageClassification(config).eval()
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):  # as if it had been trained
            module.running_mean.normal_(0, 0.2)
            module.running_var.uniform_(0.5, 2)
            module.weight.data.uniform_(0.5, 1.5)
    (model if kind == "classifier" else model.resnet).save_pretrained(folder)
    return folder, model


@pytest.mark.parametrize("kind", ["model", "classifier"])
def test_the_halves_make_the_whole(tmp_path: Path, kind: str) -> None:
    folder, model = _folder(tmp_path / "resnet", kind)
    split = resnet(str(folder), canvas=SMALL)
    assert split.frozen.name.startswith("resnet-1(resnet@")
    assert (split.frozen.shape, split.channels, split.dim) == ((32, 4, 6), 32, 48)
    pictures = _pictures(2)
    with torch.no_grad():
        whole = model.resnet(normalised(torch.from_numpy(pictures)))
        ours = split.last(torch.from_numpy(split.frozen.encode(pictures)))
    torch.testing.assert_close(ours, whole.last_hidden_state, atol=1e-5, rtol=1e-5)


def test_colours_are_imagenets() -> None:
    pixels = torch.tensor([255, 0, 127], dtype=torch.uint8)[None, :, None, None]
    found = normalised(pixels).flatten()
    assert found.tolist() == pytest.approx(
        [(1 - 0.485) / 0.229, -0.456 / 0.224, (127 / 255 - 0.406) / 0.225], rel=1e-5
    )


def test_an_object_is_cut_out_and_goes_through_the_last_block(split: Split) -> None:
    seen, regions = _seen(split), _regions(split)
    encoder: RegionEncoder = regions
    found = encoder(seen)
    assert found.shape == (3, 3, encoder.dim) == (3, 3, 48)
    assert seen.maps is not None
    box = torch.tensor([[0.1 * 6, 0.2 * 4, 0.6 * 6, 0.9 * 4]])  # on a map of 6 x 4
    cut = roi_align(seen.maps, box, torch.tensor([1]), size=(14, 14), scale=1.0, samples=2)
    assert split.last(cut).shape == (1, 48, 7, 7)  # its stride halves it
    torch.testing.assert_close(found[1, 1], split.last(cut).mean(dim=(2, 3))[0], atol=1e-5, rtol=1e-5)


def test_padding_and_objects_without_a_box_are_zeros(split: Split) -> None:
    found = _regions(split)(_seen(split))
    assert not found[1, 2].any()
    assert not found[2, 2].any()
    assert found[[0, 0, 1, 1], [1, 2, 0, 1]].any(dim=1).all()


@pytest.mark.parametrize("training", [False, True])
def test_neither_others_nor_padding_change_what_is_seen(split: Split, training: bool) -> None:
    seen, regions = _seen(split), _regions(split).train(training)
    together = regions(seen)
    torch.testing.assert_close(regions(_seen(split, objects=2)), together[:, :2], atol=1e-5, rtol=1e-5)
    assert seen.maps is not None
    own = (seen.mask[1:2], seen.boxes[1:2], seen.classes[1:2])
    alone = Seen(*own, maps=seen.maps[1:], picture_of=torch.tensor([0]))
    torch.testing.assert_close(regions(alone), together[1:2], atol=1e-5, rtol=1e-5)


def test_maps_of_16_bits_will_do(split: Split) -> None:
    seen, regions = _seen(split), _regions(split)
    assert seen.maps is not None
    found = regions(replace(seen, maps=seen.maps.half()))
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, regions(seen), atol=0.02, rtol=0.02)


def test_gradients_reach_the_last_block_only(split: Split) -> None:
    regions = _regions(split).train()
    regions.zero_grad()
    regions(_seen(split)).square().sum().backward()
    weights = dict(regions.named_parameters())
    learns = {name for name, weight in weights.items() if weight.requires_grad}
    reached = {name for name, weight in weights.items() if weight.grad is not None and weight.grad.any()}
    assert learns == reached
    assert learns
    assert all("convolution" in name for name in learns)  # normalisation stays
    frozen = list(split.frozen._parts.parameters())
    assert frozen
    assert all(weight.grad is None and not weight.requires_grad for weight in frozen)


def test_statistics_stay_as_they_are_in_training(split: Split) -> None:
    regions = _regions(split)
    before = {name: values.clone() for name, values in regions.named_buffers()}
    assert any("running_mean" in name for name in before)
    regions.train()
    regions(_seen(split))
    assert regions.training
    assert all(torch.equal(before[name], values) for name, values in regions.named_buffers())


def test_outlines_are_laid_over(split: Split) -> None:
    seen, regions = _seen(split), _regions(split, masks=True)
    with pytest.raises(InputError, match="reads objects' outlines, and the batch has none"):
        regions(seen)
    half = torch.zeros(3, 3, 14, 14)
    half[..., :7] = 1.0
    full = regions(replace(seen, masks=torch.ones(3, 3, 14, 14)))
    found = regions(replace(seen, masks=half))
    assert (found - full)[seen.mask].abs().sum() > 0.01
    assert not found[1, 2].any()
    regions.zero_grad()
    found.sum().backward()
    assert regions.overlay is not None
    assert regions.overlay.paint.weight.grad is not None
    assert regions.overlay.paint.weight.grad.any()


def test_it_is_saved_and_found_again(split: Split, tmp_path: Path) -> None:
    regions = _regions(split, masks=True)
    save_file(regions.state_dict(), tmp_path / "regions.safetensors")
    other = untrained_resnet(TINY, seed=9, canvas=SMALL)
    again = ResNetRegions(other.last, dim=other.dim, masks=True).eval()
    again.load_state_dict(load_file(tmp_path / "regions.safetensors"))
    seen = replace(_seen(split), masks=torch.rand(3, 3, 14, 14))
    assert torch.equal(again(seen), regions(seen))


def test_maps_are_kept(split: Split, tmp_path: Path) -> None:
    frozen: PictureEncoder = split.frozen
    Image.fromarray(_pictures(1, (30, 50))[0].transpose(1, 2, 0)).save(tmp_path / "a.png")
    scene = Scene("a", (Region("x", Box(1, 2, 3, 4)),), width=30, height=50, stored="a.png")
    kept = kept_canvases(tmp_path / "maps", tmp_path, alone(pictures_of([scene])), frozen)
    assert (kept.shape, kept.dtype, kept.name) == ((32, 4, 6), np.float16, frozen.name)


def test_the_papers_sizes() -> None:
    with torch.device("meta"):
        config = transformers.ResNetConfig()
    assert tuple(config.hidden_sizes) == RESNET50.widths == (256, 512, 1024, 2048)
    assert tuple(config.depths) == RESNET50.depths
    assert config.embedding_size == RESNET50.stem
    assert (CANVAS[0] / 16, CANVAS[1] / 16) == (48, 24)


def test_the_same_seed_gives_the_same_network() -> None:
    one, other, third = (untrained_resnet(TINY, seed=seed, canvas=SMALL) for seed in (1, 1, 2))
    assert np.array_equal(one.frozen.encode(_pictures(1)), other.frozen.encode(_pictures(1)))
    assert not np.array_equal(one.frozen.encode(_pictures(1)), third.frozen.encode(_pictures(1)))
    assert len({one.frozen.name, other.frozen.name, third.frozen.name}) == 2


def test_what_cannot_be_used_is_told(split: Split, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="reads maps of pictures, and the batch has none"):
        _regions(split)(replace(_seen(split), maps=None))
    with pytest.raises(InputError, match="there is no such folder"):
        resnet(str(tmp_path / "nowhere"))
    transformers.ViTConfig().save_pretrained(tmp_path / "vit")
    with pytest.raises(InputError, match=r"vit: this is a ViTConfig, not a ResNet\. Give one"):
        resnet(str(tmp_path / "vit"))
    folder, model = _folder(tmp_path / "resnet")
    (folder / "model.safetensors").unlink()
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    with pytest.raises(InputError, match="pickle only"):
        resnet(str(folder))
    shutil.rmtree(folder)
    transformers.ResNetModel(
        transformers.ResNetConfig(embedding_size=8, hidden_sizes=[8, 8], depths=[1, 1])
    ).save_pretrained(folder)
    with pytest.raises(InputError, match="four blocks is needed, this has 2"):
        resnet(str(folder))

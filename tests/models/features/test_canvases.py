"""All pictures of a question as one canvas."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from making import drawn
from msgspec import structs
from PIL import Image, ImageOps

from commonsight.errors import InputError, UsageError
from commonsight.models.canvas_eyes import CANVAS, canvas_eyes
from commonsight.models.catalogue import find
from commonsight.models.features.canvases import (
    PlainPixels,
    apart,
    canvases_digest,
    canvases_of,
    kept_canvases,
    rows_of,
    side_by_side,
)
from commonsight.models.features.examples import Example
from commonsight.models.features.objects import EVERYTHING
from commonsight.models.features.pictures import resized
from commonsight.models.keeping import Keeping
from commonsight.models.libraries import seeded
from commonsight.models.networks.image_only import by_columns
from commonsight.models.regions.resnet import resnet

RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)


def pictured(*stored: str) -> Example:
    return structs.replace(drawn(1)[0], picture=stored[0], beside=stored[1:])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, colour, size in (("red.png", RED, (53, 40)), ("blue.png", BLUE, (40, 53))):
        Image.new("RGB", size, colour).save(tmp_path / name)
    return tmp_path


def test_one_picture_fills_its_canvas() -> None:
    found = side_by_side([Image.new("RGB", (40, 10), RED)], (20, 12))
    assert found.shape == (3, 12, 20)
    assert (found.transpose(1, 2, 0) == RED).all()


def test_two_pictures_lie_side_by_side_on_white() -> None:
    """A tall one has white at its sides, a flat one above and below."""
    tall, flat = Image.new("RGB", (104, 416), RED), Image.new("RGB", (530, 104), BLUE)
    found = side_by_side([tall, flat], (1060, 416)).transpose(1, 2, 0)
    assert tuple(found[208, 265]) == RED
    assert tuple(found[208, 265 + 60]) == WHITE
    assert tuple(found[208, 530 + 265]) == BLUE
    assert tuple(found[208 + 60, 530 + 265]) == WHITE
    assert (found == RED).all(axis=2).sum() == pytest.approx(104 * 416, rel=0.03)
    assert (found == BLUE).all(axis=2).sum() == pytest.approx(530 * 104, rel=0.03)


def test_every_set_of_pictures_is_kept_once(folder: Path) -> None:
    examples = [pictured("red.png"), pictured("red.png", "blue.png"), pictured("red.png")]
    canvases = canvases_of([*examples, structs.replace(examples[0], picture=None)])
    assert canvases == [("red.png",), ("red.png", "blue.png")]
    kept = kept_canvases(folder / "c.safetensors", folder, canvases, PlainPixels((20, 8)))
    rows = rows_of(examples, kept)
    assert rows.shape == (3, 3, 8, 20)
    assert rows.dtype == np.uint8
    np.testing.assert_array_equal(rows[0], rows[2])
    assert not np.array_equal(rows[0], rows[1])


def test_the_order_of_pictures_makes_another_canvas() -> None:
    assert canvases_digest([("a", "b")]) != canvases_digest([("b", "a")])
    assert canvases_digest([("a", "b")]) != canvases_digest([("a",), ("b",)])


def test_a_canvas_of_other_pictures_is_not_found(folder: Path) -> None:
    kept = kept_canvases(folder / "c.safetensors", folder, [("red.png",)], PlainPixels((20, 8)))
    with pytest.raises(InputError, match=r"there is nothing of blue\.png"):
        kept.number(pictured("blue.png"))


def test_a_missing_picture_is_told(folder: Path) -> None:
    with pytest.raises(InputError, match=r"lost\.png: the picture is missing"):
        kept_canvases(folder / "c.safetensors", folder, [("red.png", "lost.png")], PlainPixels((20, 8)))


@pytest.mark.parametrize(("way", "size"), [("pixels", CANVAS), ("pixels:400x100", (400, 100))])
def test_pixels_are_kept_at_the_size_that_is_asked_for(folder: Path, way: str, size: tuple[int, int]) -> None:
    seeing = canvas_eyes(way, dim=16)
    kept = seeing.keep(Keeping(folder / "features", folder), [pictured("red.png", "blue.png")])
    assert kept.shape == (3, size[1], size[0])
    assert seeing.dim == seeing.module().dim == 16


@pytest.mark.parametrize("way", ["crops", "pixels:big", "pixels:1x1", "resnet", "resnet:", "seen:x"])
def test_other_ways_are_refused(way: str) -> None:
    with pytest.raises(UsageError, match=r"no way to see '.*' as a whole\. Choose one of: pixels"):
        canvas_eyes(way, dim=16)


@pytest.fixture
def resnet_folder(tmp_path: Path) -> Path:
    """A tiny ResNet that has learned nothing."""
    config = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[16, 24, 32, 48], depths=[1, 1, 1, 1], layer_type="basic"
    )
    with seeded(3):
        transformers.ResNetModel(config).save_pretrained(tmp_path / "resnet")
    return tmp_path / "resnet"


def test_each_of_two_pictures_is_seen_by_itself(folder: Path, resnet_folder: Path) -> None:
    """As NLVR2's appendix E.1 has it, by plain steps; whatever the other picture is."""
    seeing = canvas_eyes(f"resnet-each:{resnet_folder}", dim=1)
    examples = [pictured("red.png", "blue.png"), pictured("blue.png", "red.png"), pictured("red.png")]
    kept = seeing.keep(Keeping(folder / "features", folder), examples)
    maps = seeing.module()(torch.from_numpy(rows_of(examples, kept)))
    assert maps.shape == (3, 48, 1, 2)
    network = resnet(str(resnet_folder), canvas=(224, 224)).whole()
    red, blue = (
        network.encode(resized(padded(folder / name), EVERYTHING, (224, 224))[None]).mean(axis=(2, 3))[0]
        for name in ("red.png", "blue.png")
    )
    for row, both in enumerate(((red, blue), (blue, red), (red, red))):
        for column, one in enumerate(both):
            np.testing.assert_allclose(maps[row, :, 0, column], one, rtol=2e-3, atol=1e-3)  # kept in 16 bits
    torch.testing.assert_close(by_columns(maps, 2)[0].reshape(48, 2), maps[0, :, 0])
    assert np.abs(red - blue).max() > 0.01


def padded(path: Path) -> Image.Image:
    return ImageOps.pad(Image.open(path).convert("RGB"), (530, 416), Image.Resampling.BILINEAR, "white")


def test_three_pictures_are_no_pair() -> None:
    with pytest.raises(UsageError, match=r"has 3 pictures, and resnet-each sees 2\. Choose another way"):
        apart([Image.new("RGB", (4, 4))] * 3, (8, 4))


def test_canvas_sizes_by_way(resnet_folder: Path) -> None:
    sizes = {
        "pixels": (224, 112),
        "pixels:400x100": (400, 100),
        f"resnet:{resnet_folder}": (224, 224),
        f"resnet-pooled:{resnet_folder}": (224, 224),
        f"resnet-last:{resnet_folder}": (448, 448),
        f"resnet-each:{resnet_folder}": (448, 224),
    }
    assert {way: canvas_eyes(way, dim=16).canvas for way in sizes} == sizes


def test_film_as_published_sees_drawings_as_raw_pixels() -> None:
    size = find("film").paper
    seeing = canvas_eyes("pixels", dim=size.raw or 0, canvas=size.canvas, stages=size.stages)
    assert seeing.canvas == (224, 224)
    found = seeing.module()(torch.zeros(1, 3, 224, 224))
    assert found.shape == (1, 128, 14, 14)
    assert (find("film").small.canvas, find("film").small.stages) == (CANVAS, (24, 48))

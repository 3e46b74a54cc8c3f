"""All pictures of a question as one canvas."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from making import drawn
from msgspec import structs
from PIL import Image

from commonsight.errors import InputError, UsageError
from commonsight.models.canvas_eyes import CANVAS, canvas_eyes
from commonsight.models.features.canvases import (
    PlainPixels,
    canvases_digest,
    canvases_of,
    kept_canvases,
    rows_of,
    side_by_side,
)
from commonsight.models.features.examples import Example
from commonsight.models.keeping import Keeping

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

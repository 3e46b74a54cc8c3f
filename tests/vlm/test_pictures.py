"""Pictures as a model gets them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commonsight.core.scene import Box, Region, Scene
from commonsight.errors import InputError
from commonsight.vlm.client import Picture
from commonsight.vlm.pictures import Pictures


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Image.new("RGB", (1600, 800), "white").save(tmp_path / "wide.png")
    (tmp_path / "broken.png").write_bytes(b"no picture")
    return tmp_path


def scene(name: str) -> Scene:
    return Scene(name, (Region("person", Box(400, 200, 800, 600)), Region("cup")), width=1600, height=800)


def pixels(picture: Picture) -> np.ndarray:
    with Image.open(io.BytesIO(picture.data)) as opened:
        return np.asarray(opened.convert("RGB")).astype(int)


def test_a_picture_is_shrunk_to_the_longest_side_and_encoded_once(folder: Path) -> None:
    pictures = Pictures(folder, longest_side=400)
    sent = pictures.plain(scene("wide.png"))
    assert pixels(sent).shape == (200, 400, 3)
    assert sent.media == "image/jpeg"
    assert pictures.plain(scene("wide.png")) is sent


def test_a_box_is_drawn_where_the_region_is(folder: Path) -> None:
    boxed = pixels(Pictures(folder, longest_side=400).boxed(scene("wide.png"), (0, 1)))
    dark = (boxed.sum(axis=2) < 600).nonzero()
    assert abs(dark[1].min() - 100) <= 2
    assert abs(dark[0].max() - 150) <= 2
    assert (boxed[100, 150] > 240).all()  # inside, nothing is covered


def test_missing_and_broken_pictures_are_told(folder: Path) -> None:
    with pytest.raises(InputError, match=r"the picture is missing. Name the folder"):
        Pictures(folder).plain(scene("none.png"))
    with pytest.raises(InputError, match="no picture that can be read"):
        Pictures(folder).plain(scene("broken.png"))
    unsized = Scene("wide.png", (Region("person", Box(0, 0, 1, 1)),))
    with pytest.raises(InputError, match="size is not known"):
        Pictures(folder).boxed(unsized, (0,))


def test_no_picture_lies_outside_the_folder(folder: Path) -> None:
    with pytest.raises(InputError):
        Pictures(folder).plain(scene("../secret.png"))

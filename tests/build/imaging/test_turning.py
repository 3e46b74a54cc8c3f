"""What is found in an upright picture is where the file has it."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commonsight.build.imaging.detector import Detected
from commonsight.build.imaging.turning import turned_back, upright
from commonsight.core.scene import Box, Region, Scene
from commonsight.store.pictures import picture_turn, read_picture

WIDE, TALL = 60, 40
BOX = (10, 5, 30, 12)
"""Left, top, right and bottom in the file, near a corner, so that no turn maps it onto itself."""
NOTE = 0x0112


def marked(folder: Path, turn: int) -> Path:
    """A black picture with a white box, and a note on how to turn it."""
    pixels = np.zeros((TALL, WIDE, 3), np.uint8)
    pixels[BOX[1] : BOX[3], BOX[0] : BOX[2]] = 255
    image = Image.fromarray(pixels)
    noted = image.getexif()
    noted[NOTE] = turn
    path = folder / f"{turn}.png"
    image.save(path, exif=noted)
    return path


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_box_goes_back_to_where_the_file_has_it(tmp_path: Path, turn: int) -> None:
    opened = read_picture(marked(tmp_path, turn))
    rows, columns = np.nonzero(np.asarray(opened.image)[..., 0])
    left, top, right, bottom = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    outline = ((float(left), float(top)), (float(right), float(top)), (float(right), float(bottom)))
    found = Detected("box", 0.9, (float(left), float(top), float(right), float(bottom)), (outline,))

    (back,) = turned_back([found], opened.turn, opened.size)

    assert opened.turn == turn
    assert opened.size == (WIDE, TALL)
    assert back.box == BOX
    assert back.polygons is not None
    corners = {(x, y) for x in (BOX[0], BOX[2]) for y in (BOX[1], BOX[3])}
    assert len(set(back.polygons[0])) == 3
    assert set(back.polygons[0]) <= corners
    assert (back.label, back.score) == ("box", 0.9)


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_scene_of_the_file_stands_upright_where_people_see_it(tmp_path: Path, turn: int) -> None:
    opened = read_picture(marked(tmp_path, turn))
    rows, columns = np.nonzero(np.asarray(opened.image)[..., 0])
    outline = ((float(BOX[0]), float(BOX[1])), (float(BOX[2]), float(BOX[1])), (float(BOX[2]), float(BOX[3])))
    regions = (Region("box", Box(*map(float, BOX)), (outline,), 0.9), Region("somewhere"))
    scene = Scene("a.png", regions, width=WIDE, height=TALL, extra={"told": 1})

    turned = upright(scene, picture_turn(marked(tmp_path, turn)), (WIDE, TALL))

    left, top, right, bottom = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    assert (turned.width, turned.height) == opened.image.size
    assert turned.regions[0].box == Box(float(left), float(top), float(right), float(bottom))
    assert turned.regions[0].polygons is not None
    corners = {(x, y) for x in (left, right) for y in (top, bottom)}
    assert set(turned.regions[0].polygons[0]) < corners
    assert turned.regions[1] == Region("somewhere")
    assert turned.extra == {"told": 1}


def test_a_jpegs_note_is_read_without_its_pixels() -> None:
    stream = io.BytesIO()
    image = Image.new("RGB", (WIDE, TALL))
    noted = image.getexif()
    noted[NOTE] = 6
    image.save(stream, "JPEG", exif=noted)
    assert picture_turn(stream.getvalue()[:-40]) == 6

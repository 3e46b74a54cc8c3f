"""The contact sheet: every scene in its cell, with boxes and a few lines of text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.world.sheet import CELL_HEIGHT, CELL_WIDTH, LINE, LINES, Cell, cell, contact_sheet

ROW = CELL_HEIGHT + LINES * LINE + 8
SCENE = Scene("a.png", (Region("person", Box(10, 10, 60, 50)), Region("cup")), width=192, height=128)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    Image.new("RGB", (192, 128), "#336699").save(tmp_path / "a.png")
    return tmp_path / "a.png"


@pytest.mark.parametrize(("count", "columns", "rows"), [(1, 4, 1), (4, 4, 1), (5, 4, 2), (7, 3, 3)])
def test_the_grid_has_room_for_all(picture: Path, count: int, columns: int, rows: int) -> None:
    sheet = contact_sheet([Cell(picture, SCENE, "text")] * count, columns)
    assert sheet.size == (columns * CELL_WIDTH, rows * ROW)


def test_boxes_are_scaled_to_the_cell(picture: Path) -> None:
    plain = np.asarray(contact_sheet([Cell(picture, SCENE, "")], 1, boxes=False), dtype=int)
    boxed = np.asarray(contact_sheet([Cell(picture, SCENE, "")], 1), dtype=int)
    changed = np.argwhere((plain != boxed).any(axis=2))
    assert changed.min(axis=0).tolist() == [20, 20]
    assert changed.max(axis=0).tolist() == [99, 119]
    assert (plain[:CELL_HEIGHT] == (0x33, 0x66, 0x99)).all()


def test_texts_stay_below_their_picture(picture: Path) -> None:
    long = "\n".join(["many words in one line " * 12] * 9)
    bare, told = (contact_sheet([Cell(picture, SCENE, text)], 1, boxes=False) for text in ("", long))
    changed = np.argwhere((np.asarray(bare, dtype=int) != np.asarray(told, dtype=int)).any(axis=2))
    assert changed[:, 0].min() >= CELL_HEIGHT
    assert changed[:, 0].max() < ROW
    assert changed[:, 1].max() < CELL_WIDTH


def test_an_item_becomes_a_cell_with_its_question_and_choices(tmp_path: Path) -> None:
    scene = Scene("a.png", SCENE.regions, width=192, height=128, stored="images/ab.png")
    item = Item(
        "1", "val", (scene,), {"question": TaggedText(("Why", (0,), "?"))}, (TaggedText(((1,), "fell", ".")),)
    )
    assert cell(tmp_path, item) == Cell(tmp_path / "images/ab.png", scene, "Why [person1]?\n[cup2] fell.")


def test_an_item_without_its_picture_is_no_cell(tmp_path: Path) -> None:
    assert cell(tmp_path, Item("1", "val", (SCENE,))) is None

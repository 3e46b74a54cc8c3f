"""A contact sheet: many scenes on one picture, with the boxes of their objects and a line of text each."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.store.pictures import open_picture

CELL_WIDTH, CELL_HEIGHT = 384, 256
LINE = 13
LINES = 5
COLOURS = ("#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#008080", "#f032e6", "#9a6324")


class Cell(NamedTuple):
    """One scene of a sheet: its picture, its objects, and what is written below."""

    image: Path
    scene: Scene
    text: str


def cell(folder: Path, item: Item) -> Cell | None:
    """An item of a dataset as a cell; None if the dataset does not hold its picture."""
    scene = item.scenes[0]
    if scene.stored is None:
        return None
    lines = [text.bracketed(item.labels) for text in item.texts.values()]
    lines += [choice.bracketed(item.labels) for choice in item.choices]
    return Cell(folder / scene.stored, scene, "\n".join(lines))


def contact_sheet(cells: Sequence[Cell], columns: int = 4, *, boxes: bool = True) -> Image.Image:
    """The cells in a grid, in order."""
    rows = -(-len(cells) // columns)
    height = CELL_HEIGHT + LINES * LINE + 8
    sheet = Image.new("RGB", (columns * CELL_WIDTH, rows * height), "#fbfaf6")
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(11)
    for place, entry in enumerate(cells):
        left, top = place % columns * CELL_WIDTH, place // columns * height
        picture = open_picture(entry.image, turned=False).resize((CELL_WIDTH, CELL_HEIGHT))
        sheet.paste(picture, (left, top))
        if boxes:
            _draw_boxes(draw, entry.scene, left, top, font)
        wrapped = [line for text in entry.text.splitlines() for line in textwrap.wrap(text, 68)]
        for number, line in enumerate(wrapped[:LINES]):
            draw.text((left + 4, top + CELL_HEIGHT + 3 + number * LINE), line, fill="#222222", font=font)
    return sheet


def _draw_boxes(
    draw: ImageDraw.ImageDraw,
    scene: Scene,
    left: int,
    top: int,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
) -> None:
    across = CELL_WIDTH / (scene.width or CELL_WIDTH)
    down = CELL_HEIGHT / (scene.height or CELL_HEIGHT)
    for number, region in enumerate(scene.regions):
        if region.box is None:
            continue
        x, y = left + region.box.left * across, top + region.box.top * down
        right, bottom = left + region.box.right * across, top + region.box.bottom * down
        colour = COLOURS[number % len(COLOURS)]
        draw.rectangle((x, y, right - 1, bottom - 1), outline=colour)
        draw.text((x + 2, y + 1), f"{region.label}{number + 1}", fill=colour, font=font)

"""A contact sheet, so that a person can see whether groups are alike: a group a row."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from commonsight.store.pictures import open_picture

WIDTH, HEIGHT, LINE, GAP = 150, 112, 15, 4
PAPER, INK, MARK = "#fbfaf6", "#222222", "#3cb44b"


class Row(NamedTuple):
    """One group: what is written above it, its pictures, and which of them are marked."""

    title: str
    pictures: Sequence[Path]
    marked: Sequence[bool]


def contact_sheet(rows: Sequence[Row]) -> Image.Image:
    """The groups below one another; pictures keep their shape, marked ones have a green edge."""
    columns = max((len(row.pictures) for row in rows), default=0)
    height = LINE + HEIGHT + 2 * GAP
    sheet = Image.new("RGB", (max(1, columns * (WIDTH + GAP) + GAP), max(1, len(rows) * height)), PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(11)
    for number, row in enumerate(rows):
        top = number * height
        draw.text((GAP, top + 2), row.title, fill=INK, font=font)
        for place, (path, marked) in enumerate(zip(row.pictures, row.marked, strict=True)):
            left = GAP + place * (WIDTH + GAP)
            small = open_picture(path, near=(2 * WIDTH, 2 * HEIGHT))
            small.thumbnail((WIDTH, HEIGHT))
            corner = left + (WIDTH - small.width) // 2, top + LINE + (HEIGHT - small.height) // 2
            sheet.paste(small, corner)
            if marked:
                box = (*corner, corner[0] + small.width - 1, corner[1] + small.height - 1)
                draw.rectangle(box, outline=MARK, width=2)
    return sheet

"""Three boxes of shapes drawn with Pillow, edges smoothed: what the tests of sight and of solvers look at."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

from commonsight.graph.shapes.values import PAINTS, SIDE, STEP, Shape, Tableau

FINE = 8


def drawn(shown: Tableau) -> Image.Image:
    """A picture of the boxes, 400 x 100 pixels."""
    width = STEP * 2 + SIDE
    picture = Image.new("RGB", (width * FINE, SIDE * FINE), (128, 128, 128))
    pen = ImageDraw.Draw(picture)
    for number, panel in enumerate(shown.panels):
        left = number * STEP * FINE
        pen.rectangle((left, 0, left + SIDE * FINE - 1, SIDE * FINE - 1), fill=(211, 211, 211))
        for shape in panel.shapes:
            _draw(pen, shape, left)
    return picture.resize((width, SIDE), Image.Resampling.BOX)


def _draw(pen: ImageDraw.ImageDraw, shape: Shape, left: int) -> None:
    x, y, size = left + shape.left * FINE, shape.top * FINE, shape.size * FINE
    paint, square = PAINTS[shape.colour], (x, y, x + size - 1, y + size - 1)
    if shape.kind == "circle":
        pen.ellipse(square, fill=paint)
    elif shape.kind == "square":
        pen.rectangle(square, fill=paint)
    else:
        for row in range(size):  # exactly half as far to each side as it is down
            half = (row + 0.5) / 2
            middle = x + size / 2
            pen.line((round(middle - half), y + row, round(middle + half) - 1, y + row), fill=paint)


def save(shown: Tableau, path: Path) -> Path:
    """The picture as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn(shown).save(path)
    return path

"""A scene in the terminal: half-block pixels where the image is at hand, and the boxes of its regions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw
from rich.color import Color
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.segment import Segment, Segments
from rich.style import Style

from commonsight.core.scene import Region, Scene
from commonsight.store.pictures import open_picture

PALETTE = (
    "#e6194b", "#3cb44b", "#ffe119", "#4363d8", "#f58231", "#911eb4", "#46f0f0", "#f032e6",
    "#bcf60c", "#fabebe", "#008080", "#e6beff", "#9a6324", "#fffac8", "#800000", "#aaffc3",
)  # fmt: skip
"""One colour per region, far apart; texts show their tags in the same ones."""

HALF_BLOCK = "▀"
MOST_ROWS = 24


class Picture(Segments):
    """Half blocks that know how wide they are, so that two pictures can stand side by side."""

    def __init__(self, segments: Sequence[Segment], columns: int) -> None:
        super().__init__(segments)
        self.columns = columns

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Exactly as wide as it is."""
        return Measurement(self.columns, self.columns)


def colour(region: int) -> str:
    """The colour of the region at this position."""
    return PALETTE[region % len(PALETTE)]


def drawable(scene: Scene, folder: Path | None) -> bool:
    """Whether there is anything to draw: pixels, or boxes in a frame of known size."""
    return _pixels(scene, folder) is not None or (
        scene.width is not None and any(region.box is not None for region in scene.regions)
    )


def picture(scene: Scene, folder: Path | None, columns: int, mentioned: Sequence[int] = ()) -> Picture:
    """The scene at most this many columns wide; boxes of the mentioned regions, or of all if none is."""
    path = _pixels(scene, folder)
    if path is not None:
        image = open_picture(path, turned=False)
        width, height = scene.width or image.width, scene.height or image.height
    else:
        width, height = scene.width or 1, scene.height or 1
        image = Image.new("RGB", (width, height), "#202020")
    across = min(columns, max(1, round(2 * MOST_ROWS * width / height)))
    down = max(2, round(across * height / width) // 2 * 2)
    image = image.resize((across, down), Image.Resampling.LANCZOS)
    shown = mentioned or range(len(scene.regions))
    _draw_boxes(image, [(index, scene.regions[index]) for index in shown], across / width, down / height)
    return _half_blocks(image)


def _pixels(scene: Scene, folder: Path | None) -> Path | None:
    path = None if folder is None or scene.stored is None else folder / scene.stored
    return path if path is not None and path.is_file() else None


def _draw_boxes(image: Image.Image, regions: Sequence[tuple[int, Region]], x: float, y: float) -> None:
    draw = ImageDraw.Draw(image)
    for index, region in regions:
        if region.box is not None:
            left, right = sorted((region.box.left * x, region.box.right * x))
            top, bottom = sorted((region.box.top * y, region.box.bottom * y))
            draw.rectangle((left, top, right, bottom), outline=colour(index))


def _half_blocks(image: Image.Image) -> Picture:
    # One character shows two pixels: its upper half in the foreground colour, its lower in the background's.
    pixels = image.load()
    assert pixels is not None
    segments = []
    for row in range(0, image.height - 1, 2):
        for column in range(image.width):
            upper, lower = pixels[column, row], pixels[column, row + 1]
            style = Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower))  # type: ignore[misc]
            segments.append(Segment(HALF_BLOCK, style))
        segments.append(Segment.line())
    return Picture(segments, image.width)

"""What is laid over a drawn scene: shadows on the floor, the hour's light, the glow of lamps, rain, paper."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageDraw

from commonsight.world.model import Light

COARSE = 4
"""Light is worked out on a picture this many times smaller: it has no edges."""
TINTS: dict[Light, tuple[float, float, float]] = {
    "day": (1.0, 1.0, 1.0), "dusk": (1.0, 0.86, 0.74), "night": (0.62, 0.67, 0.86),
}  # fmt: skip
_WARM = (1.0, 0.95, 0.8)
_DARK = "#2e211c"
_SHADOW = 62
"""How much of the dark shows in the middle of a shadow, of 255."""
_GRAIN = 10
"""How much of it the paper's grain adds at most."""


class Shadow(NamedTuple):
    """A flat ellipse on the floor, in pixels."""

    x: float
    y: float
    width: float


class Lamp(NamedTuple):
    """Something that glows, in pixels."""

    x: float
    y: float
    reach: float


def cast_shadows(
    picture: Image.Image, floor: NDArray[np.bool_], shadows: Sequence[Shadow], seed: int
) -> None:
    """Darken the floor under whatever stands on it; `floor` is where nothing else shows: (height, width).

    The sheet has a faint grain as well, so that no two are the same.
    """
    width, height = picture.size
    veil = Image.new("L", (width // 2, height // 2), 0)
    ink = ImageDraw.Draw(veil)
    for ring, depth in ((1.0, _SHADOW // 2), (0.8, _SHADOW)):
        for x, y, wide in shadows:
            rx, ry = max(1.0, wide * ring / 4), max(0.6, min(4.5, wide * ring / 15))
            ink.ellipse((x / 2 - rx, y / 2 - ry, x / 2 + rx, y / 2 + ry), fill=depth)
    veil = veil.resize(picture.size, Image.Resampling.BILINEAR)
    coarse = height // 16 + 1, width // 16 + 1
    specks = np.random.default_rng(seed).integers(0, _GRAIN, coarse, dtype=np.uint8)
    grain = Image.fromarray(specks).resize(picture.size, Image.Resampling.BILINEAR)
    picture.paste(_DARK, (0, 0), Image.fromarray(np.asarray(veil) * floor + np.asarray(grain)))


def cast_light(picture: Image.Image, light: Light, lamps: Sequence[Lamp]) -> Image.Image:
    """Tint the picture by the hour, bright and warm around lamps. By day there is nothing to do."""
    if light == "day":
        return picture
    width, height = picture.size
    wide, high = width // COARSE, height // COARSE
    veil = np.ones((high, wide, 3), dtype=np.float32) * np.asarray(TINTS[light], dtype=np.float32)
    if lamps:
        glow = _glow(wide, high, lamps)[:, :, None]
        veil += (np.asarray(_WARM, dtype=np.float32) - veil) * glow
    sheet = Image.fromarray((veil * 255).astype(np.uint8)).resize(picture.size, Image.Resampling.BILINEAR)
    return ImageChops.multiply(picture, sheet)


def _glow(wide: int, high: int, lamps: Sequence[Lamp]) -> NDArray[np.float32]:
    """How much lamp light falls on each coarse pixel: (high, wide), 0 to 1."""
    rows = np.arange(high, dtype=np.float32)[:, None]
    columns = np.arange(wide, dtype=np.float32)[None, :]
    dark = np.ones((high, wide), dtype=np.float32)
    for x, y, reach in lamps:
        far = (columns - x / COARSE) ** 2 + (rows - y / COARSE) ** 2
        dark *= 1.0 - 0.95 * np.exp(-far / (reach / COARSE) ** 2)
    return (1.0 - dark).astype(np.float32)


@lru_cache(maxsize=8)
def _streaks(width: int, height: int, seed: int) -> Image.Image:
    random = Random(seed)
    veil = Image.new("L", (width, height), 0)
    ink = ImageDraw.Draw(veil)
    for _ in range(width * height // 900):
        x, y, length = random.uniform(0, width * 1.1), random.uniform(-10, height), random.uniform(6, 13)
        ink.line((x, y, x - length * 0.3, y + length), fill=random.choice((70, 110, 150)))
    return veil


def let_it_rain(picture: Image.Image, seed: int) -> Image.Image:
    """Streaks over everything; one of eight showers."""
    picture = ImageChops.multiply(picture, Image.new("RGB", picture.size, "#e2e7ef"))
    picture.paste("#eef4fb", (0, 0), _streaks(*picture.size, seed % 8))
    return picture

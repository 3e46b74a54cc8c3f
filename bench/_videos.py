"""Small videos, made for tests and figures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
COLOURS = {"red": (200, 30, 30), "green": (30, 180, 40), "blue": (30, 40, 210), "grey": (128, 128, 128)}


def scene(name: str, place: float, size: tuple[int, int] = (64, 48)) -> Pixels:
    """A view of one colour, with a white bar that moves from left to right while the view lasts."""
    width, height = size
    pixels = np.full((height, width, 3), COLOURS[name], np.uint8)
    left = int(place * (width - 6))
    pixels[height // 2 :, left : left + 6] = 255
    return pixels


def make_video(
    path: Path,
    scenes: Sequence[tuple[str, float]],
    *,
    rate: int = 12,
    times: Sequence[float] | None = None,
    size: tuple[int, int] = (64, 48),
    codec: str = "libx264",
    gop: int = 250,
    aspect: Fraction | None = None,
    grain: float = 0.0,
    **options: str,
) -> Path:
    """Views one after the other, each for so many seconds; at these times, or as the rate says."""
    with av.open(str(path), "w", options=options) as container:
        stream: Any = container.add_stream(codec, rate=rate)
        stream.width, stream.height, stream.pix_fmt = *size, "yuvj420p" if codec == "mjpeg" else "yuv420p"
        stream.codec_context.gop_size = gop
        if codec == "libx264":
            stream.options = {"preset": "veryfast"}
        stream.codec_context.time_base = Fraction(1, 1000)
        if aspect is not None:
            stream.codec_context.sample_aspect_ratio = aspect
        texture = np.random.default_rng(1).normal(0, grain, (size[1], size[0], 1)) if grain else None
        last = sum(seconds for _, seconds in scenes)
        for time in times if times is not None else np.arange(0, last - 1e-9, 1 / rate):
            pixels = _at(scenes, float(time), size)
            if texture is not None:  # moves slowly across, as a camera does
                pixels = (pixels + np.roll(texture, int(time * 40), 1)).clip(0, 255).astype(np.uint8)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = round(time * 1000), Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def _at(scenes: Sequence[tuple[str, float]], time: float, size: tuple[int, int]) -> Pixels:
    start = 0.0
    for name, seconds in scenes:
        if time < start + seconds - 1e-9:
            return scene(name, (time - start) / seconds, size)
        start += seconds
    return scene(scenes[-1][0], 1.0, size)


def turn_video(path: Path, degrees: int) -> None:
    """Note in an MP4 that a viewer must turn it clockwise: the matrix in its track's header."""
    content = bytearray(path.read_bytes())
    cosine, sine = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[degrees]
    matrix = [cosine << 16, sine << 16, 0, -sine << 16, cosine << 16, 0, 0, 0, 1 << 30]
    start = content.index(b"tkhd") + 4 + 40
    content[start : start + 36] = b"".join((number & 0xFFFFFFFF).to_bytes(4) for number in matrix)
    path.write_bytes(content)

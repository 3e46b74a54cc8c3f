"""Videos, frame by frame, with no more in memory than the decoder needs (PyAV, extra `media`).

Times are seconds since the video's own start, and never go back: where a stream was put together of several,
its clock goes on. A packet that cannot be decoded is counted and passed by; a file that ends too early ends
there. Only what is no video at all is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.errors import InvalidRecords, MissingExtra, Problem
from commonsight.store.pictures import MOST_PIXELS

if TYPE_CHECKING:
    from PIL.Image import Image

OPTIONS = {"protocol_whitelist": "file"}
"""A playlist must not make us fetch anything from anywhere."""
MOST_GAP = 0.5
"""Where keyframes are no farther apart than this share of the sampling's step, nothing else is decoded."""
_NOTHING = 1e-6
"""Seconds that clocks may differ by for being counted in fractions."""


class Frame(NamedTuple):
    """A decoded frame and its time in seconds."""

    time: float
    decoded: Any

    @property
    def bytes(self) -> int:
        """What it takes in memory, about."""
        return int(sum(plane.buffer_size for plane in self.decoded.planes))

    def small(self, width: int) -> NDArray[np.uint8]:
        """Its colours at a width of so many pixels, or as it is if it is no wider: (row, column, channel)."""
        frame = self.decoded
        wide = min(width, frame.width)
        tall = max(1, round(frame.height * wide / frame.width))
        found: NDArray[np.uint8] = frame.reformat(wide, tall, "rgb24", interpolation="AREA").to_ndarray()
        return found

    def image(self, shape: float = 1.0) -> Image:
        """As a viewer would show it: upright, with square pixels if `shape` is how wide they were."""
        from PIL.Image import Transpose

        image: Image = self.decoded.to_image()
        if shape != 1.0:
            image = image.resize((max(1, round(image.width * shape)), image.height))
        turns = {90: Transpose.ROTATE_90, 180: Transpose.ROTATE_180, 270: Transpose.ROTATE_270}
        turn = turns.get(round(self.decoded.rotation) % 360)
        return image if turn is None else image.transpose(turn)


class _Sampling:
    """One moment for every so many seconds: the first that comes at or after it."""

    def __init__(self, every: float) -> None:
        self._every, self._due = every, 0.0

    def takes(self, time: float) -> bool:
        if self._every <= 0:
            return True
        if time < self._due - _NOTHING:
            return False
        self._due = (int(time / self._every + _NOTHING) + 1) * self._every
        return True


@dataclass
class Video:
    """An open video, and what was found while its frames passed."""

    path: Path
    seconds: float | None
    """What the file says of its length; not every file says it, and a broken one may say anything."""
    shape: float
    """How wide a pixel is for its height, where it is not square."""
    every: float
    """Seconds between two frames that are wanted; 0 for all."""
    keys_only: bool
    """Whether keyframes are near enough to one another to decode nothing else."""
    container: Any
    stream: Any
    end: float = 0.0
    """When the last packet that passed is over."""
    decoded: int = 0
    """Frames that were decoded."""
    broken: int = 0
    """Packets that could not be."""
    cut: bool = False
    """Whether the file could not be read to its end."""
    _shift: float | None = None
    """What the stream's own clock is ahead of ours."""

    def frames(self) -> Iterator[Frame]:
        """All frames; or one for every so many seconds, the first that can be had at or after that time."""
        sampling = _Sampling(self.every)
        return (frame for frame in self._timed() if sampling.takes(frame.time))

    def _timed(self) -> Iterator[Frame]:
        last, step = 0.0, float(1 / (self.stream.average_rate or Fraction(25)))
        for decoded in self._frames():
            if decoded.time is None:  # as raw streams have none
                told = 0.0 if self._shift is None else last + step + self._shift
            else:
                told = decoded.time
            if self._shift is None:
                self._shift = told
            elif told - self._shift <= last and self.decoded:  # a clock that was set back
                self._shift = told - last - step
            last = told - self._shift
            self.decoded += 1
            self.end = max(self.end, last + _duration(decoded, step))
            yield Frame(last, decoded)

    def _frames(self) -> Iterator[Any]:
        errors = library().error.FFmpegError
        for packet in self._packets(errors):
            try:
                yield from self.stream.codec_context.decode(packet)
            except errors:
                self.broken += 1

    def _packets(self, errors: type[Exception]) -> Iterator[Any]:
        """What is decoded, and last an empty packet, with which the decoder gives what it still has."""
        sampling, first = _Sampling(self.every), None
        try:
            for packet in self.container.demux(self.stream):
                if packet.pts is None:
                    yield packet
                    continue
                now = float(packet.pts * packet.time_base)
                first = now if first is None else first
                ahead = first if self._shift is None else self._shift
                self.end = max(self.end, now - ahead + _duration(packet, 0.0))
                if not self.keys_only or (packet.is_keyframe and sampling.takes(now - first)):
                    yield packet
        except errors:
            self.cut = True
            yield None


def _duration(part: Any, otherwise: float) -> float:
    return float(part.duration * part.time_base) if part.duration else otherwise


def library() -> ModuleType:
    """PyAV, or which extra to install; what its libraries would write to the terminal is not for there."""
    try:
        import av
        import av.logging
    except ImportError as error:
        raise MissingExtra("PyAV", "media") from error
    av.logging.set_level(av.logging.PANIC)
    found: ModuleType = av
    return found


@contextmanager
def open_video(
    path: Path, *, threads: int = 0, every: float = 0.0, most_pixels: int = MOST_PIXELS
) -> Iterator[Video]:
    """The file's video, decoded in so many threads, as many as there are cores by default.

    With `every`, the decoder leaves out what such a sampling can do without: all but keyframes where these
    are near enough to one another, otherwise those frames that no other is made from.
    """
    av = library()
    try:
        sparse = every > 0 and _keys_suffice(path, every * MOST_GAP)
        with av.open(str(path), options=OPTIONS, metadata_errors="replace") as container:
            stream = _stream(path, container)
            if stream.width * stream.height > most_pixels:
                large = f"its frames are too large ({stream.width} x {stream.height})"
                raise _refused(path, f"{large}: more than {most_pixels:,} pixels", "Make them smaller.")
            stream.thread_type, stream.codec_context.thread_count = "AUTO", threads
            if every > 0 and not sparse:
                stream.codec_context.skip_frame = "NONREF"
            told = _seconds(container, stream)
            yield Video(path, told, _shape(stream), every, sparse, container, stream)
    except av.error.FFmpegError as error:
        reason = (error.strerror or str(error)).lower()
        raise _refused(path, f"this is no video that can be read ({reason})", "Restore it.") from error


def _keys_suffice(path: Path, gap: float) -> bool:
    """Whether no two keyframes are farther apart than this; most files say no within their first seconds."""
    av = library()
    last = None
    with av.open(str(path), options=OPTIONS, metadata_errors="replace") as container:
        try:
            for packet in container.demux(_stream(path, container)):
                if packet.pts is None:
                    continue
                now = float(packet.pts * packet.time_base)
                back = packet.is_keyframe and last is not None and now < last  # a clock that was set back
                if back or (last is not None and now - last > gap):
                    return False
                last = now if packet.is_keyframe or last is None else last
        except av.error.FFmpegError:  # whoever decodes it will come here too, and tell
            return last is not None
    return last is not None


def _stream(path: Path, container: Any) -> Any:
    """The first video that is no picture on a record's cover."""
    cover = library().stream.Disposition.attached_pic
    streams = [one for one in container.streams.video if not one.disposition & cover]
    if not streams:
        raise _refused(path, "there is no video in this file", "Give files that hold moving pictures.")
    if streams[0].codec_context is None:
        raise _refused(path, "nothing here can decode its video", "Convert it, to H.264 for instance.")
    return streams[0]


def _seconds(container: Any, stream: Any) -> float | None:
    if stream.duration:
        return float(stream.duration * stream.time_base)
    return container.duration / 1_000_000 if container.duration else None


def _shape(stream: Any) -> float:
    ratio = stream.sample_aspect_ratio
    return float(ratio) if ratio else 1.0


def _refused(path: Path, message: str, remedy: str) -> InvalidRecords:
    return InvalidRecords([Problem(path, message, remedy)])

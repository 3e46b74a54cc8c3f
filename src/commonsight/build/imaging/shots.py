"""Shots: where a film cuts from one view to the next, and one frame of each view.

The rule is the one by which VCR took stills from movies (its appendix B.1): look at one frame a second; where
two that follow one another differ by 30 or more in HSV on average, a new shot begins; of each shot the middle
frame is kept. The difference is that of a widely used content detector: the mean over all pixels and the
three channels, which are counted as OpenCV counts them (hue 0 to 179, the others 0 to 255). Hue is not taken
as a circle there, nor here: otherwise the published number would mean something else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.imaging.video import Frame

EVERY = 1.0
"""Seconds from one sampled frame to the next (VCR, appendix B.1)."""
THRESHOLD = 30.0
"""The mean difference that makes a boundary (VCR, appendix B.1)."""
WIDTH = 256
"""Pixels that frames are made narrower to before they are compared: a cut differs everywhere."""
FARTHEST = 255.0
"""The difference of frames that have not even the same size."""
HELD = 64 * 1024 * 1024
"""Bytes of frames that are held while it is not known yet which will be the middle …"""
LEAST_HELD = 8
"""… but at least so many frames."""

_HUES = (np.arange(256) * 180 // 256).astype(np.uint8)
"""Pillow counts hues from 0 to 255."""


class Rule(NamedTuple):
    """What makes a shot."""

    every: float = EVERY
    """Seconds between frames that are looked at; 0 for all."""
    threshold: float = THRESHOLD
    shortest: float = 0.0
    """Seconds that a shot lasts at least; a boundary that comes sooner is none."""
    width: int = WIDTH


class Cut(NamedTuple):
    """A shot as it was found: when it is, its middle frame, and how far it is from the one before."""

    start: float
    end: float
    middle: Frame
    difference: float | None
    samples: int
    """Frames that were looked at."""


def hsv(colours: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Hue (0 to 179), saturation and value (0 to 255): (row, column, channel)."""
    from PIL import Image

    found = np.asarray(Image.fromarray(colours).convert("HSV")).astype(np.int16)
    found[..., 0] = _HUES[found[..., 0]]
    return found


def difference(one: NDArray[np.int16], other: NDArray[np.int16]) -> float:
    """The mean over pixels and channels of how far apart two frames are."""
    return float(np.abs(one - other).mean())


class Cutter:
    """Takes frames in their order, and gives each shot once it is over."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._before: NDArray[np.int16] | None = None
        self._shot: _Shot | None = None

    def add(self, frame: Frame) -> Cut | None:
        """The shot that this frame ends, if it begins another."""
        seen, before = hsv(frame.small(self._rule.width)), self._before
        self._before = seen
        if self._shot is None or before is None:
            self._shot = _Shot(frame, None)
            return None
        far = difference(before, seen) if before.shape == seen.shape else FARTHEST
        if far < self._rule.threshold or frame.time - self._shot.start < self._rule.shortest:
            self._shot.add(frame)
            return None
        over = self._shot.ended(frame.time)
        self._shot = _Shot(frame, far)
        return over

    def finished(self, end: float) -> Cut | None:
        """The last shot, when the video is over; none if there was no frame."""
        return None if self._shot is None else self._shot.ended(end)


class _Shot:
    """A shot that is not over: the frames that may still turn out to be its middle, and no others.

    The middle only moves on, so that what lies before it is dropped; if the rest is still too much, every
    second one is. The frame that is kept is then as near to the middle as those that are left allow.
    """

    def __init__(self, first: Frame, far: float | None) -> None:
        self.start, self._far = first.time, far
        self._last, self._count, self._step = first.time, 1, 1
        self._held = [first]
        self._most = max(LEAST_HELD, HELD // max(1, first.bytes))

    def add(self, frame: Frame) -> None:
        self._last = frame.time
        if self._count % self._step == 0:
            self._held.append(frame)
        self._count += 1
        middle = self._middle()
        while len(self._held) > 1 and self._held[1].time <= middle:
            del self._held[0]
        if len(self._held) > self._most:
            self._held = self._held[::2]
            self._step *= 2

    def ended(self, end: float) -> Cut:
        middle = self._middle()
        kept = min(self._held, key=lambda frame: (abs(frame.time - middle), frame.time))
        return Cut(self.start, max(end, self._last), kept, self._far, self._count)

    def _middle(self) -> float:
        """Between the first and the last frame that were seen: what follows the last may be another shot."""
        return (self.start + self._last) / 2

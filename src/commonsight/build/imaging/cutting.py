"""Videos become stills: each video's shots, written down as soon as the video is over.

    frames/VIDEO/00012-00.01.02.500.jpg   the middle frame of a shot: its number, and its time in the video
    videos.jsonl                          a video a line, with its shots: what is here is never done again
    shots.jsonl, shots.csv                a shot a line, videos by name: written when all videos are done
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from commonsight.build.imaging.shots import Cut, Cutter, Rule
from commonsight.build.imaging.video import Video, open_video
from commonsight.errors import InvalidRecords, Problem
from commonsight.store.atomic import new_file
from commonsight.store.journal import Journal, Refused, read_journal
from commonsight.store.pictures import MOST_PIXELS
from commonsight.store.walk import Found
from commonsight.store.workers import Pool

VIDEOS, SHOTS, TABLE, FRAMES = "videos.jsonl", "shots.jsonl", "shots.csv", "frames"
QUALITY = 92
TICK = 10.0
"""Seconds of video after which a worker says how far it is."""
SLACK = 1.0
"""Seconds by which a video may end before the time that its file tells."""


class Shot(Struct, frozen=True):
    """One line of `shots.jsonl`. Times are seconds since the video's start."""

    video: str
    number: int
    start: float
    end: float
    time: float
    """Of the frame that was kept."""
    frame: str
    width: int
    height: int
    samples: int
    """Frames that were looked at."""
    difference: float | None
    """From the last frame of the shot before; none for the first shot."""


class VideoLine(Struct, frozen=True):
    """One line of `videos.jsonl`."""

    name: str
    seconds: float
    told_seconds: float | None
    """How long the file says it is."""
    decoded: int
    """Frames."""
    broken: int
    """Packets that could not be decoded."""
    cut_off: bool
    """Whether it ends before its time."""
    shots: tuple[Shot, ...]


class Tick(NamedTuple):
    """A worker is so many seconds into a video."""

    name: str
    seconds: float


class Cutting(NamedTuple):
    """How videos are cut."""

    rule: Rule
    out: Path
    quality: int = QUALITY
    threads: int = 1
    most_pixels: int = MOST_PIXELS

    def __call__(self, video: Found) -> Iterator[Tick | VideoLine | Refused]:
        """How far it is, and at last its line, or why there is none."""
        try:
            every = self.rule.every
            with open_video(
                video.path, threads=self.threads, every=every, most_pixels=self.most_pixels
            ) as opened:
                yield from self._cut(video, opened)
        except InvalidRecords as error:
            yield Refused.of(error.problems[0], video.name)

    def _cut(self, video: Found, opened: Video) -> Iterator[Tick | VideoLine]:
        shots: list[Shot] = []
        cutter, told = Cutter(self.rule), 0.0
        folder = self.out / FRAMES / video.name
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.iterdir():  # of a time when this video was begun and not finished
            left.unlink()
        for frame in opened.frames():
            if (over := cutter.add(frame)) is not None:
                shots.append(self._kept(video, len(shots), over, opened.shape))
            while frame.time >= told + TICK:
                told += TICK
                yield Tick(video.name, told)
        last = cutter.finished(opened.end)
        if last is None:
            folder.rmdir()
            message = f"none of its frames can be decoded ({opened.broken:,} broken packets)"
            raise InvalidRecords([Problem(video.path, message, "Restore it.")])
        shots.append(self._kept(video, len(shots), last, opened.shape))
        early = opened.seconds is not None and opened.end < opened.seconds - SLACK - self.rule.every
        yield VideoLine(
            video.name, round(opened.end, 3), opened.seconds, opened.decoded, opened.broken,
            opened.cut or early, tuple(shots),
        )  # fmt: skip

    def _kept(self, video: Found, number: int, cut: Cut, shape: float) -> Shot:
        image = cut.middle.image(shape)
        name = f"{FRAMES}/{video.name}/{number:05d}-{time_code(cut.middle.time)}.jpg"
        with (self.out / name).open("wb") as stream:
            image.save(stream, "JPEG", quality=self.quality)
            stream.flush()
            os.fsync(stream.fileno())  # before the line that tells of it
        times = (round(time, 3) for time in (cut.start, cut.end, cut.middle.time))
        far = None if cut.difference is None else round(min(cut.difference, 255.0), 3)
        return Shot(video.name, number, *times, name, image.width, image.height, cut.samples, far)


def time_code(seconds: float) -> str:
    """`01.02.03.456`: hours, minutes, seconds and thousandths, fit for a file's name."""
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02d}.{whole // 60 % 60:02d}.{whole % 60:02d}.{thousandths:03d}"


def steps(video: Found) -> int:
    """How often a worker will say something of it, as far as its file tells."""
    try:
        with open_video(video.path) as opened:
            return int((opened.seconds or 0.0) / TICK) + 1
    except InvalidRecords:
        return 1


def cut_videos(
    videos: Sequence[Found], cutting: Cutting, journal: Journal[VideoLine], hands: Pool
) -> Iterator[Tick | VideoLine | Refused]:
    """How far they are, and each one's line, which is on the disk when it comes out here."""
    for result in hands.streamed(cutting, videos):
        if isinstance(result.value, VideoLine):
            journal.append(result.value)
            journal.flush()
        elif isinstance(result.value, Refused):
            journal.refuse(result.value)
        yield result.value


def write_shots(folder: Path) -> list[VideoLine]:
    """The shots of all videos that are done, as JSON lines and as a table; videos by name."""
    videos = sorted(read_journal(folder / VIDEOS, VideoLine), key=lambda video: video.name)
    with new_file(folder / SHOTS) as beside, beside.open("wb") as stream:
        for video in videos:
            stream.writelines(msgspec.json.encode(shot) + b"\n" for shot in video.shots)
    with new_file(folder / TABLE) as beside, beside.open("w", encoding="utf-8", newline="") as text:
        table = csv.writer(text, lineterminator="\n")
        table.writerow(Shot.__struct_fields__)
        for video in videos:
            table.writerows(msgspec.structs.astuple(shot) for shot in video.shots)
    return videos

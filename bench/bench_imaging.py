"""Imaging: videos into shots, pictures into thumbnails and hashes, against what decoding them alone takes.

Time is the process's own on one core. The videos and pictures are made for it: views with grain that moves
slowly, so that there is something to decode.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from _figures import ROUNDS, Figure, arguments, show
from _timing import Timings, interleaved, peak_bytes
from _videos import COLOURS, make_video
from commonsight.build.imaging.cutting import Cutting, VideoLine
from commonsight.build.imaging.hashes import dhash, phash, shades
from commonsight.build.imaging.shots import Rule
from commonsight.build.imaging.thumbnails import LOG, Thumbnail, Thumbnails
from commonsight.build.imaging.video import library
from commonsight.store.journal import Journal
from commonsight.store.piecework import each_picture
from commonsight.store.walk import Found, pictures_in

SECONDS, LONG = 12, 48
"""Of the video that is timed, and of the longer one whose memory is compared with it."""
RATE = 25
FRAME = (640, 360)
PICTURES, MANY = 30, 150
PICTURE = (800, 600)


def film(path: Path, seconds: int) -> Path:
    """Views of four seconds each."""
    names = list(COLOURS)
    scenes = [(names[place % len(names)], 4.0) for place in range(seconds // 4)]
    return make_video(path, scenes, rate=RATE, size=FRAME, grain=12.0)


def photographs(folder: Path, count: int) -> Path:
    """JPEGs of large soft shapes with grain."""
    folder.mkdir()
    rng = np.random.default_rng(3)
    grain = rng.normal(0, 10, (PICTURE[1], PICTURE[0], 3))
    for number in range(count):
        coarse = Image.fromarray(rng.integers(0, 256, (9, 12, 3), dtype=np.uint8))
        soft = np.asarray(coarse.resize(PICTURE, Image.Resampling.BICUBIC)) + np.roll(grain, number, 1)
        Image.fromarray(soft.clip(0, 255).astype(np.uint8)).save(folder / f"{number:05d}.jpg", quality=90)
    return folder


def decoded_video(path: Path) -> int:
    """All frames, and nothing done with them."""
    with library().open(str(path)) as container:
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        return sum(1 for _ in container.decode(stream))


def cut(path: Path, every: float) -> int:
    """As `commonsight build shots` does with one video; how many shots."""
    with tempfile.TemporaryDirectory() as folder:
        work = Cutting(Rule(every), Path(folder))
        *_, last = work(Found(path, path.name))
    assert isinstance(last, VideoLine)
    return len(last.shots)


def decoded_pictures(folder: Path) -> None:
    """All pictures in colours, and nothing done with them."""
    for path in sorted(folder.iterdir()):
        with Image.open(path) as image:
            image.convert("RGB")


def small(folder: Path) -> int:
    """As `commonsight build thumbnails` does in one process; how many."""
    with tempfile.TemporaryDirectory() as out, Journal[Thumbnail](Path(out) / LOG, None) as journal:
        return sum(1 for _ in each_picture(pictures_in([folder]), Thumbnails(Path(out)), journal, 1))


def hashed(folder: Path) -> None:
    """Both perceptual hashes and the file's own of every picture."""
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        grey = shades(content)
        phash(grey), dhash(grey), hashlib.sha256(content).hexdigest()


def figures(rounds: int = ROUNDS) -> list[Figure]:
    """Measure all of it."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        video, long = film(folder / "a.mp4", SECONDS), film(folder / "b.mp4", LONG)
        few, many = photographs(folder / "few", PICTURES), photographs(folder / "many", MANY)
        ways: dict[str, Callable[[], object]] = {
            "decode": partial(decoded_video, video),
            "shots": partial(cut, video, 1.0),
            "all": partial(cut, video, 0.0),
            "open": partial(decoded_pictures, few),
            "small": partial(small, few),
            "hash": partial(hashed, few),
        }
        times = interleaved(ways, rounds, clock=time.process_time)
        return [
            *_videos(times),
            *_pictures(times),
            Figure(
                "imaging_shots_memory",
                f"shots, peak memory for {LONG} seconds of video by that for {SECONDS}",
                peak_bytes(cut, long, 1.0) / peak_bytes(cut, video, 1.0),
                1.2,
            ),
            Figure(
                "imaging_small_memory",
                f"thumbnails, peak memory for {MANY} pictures by that for {PICTURES}",
                peak_bytes(small, many) / peak_bytes(small, few),
                1.2,
            ),
        ]


def _videos(times: Timings) -> list[Figure]:
    told = f"{FRAME[0]}x{FRAME[1]} video at {RATE} frames a second"
    rate = SECONDS / times.median("shots")
    return [
        Figure("imaging_shots_rate", f"shots, hours of {told} in an hour of one core", rate, unit=""),
        Figure(
            "imaging_shots",
            "shots, one frame a second: time by decoding alone",
            times.ratio("shots", "decode"),
            1.0,
        ),
        Figure("imaging_all", "shots, every frame: time by decoding alone", times.ratio("all", "decode")),
    ]


def _pictures(times: Timings) -> list[Figure]:
    told = f"JPEGs of {PICTURE[0]}x{PICTURE[1]}"
    found = []
    for way, what in (("small", "thumbnails and hashes"), ("hash", "hashes alone")):
        rate = PICTURES / times.median(way)
        found += [
            Figure(f"imaging_{way}_rate", f"{what}, {told}: pictures a second of one core", rate, unit="/s"),
            Figure(f"imaging_{way}", f"{what}: time by decoding alone", times.ratio(way, "open")),
        ]
    return found


def main() -> None:
    """Run from the command line."""
    options = arguments(__doc__ or "").parse_args()
    show(figures(options.rounds), options.json)


if __name__ == "__main__":
    main()

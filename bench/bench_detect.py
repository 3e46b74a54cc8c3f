"""Detecting in folders: the whole step against what it cannot do without, opening pictures and the network.

Drawn scenes of 384 x 256 pixels as JPEG, the shipped detector, one core. `decoding alone` opens every picture
and does nothing else; `the network alone` runs ONNX Runtime on canvases that are in memory already. The step
does both, and also fits pictures to canvases, chooses boxes, measures brightness and writes two files.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from _figures import Figure, arguments, show
from _timing import Timings, interleaved, peak_bytes
from commonsight.build.imaging.canvas import fitted
from commonsight.build.imaging.detect import BATCH, Look, detections
from commonsight.build.imaging.onnx_detector import OnnxDetector
from commonsight.build.imaging.sightings import LOG, Sighting
from commonsight.runs.detectors import shipped
from commonsight.store.journal import Journal
from commonsight.store.pictures import open_picture
from commonsight.store.walk import pictures_in
from commonsight.world.make import Plan, make_world

SCENES, TIMES = 48, 4
CANVAS = (288, 192)


@contextmanager
def pictures(scenes: int) -> Iterator[Path]:
    """A folder of drawn scenes."""
    with tempfile.TemporaryDirectory() as folder:
        make_world(Path(folder) / "world", Plan(scenes, 1, ("vcr",)), progress=lambda done, _: done)
        yield Path(folder) / "world" / "raw" / "images"


def detect(folder: Path, copies: int = 1) -> int:
    """The whole step, from folders to files; copies of a folder count as further pictures."""
    with tempfile.TemporaryDirectory() as place:
        out, many = Path(place) / "out", [folder]
        if copies > 1:
            many = [Path(place) / f"copy{number}" for number in range(copies)]
            for path in many:
                shutil.copytree(folder, path)
        look = Look(OnnxDetector(shipped(), threads=1), readers=1)
        with Journal[Sighting](out / LOG, look.begun()) as journal:
            return sum(1 for _ in detections(pictures_in(many), look, journal, out))


def decode(folder: Path) -> None:
    """Every picture, opened."""
    for found in pictures_in([folder]):
        np.asarray(open_picture(found.path, turned=False))


def forward(session: Any, canvases: NDArray[np.float32]) -> None:
    """The network alone, on as many canvases at once as the step has."""
    for start in range(0, len(canvases), BATCH):
        session.run(None, {"images": canvases[start : start + BATCH]})


def measured(folder: Path, rounds: int) -> tuple[Timings, int]:
    """The process's own seconds of each, and the number of pictures."""
    opened = [np.asarray(open_picture(one.path, turned=False)) for one in pictures_in([folder])]
    fit = np.stack([fitted(picture, CANVAS).pixels for picture in opened])
    canvases = np.ascontiguousarray(fit.transpose(0, 3, 1, 2), np.float32) / np.float32(255)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(shipped(), options)
    work = {
        "step": lambda: detect(folder),
        "decoding": lambda: decode(folder),
        "network": lambda: forward(session, canvases),
    }
    return interleaved(work, rounds, clock=time.process_time), len(opened)


def figures(rounds: int, scenes: int = SCENES) -> list[Figure]:
    """What the step costs, and whether its memory grows."""
    with pictures(scenes) as folder:
        timings, count = measured(folder, rounds)
        few, many = peak_bytes(detect, folder), peak_bytes(detect, folder, TIMES)
    both = [
        one + other
        for one, other in zip(timings.seconds["decoding"], timings.seconds["network"], strict=True)
    ]
    whole = Timings({**timings.seconds, "both": both})
    return [
        Figure(
            "detect.rate",
            "pictures a second, detected on one core",
            count / timings.median("step"),
            unit="/s",
        ),
        Figure(
            "detect.network", "time of the step by that of its network alone", whole.ratio("step", "network")
        ),
        Figure(
            "detect.decoding", "time of the step by that of decoding alone", whole.ratio("step", "decoding")
        ),
        Figure(
            "detect.both",
            "time of the step by that of decoding and network",
            whole.ratio("step", "both"),
            2.0,
        ),
        Figure(
            "detect.memory",
            f"peak memory of {TIMES} times as many pictures by that of these",
            many / few,
            1.2,
        ),
    ]


def main() -> None:
    """Measure and show."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--scenes", type=int, default=SCENES)
    given = parser.parse_args()
    show(figures(given.rounds, given.scenes), given.json)


if __name__ == "__main__":
    main()

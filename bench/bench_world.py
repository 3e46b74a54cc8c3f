"""The dollhouse: drawing scenes, seeing what can be said about them, and making whole worlds.

Rates are by the process's own time on one core, and differ from machine to machine. So each stands beside a
ratio to something that everybody has: writing the same pictures as JPEG, measured in the same rounds.
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from _figures import ROUNDS, Figure, arguments, show
from _timing import Timings, interleaved, peak_bytes
from commonsight.world.draw.compose import Rendered, render
from commonsight.world.frame import frame
from commonsight.world.make import KINDS, QUALITY, Plan, Unit, film_of, make_world, units
from commonsight.world.model import Stage
from commonsight.world.plan import plan_scene, scene_rng

SCENES = 120
SEED = 1
LARGE, SMALL = 600, 120
"""Scenes of the two worlds whose memory is compared."""


def stages(number: int) -> list[Stage]:
    """The scenes that a world of this size has."""
    plan = Plan(number, SEED, ("vcr",))
    films = [(film_of(plan, unit.number), unit) for unit in units(plan)]
    return [
        plan_scene(film, at, scene_rng(SEED, film, at)) for film, unit in films for at in range(unit.scenes)
    ]


def drawn(scenes: list[Stage]) -> list[Rendered]:
    """Pixels, boxes and masks."""
    return [render(stage) for stage in scenes]


def framed(scenes: list[Stage]) -> None:
    """The same, with what is seen and what follows from it."""
    for stage in scenes:
        frame(stage)


def encoded(pictures: list[Rendered]) -> None:
    """The least that any pipeline does with a picture."""
    for picture in pictures:
        picture.image.save(io.BytesIO(), "JPEG", quality=QUALITY)


def quiet(done: Iterator[Unit], _: int) -> Iterator[Unit]:
    """No progress bar."""
    return done


def made(scenes: int) -> int:
    """A whole world of every kind by one worker; how many items it has."""
    with tempfile.TemporaryDirectory() as folder:
        infos = make_world(Path(folder) / "world", Plan(scenes, SEED, KINDS), progress=quiet)
    return sum(info.items for info in infos.values())


def figures(number: int = SCENES, rounds: int = ROUNDS) -> list[Figure]:
    """Measure on this many scenes."""
    scenes = stages(number)
    pictures = drawn(scenes)
    ways: dict[str, Callable[[], object]] = {
        "jpeg": partial(encoded, pictures),
        "draw": partial(drawn, scenes),
        "frame": partial(framed, scenes),
        "make": partial(made, number),
    }
    times = interleaved(ways, rounds, clock=time.process_time)
    told = f"{number:,} drawn scenes"
    items = made(number)
    memory = peak_bytes(made, LARGE) / peak_bytes(made, SMALL)
    return [
        *_pair("draw", f"{told}, pixels, boxes and masks at 384x256", times, number, "scenes", target=60),
        *_pair("frame", f"{told}, with facts and conclusions", times, number, "scenes"),
        *_pair("make", f"{told}, as a world of every kind", times, items, "items"),
        Figure(
            "world_memory",
            f"a world of {LARGE:,} drawn scenes, peak memory by that of {SMALL:,}",
            memory,
            1.5,
        ),
    ]


def _pair(
    way: str, what: str, times: Timings, number: int, unit: str, target: float | None = None
) -> list[Figure]:
    rate = number / times.median(way)
    return [
        Figure(f"world_{way}_rate", f"{what}: {unit} a second of one core", rate, target, "at least", "/s"),
        Figure(f"world_{way}", f"{what}: time by writing them as JPEG", times.ratio(way, "jpeg")),
    ]


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--scenes", type=int, default=SCENES)
    options = parser.parse_args()
    show(figures(options.scenes, options.rounds), options.json)


if __name__ == "__main__":
    main()

"""`commonsight build shots`: stills from videos, one of each shot."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.arguments import Json
from commonsight.cli.console import err, out, print_json, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import InputError, UsageError

if TYPE_CHECKING:
    from commonsight.build.imaging.cutting import Cutting, VideoLine
    from commonsight.store.journal import Journal, Refused
    from commonsight.store.walk import Found

NAME = "shots"
EXAMPLES = """Examples:

[cyan]commonsight build shots movies/ --out shots[/]

[cyan]commonsight build shots clip.mp4 --every 0 --threshold 27 --shortest 0.5 --out shots[/]"""

Videos = Annotated[list[Path], typer.Argument(metavar="VIDEO…", help="Video files, or folders of them.")]


def command(
    videos: Videos,
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Frames, shots.jsonl, shots.csv.")],
    every: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.0, help="Look at one frame in so many; 0 for all.")
    ] = 1.0,
    threshold: Annotated[
        float, typer.Option(metavar="X", min=0.0, max=255.0, help="Mean difference in HSV that ends a shot.")
    ] = 30.0,
    shortest: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.0, help="A shot lasts at least so long.")
    ] = 0.0,
    width: Annotated[
        int, typer.Option(metavar="PIXELS", min=8, help="Compare frames that are made so narrow.")
    ] = 256,
    quality: Annotated[int, typer.Option(metavar="N", min=1, max=95, help="Of the JPEGs.")] = 92,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
    ] = None,
    json: Json = False,
) -> None:
    """Cut videos into shots and keep the middle frame of each, as VCR did (its appendix B.1).

    Stopped, it goes on where it was: a video whose shots are written is not opened again. Videos that cannot
    be read are told and listed in videos.refused.jsonl.
    """
    from commonsight.build.imaging.cutting import VIDEOS, Cutting, VideoLine, write_shots
    from commonsight.build.imaging.shots import Rule
    from commonsight.build.imaging.video import library
    from commonsight.store.journal import Journal
    from commonsight.store.walk import videos_in

    library()  # so that its absence is told before anything is done
    found = list(videos_in(videos))
    if not found:
        raise UsageError("There is no video in these folders. Check the paths.")
    rule = Rule(every, threshold, shortest, width)
    hands = min(workers or os.cpu_count() or 1, len(found))
    threads = max(1, (os.cpu_count() or 1) // hands)
    cutting = Cutting(rule, out_folder, quality, threads)
    with Journal[VideoLine](out_folder / VIDEOS, {**rule._asdict(), "quality": quality}) as journal:
        refused = _cut(found, cutting, journal, hands)
    done = write_shots(out_folder)
    if not done:
        raise InputError("\n".join(map(str, refused)))
    _tell(out_folder, done, refused, json)


def _cut(
    found: Sequence[Found], cutting: Cutting, journal: Journal[VideoLine], workers: int
) -> list[Refused]:
    from commonsight.build.imaging.cutting import cut_videos, steps
    from commonsight.store.journal import Refused
    from commonsight.store.workers import pool

    left = [video for video in found if not journal.has(video.name)]
    total = sum(steps(video) for video in left) if err.is_terminal else None
    with pool(workers) as hands:
        made = progress(cut_videos(left, cutting, journal, hands), "cutting", total)
        return [one for one in made if isinstance(one, Refused)]


def _tell(folder: Path, done: Sequence[VideoLine], refused: Sequence[Refused], json: bool) -> None:
    for one in refused:
        err.print(visible(f"note: {one}"), markup=False, soft_wrap=True)
    for video in done:
        if video.cut_off or video.broken:
            broken = f", {plural(video.broken, 'packet')} could not be decoded" if video.broken else ""
            told = f"note: {video.name}: read for {video.seconds:,.1f} seconds{broken}"
            early = "; the file ends before its time" if video.cut_off else ""
            err.print(visible(told + early), markup=False, soft_wrap=True)
    shots = sum(len(video.shots) for video in done)
    seconds = sum(video.seconds for video in done)
    if json:
        print_json(
            {
                "videos": len(done), "seconds": round(seconds, 3), "shots": shots, "refused": refused,
                "per_video": {video.name: len(video.shots) for video in done},
            }
        )  # fmt: skip
        return
    what = f"{plural(shots, 'shot')} in {plural(len(done), 'video')} ({seconds / 60:,.1f} minutes)"
    out.print(visible(f"{folder}: {what}"), markup=False, soft_wrap=True)

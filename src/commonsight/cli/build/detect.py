"""`commonsight build detect`: what is in each picture."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli.arguments import Json
from commonsight.cli.console import err, out, print_json, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import InputError, Problem, UsageError

NAME = "detect"
EXAMPLES = """Examples:

[cyan]commonsight build detect world/raw/images --out detected[/]

[cyan]commonsight build detect frames --detector onnx:yolo11n.onnx --out detected --sheet look.png[/]

[cyan]commonsight build detect photos --detector model:facebook/detr-resnet-50 --score 0.5 --out seen[/]"""
REFUSED = "detections.refused.jsonl"
SHEET = 24
"""Pictures on a contact sheet, at most."""


def command(
    images: Annotated[
        list[Path], typer.Argument(metavar="IMAGES…", help="Pictures, or folders of pictures, however deep.")
    ],
    out_folder: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="What was found; a folder that was begun is gone on with."),
    ],
    detector: Annotated[
        str,
        typer.Option(
            metavar="KIND:PLACE",
            help="drawn (shipped, for drawn worlds), onnx:FILE, model:FOLDER_OR_NAME (DETR, Mask2Former …), "
            "scripted:FILE.",
        ),
    ] = "drawn",
    score: Annotated[
        float, typer.Option(metavar="X", min=0.0, max=1.0, help="How sure it must be; 0.7 as VCR has it.")
    ] = 0.7,
    names: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An ONNX file's labels, one a line, if it tells none.")
    ] = None,
    size: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=32, max=8192, help="Pixels of a picture's longer side, for an ONNX file."
        ),
    ] = None,
    batch: Annotated[int, typer.Option(metavar="N", min=1, help="Pictures that are looked at together.")] = 8,
    device: Annotated[str | None, typer.Option(metavar="NAME", help="cpu or cuda, for model:….")] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Cores to compute with; by default all.")
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"Also draw the first {SHEET} pictures and their boxes."),
    ] = None,
    json: Json = False,
) -> None:
    """Find the objects in every picture, and write VCR's metadata file for each: boxes, outlines and names.

    Also writes detections.jsonl, a line a picture, which `build interesting` reads. Stopped by whatever, the
    same command goes on. Pictures that cannot be read are listed in detections.refused.jsonl, and passed by.
    """
    from commonsight.build.imaging.detect import Look, detections
    from commonsight.build.imaging.sightings import LOG, Sighting
    from commonsight.runs.detectors import open_detector
    from commonsight.store.journal import Journal, Refused
    from commonsight.store.walk import pictures_in

    if sheet is not None and sheet.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise UsageError(f"--sheet {sheet}: name a .png or .jpg file.")
    look = Look(open_detector(detector, names=names, size=size, threads=threads, device=device), score, batch)
    problems: list[Problem] = []
    # How many pictures a folder holds is not known before it was walked through: the bar only counts.
    walked = progress(pictures_in(images, problems.append), "pictures")
    with Journal[Sighting](out_folder / LOG, look.begun()) as journal:
        for _ in detections(walked, look, journal, out_folder):
            pass
        for problem in problems:
            journal.refuse(Refused.of(problem))
        refused = journal.refusals
    _tell(out_folder, look.detector.name, refused, json)
    if sheet is not None:
        _draw(images, out_folder, sheet)


def _draw(images: list[Path], folder: Path, sheet: Path) -> None:
    from commonsight.build.imaging.sightings import METADATA, metadata_name, read_metadata, scene_of
    from commonsight.store.atomic import new_file
    from commonsight.store.walk import pictures_in
    from commonsight.world.sheet import Cell, contact_sheet

    cells = []
    for picture in pictures_in(images, lambda _: None):
        path = folder / METADATA / metadata_name(picture)
        metadata = read_metadata(path) if path.is_file() else None
        if metadata is None:
            continue
        told = ", ".join(
            f"{name} {box[4]:.2f}" for name, box in zip(metadata.names, metadata.boxes, strict=True)
        )
        cells.append(
            Cell(picture.path, scene_of(picture.name, metadata), f"{picture.name}\n{told or 'nothing'}")
        )
        if len(cells) == SHEET:
            break
    if not cells:
        raise InputError("There is nothing to draw for --sheet: no picture here could be read.")
    with new_file(sheet) as beside:
        kind = "PNG" if sheet.suffix.lower() == ".png" else "JPEG"
        contact_sheet(cells, columns=min(4, len(cells))).save(beside, kind)


def _tell(folder: Path, detector: str, refused: int, json: bool) -> None:
    from commonsight.build.imaging.sightings import LOG, Sighting
    from commonsight.store.journal import read_journal

    pictures, labels = 0, Counter[str]()
    for sighting in read_journal(folder / LOG, Sighting):
        pictures += 1
        labels.update(sighting.counts)
    if not pictures:
        where = f"{folder / REFUSED} tells why. " if refused else ""
        raise InputError(f"There is no picture here that can be read. {where}Check the paths.")
    if json:
        counts = dict(labels.most_common())
        told = {"pictures": pictures, "refused": refused, "objects": labels.total(), "labels": counts}
        print_json({"detector": detector, **told})
        return
    most = ", ".join(f"{label} {count:,}" for label, count in labels.most_common(5))
    line = f"{folder}: {plural(labels.total(), 'object')} in {plural(pictures, 'picture')} by {detector}"
    out.print(visible(f"{line} ({most})" if most else line), markup=False, soft_wrap=True)
    if refused:
        line = f"note: {plural(refused, 'picture')} could not be read: see {folder / REFUSED}"
        err.print(visible(line), markup=False, soft_wrap=True)

"""What commands that look at many pictures share: where they come from, and how they are compared."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.console import out, progress
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.build.imaging.sets.encoders import Encoder
    from commonsight.build.imaging.sets.gallery import Gallery, Seen
    from commonsight.build.imaging.sets.lists import Candidate
    from commonsight.build.imaging.sets.report import Alike
    from commonsight.build.imaging.sets.sheet import Row

LOOKS = "looks"
REPORT = "report.json"
"""A folder that has it was written by such a command, and may be replaced."""

Sources = Annotated[
    list[Path],
    typer.Argument(metavar="SOURCES…", help="Folders of pictures, or lists of them (JSON lines or CSV)."),
]
EncoderName = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="What tells how alike pictures are: looks (colours and edges, no download), efficientnet, "
        "resnet:PLACE, clip:PLACE or seen:FOLDER.",
    ),
]
Looked = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Where what was seen of the pictures stays, for the next time; otherwise it goes in the end.",
    ),
]
Workers = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same bytes.")]
Sheet = Annotated[
    Path | None, typer.Option(metavar="FILE.png", help="Also draw the first groups on one picture.")
]
SheetRows = Annotated[int, typer.Option(metavar="N", min=1, help="Groups on that picture.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")]


def encoder_of(name: str) -> Encoder:
    """The encoder that a person named."""
    if name == LOOKS:
        from commonsight.build.imaging.sets.encoders import Looks

        return Looks()
    from commonsight.models.libraries import libraries

    libraries()  # says what to install where they are missing
    from commonsight.models.whole_pictures import whole_encoder

    return whole_encoder(name)


def check_sources(sources: Sequence[Path], files: Sequence[Path | None] = ()) -> None:
    """Before any work: all that is read must be there."""
    for path in (*sources, *(path for path in files if path is not None)):
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder. Check the path.")


def check_places(folder: Path, sources: Sequence[Path], sheet: Path | None, overwrite: bool) -> None:
    """Before any work: what is written must be free to take, and never hold what is read."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        if not overwrite:
            raise UsageError(
                f"{folder} exists already. Choose another folder, or add --overwrite to replace it."
            )
        if not (folder / REPORT).is_file():
            raise UsageError(
                f"{folder} holds something else, so --overwrite leaves it alone. Choose another folder."
            )
    for source in sources:
        if source.resolve().is_relative_to(folder.resolve()):
            raise UsageError(f"{source} lies in {folder}, which would be replaced. Choose another folder.")
    if sheet is not None and sheet.suffix.lower() != ".png":
        raise UsageError(f"--sheet {sheet}: a sheet is a PNG. Let its name end in .png.")
    if sheet is not None and sheet.exists() and not overwrite:
        raise UsageError(f"{sheet} exists already. Choose another file, or add --overwrite to replace it.")


@contextmanager
def gallery_of(encoder: Encoder, whole: Path, kept: Path | None) -> Iterator[Gallery]:
    """Where what is seen is kept: for good, or beside the result until that is there."""
    from commonsight.build.imaging.sets.gallery import Gallery

    folder = whole.with_name(f".{whole.name}.looking") if kept is None else kept
    yield Gallery(folder, encoder)
    if kept is None:
        shutil.rmtree(folder)


def looked_at(gallery: Gallery, candidates: Sequence[Candidate], workers: int | None) -> list[Seen | None]:
    """What is seen of each candidate that has a file."""
    paths = list(dict.fromkeys(one.path for one in candidates if one.path is not None))
    seen = gallery.look(paths, workers, lambda pairs, total: progress(pairs, "looking", total))
    by_path = dict(zip(paths, seen, strict=True))
    return [None if one.path is None else by_path[one.path] for one in candidates]


def draw_sheet(sheet: Path | None, rows: Sequence[Row]) -> None:
    """The contact sheet, if one is wanted."""
    if sheet is None:
        return
    from commonsight.build.imaging.sets.sheet import contact_sheet
    from commonsight.store.atomic import new_file

    with new_file(sheet) as beside:
        contact_sheet(rows).save(beside, "PNG")


def tell_alike(similarity: Alike, group: str) -> None:
    """How alike the images of a group are, beside those of others."""
    made, drawn = similarity.made, similarity.random
    out.print(f"mean cosine of two images: {made:.3f} in a {group}, {drawn:.3f} in {group}s drawn at random")

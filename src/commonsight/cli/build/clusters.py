"""`commonsight build clusters`: similar images brought together, so that one person sees them (A-OKVQA)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonsight import __version__
from commonsight.cli.arguments import Json
from commonsight.cli.build import gallery_options as shared
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import plural
from commonsight.errors import InputError
from commonsight.store.atomic import new_folder

if TYPE_CHECKING:
    from commonsight.build.imaging.sets.grouping import Clustered
    from commonsight.build.imaging.sets.sheet import Row

NAME = "clusters"
EXAMPLES = """Examples:

[cyan]commonsight build clusters photos --out clusters --sheet clusters.png[/]

[cyan]commonsight build clusters photos --encoder clip:openai/clip-vit-base-patch32 --out clusters[/]"""


def command(
    sources: shared.Sources,
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The clusters' folder, new.")],
    size: Annotated[int, typer.Option(metavar="N", min=2, help="Images of one task.")] = 4,
    encoder: shared.EncoderName = shared.LOOKS,
    seed: shared.Seed = 0,
    looked: shared.Looked = None,
    workers: shared.Workers = None,
    sheet: shared.Sheet = None,
    sheet_rows: shared.SheetRows = 12,
    json: Json = False,
    overwrite: shared.Overwrite = False,
) -> None:
    """All images in groups of four that are alike, one group for one worker (A-OKVQA, section 3).

    Whoever writes about similar images one after another writes different questions. Exact duplicates are
    left out. A run that was stopped goes on when it is started again.
    """
    from commonsight.build.imaging.sets.grouping import clustered, write_clusters
    from commonsight.build.imaging.sets.lists import candidates
    from commonsight.cli.train_show import bars

    shared.check_sources(sources)
    shared.check_places(out_folder, sources, sheet, overwrite)
    whole = out_folder.resolve()
    found = candidates(sources)
    with shared.gallery_of(shared.encoder_of(encoder), whole, looked) as gallery:
        seen = shared.looked_at(gallery, found, workers)
        with bars() as bar:
            told_so_far = bar.told("grouping")
            made = clustered(found, seen, gallery.vectors(), size=size, seed=seed, telling=told_so_far)
        if not made.clusters:
            raise InputError(f"None of {plural(len(found), 'image')} can be read. Check the sources.")
        asked = {"encoder": gallery.encoder.name, "size": size, "seed": seed}
        told: dict[str, Any] = {"made_by": f"commonsight {__version__}", "asked": asked}
        with new_folder(whole, overwrite=overwrite) as beside:
            write_clusters(beside, made, told)
        shared.draw_sheet(sheet, _rows(made, sheet_rows))
    if json:
        print_json(made.report)
    else:
        _tell(out_folder, made, sheet)


def _rows(made: Clustered, most: int) -> Sequence[Row]:
    from commonsight.build.imaging.sets.sheet import Row

    return [
        Row(
            f"cluster {one.cluster}  mean cosine {one.similarity:.2f}",
            [Path(image.path) for image in one.images],
            [False] * len(one.images),
        )
        for one in made.clusters[:most]
    ]


def _tell(out_folder: Path, made: Clustered, sheet: Path | None) -> None:
    report = made.report
    told = f"{out_folder}: {plural(report.clusters, 'cluster')} of {plural(report.images, 'image')}"
    out.print(visible(told), markup=False, soft_wrap=True)
    if report.dropped:
        reasons = ", ".join(f"{reason} {number:,}" for reason, number in report.dropped.items())
        out.print(f"images left out: {reasons}", soft_wrap=True)
    shared.tell_alike(report.similarity, "cluster")
    if sheet is not None:
        out.print(visible(f"{sheet}: the first clusters, to look at"), markup=False, soft_wrap=True)

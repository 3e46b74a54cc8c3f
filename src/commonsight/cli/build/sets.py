"""`commonsight build sets`: sets of eight similar images, as NLVR2's sentences were written about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from commonsight import __version__
from commonsight.cli.arguments import Json
from commonsight.cli.build import gallery_options as shared
from commonsight.cli.build import set_options as said
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import percent, plural, table
from commonsight.errors import InputError, UsageError
from commonsight.store.atomic import new_folder
from commonsight.store.paths import is_split_name

if TYPE_CHECKING:
    from commonsight.build.imaging.sets.composing import Made
    from commonsight.build.imaging.sets.gallery import Gallery
    from commonsight.build.imaging.sets.lists import Candidate
    from commonsight.build.imaging.sets.report import SetsReport
    from commonsight.build.imaging.sets.rules import Fitness, Search
    from commonsight.build.imaging.sets.sheet import Row
    from commonsight.build.imaging.sets.values import Pool

NAME = "sets"
EXAMPLES = """Examples:

[cyan]commonsight build sets photos --interesting interesting.jsonl --out sets --sheet sets.png[/]

[cyan]commonsight build sets downloaded/list.jsonl --queries queries.jsonl --copy --out sets[/]"""

PAPER = {"collected": (27_678, 387_426), "kept by people": (19_500, 250_862), "sets": (17_685, 8 * 17_685)}
"""Sets and images of NLVR2 after some of the steps (section 4)."""


def command(
    sources: shared.Sources,
    out_folder: said.Out,
    interesting: said.Interesting = None,
    removed: said.Removed = None,
    queries: said.Queries = None,
    encoder: shared.EncoderName = shared.LOOKS,
    split: said.Split = "train",
    seed: shared.Seed = 0,
    size: said.Size = 8,
    related: said.Related = 16,
    fewest_interesting: said.FewestInteresting = 3,
    min_side: said.MinSide = 200,
    near: said.Near = 6,
    alike: said.Alike = 0.0,
    results: said.Results = 60,
    query_sets: said.QuerySets = 30,
    barren: said.Barren = 5,
    collective_results: said.CollectiveResults = 100,
    collective_sets: said.CollectiveSets = 60,
    stock: said.Stock = False,
    sentences: said.Sentences = 2,
    copy: said.Copy = False,
    looked: shared.Looked = None,
    workers: shared.Workers = None,
    sheet: shared.Sheet = None,
    sheet_rows: shared.SheetRows = 12,
    json: Json = False,
    overwrite: shared.Overwrite = False,
) -> None:
    """Sets of eight similar images, interesting ones first, in four random pairs (NLVR2, section 3.1).

    Numbers are the paper's unless told otherwise. A run that was stopped goes on when it is started again.
    """
    from commonsight.build.imaging.sets.lists import candidates
    from commonsight.build.imaging.sets.report import sets_report
    from commonsight.build.imaging.sets.rules import Fitness, Search

    search = Search(related, results, query_sets, barren, collective_results, collective_sets)
    fitness = Fitness(min_side, size, fewest_interesting, near)
    _check(search, fitness, split)
    shared.check_sources(sources, (interesting, removed, queries))
    shared.check_places(out_folder, sources, sheet, overwrite)
    whole = out_folder.resolve()  # also `.` has a name then
    found = candidates(sources, queries)
    with shared.gallery_of(shared.encoder_of(encoder), whole, looked) as gallery:
        pool = _pool(gallery, found, interesting, removed, workers)
        made = _composed(pool, search, fitness, alike, stock, split, seed)
        report = sets_report(pool, made, seed=seed)
        asked = {
            "encoder": gallery.encoder.name, "split": split, "seed": seed, "alike": alike, "stock": stock,
            "search": search, "fitness": fitness, "sentences": sentences,
        }  # fmt: skip
        _write(whole, made, report, asked, sentences, copy, overwrite)
        shared.draw_sheet(sheet, _rows(made, sheet_rows))
    if json:
        print_json(report)
    else:
        _tell(out_folder, report, sheet)


def _check(search: Search, fitness: Fitness, split: str) -> None:
    """Before any work: numbers that go together."""
    if fitness.size % 2:
        raise UsageError(f"--size {fitness.size}: images are paired. Give an even number.")
    if search.related < fitness.size:
        raise UsageError(f"--related {search.related}: sets of {fitness.size} need as many. Give more.")
    if fitness.interesting > fitness.size:
        raise UsageError(f"--fewest-interesting {fitness.interesting}: sets have {fitness.size} images.")
    if not is_split_name(split) or "-" in split:
        raise UsageError(f"--split {split}: identifiers begin with it. Give letters and digits only.")


def _pool(
    gallery: Gallery,
    found: Sequence[Candidate],
    interesting: Path | None,
    removed: Path | None,
    workers: int | None,
) -> Pool:
    from commonsight.build.imaging.sets.flags import Names, read_interesting, read_removed
    from commonsight.build.imaging.sets.values import Pool

    seen = shared.looked_at(gallery, found, workers)
    names = Names(found, seen)
    flags = {} if interesting is None else read_interesting(interesting, names)
    gone = frozenset[int]() if removed is None else read_removed(removed, names)
    return Pool(found, seen, gallery.vectors(), flags, gone)


def _composed(
    pool: Pool, search: Search, fitness: Fitness, alike: float, stock: bool, split: str, seed: int
) -> Made:
    from commonsight.build.imaging.sets.addresses import STOCK
    from commonsight.build.imaging.sets.composing import Composer

    skipped = () if stock else STOCK
    made = Composer(pool, search, fitness, alike=alike, skipped=skipped, split=split, seed=seed).compose()
    if not made.sets:
        why = [f"{reason} {number:,}" for reason, number in _reasons(made)]
        raise InputError(
            f"No set of {fitness.size} can be made of {plural(len(pool.candidates), 'image')} "
            f"({', '.join(why)}). Give more images, or change the numbers; what was seen is kept until then."
        )
    return made


def _reasons(made: Made) -> list[tuple[str, int]]:
    counts: Counter[str] = Counter(one.reason for one in made.dropped)
    counts.update(one.reason for one in made.discarded)
    return counts.most_common()


def _write(
    whole: Path,
    made: Made,
    report: SetsReport,
    asked: dict[str, Any],
    sentences: int,
    copy: bool,
    overwrite: bool,
) -> None:
    from commonsight.build.imaging.sets.writing import write_sets

    told = {"made_by": f"commonsight {__version__}", "asked": asked, **msgspec.structs.asdict(report)}
    with new_folder(whole, overwrite=overwrite) as beside:
        write_sets(beside, made, sentences=sentences, report=told, copy=copy)


def _rows(made: Made, most: int) -> list[Row]:
    from commonsight.build.imaging.sets.sheet import Row

    return [
        Row(
            f"{one.id}  {one.query or ''}  mean cosine {one.similarity:.2f}",
            [Path(member.path or "") for member in one.images],
            [member.interesting for member in one.images],
        )
        for one in made.sets[:most]
    ]


def _tell(out_folder: Path, report: SetsReport, sheet: Path | None) -> None:
    told = f"{out_folder}: {plural(report.sets, 'set')} of {plural(report.images, 'image')}"
    out.print(visible(told), markup=False, soft_wrap=True)
    stages = table("step", "sets", "images", "NLVR2's sets", "images")
    for stage in report.stages:
        paper = PAPER.get(stage.stage)
        stages.add_row(
            stage.stage, f"{stage.sets:,}", f"{stage.images:,}", *(f"{number:,}" for number in paper or ())
        )
    out.print(stages)
    for what, reasons in (("images left out", report.dropped), ("sets discarded", report.discarded)):
        if reasons:
            each = ", ".join(f"{reason} {number:,}" for reason, number in reasons.items())
            out.print(f"{what}: {each}", soft_wrap=True)
    if report.interesting is not None:
        out.print(f"interesting images in sets: {percent(report.interesting)} %")
    if report.similarity is not None:
        shared.tell_alike(report.similarity, "set")
    if sheet is not None:
        out.print(visible(f"{sheet}: the first sets, to look at"), markup=False, soft_wrap=True)

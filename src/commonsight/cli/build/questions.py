"""`commonsight build questions`: compositional questions from scene graphs and a knowledge graph."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from commonsight import __version__
from commonsight.benchmarks import find
from commonsight.cli.arguments import check_images, refuse_loss
from commonsight.cli.build.question_options import (
    AdditionsOption,
    AttributeAliases,
    AttributesOption,
    BalanceOption,
    BoxesOption,
    EvennessOption,
    FewestOption,
    KnowledgeOption,
    LayoutOption,
    NewKnowledgeOption,
    ObjectAliases,
    ObjectsOption,
    PerSceneOption,
    ReadBackOption,
    RelationAliases,
    RelationsOption,
    ReviewOption,
    SameOverOption,
    ScenesOption,
)
from commonsight.cli.console import err, out, progress, visible
from commonsight.cli.tables import percent, plural, table
from commonsight.core.scene import Scene
from commonsight.errors import InputError, UsageError
from commonsight.store.atomic import new_folder
from commonsight.store.dataset import write_pages
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.native import write_native

if TYPE_CHECKING:
    from commonsight.build.questions.consistency import Consistency
    from commonsight.build.questions.outcome import Outcome
    from commonsight.build.questions.report import BalanceReport
    from commonsight.build.questions.run import RawRun, Sources
    from commonsight.build.questions.spool import Skipped
    from commonsight.build.questions.work import Finished, Recipe

NAME = "questions"
EXAMPLES = """Examples:

[cyan]commonsight build questions --scenes world --knowledge world/raw/knowledge/triples.tsv --out asked[/]

[cyan]commonsight build questions --scenes scene_graphs.json --knowledge conceptnet.csv.gz --images VG_100K \
--object-aliases object_alias.txt --relation-aliases relationship_alias.txt --out asked[/]"""

BENCHMARK = "cric"
"""In whose manner they are, and in whose records the native files."""
SKIPPED = 3
"""The exit code where the dataset is there, and something was left out on the way."""
SHOWN = 10
"""How many are told one by one; the dataset's skipped.jsonl has all."""


def command(
    scenes: ScenesOption,
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The dataset's folder, new.")],
    knowledge: KnowledgeOption = None,
    additions: AdditionsOption = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same bytes.")] = 0,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Work on a Ray cluster: HOST:PORT of its head, or auto."),
    ] = None,
    per_scene: PerSceneOption = 28,
    balance: BalanceOption = True,
    evenness: EvennessOption = 0.5,
    new_knowledge: NewKnowledgeOption = 0.0,
    layout: LayoutOption = None,
    boxes: BoxesOption = True,
    object_aliases: ObjectAliases = None,
    attribute_aliases: AttributeAliases = None,
    relation_aliases: RelationAliases = None,
    objects: ObjectsOption = 1291,
    attributes: AttributesOption = 267,
    relations: RelationsOption = 210,
    fewest: FewestOption = 1,
    same_over: SameOverOption = 0.7,
    images: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the pictures, which the dataset then holds.")
    ] = None,
    review: ReviewOption = 0,
    read_back: ReadBackOption = 1000,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a dataset that is there.")] = False,
) -> None:
    """Questions about scene graphs and everyday knowledge, in the manner of CRIC, each with its program.

    Exit code 0: all went well. 3: the dataset is there, but something had to be left out; skipped.jsonl tells
    it picture by picture. 2: nothing was made. A run that was stopped goes on when it is started again.
    """
    from commonsight.build.questions.run import Sources
    from commonsight.build.questions.work import Recipe
    from commonsight.graph.vocabulary import Limits

    check_images(images)
    sources = Sources(
        scenes, tuple(knowledge or ()), None if additions is None else tuple(additions),
        tuple(object_aliases or ()), tuple(attribute_aliases or ()), tuple(relation_aliases or ()), images,
    )  # fmt: skip
    limits = Limits(objects, attributes, relations, fewest)
    recipe = Recipe(seed, per_scene, layout, boxes, limits, same_over, new_knowledge=new_knowledge)
    _check(sources)
    refuse_loss(out_folder, [scenes, *sources.files, *([] if images is None else [images])], overwrite)
    whole = out_folder.resolve()  # also `.` has a name then
    spool = whole.with_name(f".{whole.name}.asking")
    raw = _asked(sources, recipe, spool, workers, cluster)
    outcome = _decided(raw, evenness if balance else None)
    consistent = _read_back(outcome, read_back)
    info = _write(whole, outcome, recipe, images, review, consistent, overwrite)
    shutil.rmtree(spool)
    _tell(out_folder, info, outcome.report)
    _tell_read_back(consistent)
    if raw.skipped:
        _tell_skipped(raw.skipped, out_folder)
        raise typer.Exit(SKIPPED)


def _check(sources: Sources) -> None:
    """Before any work: every file must be there."""
    for path in (sources.scenes, *sources.files):
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder. Check the path.")


def _asked(sources: Sources, recipe: Recipe, spool: Path, workers: int | None, cluster: str | None) -> RawRun:
    from commonsight.build.questions.run import run_questions

    def reading(scenes: Iterator[Scene]) -> Iterator[Scene]:
        return progress(scenes, "reading")

    def asking(finished: Iterator[Finished], total: int) -> Iterator[Finished]:
        return progress(finished, "asking", total)

    begun = spool.exists()
    try:
        raw = run_questions(
            sources, recipe, spool, workers=workers, cluster=cluster, reading=reading, asking=asking
        )
        if not raw.questions:
            told = "".join(f"{each}\n" for each in raw.skipped[:SHOWN])
            raise InputError(
                f"{told}{sources.scenes}: nothing can be asked about these scenes. "
                "Add --knowledge about the things in them."
            )
    except UsageError:
        raise  # a spool folder of another run is not ours to remove
    except InputError:
        if not begun:
            shutil.rmtree(spool, ignore_errors=True)  # going on would fail the same way
        raise
    return raw


def _decided(raw: RawRun, evenness: float | None) -> Outcome:
    from commonsight.build.questions.outcome import decided

    outcome = decided(raw, evenness)
    if not outcome.kept.any():
        raise InputError(
            f"Balancing leaves none of {plural(raw.questions, 'question')}: they are too few to be even. "
            "Give more scenes, or add --no-balance; what was asked is kept until then."
        )
    return outcome


def _read_back(outcome: Outcome, count: int) -> Consistency:
    """Some of the questions, read by a grammar that does not know how they were made."""
    from commonsight.build.questions.consistency import read_back

    some = outcome.sample(count)
    return read_back(progress(some, "reading back", len(some)), outcome.raw.loaded.knowledge)


def _write(
    whole: Path,
    outcome: Outcome,
    recipe: Recipe,
    images: Path | None,
    review: int,
    consistent: Consistency,
    overwrite: bool,
) -> DatasetInfo:
    """The dataset with all that belongs to it; the folder appears only when all of it is there."""
    from commonsight.build.questions.report import write_figures
    from commonsight.build.questions.review import write_review

    count = int(outcome.kept.sum())
    lines = replace(find(BENCHMARK).native, layout="lines", file_name=lambda item: f"{item.split}.jsonl")
    with new_folder(whole, overwrite=overwrite) as beside:
        made = beside / "dataset"
        info = _info(whole.name, outcome, recipe)
        info = write_pages(made, progress(outcome.pages(), "writing"), info, images=images)
        write_native(lines, progress(outcome.items(), "native files", count), made / "native")
        write_figures(made / "figures", outcome.facts, outcome.kept, outcome.report)
        _write_report(made, outcome, consistent)
        if review:
            write_review(made / "review.html", outcome.sample(review), whole.name, images)
        for path in sorted(made.iterdir()):
            path.rename(beside / path.name)
        made.rmdir()
    return info


def _write_report(folder: Path, outcome: Outcome, consistent: Consistency) -> None:
    raw = outcome.raw
    report: dict[str, Any] = {
        "pictures": raw.pictures,
        "questions": {"raw": raw.questions, "kept": outcome.report.after.questions},
        "skipped": len(raw.skipped),
        "balance": outcome.report,
        "cleaning": raw.cleaning,
        "knowledge": raw.loaded.report,
        "read_back": consistent,
    }
    encoded = msgspec.json.Encoder(order=None).encode(report)
    (folder / "report.json").write_bytes(msgspec.json.format(encoded, indent=2) + b"\n")
    if raw.skipped:
        lines = (msgspec.json.encode(each) + b"\n" for each in raw.skipped)
        (folder / "skipped.jsonl").write_bytes(b"".join(lines))


def _info(name: str, outcome: Outcome, recipe: Recipe) -> DatasetInfo:
    raw = outcome.raw
    drawn = all(item.provenance.get("drawn") for item in outcome.sample(SHOWN))
    return DatasetInfo(
        name=name,
        benchmark=BENCHMARK,
        version="1.0.0",
        made=Made(
            "build questions",
            __version__,
            recipe.seed,
            raw.sources,
            {
                **msgspec.to_builtins(recipe),
                "evenness": outcome.report.evenness,
                "raw": raw.questions,
                "skipped": len(raw.skipped),
            },
        ),
        splits={},
        title=f"{name}, in the manner of CRIC",
        description="Compositional questions generated from scene graphs and a knowledge graph; each has a "
        "program that can be executed, and what every step of it gives.",
        drawn=drawn,
    )


def _tell(folder: Path, info: DatasetInfo, report: BalanceReport) -> None:
    splits = ", ".join(f"{split} {entry.items:,}" for split, entry in sorted(info.splits.items()))
    pictures = f", {plural(info.images, 'image')}" if info.images else ""
    kind = ", drawn" if info.drawn else ""
    line = f"{folder}: {plural(info.items, 'question')} ({splits}){pictures}{kind}"
    out.print(visible(line), markup=False, soft_wrap=True)
    shown = table("type", "raw", "kept", "answers", "top %", "after", "knowledge", "top %", "after")
    for name, before in report.before.types.items():
        after = report.after.types[name]
        shown.add_row(
            name, f"{before.questions:,}", f"{after.questions:,}", f"{after.answers.distinct:,}",
            percent(before.answers.top_share), percent(after.answers.top_share),
            f"{after.knowledge.distinct:,}", percent(before.knowledge.top_share),
            percent(after.knowledge.top_share),
        )  # fmt: skip
    out.print(shown)
    functions = ", ".join(f"{number}: {count:,}" for number, count in report.after.functions.items())
    out.print(f"functions in a program, {report.after.mean_functions:.1f} on average ({functions})")


def _tell_skipped(skipped: Sequence[Skipped], folder: Path) -> None:
    for each in skipped[:SHOWN]:
        err.print(visible(f"skipped: {each}"), markup=False, soft_wrap=True)
    pictures = len({each.image for each in skipped if each.image is not None})
    told = f"{plural(len(skipped), 'part')} left out, in {plural(pictures, 'picture')}"
    err.print(visible(f"{told}: {folder / 'skipped.jsonl'} lists them"), markup=False, soft_wrap=True)


def _tell_read_back(found: Consistency) -> None:
    if not found.total:
        return
    line = (
        f"read back: {found.same_answer:,} of {found.total:,} mean what their programs do "
        f"({percent(found.share)} %), "
        f"{found.exact:,} with the same steps; {found.by_grammar:,} by grammar alone, without the picture"
    )
    out.print(visible(line), markup=False, soft_wrap=True)

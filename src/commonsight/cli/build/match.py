"""`commonsight build match`: make a multiple-choice benchmark from what people wrote."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import typer
from msgspec import structs

from commonsight import __version__
from commonsight.benchmarks import find
from commonsight.cli.arguments import check_images, refuse_loss
from commonsight.cli.build.judging import (
    BatchOption,
    DeviceOption,
    EpochsOption,
    Judges,
    LearningRateOption,
    RelevanceOption,
    RemapOption,
    RescoreOption,
    ScorerOption,
    SimilarityOption,
    TagsOption,
    Transformers,
    judges,
)
from commonsight.cli.console import err, out, progress, visible
from commonsight.cli.tables import plural
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.store.atomic import new_folder
from commonsight.store.dataset import source_file, write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.native import read_native, write_native
from commonsight.store.paths import below

if TYPE_CHECKING:
    from commonsight.build.matching.recipe import Recipe
    from commonsight.build.matching.run import Doubled, MatchRun
    from commonsight.build.matching.values import Annotation
    from commonsight.build.matching.work import Unit

NAME = "match"
EXAMPLES = """Examples:

[cyan]commonsight build match world/raw/vcr.jsonl --images world/raw/images --out matched[/]

[cyan]commonsight build match dialogues.jsonl --mode generic --folds 5 --out dialogues[/]"""

BENCHMARK = "vcr"
"""In whose layout the native files are."""
TEXT = "text"
"""What a dataset without pictures says it is."""
SHOWN = 10
"""How many of a kind are told one by one."""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)


def command(
    raw: Annotated[Path, typer.Argument(metavar="RAW", help="Raw annotations, JSON lines.")],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The dataset's folder, new.")],
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same bytes.")] = 0,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Work on a Ray cluster: HOST:PORT of its head, or auto."),
    ] = None,
    lambda_answer: Annotated[
        float, typer.Option(metavar="X", help="How much answers must differ from the right one.")
    ] = 0.1,
    lambda_rationale: Annotated[float, typer.Option(metavar="X", help="The same for rationales.")] = 0.01,
    bucket: Annotated[
        str, typer.Option(metavar="N|none", help="How many are matched together at most.")
    ] = "3000",
    folds: Annotated[
        int, typer.Option(metavar="N", min=1, help="Responses are lent within a fold only.")
    ] = 11,
    mode: Annotated[
        Literal["vcr", "pmr", "generic"],
        typer.Option(help="vcr: matching; pmr: the three most relevant; generic: any context and response."),
    ] = "vcr",
    remap: RemapOption = "spoken",
    tags: TagsOption = 1.0,
    scorer: ScorerOption = "embedded",
    relevance: RelevanceOption = None,
    similarity: SimilarityOption = None,
    rescore: RescoreOption = None,
    epochs: EpochsOption = None,
    learning_rate: LearningRateOption = None,
    batch: BatchOption = None,
    device: DeviceOption = "cpu",
    same_image: Annotated[
        bool, typer.Option("--same-image", help="Allow other responses to the same image.")
    ] = False,
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="What matching a bucket may take, in each process.")
    ] = "4GB",
    images: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the images and their metadata files.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a dataset that is there.")] = False,
) -> None:
    """Adversarial Matching: give every annotation three wrong choices, the right ones of others.

    RAW holds lines of {id, group, objects, question, answer, rationale} or, with --mode generic, of {context,
    response, group}. A run that was stopped goes on from its finished buckets when it is started again.
    """
    from commonsight.build.matching.raw import read_raw
    from commonsight.build.matching.recipe import Recipe

    recipe = Recipe(
        seed, lambda_answer, lambda_rationale, _bucket(bucket), folds,
        same_image=same_image, remap=remap, tags=tags, mode=mode, memory=_bytes(memory),
    )  # fmt: skip
    check_images(images)
    if images is not None and mode == "generic":
        raise UsageError("--mode generic reads texts only. Leave out --images.")
    if similarity is not None and mode == "pmr":
        raise UsageError("--mode pmr has no use for similarity. Leave out --similarity.")
    refuse_loss(out_folder, [raw, *([] if images is None else [images])], overwrite)
    annotations = read_raw(raw, "text" if mode == "generic" else "image")
    _check_before(annotations, recipe, images)
    whole = out_folder.resolve()  # also `.` has a name then
    spool = whole.with_name(f".{whole.name}.matching")
    asked = Transformers(relevance, similarity, rescore, epochs, learning_rate, batch, device)
    texts = judges(scorer, asked, keep=spool / "fitted" if cluster is None else None)
    result = matched(annotations, recipe, texts, spool, workers, cluster)
    info = _write(whole, result, raw, images, overwrite)
    shutil.rmtree(spool)
    _tell(out_folder, info, result)


def _bucket(text: str) -> int | None:
    if text.lower() == "none":
        return None
    if not text.isdecimal():
        raise UsageError(f"--bucket {text}: give a number, or none.")
    return int(text)


def _bytes(text: str) -> int:
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"--memory {text}: give a size such as 4GB or 500MB.")
    return int(float(found[1]) * 1024.0 ** ("", "k", "m", "g", "t").index(found[2].lower()))


def _check_before(annotations: Sequence[Annotation], recipe: Recipe, images: Path | None) -> None:
    """Before hours of work: whatever could keep the result from being written."""
    from commonsight.build.matching.folds import folded
    from commonsight.build.matching.items import refuse_other_splits

    if recipe.mode != "generic":
        refuse_other_splits(folded(annotations, count=recipe.folds, seed=recipe.seed))
    if images is None:
        return
    for annotation in annotations:
        if annotation.image is None:
            raise InputError(f"Annotation {annotation.id} names no image. Add it, or leave out --images.")
        path = below(images, annotation.image)
        if not path.is_file():
            raise InputError(
                f"{path}: the image of annotation {annotation.id} is missing. Add it, or leave out --images."
            )


def matched(
    annotations: Sequence[Annotation],
    recipe: Recipe,
    texts: Judges,
    spool: Path,
    workers: int | None,
    cluster: str | None,
) -> MatchRun:
    """Wrong choices for all of them, with a progress bar; what was stopped goes on from the spool."""
    from commonsight.build.matching.run import run_matching

    def shown(units: Iterator[Unit], total: int) -> Iterator[Unit]:
        return progress(units, "matching", total)

    begun = spool.exists()
    try:
        return run_matching(
            annotations, recipe, texts.relevance, texts.similarity, spool,
            embed=texts.embed, workers=workers, cluster=cluster, progress=shown,
        )  # fmt: skip
    except UsageError:
        raise  # a spool folder of another run is not ours to remove
    except InputError:
        if not begun:
            shutil.rmtree(spool, ignore_errors=True)  # going on would fail the same way
        raise


def _write(whole: Path, result: MatchRun, raw: Path, images: Path | None, overwrite: bool) -> DatasetInfo:
    """The dataset with its native files inside; the folder appears only when all of it is there."""
    from commonsight.build.matching.items import matched_items

    items: Iterable[Item] = matched_items(result.matched, result.recipe)
    with new_folder(whole, overwrite=overwrite) as beside:
        if images is not None:
            items = _with_boxes(list(items), images, beside / "boxes")
        items = list(items)
        info = _info(whole.name, result, raw, drawn=all(item.extra.get("drawn") for item in items))
        info = write_dataset(beside / "dataset", progress(items, "writing", len(items)), info, images=images)
        native = beside / "dataset" / "native"
        if result.recipe.mode == "generic":
            _write_lines(items, native)
        else:
            write_native(find(BENCHMARK).native, items, native)
        for path in sorted((beside / "dataset").iterdir()):
            path.rename(beside / path.name)
        (beside / "dataset").rmdir()
    return info


def _with_boxes(items: list[Item], images: Path, scratch: Path) -> Iterator[Item]:
    """The items with the boxes of the metadata files that lie beside their images, as VCR has them."""
    native = find(BENCHMARK).native
    named = [_with_metadata(item, images) for item in items]
    files = [scratch / name for name in write_native(native, named, scratch)]
    read = {item.id: item for item in read_native(native, files, images=images)}
    shutil.rmtree(scratch)
    return (structs.replace(item, scenes=read[item.id].scenes) for item in named)


def _with_metadata(item: Item, images: Path) -> Item:
    beside = Path(item.scenes[0].image).with_suffix(".json")
    if "metadata_fn" in item.extra or not (images / beside).is_file():
        return item
    return structs.replace(item, extra={**item.extra, "metadata_fn": beside.as_posix()})


def _write_lines(items: Sequence[Item], folder: Path) -> None:
    from commonsight.build.matching.items import text_record

    folder.mkdir()
    for split in dict.fromkeys(item.split for item in items):
        lines = (msgspec.json.encode(text_record(item)) + b"\n" for item in items if item.split == split)
        (folder / f"{split}.jsonl").write_bytes(b"".join(lines))


def _info(name: str, result: MatchRun, raw: Path, *, drawn: bool) -> DatasetInfo:
    recipe = result.recipe
    image = recipe.mode != "generic"
    return DatasetInfo(
        name=name,
        benchmark=BENCHMARK if image else TEXT,
        version="1.0.0",
        made=Made(
            "build match",
            __version__,
            recipe.seed,
            (source_file(raw),),
            {
                **msgspec.to_builtins(recipe),
                "buckets": result.buckets,
                "merged": len(result.merged),
                "doubled": len(result.doubled),
            },
        ),
        splits={},
        title=f"{name}, in the manner of VCR (visual commonsense)" if image else name,
        description="Free-form annotations made a multiple-choice test by Adversarial Matching: "
        "every wrong choice is the right one of another item.",
        drawn=drawn,
    )


def _tell(folder: Path, info: DatasetInfo, result: MatchRun) -> None:
    splits = ", ".join(f"{split} {entry.items:,}" for split, entry in info.splits.items())
    pictures = f", {plural(info.images, 'image')}" if info.images else ""
    kind = ", drawn" if info.drawn else ""
    lines = [f"{folder}: {plural(info.items, 'item')} ({splits}){pictures}{kind}"]
    sparse = result.buckets - result.exact
    how = "all exact" if not sparse else f"{result.exact:,} exact, {sparse:,} sparse"
    merged = f", {plural(len(result.merged), 'merge')} of small ones" if result.merged else ""
    lines.append(f"{plural(result.buckets, 'bucket')} ({how}){merged}")
    for line in lines:
        out.print(visible(line), markup=False, soft_wrap=True)
    for merge in result.merged[:SHOWN]:
        note = merge.note
        told = f"{merge.fold}, {merge.task}: bucket {note.bucket} ({note.items}) merged into {note.into}"
        err.print(visible(f"note: {told}: {note.why}"), markup=False, soft_wrap=True)
    if len(result.merged) > SHOWN:
        err.print(f"note: and {len(result.merged) - SHOWN:,} more merges")
    if result.doubled:
        _tell_doubled(result.doubled)


def _tell_doubled(doubled: Sequence[Doubled]) -> None:
    told = ", ".join(f"{each.id} ({each.task})" for each in doubled[:SHOWN])
    more = f" and {len(doubled) - SHOWN:,} more" if len(doubled) > SHOWN else ""
    err.print(
        visible(
            f"warning: {plural(len(doubled), 'annotation')} with two choices that read alike once their tags "
            f"were remapped, and nobody to swap with: {told}{more}"
        ),
        markup=False,
        soft_wrap=True,
    )

"""`commonsight convert`: native files to a dataset, and a dataset back to native files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import structs

from commonsight import __version__
from commonsight.benchmarks import find
from commonsight.benchmarks.datasheets import published, read_answers
from commonsight.cli.arguments import Split, benchmark_names, check_images, refuse_loss
from commonsight.cli.console import err, out, progress, visible
from commonsight.cli.tables import plural
from commonsight.core.benchmark import Benchmark
from commonsight.errors import UsageError
from commonsight.score.scoring import Scoring
from commonsight.store.dataset import is_dataset, open_items, source_file, write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.native import read_native, write_native

if TYPE_CHECKING:
    from commonsight.build.imaging.attach import Detections

NAME = "convert"
EXAMPLES = """Examples:

[cyan]commonsight convert vcr val.jsonl --images vcr1images --out vcr-val[/]

[cyan]commonsight convert nlvr2 dev.json test1.json --out nlvr2[/]

[cyan]commonsight convert nlvr2 train.json dev.json --images photos --objects detected --out nlvr2[/]

[cyan]commonsight convert vcr-val --to-native back/[/]"""


def command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="BENCHMARK|DATASET",
            help="A benchmark's name, or a dataset to turn back.",
            autocompletion=benchmark_names,
        ),
    ],
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE…", help="Native files.")] = None,
    out_folder: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="The dataset's folder, new.")
    ] = None,
    to_native: Annotated[
        Path | None, typer.Option("--to-native", metavar="DIR", help="Write the dataset's native files here.")
    ] = None,
    images: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the images (and of VCR's metadata files).")
    ] = None,
    objects: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="What `build detect` found in the images, for benchmarks that tell no objects.",
        ),
    ] = None,
    split: Split = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The dataset's name; by default its folder's.")
    ] = None,
    dataset_version: Annotated[
        str, typer.Option("--dataset-version", metavar="VERSION", help="The dataset's version.")
    ] = "1.0.0",
    datasheet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Your own answers to the datasheet, TOML or JSON; by default the published benchmark's.",
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace what is there: a dataset, or native files.")
    ] = False,
) -> None:
    """Turn native files into a dataset folder, or a dataset back into native files, without loss."""
    if to_native is not None:
        if files or any(given is not None for given in (out_folder, images, objects, name, datasheet)):
            raise UsageError(
                "--to-native takes one dataset and no --out, --images, --objects, --name or --datasheet: "
                "convert DATASET --to-native DIR."
            )
        _back(Path(what), to_native, split, overwrite)
        return
    if not files or out_folder is None:
        raise UsageError("Give native files and --out: convert BENCHMARK FILE… --out DIR.")
    benchmark = find(what)
    check_images(images)
    refuse_loss(out_folder, [*files, *(one for one in (images, objects) if one is not None)], overwrite)
    items = read_native(benchmark.native, files, split=split, images=images)
    found = None if objects is None else _detections(objects)
    answers = published(benchmark.name) if datasheet is None else read_answers(datasheet)
    info = _info(benchmark, name or out_folder.resolve().name, dataset_version, files, answers)
    if found is not None:
        items = map(found.given, items)
        info = structs.replace(info, made=structs.replace(info.made, options={"objects": str(objects)}))
    info = write_dataset(
        out_folder,
        progress(items, "converting"),
        info,
        images=images,
        overwrite=overwrite,
        finish=partial(_with_objects, found),
    )
    splits = ", ".join(f"{split} {entry.items:,}" for split, entry in info.splits.items())
    pictures = f", {info.images:,} images" if info.images else ""
    told = f"{out_folder}: {plural(info.items, 'item')} ({splits}){pictures}"
    out.print(visible(told), markup=False, soft_wrap=True)


def _detections(folder: Path) -> Detections:
    from commonsight.build.imaging.attach import Detections

    return Detections(folder)


def _with_objects(found: Detections | None, info: DatasetInfo) -> DatasetInfo:
    """Told once all items were seen, and before the folder is there: where nothing was found, it never is."""
    told = None if found is None else found.told()
    if told is not None:
        err.print(visible(f"note: {told}"), markup=False, soft_wrap=True)
    return info


def _info(
    benchmark: Benchmark[Scoring], name: str, version: str, files: list[Path], answers: dict[str, str]
) -> DatasetInfo:
    return DatasetInfo(
        name=name,
        benchmark=benchmark.name,
        version=version,
        made=Made(
            "convert", __version__, sources=tuple(source_file(path) for path in files if path.is_file())
        ),
        splits={},
        title=benchmark.title,
        description=benchmark.summary,
        citation=str(benchmark.citation),
        licence=benchmark.licence,
        homepage=benchmark.homepage,
        datasheet=answers,
    )


def _back(dataset: Path, folder: Path, split: str | None, overwrite: bool) -> None:
    if not is_dataset(dataset):
        raise UsageError(f"{dataset} is not a dataset. Give a folder that `convert` made.")
    if folder.exists() and not overwrite and (folder.is_file() or any(folder.iterdir())):
        raise UsageError(
            f"{folder} exists already. Choose another folder, or add --overwrite to replace its native files."
        )
    info, items = open_items(dataset, split)
    total = info.splits[split].items if split in info.splits else info.items
    written = write_native(find(info.benchmark).native, progress(items, "writing", total), folder)
    for name, records in written.items():
        if not name.startswith("images/"):
            told = f"{folder / name}: {plural(records, 'record')}"
            out.print(visible(told), markup=False, soft_wrap=True)

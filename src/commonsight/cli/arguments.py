"""Arguments that several verbs take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from commonsight.benchmarks import ALL
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.score.choices import LoadVectors
from commonsight.score.scoring import Scoring
from commonsight.store.dataset import is_dataset, read_dataset, read_info
from commonsight.store.native import read_native
from commonsight.text.vectors import installed_glove, load_glove

INSTALLED = "glove-6b-50d"


def benchmark_names() -> list[str]:
    """For shell completion."""
    return [benchmark.name for benchmark in ALL]


BenchmarkName = Annotated[
    str,
    typer.Argument(
        metavar="BENCHMARK",
        help="One of those that `commonsight benchmarks` lists.",
        autocompletion=benchmark_names,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Split = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The split of native files, where neither record nor file name tells it; "
        "or the one split of a dataset to use.",
    ),
]
BenchmarkOption = Annotated[
    str | None,
    typer.Option(
        "--benchmark",
        metavar="NAME",
        help="The benchmark; by default told from the file.",
        autocompletion=benchmark_names,
    ),
]
Seed = Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the bootstrap.")]
Confidence = Annotated[
    float, typer.Option(min=0.5, max=0.999, metavar="LEVEL", help="Confidence level of the intervals.")
]
AllowMissing = Annotated[bool, typer.Option("--allow-missing", help="Score items without a prediction 0.")]
SliceFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--slices",
        metavar="NAME=FILE",
        help="Slice by a file as well; `commonsight benchmarks` lists the names.",
    ),
]
NearestChoice = Annotated[
    str | None,
    typer.Option(
        metavar="VECTORS",
        help="Bring answers that are no choice to the nearest one (A-OKVQA's rule): "
        "a GloVe text file, or `glove-6b-50d` where that package is installed.",
    ),
]
GoldFiles = Annotated[
    list[Path],
    typer.Option(
        "--gold",
        metavar="FILE|DATASET",
        help="Native file or dataset folder with the labels; may be given again.",
    ),
]


def items_of(benchmark: Benchmark[Scoring], paths: list[Path], split: str | None = None) -> Iterator[Item]:
    """The items of native files or of datasets of this benchmark."""
    for path in paths:
        if is_dataset(path):
            info = read_info(path)
            if info is not None and info.benchmark != benchmark.name:
                raise UsageError(
                    f"{path} is a dataset of {info.benchmark}, not of {benchmark.name}. "
                    "Name the benchmark that the dataset is of."
                )
            yield from read_dataset(path, split=split)
        elif path.is_dir():
            raise InputError(
                f"{path} is a folder without a dataset. Give a native file, or a folder made by `convert`."
            )
    native = [path for path in paths if not path.is_dir()]
    if native:
        yield from read_native(benchmark.native, native, split=split)


def check_images(images: Path | None) -> None:
    """Refuse a folder of images that is not there."""
    if images is not None and not images.is_dir():
        raise UsageError(f"--images {images}: there is no such folder. Check the path.")


def labelled(scoring: Scoring, items: Iterable[Item]) -> Iterator[Item]:
    """The same items, once it is sure that each carries what scoring needs."""
    for item in items:
        if not scoring.labelled(item):
            raise InputError(
                f"The gold has no labels for item {item.id}. Score on a split whose labels are public."
            )
        yield item


def load_vectors(benchmark: Benchmark[Scoring], wanted: str | None) -> LoadVectors | None:
    """A loader of the word vectors that `--nearest-choice` names."""
    if wanted is None:
        return None
    if benchmark.scoring.settle is None:
        raise UsageError(
            f"--nearest-choice: answers of {benchmark.name} are never free text. Leave the option out."
        )
    return vectors_named(wanted)


def vectors_named(wanted: str) -> LoadVectors:
    """A loader of the installed word vectors, or of those in a file."""
    if wanted == INSTALLED:
        return lambda _: installed_glove()
    if not Path(wanted).is_file():
        raise UsageError(f"--nearest-choice {wanted}: there is no such file. Give one, or {INSTALLED}.")
    return lambda words: load_glove(Path(wanted), words)


def slice_files(benchmark: Benchmark[Scoring], given: list[str] | None) -> dict[str, Path]:
    """`NAME=FILE` options, checked."""
    files = {}
    for entry in given or []:
        name, equals, path = entry.partition("=")
        if not equals or not path:
            raise UsageError(f"--slices {entry}: write NAME=FILE.")
        if name not in benchmark.scoring.slice_sources:
            known = ", ".join(benchmark.scoring.slice_sources) or "none"
            raise UsageError(f"--slices {entry}: {benchmark.name} has no such slice. It has: {known}.")
        if not Path(path).is_file():
            raise UsageError(f"--slices {entry}: there is no file {path}.")
        files[name] = Path(path)
    return files


def refuse_loss(folder: Path, sources: Sequence[Path], overwrite: bool) -> None:
    """Before hours of work: what is there must be free to take, and never hold what is read."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not overwrite:
        raise UsageError(f"{folder} exists already. Choose another folder, or add --overwrite to replace it.")
    if not is_dataset(folder):
        raise UsageError(f"{folder} is not a dataset, so --overwrite leaves it alone. Choose another folder.")
    for source in sources:
        if source.resolve().is_relative_to(folder.resolve()):
            raise UsageError(f"{source} lies in {folder}, which would be replaced. Choose another folder.")

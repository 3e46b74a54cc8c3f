"""`commonsight validate`: every problem of a file or dataset, not only the first."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from commonsight.benchmarks import find
from commonsight.cli.arguments import Json, Split, benchmark_names, check_images
from commonsight.cli.console import BAD_INPUT, out, print_json, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import Problem, UsageError
from commonsight.store.dataset import check_dataset, is_dataset
from commonsight.store.native import read_native

NAME = "validate"
EXAMPLES = """Examples:

[cyan]commonsight validate vcr val.jsonl --images vcr1images[/]

[cyan]commonsight validate my-dataset/[/]"""


def command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="BENCHMARK|DATASET",
            help="A benchmark's name, or a dataset's folder.",
            autocompletion=benchmark_names,
        ),
    ],
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE…", help="Native files.")] = None,
    images: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the images' metadata files, to check them too."),
    ] = None,
    split: Split = None,
    json: Json = False,
) -> None:
    """List every problem of native files or of a dataset. Exit code 2 if there is one."""
    if not files and (images is not None or split is not None):
        raise UsageError("--images and --split go with native files: validate BENCHMARK FILE…")
    items, problems = _native(what, files, images, split) if files else _dataset(what)
    if json:
        print_json(
            {"valid": not problems, "items": items, "problems": [_plain(problem) for problem in problems]}
        )
    else:
        _show(items, problems)
    if problems:
        raise typer.Exit(BAD_INPUT)


def _show(items: int | None, problems: list[Problem]) -> None:
    for problem in problems:
        out.print(visible(str(problem)), markup=False, soft_wrap=True)
    kinds = Counter(problem.field or "file" for problem in problems)
    found = ", ".join(f"{field} {count:,}" for field, count in kinds.most_common())
    told = f"[bold red]{plural(len(problems), 'problem')}[/] ({escape(found)})" if problems else "no problems"
    fine = "" if items is None else f"{plural(items, 'item')} {'is' if items == 1 else 'are'} fine, "
    out.print(f"{fine}{told}")


def _native(
    what: str, files: list[Path], images: Path | None, split: str | None
) -> tuple[int, list[Problem]]:
    native = find(what).native
    check_images(images)
    problems: list[Problem] = []
    items = read_native(native, files, split=split, images=images, on_problem=problems.append)
    count = sum(1 for _ in progress(items, "validating"))
    return count, problems


def _dataset(what: str) -> tuple[None, list[Problem]]:
    folder = Path(what)
    if not is_dataset(folder):
        raise UsageError(f"{what} is not a dataset. Give BENCHMARK FILE…, or a folder that `convert` made.")
    return None, check_dataset(folder)


def _plain(problem: Problem) -> dict[str, object]:
    return {
        "file": str(problem.path),
        "line": problem.line,
        "record": problem.record,
        "field": problem.field,
        "message": problem.message,
        "remedy": problem.remedy,
    }

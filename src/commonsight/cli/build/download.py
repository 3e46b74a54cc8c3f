"""`commonsight build download`: the pictures of a list, from the web to a folder."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight import __version__
from commonsight.cli.build.lines import refuse_file, write_lines
from commonsight.cli.console import out, visible
from commonsight.cli.tables import plural
from commonsight.errors import InvalidRecords, Problem, UsageError

if TYPE_CHECKING:
    from commonsight.build.imaging.sets.download import Outcome
    from commonsight.build.imaging.sets.lists import Listed

NAME = "download"
EXAMPLES = """Examples:

[cyan]commonsight build download found.jsonl --out downloaded[/]

[cyan]commonsight build sets downloaded/list.jsonl --out sets[/]"""

LIST = "list.jsonl"
NOTHING = 1
"""The exit code where not one picture came: what follows would have nothing to work on."""
MEGABYTE = 1_000_000


def command(
    found: Annotated[
        Path, typer.Argument(metavar="LIST", help="JSON lines or CSV with `url`, and `query` where known.")
    ],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The pictures and their list.")],
    at_once: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Servers asked at once.")] = 8,
    pause: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Between two requests to one server.")
    ] = 1.0,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", min=0.1, help="For one picture.")] = 30.0,
    most: Annotated[
        int, typer.Option("--most-megabytes", metavar="N", min=1, help="Of one picture, at most.")
    ] = 20,
    tries: Annotated[int, typer.Option(metavar="N", min=1, help="Times that a busy server is asked.")] = 2,
    stock: Annotated[
        bool, typer.Option("--stock/--no-stock", help="Whether sellers of photographs are asked too.")
    ] = False,
    allow_private: Annotated[
        bool,
        typer.Option("--allow-private", help="Also ask addresses of this machine and of its network."),
    ] = False,
) -> None:
    """Download what a list names, politely; the folder gets the pictures and the list with their paths.

    A run that was stopped goes on when it is started again; servers that were busy are asked once more then.
    The exit code is 1 where not one picture came.
    """
    from commonsight.build.imaging.sets.addresses import STOCK
    from commonsight.build.imaging.sets.download import download, with_paths
    from commonsight.build.imaging.sets.fetch import Manners
    from commonsight.cli.train_show import bars

    if not found.is_file():
        raise UsageError(f"{found}: there is no such file. Check the path.")
    refuse_file(out_folder / LIST, [found], overwrite=True)
    lines = _read(found)
    manners = Manners(
        at_once=at_once, pause=pause, timeout=timeout, most_bytes=most * MEGABYTE, tries=tries,
        private=allow_private, agent=f"commonsight/{__version__}",
    )  # fmt: skip
    with bars() as bar:
        skipped = () if stock else STOCK
        outcomes = download(lines, out_folder, manners, skipped=skipped, telling=bar.told("downloading"))
    write_lines(out_folder / LIST, with_paths(lines, outcomes))
    _tell(out_folder, outcomes)
    if outcomes and all(outcome.path is None for outcome in outcomes.values()):
        raise typer.Exit(NOTHING)


def _read(path: Path) -> list[Listed]:
    from commonsight.build.imaging.sets.lists import read_list

    problems: list[Problem] = []
    lines = [line for _, line in read_list(path, problems.append)]
    for number, line in enumerate(lines):
        if line.path is not None and line.url is None:
            message = f"{line.path} has no address"
            problems.append(Problem(path, message, "Give a url, or leave the line out.", record=str(number)))
    if problems:
        raise InvalidRecords(problems)
    return lines


def _tell(folder: Path, outcomes: dict[str, Outcome]) -> None:
    there = sum(outcome.path is not None for outcome in outcomes.values())
    told = f"{folder / LIST}: {there:,} of {plural(len(outcomes), 'picture')}"
    out.print(visible(told), markup=False, soft_wrap=True)
    for fault, number in Counter(one.fault for one in outcomes.values() if one.fault).most_common():
        out.print(visible(f"{number:>7,}  {fault}"), markup=False, soft_wrap=True)

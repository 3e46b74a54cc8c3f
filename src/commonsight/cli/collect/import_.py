"""`commonsight collect import`: what workers are to write about, and tasks with known answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.collect.opening import Folder, campaign_of, opened
from commonsight.cli.console import SHOWN_PROBLEMS, err, out, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import InvalidRecords, Problem, UsageError

if TYPE_CHECKING:
    from commonsight.collect.desk import Desk
    from commonsight.collect.imports import Imported
    from commonsight.collect.sources import Beside

NAME = "import"
EXAMPLES = """Examples:

[cyan]commonsight collect import ours world/vcr --campaign pilot[/]

[cyan]commonsight collect import ours frames --detected detected --campaign pilot[/]

[cyan]commonsight collect import ours sets --campaign sentences[/]

[cyan]commonsight collect import ours --gold known.jsonl --campaign pilot[/]"""


def command(
    folder: Folder,
    sources: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="SOURCE…",
            help="Datasets, folders of pictures, and what `build sets` and `build clusters` wrote.",
        ),
    ] = None,
    campaign: Annotated[
        str | None, typer.Option(metavar="NAME", help="The campaign; not needed where there is one.")
    ] = None,
    detected: Annotated[
        Path | None, typer.Option(metavar="DIR", help="What `build detect` found in the pictures.")
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where pictures are that do not lie in the source, by their names."),
    ] = None,
    split: Annotated[
        str, typer.Option(metavar="NAME", help="The split of pictures and clusters, which have none.")
    ] = "train",
    gold: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Tasks with known answers: JSON lines of stage, key, payload and answers."
        ),
    ] = None,
    keep_notes: Annotated[
        bool,
        typer.Option("--keep-notes", help="Leave in pictures what cameras noted: place, time, device."),
    ] = False,
) -> None:
    """Put items or pictures before workers. Stopped by whatever, the same command goes on.

    Boxes of a picture are read from its metadata file, which lies beside it or in the folder that --detected
    names. What cannot be read is told and passed by. Workers and exports get pictures upright, and without
    what cameras and programs noted in them.
    """
    from commonsight.cli.collect.opening import check_installed

    check_installed()
    from commonsight.collect.sources import Beside

    if not sources and gold is None:
        raise UsageError("There is nothing to import. Name a source, or a file with --gold.")
    with opened(folder) as desk:
        campaign_id = campaign_of(desk, campaign)
        beside = Beside(detected, pictures, split)
        problems: list[Problem] = []
        for source in sources or ():
            told = _import(desk, campaign_id, source, beside, problems, keep_notes)
            _tell(source, told)
        if gold is not None:
            from commonsight.collect.imports import import_gold

            new = import_gold(desk, campaign_id, gold, keep_notes=keep_notes)
            _say(f"{gold}: {plural(new, 'new task')} with known answers")
    _tell_problems(problems)


def _import(
    desk: Desk, campaign_id: int, source: Path, beside: Beside, problems: list[Problem], keep_notes: bool
) -> Imported:
    from commonsight.collect.imports import import_subjects
    from commonsight.collect.sources import open_source

    own: list[Problem] = []
    found = open_source(source, beside, own.append)
    passing = progress(found.subjects, found.what, found.total)
    told = import_subjects(
        desk, campaign_id, passing, on_problem=own.append, keep_notes=keep_notes
    )
    if own and not (told.tasks or told.known or told.passed_by):
        raise InvalidRecords(own)
    if not any(told):
        raise UsageError(f"{source}: there is no picture here, nor a dataset. Check the path.")
    problems += own
    return told


def _tell(source: Path, told: Imported) -> None:
    parts = [f"{plural(told.tasks, 'new task')}", f"{plural(told.pictures, 'new picture')}"]
    if told.known:
        parts.append(f"{plural(told.known, 'task')} there already")
    if told.passed_by:
        parts.append(f"{plural(told.passed_by, 'item')} not fit for this protocol")
    _say(f"{source}: {', '.join(parts)}")


def _say(line: str) -> None:
    out.print(visible(line), markup=False, soft_wrap=True)


def _tell_problems(problems: list[Problem]) -> None:
    """What was passed by; the rest came in."""
    for problem in problems[:SHOWN_PROBLEMS]:
        err.print(visible(f"note: passed by: {problem}"), markup=False, soft_wrap=True)
    if len(problems) > SHOWN_PROBLEMS:
        err.print(f"note: … and {len(problems) - SHOWN_PROBLEMS:,} more", markup=False)

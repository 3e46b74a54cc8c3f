"""`commonsight build interesting`: which pictures are worth asking about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from commonsight.cli.arguments import Json
from commonsight.cli.build.lines import refuse_file, write_lines
from commonsight.cli.console import out, print_json, progress, visible
from commonsight.cli.tables import percent, plural, table
from commonsight.errors import OnProblem, Problem, UsageError

if TYPE_CHECKING:
    from commonsight.build.imaging.interest.lessons import Judgement
    from commonsight.build.imaging.interest.rules import Rule
    from commonsight.build.imaging.sightings import Sighting

NAME = "interesting"
EXAMPLES = """Examples:

[cyan]commonsight build interesting detected --out chosen.jsonl[/]

[cyan]commonsight build interesting detected --rule pmr --most-people 4 --out chosen.jsonl[/]

[cyan]commonsight build interesting detected --model interest.json --out chosen.jsonl[/]"""
BOUNDS = "Bounds, instead of the rule's own"

RuleName = Annotated[
    Literal["vcr", "aokvqa", "pmr", "none"],
    typer.Option(
        help="vcr: two people and three objects at least; aokvqa: more than three objects; "
        "pmr: not dark, at most five people and fifteen objects."
    ),
]


def command(
    detections: Annotated[
        Path,
        typer.Argument(
            metavar="DETECTIONS",
            help="What `build detect` wrote; VCR's metadata files, lines with objects, or a dataset; or the "
            "folder of --images, in which nothing was detected.",
        ),
    ],
    out_file: Annotated[Path, typer.Option("--out", metavar="FILE", help="The chosen pictures, JSON lines.")],
    rule: RuleName = "vcr",
    least_people: Annotated[
        int | None, typer.Option(metavar="N", min=0, rich_help_panel=BOUNDS, help="People at least.")
    ] = None,
    most_people: Annotated[
        int | None, typer.Option(metavar="N", min=0, rich_help_panel=BOUNDS, help="People at most.")
    ] = None,
    least_objects: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, rich_help_panel=BOUNDS, help="Objects at least, people too."),
    ] = None,
    most_objects: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, rich_help_panel=BOUNDS, help="Objects at most, people too."),
    ] = None,
    least_brightness: Annotated[
        float | None,
        typer.Option(
            metavar="X", min=0.0, max=1.0, rich_help_panel=BOUNDS, help="The mean shade, 0 black to 1 white."
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="PLACE", help="Also by what `build learn-interest` learned: its file or folder."
        ),
    ] = None,
    images: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the pictures are, for a model that looks at them."),
    ] = None,
    best: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="With --model: the N likeliest, whatever its threshold says."),
    ] = None,
    json: Json = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")] = False,
) -> None:
    """Choose the pictures that are worth asking about, by a paper's rule, and by a model if there is one.

    Each line has the picture's name, its counts, and how likely it is interesting where a model says so. They
    come in the order of the detections; with --best, the likeliest come first.
    """
    from commonsight.build.imaging.interest.rules import RULES
    from commonsight.build.imaging.sightings import read_sightings

    if not detections.exists():
        raise UsageError(f"{detections}: there is no such file or folder. Check the path.")
    if best is not None and model is None:
        raise UsageError("--best needs a --model that says how likely each picture is interesting.")
    refuse_file(out_file, [detections], overwrite)
    bounds = {
        "least_people": least_people, "most_people": most_people, "least_objects": least_objects,
        "most_objects": most_objects, "least_brightness": least_brightness,
    }  # fmt: skip
    bound = bounded(RULES[rule].rule, bounds)
    problems: list[Problem] = []
    counts: Counter[str] = Counter()
    pictures = images is not None and images.resolve() == detections.resolve()
    read = _undetected if pictures else read_sightings
    seen = progress(read(detections, problems.append), "pictures")
    kept = _ruled(seen, bound, counts)
    lines = _plain(kept) if model is None else _modelled(kept, model, images, best, counts)
    chosen = write_lines(out_file, lines, problems)
    _tell(out_file, rule, chosen, counts, json)


def bounded(rule: Rule, bounds: dict[str, float | None]) -> Rule:
    """The rule with other bounds where a person gave some; a least brightness of 0 binds nothing."""
    from msgspec import structs

    given = {name: value for name, value in bounds.items() if value is not None}
    if given.get("least_brightness") == 0:
        given["least_brightness"] = None  # type: ignore[assignment]
    return structs.replace(rule, **given)


def _undetected(folder: Path, on_problem: OnProblem) -> Iterator[Sighting]:
    """Pictures in which nothing was looked for."""
    from commonsight.build.imaging.sightings import Sighting
    from commonsight.store.walk import pictures_in

    for picture in pictures_in([folder], on_problem):
        yield Sighting(picture.name, None, {})


def _ruled(seen: Iterable[Sighting], rule: Rule, counts: Counter[str]) -> Iterator[Sighting]:
    for one in seen:
        counts["pictures"] += 1
        against = rule.against(one)
        counts.update(against)
        if not against:
            yield one


def _plain(seen: Iterable[Sighting]) -> Iterator[dict[str, Any]]:
    for one in seen:
        yield {"image": one.name, "metadata": one.metadata, "counts": one.counts}


def _modelled(
    seen: Iterable[Sighting], model: Path, images: Path | None, best: int | None, counts: Counter[str]
) -> Iterator[dict[str, Any]]:
    judged = _judged(seen, model, images)
    if best is not None:
        import heapq

        largest = heapq.nlargest(best, enumerate(judged), key=lambda pair: (pair[1].chance, -pair[0]))
        judged = (one for _, one in largest)
    for one in judged:
        if best is None and not one.enough:
            counts["less likely than the threshold"] += 1
            continue
        told = next(_plain([one.seen]))
        yield {**told, "chance": round(one.chance, 6)}


def _judged(seen: Iterable[Sighting], model: Path, images: Path | None) -> Iterator[Judgement]:
    if not model.exists():
        raise UsageError(f"--model {model}: there is no such file or folder. Check the path.")
    if not model.is_dir():
        from commonsight.build.imaging.interest import by_counts

        return by_counts.judgements(seen, by_counts.load(model))
    if images is None:
        raise UsageError(f"--images is missing: {model} looks at the pictures. Where are they?")
    from commonsight.models.libraries import libraries

    libraries()  # says so where they are missing
    from commonsight.runs.interest import judgements

    return judgements(seen, model, images)


def _tell(out_file: Path, rule: str, chosen: int, counts: Counter[str], json: bool) -> None:
    pictures = counts.pop("pictures", 0)
    if json:
        print_json({"rule": rule, "n": pictures, "chosen": chosen, "left_out": dict(counts.most_common())})
        return
    if counts:
        made = table("left out because", "pictures", "%")
        for why, count in counts.most_common():
            made.add_row(why, f"{count:,}", percent(count / pictures))
        out.print(made)
    share = percent(chosen / pictures) if pictures else "0"
    line = f"{out_file}: {chosen:,} of {plural(pictures, 'picture')} ({share} %)"
    out.print(visible(line), markup=False, soft_wrap=True)

"""`commonsight build learn-interest`: learn from ratings which pictures are worth asking about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.build.lines import refuse_file
from commonsight.cli.console import err, out, print_json, visible
from commonsight.cli.tables import percent, plural
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.build.imaging.interest.lessons import Learned, Rated
    from commonsight.runs.interest import InterestPlan

NAME = "learn-interest"
EXAMPLES = """Examples:

[cyan]commonsight build learn-interest detected --ratings ratings.csv --out interest.json --plot curve.png[/]

[cyan]commonsight build learn-interest detected --ratings ratings.jsonl --kind both --images frames \\
--backbone microsoft/resnet-50 --out interest[/]

[cyan]commonsight build learn-interest detected --rule aokvqa --kind picture --images photos --out seen[/]"""


def command(
    detections: Annotated[
        Path, typer.Argument(metavar="DETECTIONS", help="What `build detect` wrote, or its like.")
    ],
    out_place: Annotated[
        Path, typer.Option("--out", metavar="PLACE", help="The model: a JSON file; a folder for a network.")
    ],
    ratings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A line for each rating: image and rating, as .csv or as JSON lines."
        ),
    ] = None,
    rule: Annotated[
        Literal["vcr", "aokvqa", "pmr"] | None,
        typer.Option(help="Instead of ratings: tell apart what this rule chooses, as A-OKVQA did."),
    ] = None,
    above: Annotated[
        float, typer.Option(metavar="X", help="Pictures with a mean rating above X are interesting.")
    ] = 0.5,
    kind: Annotated[
        Literal["counts", "both", "picture"],
        typer.Option(help="counts: people and other objects; picture: a network on pixels; both: on both."),
    ] = "counts",
    precision: Annotated[
        float,
        typer.Option(metavar="X", min=0.0, max=1.0, help="So many of the chosen ones shall be interesting."),
    ] = 0.7,
    images: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the pictures are, for a network.")
    ] = None,
    backbone: Annotated[
        str | None,
        typer.Option(
            metavar="PLACE", help="A ResNet's folder or hub name; by default a small one from nothing."
        ),
    ] = None,
    epochs: said.Epochs = None,
    seed: said.TrainSeed = 0,
    device: said.Device = None,
    threads: said.Threads = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw precision and recall, as .png and .svg.")
    ] = None,
    json: Json = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")] = False,
) -> None:
    """Learn to tell interesting pictures: VCR's logistic regression, its network, or A-OKVQA's classifier.

    The threshold is the lowest at which the wanted share of chosen pictures is interesting, among pictures
    that were held out. A network's training goes on where it was stopped.
    """
    if not detections.exists():
        raise UsageError(f"{detections}: there is no such file or folder. Check the path.")
    if kind == "counts":
        refuse_file(out_place, [detections, *([ratings] if ratings else [])], overwrite)
        if rule is not None:
            raise UsageError("A rule by counts needs no model of counts. Give --kind picture, or --ratings.")
    rated = _rated(detections, ratings, rule, above)
    if kind == "counts":
        learned = _by_counts(rated, out_place, precision, seed)
    else:
        if images is None:
            raise UsageError("--images is missing: a network looks at the pictures. Where are they?")
        from commonsight.models.libraries import use_threads

        use_threads(threads)
        from commonsight.runs.interest import InterestPlan

        plan = InterestPlan(images, kind == "both", backbone, precision, epochs, seed, device)
        learned = _by_network(rated, out_place, plan)
    if plot is not None:
        from commonsight.build.imaging.interest import curves

        share = learned.interesting / learned.rated
        curves.plot(plot.with_suffix(""), learned.curve, learned.chosen, precision, share)
    _tell(out_place, learned, precision, json)


def _by_counts(rated: Rated, out_file: Path, precision: float, seed: int) -> Learned:
    from commonsight.build.imaging.interest import by_counts

    fitted = by_counts.fit(rated, precision=precision, seed=seed)
    by_counts.save(out_file, fitted.model)
    return fitted.learned


def _by_network(rated: Rated, out_folder: Path, plan: InterestPlan) -> Learned:
    from commonsight.cli.train_show import EpochWatch, bars, stopping
    from commonsight.runs.interest import train_interest

    with bars() as told, stopping():
        return train_interest(rated, out_folder, plan, watch=lambda: EpochWatch(told.bar, "pictures"))


def _rated(detections: Path, ratings: Path | None, rule: str | None, above: float) -> Rated:
    from commonsight.build.imaging.interest.lessons import by_ratings, by_rule
    from commonsight.build.imaging.interest.rules import RULES
    from commonsight.build.imaging.sightings import read_sightings

    if (ratings is None) == (rule is None):
        raise UsageError("Give either --ratings, what people said, or --rule, what shall be told apart.")
    seen = read_sightings(detections)
    if rule is not None:
        return by_rule(seen, RULES[rule].rule, detections)
    assert ratings is not None
    return by_ratings(seen, ratings, above)


def _tell(out_place: Path, learned: Learned, wanted: float, json: bool) -> None:
    chosen = learned.chosen
    if json:
        metrics = {
            "precision": chosen.precision,
            "recall": chosen.recall,
            "average_precision": learned.average,
        }
        told = {"n": learned.rated, "interesting": learned.interesting, "threshold": chosen.threshold}
        print_json({**told, "metrics": metrics, "curve": learned.curve})
        return
    line = (
        f"{out_place}: learned from {plural(learned.rated, 'picture')}, {learned.interesting:,} of them "
        f"interesting; of those it chooses {percent(chosen.precision)} % are "
        f"(recall {percent(chosen.recall)} %, average "
        f"precision {percent(learned.average)} %), from a chance of {percent(chosen.threshold)} % on"
    )
    out.print(visible(line), markup=False, soft_wrap=True)
    if not chosen.reached:
        line = (
            f"note: a precision of {percent(wanted)} % is reached nowhere; this is the most precise threshold"
        )
        err.print(line, soft_wrap=True)

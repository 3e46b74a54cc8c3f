"""`commonsight collect agreement`: how far workers agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.arguments import Json, Seed
from commonsight.cli.collect.opening import CampaignOption, Folder, campaign_of, opened
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import table

if TYPE_CHECKING:
    from commonsight.score.agreement import Measure

NAME = "agreement"
EXAMPLES = """Examples:

[cyan]commonsight collect agreement ours[/]

[cyan]commonsight collect agreement ours --campaign pilot --newest 500 --json[/]"""
RESAMPLES = 1000


def command(
    folder: Folder,
    campaign: CampaignOption = None,
    newest: Annotated[
        int | None,
        typer.Option(metavar="N", min=2, help="Only the tasks of each stage that were answered last."),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Measure how far workers agree: Krippendorff's alpha, Fleiss' kappa and plain agreement, with intervals.

    For every stage that is put to several workers. Gold tasks and what reviewers decided are left out.
    """
    with opened(folder) as desk:
        from commonsight.collect.agreement import live_agreement
        from commonsight.collect.desk import campaign_in

        campaign_id = campaign_of(desk, campaign)
        with desk.database.read() as session:
            name = campaign_in(session, campaign_id).name
        found = live_agreement(desk, campaign_id, newest=newest, resamples=RESAMPLES, seed=seed)
    if json:
        print_json({"campaign": name, "newest": newest, "seed": seed, "fields": found})
        return
    made = table("stage", "field", "alpha", "kappa", "agree", "tasks", "votes")
    made.columns[1].justify = "left"
    for each in found:
        told = each.agreement
        measures = (_cell(told.alpha), _cell(told.kappa), _cell(told.percent, percent=True))
        numbers = (f"{told.items:,}", f"{told.votes:,}")
        made.add_row(visible(each.stage), visible(each.field), *measures, *numbers)
    out.print(made)


def _cell(measure: Measure, *, percent: bool = False) -> str:
    """A coefficient and its interval; a dash where it is not defined."""
    if measure.value is None:
        return "–"

    def told(value: float) -> str:
        return f"{100 * value:.1f}" if percent else f"{value:.2f}"

    if measure.low is None or measure.high is None:
        return told(measure.value)
    return f"{told(measure.value)} [dim]({told(measure.low)} to {told(measure.high)})[/]"

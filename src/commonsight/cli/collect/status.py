"""`commonsight collect status`: how far a campaign is, how fast it goes, and what it costs."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from commonsight.cli.arguments import Json
from commonsight.cli.collect.opening import CampaignOption, Folder, campaign_of, opened
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import plural, table
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.collect.status import Status

NAME = "status"
EXAMPLES = """Examples:

[cyan]commonsight collect status ours[/]

[cyan]commonsight collect status ours --campaign pilot --watch[/]

[cyan]commonsight collect status ours --json[/]"""
EVERY = 2.0
"""Seconds between two looks."""
COLUMNS = ("open", "held", "done", "disputed", "dropped", "answers", "wanted")


def command(
    folder: Folder,
    campaign: CampaignOption = None,
    watch: Annotated[bool, typer.Option("--watch", help="Look again and again, until stopped.")] = False,
    json: Json = False,
) -> None:
    """Tell how far a campaign is: tasks by stage, pace and end, records, people, and what it costs."""
    if watch and json:
        raise UsageError("--watch is for people and --json for programs, which can ask again themselves.")
    with opened(folder) as desk:
        from commonsight.collect.status import status

        campaign_id = campaign_of(desk, campaign)
        if json:
            print_json(status(desk, campaign_id))
        elif not watch:
            out.print(shown(status(desk, campaign_id)))
        else:
            from rich.live import Live

            with Live(shown(status(desk, campaign_id)), console=out, auto_refresh=False) as live:
                while True:
                    time.sleep(EVERY)
                    live.update(shown(status(desk, campaign_id)), refresh=True)


def shown(told: Status) -> RenderableType:
    """A status for people."""
    made = table("stage", *COLUMNS)
    for line in told.stages:
        made.add_row(visible(line.name), *(f"{getattr(line, column):,}" for column in COLUMNS))
    lines = [_pace(told), _people(told), _cost(told), _waiting(told)]
    head = Text(visible(f"{told.name}, by {told.protocol}, is {told.state}"), style="bold")
    return Group(head, made, *(Text(line) for line in lines if line))


def _pace(told: Status) -> str:
    left = f"{plural(told.records, 'record')}; about {plural(told.estimate.answers_left, 'answer')} left"
    if told.expected_end is None:
        return f"{left}; {told.per_hour:,.1f} answers an hour"
    end = datetime.fromtimestamp(told.expected_end // 1_000_000, UTC)
    return f"{left}; {told.per_hour:,.1f} answers an hour, done by {end:%Y-%m-%d %H:%M} UTC"


def _people(told: Status) -> str:
    roles = ", ".join(plural(number, role) for role, number in told.members.items()) or "nobody yet"
    out_of_it = f", {told.out:,} without work" if told.out else ""
    return f"{roles}{out_of_it}; {told.active_last_hour:,} active in the last hour"


def _cost(told: Status) -> str:
    from commonsight.collect.money import money

    cost = told.estimate
    spent, held, total = (money(each, told.currency) for each in (cost.spent, cost.held, cost.expected_total))
    budget = f" of {money(told.budget, told.currency)}" if told.budget is not None else ""
    each = f", {money(cost.per_record, told.currency)} a record" if cost.per_record is not None else ""
    return f"earned {spent}{budget}, up to {held} under way; about {total} in all{each}"


def _waiting(told: Status) -> str:
    waits = {
        "dispute": told.disputes, "exam to grade": told.exams_waiting, "report of a fault": told.errata_open,
    }  # fmt: skip
    named = [
        plural(number, what) if number == 1 else f"{number:,} {_many(what)}" for what, number in waits.items()
    ]
    some = [text for text, number in zip(named, waits.values(), strict=True) if number]
    return f"waiting for a reviewer: {', '.join(some)}" if some else ""


def _many(what: str) -> str:
    first, _, rest = what.partition(" ")
    return f"{first}s {rest}".rstrip()

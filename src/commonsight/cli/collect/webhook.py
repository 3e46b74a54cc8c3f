"""`commonsight collect webhook`: addresses that are told what happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.arguments import Json
from commonsight.cli.collect.opening import CampaignOption, Folder, campaign_of, opened
from commonsight.cli.console import err, out, print_json, visible
from commonsight.cli.tables import table
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.collect.webhooks import Hook

NAME = "webhook"
EXAMPLES = """Examples:

[cyan]commonsight collect webhook ours[/]

[cyan]commonsight collect webhook ours --add https://example.org/hook --kinds record,erratum[/]

[cyan]commonsight collect webhook ours --remove 1[/]"""


def command(
    folder: Folder,
    campaign: CampaignOption = None,
    url: Annotated[
        str | None, typer.Option("--add", metavar="URL", help="Tell this address of events from now on.")
    ] = None,
    kinds: Annotated[
        str, typer.Option(metavar="KIND,…", help="Kinds of events to tell of; by default all.")
    ] = "",
    allow_private: Annotated[
        bool,
        typer.Option(
            "--allow-private", help="Let the new address be in this machine's network, or without TLS."
        ),
    ] = False,
    remove: Annotated[
        int | None, typer.Option(metavar="ID", help="Tell this webhook of nothing more.")
    ] = None,
    json: Json = False,
) -> None:
    """List the webhooks of a campaign, add one or remove one. `collect serve` sends what waits.

    A new one's secret is printed once: what is sent is signed with it, so that its server can tell.
    """
    if url is not None and remove is not None:
        raise UsageError("One thing at a time: give --add or --remove.")
    if url is None and (kinds or allow_private):
        raise UsageError("--kinds and --allow-private are about a new webhook: give --add URL, too.")
    with opened(folder) as desk:
        from commonsight.collect.webhooks import add, webhooks
        from commonsight.collect.webhooks import remove as remove_one

        campaign_id = campaign_of(desk, campaign)
        if url is not None:
            wanted = [kind.strip() for kind in kinds.split(",") if kind.strip()]
            made = add(desk, campaign_id, url, wanted, private=allow_private)
            if json:
                print_json({"id": made.id, "secret": made.secret})
                return
            err.print(f"webhook {made.id}; its secret, which is told only now:", highlight=False)
            typer.echo(made.secret)
            return
        if remove is not None:
            remove_one(desk, campaign_id, remove)
        found = webhooks(desk, campaign_id)
    if json:
        print_json({"campaign_id": campaign_id, "webhooks": [hook._asdict() for hook in found]})
    else:
        _show(found)


def _show(found: list[Hook]) -> None:
    made = table("id", "address", "kinds", "waiting", "failures", "last error")
    for column in (1, 2, 5):
        made.columns[column].justify = "left"
    for hook in found:
        kinds = ", ".join(hook.kinds) or "all"
        numbers = (f"{hook.waiting:,}", f"{hook.failures:,}")
        made.add_row(str(hook.id), visible(hook.url), kinds, *numbers, visible(hook.last_error))
    out.print(made)

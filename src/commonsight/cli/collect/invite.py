"""`commonsight collect invite`: links that let people in."""

from __future__ import annotations

from typing import Annotated

import typer

from commonsight.cli.collect.opening import CampaignName, Folder, campaign_of, opened
from commonsight.cli.console import err
from commonsight.cli.tables import plural
from commonsight.errors import UsageError

NAME = "invite"
EXAMPLES = """Examples:

[cyan]commonsight collect invite ours pilot --count 20[/]

[cyan]commonsight collect invite ours pilot --role reviewer --days 2 --base-url https://collect.example[/]"""
DAY = 24 * 3600


def command(
    folder: Folder,
    campaign: CampaignName,
    role: Annotated[
        str, typer.Option(metavar="ROLE", help="worker, reviewer or owner.")
    ] = "worker",
    count: Annotated[int, typer.Option(metavar="N", min=1, max=10_000, help="How many links.")] = 1,
    days: Annotated[float, typer.Option(metavar="N", help="How long they can be used.")] = 7.0,
    base_url: Annotated[
        str, typer.Option(metavar="URL", help="Where the pages are served.")
    ] = "http://127.0.0.1:8000",
) -> None:
    """Print links, one a line. Each makes one person a member of the campaign; send it to them alone."""
    with opened(folder) as desk:
        from commonsight.collect.invitations import invite

        campaign_id = campaign_of(desk, campaign)
        base = _checked(base_url)
        for _ in range(count):
            typer.echo(f"{base}/join/{invite(desk, campaign_id, role, seconds=days * DAY)}")
    err.print(f"{plural(count, 'link')}, each for one {role}, for {days:g} days", highlight=False)


def _checked(base_url: str) -> str:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(base_url)
        fits = parts.scheme in ("http", "https") and parts.netloc and not parts.query and not parts.fragment
    except ValueError:  # half an IPv6 address
        fits = False
    if not fits or not base_url.isprintable():
        raise UsageError(f"--base-url {base_url:.200}: write it like https://collect.example")
    return base_url.rstrip("/")

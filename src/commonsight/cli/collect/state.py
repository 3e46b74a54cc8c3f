"""`commonsight collect state`: hand out work, or stop to."""

from __future__ import annotations

from typing import Annotated

import typer

from commonsight.cli.collect.opening import CampaignName, Folder, campaign_of, opened
from commonsight.cli.console import out, visible

NAME = "state"
EXAMPLES = """Examples:

[cyan]commonsight collect state ours pilot paused[/]

[cyan]commonsight collect state ours pilot running[/]"""


def command(
    folder: Folder,
    campaign: CampaignName,
    state: Annotated[str, typer.Argument(metavar="STATE", help="running, paused or finished.")],
) -> None:
    """Pause a campaign, go on with it, or finish it. What workers hold already they may still hand in."""
    with opened(folder) as desk:
        from commonsight.collect.campaigns import set_state

        set_state(desk, campaign_of(desk, campaign), state, None)
    out.print(visible(f"campaign '{campaign}' is {state}"), markup=False, soft_wrap=True)

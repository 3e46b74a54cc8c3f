"""`commonsight collect init`: a new collection, or a campaign more."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonsight.cli.collect.opening import check_installed, opened
from commonsight.cli.collect.secrets import PasswordFile, read_password
from commonsight.cli.console import out, visible
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.collect.desk import Desk
    from commonsight.collect.protocol import Protocol

NAME = "init"
EXAMPLES = """Examples:

[cyan]commonsight collect init ours --protocol vcr --name pilot --owner ann[/]

[cyan]commonsight collect init ours --protocol pmr --name second --set references=3 --budget 250[/]

[cyan]commonsight collect init ours --protocol vcr --name pilot --database env:OUR_DATABASE[/]

[cyan]commonsight collect init ours[/]  (brings the tables of an older version up to date)"""


def protocol_names() -> list[str]:
    """For shell completion."""
    check_installed()
    from commonsight.benchmarks.protocols import BY_NAME

    return list(BY_NAME)


def command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The collection: new, or made before.")],
    protocol: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="How is collected.", autocompletion=protocol_names),
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="What the campaign is called.")] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="postgresql://user@host/name, or env:NAME for a variable that holds the address; by "
            "default a file in the folder.",
        ),
    ] = None,
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who may do everything; made if new.")
    ] = None,
    password_file: PasswordFile = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A number or word of the paper, changed."),
    ] = None,
    budget: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="No work is handed out that would cost more.")
    ] = None,
    gold_rate: Annotated[
        float, typer.Option(metavar="SHARE", min=0.0, max=1.0, help="Share of tasks with known answers.")
    ] = 0.0,
    seed: Annotated[int, typer.Option(metavar="NUMBER", min=0, help="Of all that is drawn.")] = 0,
) -> None:
    """Make a collection, and a campaign in it. On one that is there already, make another campaign.

    The folder holds the database (unless --database names a server), the pictures and the secret that signs
    invitations. It is for its owner alone.
    """
    check_installed()
    from commonsight.benchmarks.protocols import find
    from commonsight.collect.folder import is_collection
    from commonsight.collect.money import read_money
    from commonsight.collect.settings import read_settings

    if (protocol is None) != (name is None):
        raise UsageError("A campaign has a protocol and a name: give both --protocol and --name.")
    if is_collection(folder) and database is not None:
        raise UsageError(f"{folder} has a database already, for all its campaigns. Leave out --database.")
    if protocol is None or name is None:
        if owner is not None or settings or budget is not None:
            raise UsageError("These options are about a campaign: give --protocol and --name, too.")
        _make(folder, database)
        return
    changed = read_settings(find(protocol), settings or ())  # before anything is made
    limit = None if budget is None else read_money(budget)
    _check(name, owner, find(protocol), changed)
    _make(folder, database)
    with opened(folder) as desk:
        options: dict[str, Any] = {"settings": changed, "budget": limit, "gold_rate": gold_rate, "seed": seed}
        _add(desk, name, find(protocol), owner, password_file, options)


def _check(name: str, owner: str | None, protocol: Protocol, changed: Mapping[str, Any]) -> None:
    from commonsight.collect import accounts, campaigns
    from commonsight.collect.settings import changed_settings

    campaigns.checked_name(name)
    protocol.under(changed_settings(protocol, changed))
    if owner is not None:
        accounts.checked_name(owner)


def _make(folder: Path, database: str | None) -> None:
    from commonsight.collect.folder import bring_up_to_date, is_collection, make_folder

    is_new = not is_collection(folder)
    if is_new:
        make_folder(folder, database)
    else:
        bring_up_to_date(folder)
    told = "a new collection" if is_new else "its tables are up to date"
    out.print(visible(f"{folder}: {told}"), markup=False, soft_wrap=True)


def _add(
    desk: Desk,
    name: str,
    protocol: Protocol,
    owner: str | None,
    password_file: Path | None,
    options: Mapping[str, Any],
) -> None:
    """The campaign and its owner, whose password is asked for before either is made."""
    from commonsight.collect.accounts import checked_password, find_user, make_user
    from commonsight.collect.campaigns import add_member_in, make_campaign

    user = None if owner is None else find_user(desk, owner)
    password = ""
    if owner is not None and user is None:
        password = checked_password(read_password(owner, password_file), owner)
    campaign_id = make_campaign(desk, name, protocol.name, **options)
    if owner is not None:
        user_id = (user or make_user(desk, owner, password)).user_id
        desk.database.write(lambda session: add_member_in(session, desk, campaign_id, user_id, "owner"))
    told = f"campaign '{name}' by {protocol.title}" + (f", owned by {owner}" if owner is not None else "")
    out.print(visible(told), markup=False, soft_wrap=True)

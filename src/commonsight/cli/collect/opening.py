"""What every command about a collection takes, and how it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from commonsight.collect.desk import Desk

Folder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="The collection: a folder that `collect init` made.")
]
CampaignOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="The campaign; not needed where there is one.")
]
CampaignName = Annotated[str, typer.Argument(metavar="CAMPAIGN", help="The campaign, by its name.")]


def check_installed() -> None:
    """The packages that a collection needs are an extra."""
    try:
        import alembic
        import argon2
        import itsdangerous
        import sqlalchemy
    except ImportError as error:
        raise MissingExtra(error.name or "A package", "serve") from error
    del alembic, argon2, itsdangerous, sqlalchemy


@contextmanager
def opened(folder: Path) -> Iterator[Desk]:
    """The collection, open while the block lasts, with every protocol that there is."""
    check_installed()
    from commonsight.benchmarks.protocols import BY_NAME
    from commonsight.collect.folder import open_folder

    desk = open_folder(folder, BY_NAME)
    try:
        yield desk
    finally:
        desk.database.close()


def campaign_of(desk: Desk, name: str | None) -> int:
    """The campaign of this name; without one, the only campaign that there is."""
    from sqlalchemy import select

    from commonsight.collect.desk import campaign_named
    from commonsight.collect.tables import Campaign

    with desk.database.read() as session:
        if name is not None:
            return campaign_named(session, name).id
        found = session.execute(select(Campaign.name, Campaign.id).order_by(Campaign.name).limit(20)).all()
    if len(found) != 1:
        names = ", ".join(f"'{row.name}'" for row in found)
        raise UsageError(f"Say which campaign is meant: {names or 'there is none yet'}.")
    return int(found[0].id)

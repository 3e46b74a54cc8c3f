"""`commonsight collect password`: for people who forgot theirs."""

from __future__ import annotations

from typing import Annotated

import typer

from commonsight.cli.collect.opening import Folder, opened
from commonsight.cli.collect.secrets import PasswordFile, read_password
from commonsight.cli.console import out, visible

NAME = "password"
EXAMPLES = """Examples:

[cyan]commonsight collect password ours ann[/]

[cyan]commonsight collect password ours ann --lock[/]"""


def command(
    folder: Folder,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose it is.")],
    password_file: PasswordFile = None,
    lock: Annotated[bool, typer.Option("--lock", help="Let nobody sign in by this name any more.")] = False,
) -> None:
    """Set someone's password, and sign them out everywhere."""
    with opened(folder) as desk:
        from commonsight.collect.accounts import disable, find_user, reset_password
        from commonsight.errors import UsageError

        if find_user(desk, name) is None:
            raise UsageError(f"Nobody here is called '{name}'.")
        if lock:
            disable(desk, name)
        else:
            reset_password(desk, name, read_password(name, password_file))
    told = f"nobody signs in as {name} any more" if lock else f"{name} has another password"
    out.print(visible(told), markup=False, soft_wrap=True)

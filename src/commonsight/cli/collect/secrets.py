"""How a command learns a password: never as an argument, which every program on the machine can read."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from commonsight.errors import UsageError

VARIABLE = "COMMONSIGHT_PASSWORD"

PasswordFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help=f"Its first line is the password; else {VARIABLE} is, or you are asked for it.",
    ),
]


def read_password(name: str, file: Path | None) -> str:
    """A new password for this person: of a file, of the environment, or typed twice without being shown."""
    if file is not None:
        lines = file.read_text("utf-8", errors="replace").splitlines()
        if not lines:
            raise UsageError(f"{file} is empty. Write the password into its first line.")
        return lines[0]
    found = os.environ.get(VARIABLE)
    if found:
        return found
    if not sys.stdin.isatty():
        raise UsageError(
            f"There is no one to ask for {name}'s password. Give --password-file, or set {VARIABLE}."
        )
    return str(typer.prompt(f"Password of {name}", hide_input=True, confirmation_prompt=True, err=True))

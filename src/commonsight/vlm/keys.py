"""Keys to a model's address: where they come from, and that they go nowhere else.

A key is shown by no `repr`, `str`, format or pickle. What a server says passes through `redacted` before it
reaches a message, a log or a file, since servers echo keys.
"""

from __future__ import annotations

import configparser
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote, urlsplit

from commonsight.errors import AnswererUnusable, InputError

DEFAULT_VARIABLE = "OPENAI_API_KEY"
HIDDEN = "[key]"

_TELLING = 8
"""A piece of a key this long is hidden as well."""
_MASKED = re.compile(r"[^\s\"'`,;()]*\*{3,}[^\s\"'`,;()]*")
"""A key as servers show it: `sk-ab***********wxyz`."""


class Key:
    """A secret that only `reveal` shows."""

    __slots__ = ("_pieces", "_value")

    def __init__(self, value: str, source: str = "the key") -> None:
        value = value.strip()
        if not value or not value.isascii() or not value.isprintable() or " " in value:
            # the HTTP library would name the whole header in its own message
            raise AnswererUnusable(f"{source} is not a key: it is empty or has characters that no key has.")
        self._value = value
        self._pieces = frozenset(value[at : at + _TELLING] for at in range(len(value) - _TELLING + 1))

    def reveal(self) -> str:
        """The secret itself, for the one header that carries it."""
        return self._value

    def hide(self, text: str) -> str:
        """The text without the key; quick, for text of any length."""
        return text.replace(self._value, HIDDEN) if self._value in text else text

    def redacted(self, text: str) -> str:
        """The text without the key, its other spellings, or any telling piece of it."""
        for spelling in {self._value, quote(self._value, safe="")}:
            text = text.replace(spelling, HIDDEN)
        return _without_pieces(_MASKED.sub(HIDDEN, text), self._pieces)

    def __repr__(self) -> str:
        return f"Key({HIDDEN})"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled")


def _without_pieces(text: str, pieces: frozenset[str]) -> str:
    """The text with every stretch that these pieces cover hidden."""
    covered = [False] * len(text)
    for at in range(len(text) - _TELLING + 1):
        if text[at : at + _TELLING] in pieces:
            covered[at : at + _TELLING] = [True] * _TELLING
    if not any(covered):
        return text
    kept: list[str] = []
    for at, letter in enumerate(text):
        if not covered[at]:
            kept.append(letter)
        elif at == 0 or not covered[at - 1]:
            kept.append(HIDDEN)
    return "".join(kept)


def redacted(text: str, key: Key | None) -> str:
    """The text without this key, if there is one."""
    return _MASKED.sub(HIDDEN, text) if key is None else key.redacted(text)


def find_key(
    address: str,
    *,
    variable: str | None = None,
    keyring: Path | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Key | None:
    """The key for an address: from the variable that is named, else the keyring, else the default variable.

    None if there is none: many local servers want none. A variable or keyring that is named must hold one.
    """
    if variable is not None:
        if not environment.get(variable, "").strip():
            raise AnswererUnusable(f"The environment variable {variable} is not set. Put the key into it.")
        return Key(environment[variable], f"What the environment variable {variable} holds")
    if keyring is not None:
        return _from_keyring(keyring, address)
    if environment.get(DEFAULT_VARIABLE, "").strip():
        return Key(environment[DEFAULT_VARIABLE], f"What the environment variable {DEFAULT_VARIABLE} holds")
    return None


def _from_keyring(path: Path, address: str) -> Key:
    """The key that a keyring file holds for this address: `address = key`, one a line, under `[keys]`."""
    try:
        mode = path.stat().st_mode
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"The keyring {path} cannot be read ({reason}). Check the path.") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InputError(f"The keyring {path} can be read by others. Protect it first: chmod 600 {path}")
    wanted = _place(address)
    for known, value in _entries(path, text):
        if _place(known) == wanted:
            return Key(value, f"What the keyring {path} holds for {known}")
    raise AnswererUnusable(f"The keyring {path} holds no key for {wanted}. Add a line: {wanted} = KEY")


def _entries(path: Path, text: str) -> list[tuple[str, str]]:
    parser = configparser.RawConfigParser(delimiters=("=",), strict=False, allow_no_value=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # addresses keep their letters
    try:
        parser.read_string(text if re.search(r"^\s*\[", text, re.MULTILINE) else f"[keys]\n{text}")
    except configparser.Error:  # its message quotes the line, and so the key
        raise InputError(
            f"The keyring {path} is not readable. Write one line for each address: https://host/v1 = KEY"
        ) from None
    return [
        (name.strip().strip("\"'"), (value or "").strip().strip("\"'"))
        for section in parser.sections()
        for name, value in parser.items(section)
    ]


def _place(address: str) -> str:
    """Host and port, which is what a key belongs to: `api.example.org` or `localhost:8000`."""
    address = address.strip()
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return address
    return f"{host}:{port}" if port else host


def shown_address(address: str) -> str:
    """An address as people may see it: without user, password, query and fragment."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "[address]"
    return f"{parts.scheme}://{host}{port}{parts.path}"

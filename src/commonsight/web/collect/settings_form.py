"""A protocol's settings as a form, and back: each is read as what the paper's own value is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from commonsight.collect.protocol import Protocol
from commonsight.collect.settings import read_value

PREFIX = "set."
"""Before the names of settings, so that none is mistaken for another field of the form."""


class SettingView(NamedTuple):
    """One setting as a page asks for it."""

    name: str
    says: str
    kind: str
    """bool, int, float, list or str."""
    text: str
    default: str
    changed: bool


def setting_views(protocol: Protocol, changed: Mapping[str, Any]) -> list[SettingView]:
    """All settings, as they are now."""
    return [
        SettingView(
            name,
            setting.says,
            _kind(setting.default),
            _text(changed.get(name, setting.default)),
            _text(setting.default),
            name in changed,
        )
        for name, setting in protocol.settings.items()
    ]


def read_settings(protocol: Protocol, posted: Mapping[str, str]) -> dict[str, Any]:
    """What the form says, for the settings that it has. An empty field is the paper's own value."""
    said = {name: posted[PREFIX + name].strip() for name in protocol.settings if PREFIX + name in posted}
    return {
        name: read_value(protocol, name, text) if text else protocol.settings[name].default
        for name, text in said.items()
    }


def _kind(default: Any) -> str:
    for kind in (bool, int, float):
        if isinstance(default, kind):
            return kind.__name__
    return "list" if isinstance(default, list | tuple) else "str"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(_text(each) for each in value)
    return str(value)

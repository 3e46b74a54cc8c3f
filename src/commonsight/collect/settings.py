"""A protocol's settings: those that a campaign changes, each of the type that the paper's own value has."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from commonsight.collect.protocol import Protocol
from commonsight.errors import UsageError

MOST = 2**53
"""A number as large as every reader of JSON can take."""
LONGEST_TEXT, LONGEST_LIST = 1000, 100

_KINDS = {
    bool: "true or false", int: "a whole number", float: "a number", str: "a text", tuple: "a list",
    list: "a list",
}  # fmt: skip
_WHOLE = re.compile(r"[+-]?[0-9]{1,16}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,16}(?:\.[0-9]{0,16})?|\.[0-9]{1,16})(?:[eE][+-]?[0-9]{1,3})?")


def changed_settings(protocol: Protocol, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are not as the paper has them, as JSON; one that the protocol does not have is refused."""
    checked = {name: _checked(protocol, name, value) for name, value in settings.items()}
    return {name: value for name, value in checked.items() if value != _json(protocol.settings[name].default)}


def read_settings(protocol: Protocol, texts: Iterable[str]) -> dict[str, Any]:
    """Settings as they are written on a command line, each `name=value`."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals:
            raise UsageError(f"'{text:.60}' is no setting. Write name=value.")
        if name in found:
            raise UsageError(f"The setting '{name}' is given twice. Give it once.")
        found[name] = _checked(protocol, name, read_value(protocol, name, value))
    return found


def read_value(protocol: Protocol, name: str, text: str) -> Any:
    """A setting's value as a person writes it; entries of a list stand between commas."""
    default = _default(protocol, name)
    if not isinstance(default, list | tuple):
        return _read(protocol, name, default, text)
    sample = default[0] if default else ""
    entries = text.split(",") if text.strip() else []
    return [_read(protocol, name, sample, entry) for entry in entries]


def _read(protocol: Protocol, name: str, like: Any, text: str) -> Any:
    text = text.strip()
    if isinstance(like, bool):
        if text.lower() in ("true", "false"):
            return text.lower() == "true"
    elif isinstance(like, int):
        if _WHOLE.fullmatch(text):
            return int(text)
    elif isinstance(like, float):
        if _NUMBER.fullmatch(text):
            return float(text)
    elif isinstance(like, str):
        return text
    raise _refused(protocol, name, text)


def _checked(protocol: Protocol, name: str, value: Any) -> Any:
    default = _default(protocol, name)
    if not isinstance(default, list | tuple):
        found = _like(default, value)
    elif isinstance(value, list | tuple) and len(value) <= LONGEST_LIST:
        found = [_like(default[0] if default else "", entry) for entry in value]
    else:
        found = None
    if found is None or (isinstance(found, list) and None in found):
        raise _refused(protocol, name, value)
    return found


def _like(default: Any, value: Any) -> Any:
    """The value, if it is of the default's type and both databases can keep it; or else None."""
    if isinstance(default, float) and type(value) is int and abs(value) <= MOST:
        return float(value)
    if type(value) is not type(default):
        return None
    if isinstance(value, str):
        return value if len(value) <= LONGEST_TEXT and value.isprintable() else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, int) and abs(value) <= MOST else None


def _default(protocol: Protocol, name: str) -> Any:
    if name not in protocol.settings:
        known = ", ".join(sorted(protocol.settings)) or "none"
        raise UsageError(f"'{protocol.name}' has no setting '{name:.60}'. It has: {known}.")
    return protocol.settings[name].default


def _json(default: Any) -> Any:
    return list(default) if isinstance(default, tuple) else default


def _refused(protocol: Protocol, name: str, value: Any) -> UsageError:
    default = protocol.settings[name].default
    like = f" of {_KINDS[type(default[0])]}s" if isinstance(default, list | tuple) and default else ""
    return UsageError(
        f"The setting '{name}' of '{protocol.name}' is {_KINDS.get(type(default), 'of no known kind')}"
        f"{like.replace(' a ', ' ')} (by default {_json(default)}), not {value!r:.60}."
    )

"""The files that an export carries, as they stand before they are filled in."""

from __future__ import annotations

from pathlib import Path


def template(name: str) -> str:
    """The text of a template."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")

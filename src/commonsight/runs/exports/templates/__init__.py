"""The files that an export carries, as they stand before they are filled in."""

from __future__ import annotations

from pathlib import Path


def filled(name: str, title: str, version: str) -> str:
    """A template with the benchmark's title and our version in it."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return text.replace("{title}", title).replace("{made}", version)

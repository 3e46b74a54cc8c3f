"""What an audit finds, as plain values: the reports are made from these, and so is the JSON."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from commonsight.score.intervals import Figure
from commonsight.store.figures import Bars, Panel

Level = Literal["fine", "note", "warning"]
"""`fine` was looked for and not found; `note` is worth knowing; `warning` asks for something to be done."""

Cell = str | int | float | Figure | None
"""What a table may hold. A float is shown with three digits, a `Figure` in percent with its interval."""


class Finding(Struct, frozen=True):
    """One thing that an audit says, in plain words, and the items behind it."""

    code: str
    """Short and stable, such as `choices-only`: what `--fail-on` and other programs go by."""
    level: Level
    says: str
    """One sentence that a newcomer understands: what was found, with its number."""
    remedy: str = ""
    """What to do about it; empty where nothing is to be done."""
    value: float | None = None
    """The number behind it, and the limit that it was held against."""
    limit: float | None = None
    items: tuple[str, ...] = ()
    """Ids of the items behind it, the worst first: all of them, however few a page shows."""
    task: str | None = None


class Table(Struct, frozen=True):
    """Rows of cells under names."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    """How to read it, and where a paper has the same: "VCR, Table 3"."""


class Plot(Struct, frozen=True):
    """A figure: panels side by side, drawn by `store.figures`."""

    name: str
    """The stem of its file, unique within the audit."""
    panels: tuple[Panel | Bars, ...]
    caption: str = ""


class Section(Struct, frozen=True):
    """What one probe has to say about one task, or about the whole."""

    probe: str
    title: str
    about: str = ""
    """One or two sentences: what was measured, and how."""
    task: str | None = None
    findings: tuple[Finding, ...] = ()
    figures: dict[str, Figure] = {}
    """Shares in [0, 1] by a short name; `--fail-on PROBE.NAME>0.3` goes by these."""
    numbers: dict[str, float] = {}
    """Other measures that programs may want: alpha, a median, a count."""
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    skipped: tuple[str, ...] = ()
    """What could not be measured, and why: each a sentence."""


class Audit(Struct, frozen=True):
    """A whole audit: the one object that `--json` prints."""

    name: str
    benchmark: str
    title: str
    n: int
    splits: dict[str, int]
    sections: tuple[Section, ...]
    made: dict[str, str | int | float] = {}
    """Version, seed, encoder: what another needs to get the same."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, warnings first, otherwise in the order of the sections."""
        rank = {"warning": 0, "note": 1, "fine": 2}
        found = [finding for section in self.sections for finding in section.findings]
        return tuple(sorted(found, key=lambda finding: rank[finding.level]))

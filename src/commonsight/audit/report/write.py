"""A report's folder: page, Markdown, JSON, plots, and every item with the findings that it is behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from commonsight.audit.report.markdown import markdown
from commonsight.audit.report.page import page
from commonsight.audit.values import Audit
from commonsight.store.atomic import new_folder
from commonsight.store.figures import write_figure

PAGE, MARKDOWN, JSON, ITEMS, PLOTS = "index.html", "report.md", "report.json", "items.jsonl", "plots"


class Flagged(Struct, frozen=True):
    """One line of items.jsonl: an item, and the codes of all warnings and notes that it is behind."""

    item: str
    codes: tuple[str, ...]


def write_report(folder: Path, audit: Audit, *, overwrite: bool = False) -> Path:
    """Write the folder, which appears only when all of it is there; gives the page's path."""
    with new_folder(folder, overwrite=overwrite) as beside:
        (beside / PAGE).write_text(page(audit, drawn(audit, beside / PLOTS)), encoding="utf-8")
        (beside / MARKDOWN).write_text(markdown(audit), encoding="utf-8")
        encoded = msgspec.json.format(msgspec.json.encode(audit), indent=2)
        (beside / JSON).write_bytes(encoded + b"\n")
        lines = (msgspec.json.encode(line) + b"\n" for line in flagged(audit))
        (beside / ITEMS).write_bytes(b"".join(lines))
    return folder / PAGE


def drawn(audit: Audit, folder: Path) -> dict[str, str]:
    """Every plot, written into the folder; gives them as SVG, by name."""
    found = {}
    for plot in (plot for section in audit.sections for plot in section.plots):
        drawing, _ = write_figure(folder / plot.name, plot.panels)
        found[plot.name] = drawing.read_text("utf-8")
    return found


def flagged(audit: Audit) -> Iterator[Flagged]:
    """Every item behind a warning or a note, those behind most first."""
    codes: dict[str, dict[str, None]] = {}
    for finding in audit.findings:
        if finding.level != "fine":
            for item in finding.items:
                codes.setdefault(item, {})[finding.code] = None
    for item, found in sorted(codes.items(), key=lambda entry: -len(entry[1])):
        yield Flagged(item, tuple(found))

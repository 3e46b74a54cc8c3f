"""An audit in the terminal: the short version, coloured, and the rules that it broke."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer
from rich.markup import escape
from rich.table import Table

from commonsight.audit.report.summary import Unmeasured, summary
from commonsight.audit.values import Audit, Finding, Level
from commonsight.cli.console import err, out, visible
from commonsight.cli.tables import plural

BROKEN = 1
"""The exit code where a rule of `--fail-on` is broken."""
COLOURS: dict[Level, str] = {"warning": "bold red", "note": "yellow", "fine": "green"}


def show(audit: Audit, page: Path | None) -> None:
    """What was found, warnings first, and where the whole report is."""
    told = summary(audit)
    name, title = escape(visible(audit.name)), escape(visible(audit.title))
    out.print(f"[bold]{name}[/], {title}, {plural(audit.n, 'item')}")
    out.print(f"[bold]{escape(told.verdict)}[/]\n")
    out.print(_table(told.by_level))
    _unmeasured(told.unmeasured)
    if page is not None:
        out.print(f"\nthe report: {escape(visible(str(page)))}", soft_wrap=True)


def _table(by_level: dict[Level, tuple[Finding, ...]]) -> Table:
    made = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(2):
        made.add_column(no_wrap=True)
    made.add_column()
    for level, findings in by_level.items():
        for finding in findings:
            task = "" if finding.task is None else f" [dim]{escape(finding.task)}[/]"
            says = escape(visible(finding.says))
            if level == "warning" and finding.remedy:
                says += f"\n[dim]→ {escape(visible(finding.remedy))}[/]"
            made.add_row(f"[{COLOURS[level]}]{level}[/]", escape(finding.code) + task, says)
    return made


def _unmeasured(gaps: Sequence[Unmeasured]) -> None:
    if gaps:
        names = ", ".join(dict.fromkeys(visible(gap.section) for gap in gaps))
        out.print(f"\n[dim]not measured (the report says why): {escape(names)}[/]")


def tell_broken(broken: Sequence[str]) -> None:
    """Rules that were broken, on standard error, and the exit code that says so."""
    for rule in broken:
        err.print(f"[bold red]fails:[/] {escape(visible(rule))}", soft_wrap=True)
    if broken:
        raise typer.Exit(BROKEN)

"""The audit as Markdown, fit for a paper's appendix or a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonsight.audit.report.cells import is_number, shown
from commonsight.audit.report.summary import TITLES, heading, summary
from commonsight.audit.values import Audit, Finding, Section, Table

SHOWN_ITEMS = 10
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")


def markdown(audit: Audit, *, called: str = "Audit", plots: bool = True) -> str:
    """The whole report as one text; without `plots`, none is pointed to."""
    return "\n".join(_lines(audit, called, plots)).rstrip() + "\n"


def escaped(text: str) -> str:
    """Text in which nothing is markup: benchmarks hold whatever people wrote."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _lines(audit: Audit, called: str, plots: bool) -> Iterator[str]:
    told = summary(audit)
    yield f"# {called} of {escaped(audit.name)}\n"
    splits = ", ".join(f"{escaped(split)} {count:,}" for split, count in audit.splits.items())
    verdict = f" **{escaped(told.verdict)}**" if called == "Audit" else ""
    yield f"{escaped(audit.title)}: {audit.n:,} items{f' ({splits})' if splits else ''}.{verdict}\n"
    for level, findings in told.by_level.items():
        if findings:
            yield f"## {TITLES[level]}\n"
            yield from map(_finding, findings)
            yield ""
    if told.unmeasured:
        yield "## What could not be measured\n"
        yield from (f"- {escaped(section)}: {escaped(why)}" for section, why in told.unmeasured)
        yield ""
    for section in audit.sections:
        if section.tables or section.figures or (plots and section.plots):
            yield from _section(section, plots)


def _finding(finding: Finding) -> str:
    task = "" if finding.task is None else f" ({escaped(finding.task)})"
    line = f"- `{finding.code}`{task}: {escaped(finding.says)}"
    if finding.remedy:
        line += f" *{escaped(finding.remedy)}*"
    if finding.items and finding.level != "fine":
        first = ", ".join(f"`{item.replace('`', '')}`" for item in finding.items[:SHOWN_ITEMS])
        more = f" and {len(finding.items) - SHOWN_ITEMS:,} more" if len(finding.items) > SHOWN_ITEMS else ""
        line += f" Items: {first}{more}."
    return line


def _section(section: Section, plots: bool) -> Iterator[str]:
    yield f"## {escaped(heading(section))}\n"
    if section.about:
        yield f"{escaped(section.about)}\n"
    for table in section.tables:
        yield from _table(table)
    for plot in section.plots if plots else ():
        yield f"![{escaped(plot.caption or plot.name)}](plots/{plot.name}.svg)\n"


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield f"**{escaped(table.title)}**\n"
    right = [all(is_number(row[column]) for row in table.rows) for column in range(len(table.columns))]
    yield f"| {' | '.join(map(escaped, table.columns))} |"
    yield f"|{'|'.join('---:' if numbers else '---' for numbers in right)}|"
    for row in table.rows:
        yield f"| {' | '.join(escaped(shown(cell)) for cell in row)} |"
    yield ""
    if table.note:
        yield f"{escaped(table.note)}\n"

"""`commonsight audit`: what a benchmark can be solved by without understanding it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from commonsight.audit.probe import Probe, Setting
from commonsight.audit.thresholds import breaches, refuse_unknown, threshold
from commonsight.audit.values import Audit, Finding, Level, Section
from commonsight.cli.arguments import BenchmarkOption, Confidence, Split, check_images
from commonsight.cli.console import err, out, print_json, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import UsageError

NAME = "audit"
EXAMPLES = """Examples:

[cyan]commonsight audit val.jsonl --out report[/]

[cyan]commonsight audit my-dataset --out report --fail-on warning[/]

[cyan]commonsight audit my-dataset --only blind,words --fail-on 'blind.choices>0.3'[/]"""

BROKEN = 1
"""The exit code where a rule of `--fail-on` is broken."""
COLOURS: dict[Level, str] = {"warning": "bold red", "note": "yellow", "fine": "green"}


def probe_names() -> list[str]:
    """For shell completion."""
    from commonsight.audit.probes import ALL

    return [probe.name for probe in ALL]


def command(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="DATASET|FILE…", help="A dataset, or native files (train and val, say)."),
    ],
    out_folder: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write the report here: a page, Markdown, JSON, plots."),
    ] = None,
    benchmark: BenchmarkOption = None,
    split: Split = None,
    images: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the pictures of native files, to look at them too."),
    ] = None,
    only: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Only these probes, with commas between.")
    ] = None,
    skip: Annotated[str | None, typer.Option(metavar="NAMES", help="All probes but these.")] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="End with exit code 1 if this is found: warning, a finding's code, or a measure with a "
            "limit such as 'blind.choices>0.3'. May be given again.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same report.")] = 0,
    folds: Annotated[int, typer.Option(metavar="N", min=2, help="Folds of cross-validation.")] = 5,
    confidence: Confidence = 0.95,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the audit as one JSON object.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a report that is there.")] = False,
) -> None:
    """Tell what can be solved by shortcuts: without the image, without the question, by words, by position.

    Nothing here needs torch. What cannot be measured is said, and the rest goes on.
    """
    from commonsight.audit.report.write import write_report
    from commonsight.runs.audits import audit_of
    from commonsight.runs.subject import Opening
    from commonsight.text.encoders import default_encoder

    check_images(images)
    if out_folder is not None:
        refuse_other_folder(out_folder, overwrite)
    probes = chosen_probes(only, skip)
    rules = [threshold(text) for text in fail_on or ()]
    refuse_unknown(rules, probes)
    opening = Opening(tuple(paths), benchmark, split, images)
    setting = Setting(default_encoder(), seed, folds, confidence)

    def passing(sections: Iterator[Sequence[Section]], total: int) -> Iterator[Sequence[Section]]:
        return progress(sections, "auditing", total)

    audit = audit_of(opening, probes, setting, workers=workers or os.cpu_count() or 1, passing=passing)
    broken = list(breaches(audit, rules))
    page = None if out_folder is None else write_report(out_folder, audit, overwrite=overwrite)
    if json:
        print_json(audit)
    else:
        show(audit, page)
    tell_broken(broken)


def chosen_probes(only: str | None, skip: str | None) -> list[Probe]:
    """The probes that were asked for, in the report's order."""
    from commonsight.audit.probes import ALL

    names = {probe.name for probe in ALL}
    wanted = names if only is None else _named(only, "--only", names)
    unwanted = set() if skip is None else _named(skip, "--skip", names)
    chosen = [probe for probe in ALL if probe.name in wanted - unwanted]
    if not chosen:
        raise UsageError("--only and --skip leave no probe. Leave one of them out.")
    return chosen


def _named(text: str, option: str, known: set[str]) -> set[str]:
    names = {name.strip() for name in text.split(",") if name.strip()}
    if unknown := sorted(names - known):
        there = ", ".join(sorted(known))
        raise UsageError(f"{option} {text}: no probe is called {', '.join(unknown)}. There are: {there}.")
    return names


def refuse_other_folder(folder: Path, overwrite: bool) -> None:
    """Before minutes of work: the place must be free, or hold a report that may be replaced."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not overwrite:
        raise UsageError(f"{folder} exists already. Choose another folder, or add --overwrite to replace it.")
    if not (folder / "report.json").is_file():
        raise UsageError(f"{folder} is not a report, so --overwrite leaves it alone. Choose another folder.")


def show(audit: Audit, page: Path | None) -> None:
    """The short version, in the terminal."""
    from commonsight.audit.report.summary import summary

    told = summary(audit)
    name, title = escape(visible(audit.name)), escape(visible(audit.title))
    out.print(f"[bold]{name}[/], {title}, {plural(audit.n, 'item')}")
    out.print(f"[bold]{escape(told.verdict)}[/]\n")
    out.print(_table(told.by_level))
    for gap in told.unmeasured:
        out.print(f"[dim]not measured: {escape(visible(gap.section))}: {escape(visible(gap.why))}[/]")
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


def tell_broken(broken: Sequence[str]) -> None:
    """Rules that were broken, on standard error, and the exit code that says so."""
    for rule in broken:
        err.print(f"[bold red]fails:[/] {escape(visible(rule))}", soft_wrap=True)
    if broken:
        raise typer.Exit(BROKEN)

"""A report in one file that opens offline, and its tables for papers."""

from __future__ import annotations

import tempfile
from importlib import resources
from pathlib import Path

from commonsight.audit.report.markdown import markdown
from commonsight.audit.report.page import page
from commonsight.audit.report.write import drawn
from commonsight.runs.exploring.board import boards
from commonsight.runs.exploring.book import Book
from commonsight.runs.reporting.examples import KINDS, Example, examples
from commonsight.runs.reporting.latex import latex
from commonsight.runs.reporting.sections import report_of
from commonsight.store.atomic import new_file

CALLED = "Report"


def write_report(book: Book, path: Path, *, metric: str | None = None, count: int = 4, seed: int = 0) -> None:
    """The page, written whole or not at all."""
    report = report_of(book, metric)
    with tempfile.TemporaryDirectory() as folder:
        drawings = drawn(report, Path(folder))
    html = page(report, drawings, called=CALLED, more=example_page(examples(book, count, seed)))
    with new_file(path) as beside:
        beside.write_text(html, encoding="utf-8")


def write_latex(book: Book, path: Path, *, metric: str | None = None) -> None:
    """The tables of scores as LaTeX."""
    told = "\n".join(latex(board, drawn=book.drawn) for board in boards(book.measured, metric))
    with new_file(path) as beside:
        beside.write_text(told, encoding="utf-8")


def write_markdown(book: Book, path: Path, *, metric: str | None = None) -> None:
    """All tables as Markdown."""
    with new_file(path) as beside:
        beside.write_text(markdown(report_of(book, metric), called=CALLED, plots=False), encoding="utf-8")


def example_page(several: list[Example]) -> str:
    """Example items as a part of the page; everything that people wrote is escaped."""
    from jinja2 import Environment, StrictUndefined

    template = resources.files("commonsight.runs.reporting").joinpath("examples.html").read_text("utf-8")
    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    kinds = [(title, [one for one in several if one.kind == kind]) for kind, title in KINDS.items()]
    return made.from_string(template).render(kinds=kinds) if several else ""

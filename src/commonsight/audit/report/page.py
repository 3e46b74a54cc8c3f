"""The audit as one page that opens offline: no script, no font, no picture from anywhere else.

Texts of a benchmark are whatever people wrote, so all of them go through Jinja's escaping; only our own
drawings are put in as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING

from commonsight.audit.report.cells import is_number, shown
from commonsight.audit.report.summary import TITLES, heading, summary
from commonsight.audit.values import Audit, Section

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATE = "page.html"
SHOWN_ITEMS = 300
"""Ids that a finding lists on the page; all are in items.jsonl."""


def page(audit: Audit, drawings: Mapping[str, str], *, called: str = "Audit", more: str = "") -> str:
    """The page; `drawings` are the plots as SVG, by name, and `called` is what this is the report of.

    `more` is a part at its end that is markup already.
    """
    template = resources.files("commonsight.audit.report").joinpath(TEMPLATE).read_text("utf-8")
    return _environment().from_string(template).render(
        audit=audit,
        called=called,
        told=summary(audit),
        titles=TITLES,
        drawings={name: _inlined(svg) for name, svg in drawings.items()},
        sections=[section for section in audit.sections if _shows(section)],
        shown_items=SHOWN_ITEMS,
        more=more,
    )


def _shows(section: Section) -> bool:
    return bool(section.findings or section.tables or section.plots)


def _environment() -> Environment:
    from jinja2 import Environment, StrictUndefined

    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters.update(shown=shown, heading=heading)
    made.tests["a_number"] = is_number
    return made


def _inlined(svg: str) -> str:
    """A drawing without the head that only a file of its own needs."""
    start = svg.find("<svg")
    return svg[start:] if start >= 0 else ""

"""The audit in plain words: what is not fine, what is worth knowing, what is fine, what was not measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from commonsight.audit.values import Audit, Finding, Level, Section

TITLES: dict[Level, str] = {
    "warning": "What is not fine",
    "note": "Worth knowing",
    "fine": "What is fine",
}


class Unmeasured(NamedTuple):
    """Something that could not be measured."""

    section: str
    why: str


class Summary(NamedTuple):
    """What a person reads first."""

    verdict: str
    by_level: dict[Level, tuple[Finding, ...]]
    unmeasured: tuple[Unmeasured, ...]


def summary(audit: Audit) -> Summary:
    """The findings by what they ask for."""
    by_level: dict[Level, tuple[Finding, ...]] = {
        level: tuple(finding for finding in audit.findings if finding.level == level) for level in TITLES
    }
    return Summary(verdict(audit, by_level), by_level, tuple(_unmeasured(audit.sections)))


def verdict(audit: Audit, by_level: dict[Level, tuple[Finding, ...]]) -> str:
    """One sentence for the whole."""
    warnings, fine = len(by_level["warning"]), len(by_level["fine"])
    if not warnings and not fine:
        if not any(section.findings or section.figures or section.tables for section in audit.sections):
            return "Nothing could be measured."
        return f"Measured on {_items(audit.n)}; nothing here passes or fails."
    checks = f"{fine} {'check' if fine == 1 else 'checks'} passed"
    if not warnings:
        return f"No shortcut found in {_items(audit.n)}; {checks}."
    told = "1 warning" if warnings == 1 else f"{warnings} warnings"
    return f"{told} on {_items(audit.n)}; {checks}."


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count:,} items"


def _unmeasured(sections: tuple[Section, ...]) -> Iterator[Unmeasured]:
    for section in sections:
        for why in section.skipped:
            yield Unmeasured(heading(section), why)


def heading(section: Section) -> str:
    """The section's title, with its task where it is about one and the title does not tell."""
    told = section.task is None or ":" in section.title
    return section.title if told else f"{section.title}: {section.task}"

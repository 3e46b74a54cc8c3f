"""`--fail-on`: what an audit must not find, so that it can stand in continuous integration.

`warning`                  any warning
`choices-only`             a warning with this code
`blind.choices>0.3`        a figure or number of a probe beyond a limit; `<` for one that is too low
`blind.q2a.choices>0.3`    the same for one task
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from commonsight.audit.probe import Probe
from commonsight.audit.values import Audit, Section
from commonsight.errors import UsageError

ANY = "warning"
_MEASURE = re.compile(
    r"^(?P<probe>[\w-]+)\.(?:(?P<task>[\w-]+)\.)?(?P<name>[\w-]+)\s*(?P<sign>[<>])\s*(?P<limit>.+)$"
)
_CODE = re.compile(r"^[a-z][a-z0-9-]*$")


class Threshold(NamedTuple):
    """One rule: a code alone, or a measure with its limit."""

    text: str
    code: str | None = None
    probe: str = ""
    task: str | None = None
    name: str = ""
    above: bool = True
    limit: float = 0.0


def threshold(text: str) -> Threshold:
    """Read one rule."""
    text = text.strip()
    if _CODE.match(text):
        return Threshold(text, code=text)
    found = _MEASURE.match(text)
    try:
        if found is None:
            raise ValueError
        limit = float(found["limit"])
    except ValueError:
        raise UsageError(
            f"--fail-on {text}: this is no rule. Write warning, a finding's code such as choices-only, "
            "or a measure with a limit such as blind.choices>0.3."
        ) from None
    return Threshold(text, None, found["probe"], found["task"], found["name"], found["sign"] == ">", limit)


def refuse_unknown(rules: Iterable[Threshold], probes: Iterable[Probe]) -> None:
    """A rule that no probe can ever break guards nothing: better told before the audit than never."""
    given = list(probes)
    codes = {code for probe in given for code in probe.codes}
    names = {probe.name for probe in given}
    for rule in rules:
        if rule.code is not None and rule.code not in {ANY, *codes}:
            known = ", ".join(sorted(codes))
            raise UsageError(f"--fail-on {rule.text}: no probe finds this. They find: {known}.")
        if rule.code is None and rule.probe not in names:
            known = ", ".join(sorted(names))
            raise UsageError(f"--fail-on {rule.text}: no probe is called {rule.probe}. There are: {known}.")


def breaches(audit: Audit, rules: Iterable[Threshold]) -> Iterator[str]:
    """What breaks a rule, in words."""
    for rule in rules:
        yield from _findings(audit, rule) if rule.code is not None else _measures(audit, rule)


def _findings(audit: Audit, rule: Threshold) -> Iterator[str]:
    for finding in audit.findings:
        if finding.level == "warning" and rule.code in (ANY, finding.code):
            yield f"{finding.code}: {finding.says}"


def _measures(audit: Audit, rule: Threshold) -> Iterator[str]:
    asked = [section for section in audit.sections if _asked(section, rule)]
    if not asked:
        known = sorted({f"{section.probe}.{name}" for section in audit.sections for name in _values(section)})
        raise UsageError(
            f"--fail-on {rule.text}: the audit has no such measure. It has: {', '.join(known) or 'none'}."
        )
    for section in asked:
        value = _values(section)[rule.name]
        if value is not None and (value > rule.limit if rule.above else value < rule.limit):
            place = section.probe if section.task is None else f"{section.probe}.{section.task}"
            yield f"{place}.{rule.name} is {value:.3f}, {'above' if rule.above else 'below'} {rule.limit:g}"


def _asked(section: Section, rule: Threshold) -> bool:
    return (
        section.probe == rule.probe
        and rule.task in (None, section.task)
        and rule.name in _values(section)
    )


def _values(section: Section) -> dict[str, float | None]:
    return {**{name: figure.value for name, figure in section.figures.items()}, **section.numbers}

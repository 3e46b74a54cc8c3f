"""An audit in several processes: each opens the subject for itself and works on one probe at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from commonsight.audit.probe import Probe, RunAnswers, Setting, Subject
from commonsight.audit.run import assembled, sections_of
from commonsight.audit.values import Audit, Section
from commonsight.runs.subject import Opening
from commonsight.store.workers import worked

Passing = Callable[[Iterator[Sequence[Section]], int], Iterator[Sequence[Section]]]
"""Sees sections pass, as a progress bar does; the number is how many probes there are."""


@dataclass(frozen=True)
class _Measuring:
    """What a worker is bound to: the subject is read when the first probe asks, and kept for the others."""

    opening: Opening
    runs: tuple[RunAnswers, ...]
    setting: Setting

    @cached_property
    def subject(self) -> Subject:
        return self.opening.subject(self.runs)

    def __call__(self, probe: Probe) -> Sequence[Section]:
        return sections_of(probe, self.subject, self.setting)


def audit_of(
    opening: Opening,
    probes: Sequence[Probe],
    setting: Setting,
    *,
    runs: Sequence[RunAnswers] = (),
    workers: int = 1,
    passing: Passing = lambda sections, _: sections,
) -> Audit:
    """Everything that these probes find, the same for any number of workers."""
    measuring = _Measuring(opening, tuple(runs), setting)
    found = passing(worked(measuring, probes, workers), len(probes))
    return assembled(measuring.subject, list(found), setting)

"""An audit in several processes: each opens the subject for itself and works on some probes at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from commonsight.audit.probe import Probe, RunAnswers, Setting, Subject
from commonsight.audit.probes import TOGETHER
from commonsight.audit.run import assembled, sections_of
from commonsight.audit.values import Audit, Section
from commonsight.runs.subject import Opening
from commonsight.store.workers import pool

Found = tuple[int, Sequence[Section]]
"""The place of a probe, and what it found."""
Passing = Callable[[Iterator[Found], int], Iterator[Found]]
"""Sees what was found pass, as a progress bar does; the number is how many probes there are."""


@dataclass(frozen=True)
class _Measuring:
    """What a worker is bound to: the subject is read when the first probe asks, and kept for the others."""

    opening: Opening
    runs: tuple[RunAnswers, ...]
    setting: Setting
    probes: tuple[Probe, ...]

    @cached_property
    def subject(self) -> Subject:
        return self.opening.subject(self.runs)

    def __call__(self, places: tuple[int, ...]) -> Iterator[Found]:
        for place in places:
            yield place, sections_of(self.probes[place], self.subject, self.setting)


def audit_of(
    opening: Opening,
    probes: Sequence[Probe],
    setting: Setting,
    *,
    runs: Sequence[RunAnswers] = (),
    workers: int = 1,
    passing: Passing = lambda found, _: found,
) -> Audit:
    """Everything that these probes find, the same for any number of workers."""
    measuring = _Measuring(opening, tuple(runs), setting, tuple(probes))
    with pool(workers) as hands:
        streamed = (result.value for result in hands.streamed(measuring, jobs(probes)))
        found = dict(passing(streamed, len(probes)))
    return assembled(measuring.subject, [found[place] for place in range(len(probes))], setting)


def jobs(probes: Sequence[Probe]) -> list[tuple[int, ...]]:
    """Probes that share what they learn go to one worker, and first, as they take longest."""
    shared = tuple(place for place, probe in enumerate(probes) if probe.name in TOGETHER)
    alone = [(place,) for place, probe in enumerate(probes) if probe.name not in TOGETHER]
    return [shared, *alone] if shared else [*alone]

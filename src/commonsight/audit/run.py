"""One audit: every probe over one subject. One that has nothing to go on says so, and the others go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from commonsight import __version__
from commonsight.audit.probe import CannotMeasure, Probe, Setting, Subject
from commonsight.audit.values import Audit, Section


def audited(subject: Subject, probes: Iterable[Probe], setting: Setting) -> Audit:
    """Everything that these probes find."""
    sections = [section for probe in probes for section in sections_of(probe, subject, setting)]
    splits = Counter(item.split for item in subject.read())
    return Audit(
        subject.name,
        subject.benchmark,
        subject.title,
        splits.total(),
        dict(splits),
        tuple(sections),
        made={
            "version": __version__,
            "seed": setting.seed,
            "encoder": setting.encoder.name,
            "folds": setting.folds,
        },
    )


def sections_of(probe: Probe, subject: Subject, setting: Setting) -> Sequence[Section]:
    """What one probe finds, or a section that says why it cannot."""
    try:
        return probe.measure(subject, setting)
    except CannotMeasure as why:
        return [Section(probe.name, probe.title, skipped=(str(why),))]

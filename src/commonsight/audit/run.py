"""One audit: every probe over one subject. One that has nothing to go on says so, and the others go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from commonsight import __version__
from commonsight.audit.probe import CannotMeasure, Probe, Setting, Subject
from commonsight.audit.values import Audit, Section


def audited(subject: Subject, probes: Iterable[Probe], setting: Setting) -> Audit:
    """Everything that these probes find, one after the other."""
    return assembled(subject, [sections_of(probe, subject, setting) for probe in probes], setting)


def sections_of(probe: Probe, subject: Subject, setting: Setting) -> Sequence[Section]:
    """What one probe finds, or a section that says why it cannot."""
    try:
        return probe.measure(subject, setting)
    except CannotMeasure as why:
        return [Section(probe.name, probe.title, skipped=(str(why),))]


def assembled(subject: Subject, found: Iterable[Sequence[Section]], setting: Setting) -> Audit:
    """The audit that these sections make."""
    splits = Counter(item.split for item in subject.read())
    return Audit(
        subject.name,
        subject.benchmark,
        subject.title,
        splits.total(),
        dict(splits),
        tuple(section for sections in found for section in sections),
        made={
            "version": __version__,
            "seed": setting.seed,
            "encoder": setting.encoder.name,
            "folds": setting.folds,
            "confidence": setting.confidence,
        },
    )

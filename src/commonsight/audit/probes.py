"""All probes, in the order of the report: a new one is one file and one line here."""

from __future__ import annotations

from commonsight.audit.probe import Probe
from commonsight.audit.shortcuts import Shortcuts
from commonsight.audit.words import WordArtifacts

ALL: tuple[Probe, ...] = (
    WordArtifacts(),
    Shortcuts(),
)

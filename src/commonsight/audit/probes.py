"""All probes, in the order of the report: a new one is one file and one line here."""

from __future__ import annotations

from commonsight.audit.blind import Blind
from commonsight.audit.hardness import Hardness
from commonsight.audit.probe import Probe

BLIND = Blind()

ALL: tuple[Probe, ...] = (
    BLIND,
    Hardness(BLIND),
)

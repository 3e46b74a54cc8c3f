"""All probes, in the order of the report: a new one is one file and one line here."""

from __future__ import annotations

from commonsight.audit.agreement import AgreementProbe
from commonsight.audit.probe import Probe

ALL: tuple[Probe, ...] = (AgreementProbe(),)

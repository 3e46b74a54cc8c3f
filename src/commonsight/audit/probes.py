"""All probes, in the order of the report: a new one is one file and one line here."""

from __future__ import annotations

from commonsight.audit.choices import CHOICES
from commonsight.audit.leakage import LEAKAGE
from commonsight.audit.probe import Probe

ALL: tuple[Probe, ...] = (CHOICES, LEAKAGE)

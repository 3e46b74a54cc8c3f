"""All probes, in the order of the report: a new one is one file and one line here."""

from __future__ import annotations

from commonsight.audit.circular import Circular
from commonsight.audit.ensemble import Ensemble
from commonsight.audit.irt import ItemResponse
from commonsight.audit.pick_types import PickTypes
from commonsight.audit.probe import Probe
from commonsight.audit.slices import Slices
from commonsight.audit.vision_gain import VisionGain

ALL: tuple[Probe, ...] = (
    Slices(),
    PickTypes(),
    Ensemble(),
    Circular(),
    VisionGain(),
    ItemResponse(),
)

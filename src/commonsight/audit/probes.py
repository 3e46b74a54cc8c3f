"""All probes, in the order of the report: a new one is one file and one line here."""

from __future__ import annotations

from commonsight.audit.agreement import AgreementProbe
from commonsight.audit.describe.answers import AnswersProbe
from commonsight.audit.describe.diversity import DiversityProbe
from commonsight.audit.describe.kinds import KindsProbe
from commonsight.audit.describe.language import LanguageProbe
from commonsight.audit.describe.lengths import LengthsProbe
from commonsight.audit.describe.objects import ObjectsProbe
from commonsight.audit.describe.picks import PicksProbe
from commonsight.audit.describe.programs import ProgramsProbe
from commonsight.audit.describe.sizes import SizesProbe
from commonsight.audit.describe.spread import SpreadProbe
from commonsight.audit.describe.substitutions import SubstitutionsProbe
from commonsight.audit.choices import CHOICES
from commonsight.audit.leakage import LEAKAGE
from commonsight.audit.blind import Blind
from commonsight.audit.hardness import Hardness
from commonsight.audit.probe import Probe
from commonsight.audit.shortcuts import Shortcuts
from commonsight.audit.words import WordArtifacts

ALL: tuple[Probe, ...] = (
    AgreementProbe(),
    SizesProbe(),
    LengthsProbe(),
    KindsProbe(),
    LanguageProbe(),
    AnswersProbe(),
    DiversityProbe(),
    SpreadProbe(),
    ObjectsProbe(),
    ProgramsProbe(),
    SubstitutionsProbe(),
    PicksProbe(),
    WordArtifacts(),
    Shortcuts(),
)
ALL: tuple[Probe, ...] = (CHOICES, LEAKAGE)
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
BLIND = Blind()

ALL: tuple[Probe, ...] = (
    BLIND,
    Hardness(BLIND),
)

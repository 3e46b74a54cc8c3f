"""All probes, in the order of the report: a new one is one file and one line here."""

from __future__ import annotations

from commonsight.audit.agreement.probe import AgreementProbe
from commonsight.audit.blind.probe import Blind
from commonsight.audit.blind.solvers import ChoiceSolver
from commonsight.audit.choices.probe import CHOICES
from commonsight.audit.describe.answers import AnswersProbe
from commonsight.audit.describe.diversity import DiversityProbe
from commonsight.audit.describe.kinds import KindsProbe
from commonsight.audit.describe.language import LanguageProbe
from commonsight.audit.describe.lengths import LengthsProbe
from commonsight.audit.describe.objects import ObjectsProbe
from commonsight.audit.describe.programs import ProgramsProbe
from commonsight.audit.describe.sizes import SizesProbe
from commonsight.audit.describe.spread import SpreadProbe
from commonsight.audit.describe.substitutions import SubstitutionsProbe
from commonsight.audit.hardness.probe import Hardness
from commonsight.audit.leakage.probe import LEAKAGE
from commonsight.audit.probe import Probe
from commonsight.audit.runside.circular import Circular
from commonsight.audit.runside.ensemble import Ensemble
from commonsight.audit.runside.irt import ItemResponse
from commonsight.audit.runside.pick_types import PickTypes
from commonsight.audit.runside.slices import Slices
from commonsight.audit.runside.vision_gain import VisionGain
from commonsight.audit.shortcuts.probe import Shortcuts
from commonsight.audit.words.probe import WordArtifacts

SOUNDNESS: tuple[Probe, ...] = (CHOICES, LEAKAGE, AgreementProbe())
"""Whether items, splits and labels are sound."""
OF_RUNS: tuple[Probe, ...] = (Slices(), PickTypes(), Ensemble(), Circular(), VisionGain(), ItemResponse())
"""What runs tell about the benchmark."""
DESCRIPTIONS: tuple[Probe, ...] = (
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
)
"""The papers' own tables and figures, for any data."""

TOGETHER = ("blind", "hardness")
"""The second goes by what the first learned."""


def with_solvers(solvers: tuple[ChoiceSolver, ...] = ()) -> tuple[Probe, ...]:
    """All probes, the blind one with further solvers; first comes what gives answers away."""
    blind = Blind(solvers)
    return (
        *(blind, Shortcuts(), WordArtifacts(), Hardness(blind)),
        *SOUNDNESS,
        *OF_RUNS,
        *DESCRIPTIONS,
    )


ALL = with_solvers()

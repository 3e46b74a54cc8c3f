"""Networks that name their answer: one of those that training has, for whatever is asked.

They answer questions about one picture that point to an object (CRIC), and True or False (NLVR2).
"""

from __future__ import annotations

from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.question_only import question_only_paper, question_only_small
from commonsight.models.recipes import SMALL

GAO = (
    "Gao et al. (2022). A VQA Dataset for Compositional Reasoning on Vision and Commonsense. TPAMI. "
    "https://arxiv.org/abs/1908.02962"
)
GLOVE = 300

QUESTION_ONLY = Entry(
    name="question-only",
    title="Q-Only",
    citation=GAO,
    reads="words",
    sees=False,
    names=True,
    small=Size(question_only_small, SMALL),
    paper=Size(question_only_paper, Recipe(), words=GLOVE, text="glove:FILE"),
)

NAMING: tuple[Entry, ...] = (QUESTION_ONLY,)

"""Networks that name their answer: one of those that training has, for whatever is asked.

They answer questions about one picture that point to an object (CRIC), and True or False (NLVR2).
"""

from __future__ import annotations

from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.image_only import image_only_paper, image_only_small
from commonsight.models.networks.question_only import question_only_paper, question_only_small
from commonsight.models.recipes import SMALL

GAO = (
    "Gao et al. (2022). A VQA Dataset for Compositional Reasoning on Vision and Commonsense. TPAMI. "
    "https://arxiv.org/abs/1908.02962"
)
SUHR = (
    "Suhr et al. (2019). A Corpus for Reasoning about Natural Language Grounded in Photographs. ACL. "
    "https://arxiv.org/abs/1811.00491"
)
GLOVE = 300
RESNET = 2048
GROWTH = 1.01
"""Of the patience, at every epoch better than all before (NLVR2, appendix E.5)."""
PLAIN = Recipe(epochs=200, rate=1e-4, decay=0.0, clip=None, plateau=None, patience=10, growth=GROWTH)
"""Adam, rate and patience of Text, Image and CNN+RNN (NLVR2, appendix E.5)."""

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

IMAGE_ONLY = Entry(
    name="image-only",
    title="Image",
    citation=SUHR,
    reads="words",
    sees=True,
    looks="canvas",
    query=False,
    names=True,
    small=Size(image_only_small, SMALL),
    paper=Size(image_only_paper, PLAIN, regions=RESNET, sight="resnet-each:PLACE"),
    note="As published it sees with ResNet-152 (--regions resnet-each:PLACE).",
)

NAMING: tuple[Entry, ...] = (QUESTION_ONLY, IMAGE_ONLY)

"""Networks that name an answer and point to the object that it is about (CRIC, section 4.1, Table 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import structs

from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.bottom_up_named import bottom_up_named_paper, bottom_up_named_small
from commonsight.models.networks.memory_vqa import memory_vqa_paper, memory_vqa_small
from commonsight.models.networks.naming_entries import GAO, GLOVE
from commonsight.models.networks.published_eyes import FASTER_RCNN, OBJECTS
from commonsight.models.networks.san import san_paper, san_small
from commonsight.models.networks.vilbert_named import vilbert_named_paper, vilbert_named_small
from commonsight.models.parts import Parts
from commonsight.models.recipes import SMALL, SMALL_TRANSFORMER

Build = Callable[[Parts], Any]

POINTING = 1.0
"""The weight of the attention's loss; CRIC says nothing of it, so it counts like the answer's."""
_SMALL = structs.replace(SMALL, epochs=20, rate=3e-3)
"""Products of gated layers are small at first, and so is what is learned of a step: at 1e-3 these networks
are after 12 epochs still behind one that sees nothing."""
_SMALL_BERT, _BASE = (3, 96, 4), (12, 768, 12)
_VILBERT = Recipe(
    epochs=20, batch=256, optimiser="adamw", rate=4e-5, decay=0.01, warm_up=0.1, plateau=None
)
"""Batch, rate and epochs are ViLBERT's for questions about pictures (its section 3.2); decay and warm-up are
BERT's."""
_TAUGHT = "Also taught where to look: Table 2's +l_att."

SAN = Entry(
    name="san",
    title="SAN",
    citation="Yang et al. (2016). Stacked Attention Networks for Image Question Answering. CVPR. "
    "https://arxiv.org/abs/1511.02274",
    reads="words",
    sees=True,
    objects="all",
    names=True,
    small=Size(san_small, SMALL),
    paper=Size(san_paper, Recipe(), words=GLOVE, regions=FASTER_RCNN, text="glove:FILE", sight=OBJECTS),
    note="Looks at objects, where the original looks at a grid.",
)

BOTTOM_UP_NAMED = Entry(
    name="bottom-up-named",
    title="Bottom-Up",
    citation=GAO,
    reads="words",
    sees=True,
    objects="all",
    names=True,
    small=Size(bottom_up_named_small, _SMALL),
    paper=Size(
        bottom_up_named_paper, Recipe(), words=GLOVE, regions=FASTER_RCNN, text="glove:FILE", sight=OBJECTS
    ),
)


def _taught(entry: Entry, name: str, small: Build, paper: Build) -> Entry:
    """The same network, built so that its attention is taught."""
    return replace(
        entry,
        name=name,
        title=f"{entry.title}+l_att",
        small=replace(entry.small, build=small),
        paper=replace(entry.paper, build=paper),
        begins_like=(entry.name, *entry.begins_like),
        note=f"{entry.note} {_TAUGHT}".strip(),
    )


BOTTOM_UP_ATT = _taught(
    BOTTOM_UP_NAMED,
    "bottom-up-att",
    partial(bottom_up_named_small, pointing=POINTING),
    partial(bottom_up_named_paper, pointing=POINTING),
)

MEMORY_VQA = Entry(
    name="memory-vqa",
    title="Memory-VQA",
    citation=GAO,
    reads="words",
    sees=True,
    objects="all",
    names=True,
    facts=True,
    small=Size(memory_vqa_small, _SMALL),
    paper=Size(
        memory_vqa_paper, Recipe(), words=GLOVE, regions=FASTER_RCNN, text="glove:FILE", sight=OBJECTS
    ),
    note="Reads facts about the question's words (--knowledge FILE). Which relation is asked for it learns "
    "from the programs of the questions.",
)
MEMORY_VQA_ATT = _taught(
    MEMORY_VQA,
    "memory-vqa-att",
    partial(memory_vqa_small, pointing=POINTING),
    partial(memory_vqa_paper, pointing=POINTING),
)

VILBERT_NAMED = Entry(
    name="vilbert-named",
    title="ViLBERT",
    citation="Lu et al. (2019). ViLBERT: Pretraining Task-Agnostic Visiolinguistic Representations for "
    "Vision-and-Language Tasks. NeurIPS. https://arxiv.org/abs/1908.02265",
    reads="pieces",
    sees=True,
    objects="all",
    names=True,
    small=Size(vilbert_named_small, SMALL_TRANSFORMER, transformer=_SMALL_BERT),
    paper=Size(
        vilbert_named_paper,
        _VILBERT,
        regions=FASTER_RCNN,
        transformer=_BASE,
        text="bert:PLACE",
        sight=OBJECTS,
    ),
    begins_like=("ernie-vil",),
    note="As published it is pre-trained on captions, then on 12 datasets; begin with such weights by "
    "--weights FILE.",
)
VILBERT_ATT = _taught(
    VILBERT_NAMED,
    "vilbert-att",
    partial(vilbert_named_small, pointing=POINTING),
    partial(vilbert_named_paper, pointing=POINTING),
)

GROUNDED: tuple[Entry, ...] = (
    SAN,
    BOTTOM_UP_NAMED,
    BOTTOM_UP_ATT,
    MEMORY_VQA,
    MEMORY_VQA_ATT,
    VILBERT_NAMED,
    VILBERT_ATT,
)

"""Networks for questions that need knowledge, which name an answer (A-OKVQA, section 5.4, Table 5)."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from commonsight.build.vocabulary import SPECIALISED
from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.grounded_entries import VILBERT_NAMED
from commonsight.models.networks.krisp import krisp_paper, krisp_small
from commonsight.models.networks.lxmert import lxmert_paper, lxmert_small
from commonsight.models.networks.naming_entries import GLOVE
from commonsight.models.networks.published_eyes import FASTER_RCNN, OBJECTS
from commonsight.models.networks.pythia import pythia_paper, pythia_small
from commonsight.models.networks.vilbert import vilbert_paper, vilbert_small
from commonsight.models.recipes import SMALL, SMALL_TRANSFORMER

_LONGER: dict[str, Any] = {"epochs": 30, "patience": 8, "loss": "shared"}
"""Each of hundreds of answers is learned from a few questions. With the published loss, in which each is
right or wrong for itself, Pythia took twice as many epochs (5,000 drawn scenes, one seed)."""
_SMALL = structs.replace(SMALL, rate=2e-3, decay=0.0, plateau=None, **_LONGER)
_SMALL_TRANSFORMER = structs.replace(SMALL_TRANSFORMER, **_LONGER)
_STEPS = 22_000
_PYTHIA = Recipe(
    epochs=1000,
    batch=512,
    optimiser="adamax",
    rate=0.01,
    decay=0.0,
    clip=0.25,
    loss="agreed",
    warm_up_steps=1000,
    steps=_STEPS,
    lower_at=tuple(step / _STEPS for step in (15_000, 18_000, 20_000, 21_000)),
    lower=0.1,
    plateau=None,
)
"""The released settings for VQA v2, which A-OKVQA keeps (appendix D); steps, not epochs, end it. There the
rate rises from a fifth of itself, here from nothing."""
_LXMERT = Recipe(
    epochs=4,
    batch=32,
    optimiser="adamw",
    rate=5e-5,
    decay=0.01,
    warm_up=0.1,
    plateau=None,
    loss="agreed",
)
"""Epochs and batch are the paper's for every dataset that it is fine-tuned on (section 4.2), the rate is the
released one for VQA v2; decay and warm-up are BERT's."""

_KRISP = Recipe(
    epochs=1000,
    batch=56,
    optimiser="adamw",
    rate=5e-5,
    decay=0.0,
    clip=None,
    loss="agreed",
    warm_up_steps=2000,
    steps=88_000,
    plateau=None,
)
"""The released settings for OK-VQA; there the rate falls like a cosine, here evenly."""

PYTHIA = Entry(
    name="pythia",
    title="Pythia",
    citation="Jiang et al. (2018). Pythia v0.1: the Winning Entry to the VQA Challenge 2018. "
    "https://arxiv.org/abs/1807.09956",
    reads="words",
    sees=True,
    objects="all",
    names=True,
    vocabulary=SPECIALISED,
    small=Size(pythia_small, _SMALL),
    paper=Size(pythia_paper, _PYTHIA, words=GLOVE, regions=FASTER_RCNN, text="glove:FILE", sight=OBJECTS),
    note="As published it sees with a detector whose last layer is trained, too, and is trained on VQA v2 "
    "first.",
)

LXMERT = Entry(
    name="lxmert",
    title="LXMERT",
    citation="Tan and Bansal (2019). LXMERT: Learning Cross-Modality Encoder Representations from "
    "Transformers. EMNLP. https://arxiv.org/abs/1908.07490",
    reads="pieces",
    sees=True,
    objects="all",
    names=True,
    vocabulary=SPECIALISED,
    small=Size(lxmert_small, _SMALL_TRANSFORMER),
    paper=Size(
        lxmert_paper, _LXMERT, regions=FASTER_RCNN, transformer=(9, 768, 12), text="bert:PLACE", sight=OBJECTS
    ),
    note="As published it is pre-trained on captions and questions of five datasets; begin with such weights "
    "by --weights FILE.",
)

VILBERT = Entry(
    name="vilbert",
    title="ViLBERT, answers alone",
    citation=VILBERT_NAMED.citation,
    reads="pieces",
    sees=True,
    objects="all",
    names=True,
    vocabulary=SPECIALISED,
    small=Size(vilbert_small, _SMALL_TRANSFORMER),
    paper=Size(
        vilbert_paper,
        structs.replace(VILBERT_NAMED.paper.recipe, loss="agreed"),
        regions=FASTER_RCNN,
        sight=OBJECTS,
        transformer=(12, 768, 12),
        text="bert:PLACE",
    ),
    begins_like=("vilbert-named", "ernie-vil"),
    note="As published it is pre-trained on captions; begin with such weights by --weights FILE, or with "
    "what it has learned from other questions by --weights FOLDER.",
)

KRISP = Entry(
    name="krisp",
    title="KRISP",
    citation="Marino et al. (2021). KRISP: Integrating Implicit and Symbolic Knowledge for Open-Domain "
    "Knowledge-Based VQA. CVPR. https://arxiv.org/abs/2012.11014",
    reads="pieces",
    sees=True,
    objects="all",
    names=True,
    vocabulary=SPECIALISED,
    graph=True,
    small=Size(krisp_small, _SMALL_TRANSFORMER),
    paper=Size(
        krisp_paper, _KRISP, regions=FASTER_RCNN, transformer=(12, 768, 12), text="bert:PLACE", sight=OBJECTS
    ),
    note="Built on a graph of the facts (--knowledge FILE) that join words of questions, objects and "
    "answers. As published its transformer is pre-trained on VQA v2.",
)

KNOWING: tuple[Entry, ...] = (PYTHIA, LXMERT, VILBERT, KRISP)

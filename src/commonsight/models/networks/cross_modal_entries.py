"""Networks that were pre-trained on texts with pictures, as the PMR paper trains them (appendix G, Table 6).

The table has a batch for each device, devices, rate, optimiser, steps of warm-up, and epochs or steps. What
it does not say, weight decay, clipping and how the rate falls, is as in each system's released settings.
"""

from __future__ import annotations

from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.published_eyes import FASTER_RCNN, OBJECTS
from commonsight.models.networks.two_stream import ernie_vil_base, ernie_vil_large, ernie_vil_small
from commonsight.models.networks.uniter import uniter_base, uniter_large, uniter_small
from commonsight.models.networks.vl_bert import vl_bert_base, vl_bert_large, vl_bert_small

_SMALL = Recipe(
    epochs=15, batch=32, optimiser="adamw", rate=3e-4, decay=0.01, warm_up=0.1, plateau=None, patience=5
)
"""For networks that learn from nothing, on a CPU."""
_SMALL_BERT = (3, 96, 4)
_BASE, _LARGE = (12, 768, 12), (24, 1024, 16)
_BERT = "bert:PLACE"
"""Which transformer they begin from."""

_VL_BERT = Recipe(
    epochs=20,
    batch=64,
    accumulate=16,
    optimiser="sgd",
    rate=64 * 7e-5,
    decay=1e-4,
    momentum=0.9,
    clip=10.0,
    warm_up_steps=1000,
    lower_at=(14 / 20, 18 / 20),
    lower=0.1,
    plateau=None,
)
"""4 questions at a time on each of 4 devices; the released settings add up 4 of those, and multiply the rate
of the table by the questions of a step."""
_ERNIE_VIL = Recipe(
    epochs=1000,
    steps=22_500,
    batch=4,
    optimiser="adamw",
    rate=2e-5,
    decay=0.01,
    clip=1.0,
    warm_up_steps=8000,
    lower_at=(0.5, 0.75),
    lower=0.1,
    plateau=None,
)
"""Steps end it, not epochs. Its Adam takes the decay from the weights, which is called AdamW here."""
_UNITER = Recipe(
    epochs=20,
    batch=16,
    optimiser="adamw",
    rate=3e-5,
    decay=0.01,
    clip=2.0,
    warm_up_steps=1084,
    plateau=None,
)

VL_BERT = Entry(
    name="vl-bert",
    title="VL-BERT",
    citation="Su et al. (2020). VL-BERT: Pre-training of Generic Visual-Linguistic Representations. ICLR. "
    "https://arxiv.org/abs/1908.08530",
    reads="pieces",
    sees=True,
    small=Size(vl_bert_small, _SMALL, transformer=_SMALL_BERT),
    paper=Size(vl_bert_base, _VL_BERT, regions=FASTER_RCNN, transformer=_BASE, text=_BERT, sight=OBJECTS),
    large=Size(vl_bert_large, _VL_BERT, regions=FASTER_RCNN, transformer=_LARGE, text=_BERT, sight=OBJECTS),
    objects="all",
    note="As published it is pre-trained on captions, and its Faster R-CNN learns with it.",
)

UNITER = Entry(
    name="uniter",
    title="UNITER",
    citation="Chen et al. (2020). UNITER: UNiversal Image-TExt Representation Learning. ECCV. "
    "https://arxiv.org/abs/1909.11740",
    reads="pieces",
    sees=True,
    small=Size(uniter_small, _SMALL, transformer=_SMALL_BERT),
    paper=Size(uniter_base, _UNITER, regions=FASTER_RCNN, transformer=_BASE, text=_BERT, sight=OBJECTS),
    large=Size(uniter_large, _UNITER, regions=FASTER_RCNN, transformer=_LARGE, text=_BERT, sight=OBJECTS),
    objects="all",
    note="As published it is pre-trained on captions, and sees with a frozen Faster R-CNN.",
)

ERNIE_VIL = Entry(
    name="ernie-vil",
    title="ERNIE-ViL",
    citation="Yu et al. (2021). ERNIE-ViL: Knowledge Enhanced Vision-Language Representations Through Scene "
    "Graphs. AAAI. https://arxiv.org/abs/2006.16934",
    reads="pieces",
    sees=True,
    small=Size(ernie_vil_small, _SMALL, transformer=_SMALL_BERT),
    paper=Size(
        ernie_vil_base, _ERNIE_VIL, regions=FASTER_RCNN, transformer=_BASE, text=_BERT, sight=OBJECTS
    ),
    large=Size(
        ernie_vil_large, _ERNIE_VIL, regions=FASTER_RCNN, transformer=_LARGE, text=_BERT, sight=OBJECTS
    ),
    objects="all",
    note="As published it is pre-trained on captions and scene graphs, and sees with a frozen Faster R-CNN.",
)

CROSS_MODAL: tuple[Entry, ...] = (VL_BERT, UNITER, ERNIE_VIL)

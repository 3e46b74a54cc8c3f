"""Rows of the PMR paper's Tables 2 and 3 that other entries do not have: BERT as it trains it (appendix G,
Table 6), and what BERT and ERNIE-ViL come to when they never read the premise."""

from __future__ import annotations

from dataclasses import replace

from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.bert import bert_paper, bert_small
from commonsight.models.networks.cross_modal_entries import ERNIE_VIL
from commonsight.models.recipes import SMALL_TRANSFORMER

DEVLIN = (
    "Devlin et al. (2019). BERT: Pre-training of Deep Bidirectional Transformers. NAACL. "
    "https://arxiv.org/abs/1810.04805"
)
_BERT = Recipe(
    epochs=10, batch=16, optimiser="adam", rate=5e-5, decay=0.0, clip=1.0, warm_up_steps=500, plateau=None
)
"""All numbers but decay and clip are the table's, which says of those nothing: there is no decay, and the
clip is BERT's. Its rate falls evenly once it has risen, as BERT's does."""

BERT_PREMISE = Entry(
    name="bert-premise",
    title="BERT, tuned with premises",
    citation=DEVLIN,
    reads="pieces",
    sees=False,
    small=Size(bert_small, SMALL_TRANSFORMER),
    paper=Size(bert_paper, _BERT, transformer=(12, 768, 12), text="bert:PLACE"),
    begins_like=("bert",),
    note="The same network as bert; at its published size it is trained as the paper on premises trains it: "
    "10 epochs of batches of 16, and a rate of 5e-5 that rises over 500 steps.",
)

BERT_NO_PREMISE = replace(
    BERT_PREMISE,
    name="bert-no-premise",
    title="BERT, no premise",
    query=False,
    begins_like=("bert", "bert-response-only", "bert-premise"),
    note="Reads actions alone, and is otherwise trained as bert-premise: B-B and a dagger in that paper's "
    "Table 2.",
)

ERNIE_VIL_NO_PREMISE = replace(
    ERNIE_VIL,
    name="ernie-vil-no-premise",
    title="ERNIE-ViL, no premise",
    query=False,
    begins_like=("ernie-vil",),
    note="Reads actions alone and sees the picture: E-L and a dagger in Table 2 of the paper on premises, at "
    "its large size. It may begin with what ernie-vil was pre-trained to.",
)

PREMISE: tuple[Entry, ...] = (BERT_PREMISE, BERT_NO_PREMISE, ERNIE_VIL_NO_PREMISE)

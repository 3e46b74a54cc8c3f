"""Every network there is, by name. A new one is a file in networks/ and one value here."""

from __future__ import annotations

import difflib
from dataclasses import replace
from functools import partial

from commonsight.errors import UsageError
from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.answer_entries import ANSWERS
from commonsight.models.networks.bert import bert_paper, bert_small
from commonsight.models.networks.bottom_up import bottom_up_paper, bottom_up_small
from commonsight.models.networks.chance import chance
from commonsight.models.networks.cross_modal_entries import CROSS_MODAL
from commonsight.models.networks.esim import esim_paper, esim_small
from commonsight.models.networks.grounded_entries import GROUNDED
from commonsight.models.networks.knowledge_entries import KNOWING
from commonsight.models.networks.lstm import lstm_paper, lstm_small
from commonsight.models.networks.mlb import mlb_paper, mlb_small
from commonsight.models.networks.module_entries import MODULAR
from commonsight.models.networks.mutan import mutan_paper, mutan_small
from commonsight.models.networks.naming_entries import NAMING
from commonsight.models.networks.pair_entries import PAIRS
from commonsight.models.networks.premise_entries import DEVLIN, PREMISE
from commonsight.models.networks.program_entries import PROGRAMMED
from commonsight.models.networks.r2c import r2c_paper, r2c_small
from commonsight.models.networks.revisited_vqa import revisited_vqa_paper, revisited_vqa_small
from commonsight.models.networks.writing_entries import WRITING
from commonsight.models.recipes import SMALL, SMALL_TRANSFORMER

R2C_SMALL = Recipe(epochs=10, batch=16, rate=2e-3, decay=0.0, plateau=2, patience=4)
"""Weight decay, dropout and large batches, which the published size needs, keep the small one at chance for
many epochs."""
BASELINE = Recipe()
"""R2C's: the paper's baselines share its settings where possible, learning rates above all (VCR, appendix E).
"""
FINE_TUNING = Recipe(
    epochs=3, batch=32, optimiser="adamw", rate=2e-5, decay=0.01, warm_up=0.1, plateau=None
)
"""Epochs, batch and rate are the VCR paper's for BERT as relevance model (appendix C); the rest is BERT's."""
ALLENNLP_ESIM = Recipe(epochs=75, batch=32, rate=4e-4, decay=0.0, clip=10.0, plateau=1, patience=5)
"""AllenNLP's training_config/esim_elmo.jsonnet."""

GLOVE = 300
RESNET50 = 2048
BERT_BASE = (12, 768, 12)
_BERT, _ELMO, _GLOVE = "bert:PLACE", "elmo-mixed:FOLDER", "glove:FILE"
"""What the published ones read."""
_RESNET = "resnet:PLACE"
"""What they see with."""

CHANCE = Entry(
    name="chance",
    title="Chance",
    citation="",
    reads="words",
    sees=False,
    query=False,
    learns=False,
    small=Size(chance),
    paper=Size(chance),
)

BERT = Entry(
    name="bert",
    title="BERT",
    citation=DEVLIN,
    reads="pieces",
    sees=False,
    small=Size(bert_small, SMALL_TRANSFORMER),
    paper=Size(bert_paper, FINE_TUNING, transformer=BERT_BASE, text=_BERT),
)

BERT_RESPONSE_ONLY = Entry(
    name="bert-response-only",
    title="BERT (response only)",
    citation=BERT.citation,
    reads="pieces",
    sees=False,
    query=False,
    small=BERT.small,
    paper=BERT.paper,
    note="The same network, given the responses alone.",
)

ESIM = Entry(
    name="esim",
    title="ESIM",
    citation="Chen et al. (2017). Enhanced LSTM for Natural Language Inference. ACL. "
    "https://arxiv.org/abs/1609.06038",
    reads="words",
    sees=False,
    small=Size(esim_small, SMALL),
    paper=Size(esim_paper, ALLENNLP_ESIM, words=1024, text=_ELMO),
    note="As a published baseline it reads ELMo's vectors, and learns how to mix its layers.",
)

LSTM = Entry(
    name="lstm",
    title="LSTM (response only)",
    citation="Zellers et al. (2019). From Recognition to Cognition: Visual Commonsense Reasoning. CVPR. "
    "https://arxiv.org/abs/1811.10830",
    reads="words",
    sees=False,
    query=False,
    small=Size(lstm_small, SMALL),
    paper=Size(lstm_paper, BASELINE, words=1024, text=_ELMO),
    note="As a published baseline it reads ELMo's vectors, and learns how to mix its layers. An encoder that "
    "could read query and response together reads responses alone.",
)

REVISITED_VQA = Entry(
    name="revisited-vqa",
    title="RevisitedVQA",
    citation="Jabri et al. (2016). Revisiting Visual Question Answering Baselines. ECCV. "
    "https://arxiv.org/abs/1606.08390",
    reads="words",
    sees=True,
    small=Size(revisited_vqa_small, SMALL),
    paper=Size(revisited_vqa_paper, BASELINE, words=GLOVE, regions=RESNET50, text=_GLOVE, sight=_RESNET),
    note="As a published baseline it reads GloVe's vectors and sees with ResNet50. "
    "It sees the whole picture and no objects.",
)

BOTTOM_UP = Entry(
    name="bottom-up",
    title="BottomUpTopDown",
    citation="Anderson et al. (2018). Bottom-Up and Top-Down Attention for Image Captioning and Visual "
    "Question Answering. CVPR. https://arxiv.org/abs/1707.07998",
    reads="words",
    sees=True,
    small=Size(bottom_up_small, SMALL),
    paper=Size(bottom_up_paper, BASELINE, words=GLOVE, regions=RESNET50, text=_GLOVE, sight=_RESNET),
    note="As a published baseline it reads GloVe's vectors and sees with ResNet50. "
    "It sees the objects that query and responses speak of, and the whole picture.",
)

MLB = Entry(
    name="mlb",
    title="MLB",
    citation="Kim et al. (2017). Hadamard Product for Low-rank Bilinear Pooling. ICLR. "
    "https://arxiv.org/abs/1610.04325",
    reads="words",
    sees=True,
    small=Size(mlb_small, SMALL),
    paper=Size(mlb_paper, BASELINE, words=GLOVE, regions=RESNET50, text=_GLOVE, sight=_RESNET),
    objects="all",
    note="As a published baseline it reads GloVe's vectors and sees with ResNet50.",
)

MUTAN = Entry(
    name="mutan",
    title="MUTAN",
    citation="Ben-younes et al. (2017). MUTAN: Multimodal Tucker Fusion for Visual Question Answering. ICCV. "
    "https://arxiv.org/abs/1705.06676",
    reads="words",
    sees=True,
    small=Size(mutan_small, SMALL),
    paper=Size(mutan_paper, BASELINE, words=GLOVE, regions=RESNET50, text=_GLOVE, sight=_RESNET),
    objects="all",
    note="As a published baseline it reads GloVe's vectors and sees with ResNet50.",
)

R2C = Entry(
    name="r2c",
    title="R2C",
    citation=LSTM.citation,
    reads="words",
    sees=True,
    small=Size(r2c_small, R2C_SMALL),
    paper=Size(r2c_paper, Recipe(), words=768, regions=RESNET50, text=_BERT, sight=_RESNET),
    note="Reads a frozen BERT's vectors and sees with ResNet50, whose last block is trained.",
)


def _without(
    name: str, title: str, *, query: bool = True, reasoning: bool = True, vision: bool = True
) -> Entry:
    """R2C with something taken away, as in the paper's Table 2."""
    small = partial(r2c_small, query=query, reasoning=reasoning, vision=vision)
    paper = partial(r2c_paper, query=query, reasoning=reasoning, vision=vision)
    return replace(
        R2C,
        name=name,
        title=title,
        sees=vision,
        query=query,
        small=replace(R2C.small, build=small),
        paper=replace(R2C.paper, build=paper),
        note="Table 2 of its paper." if query else _NO_QUERY,
    )


_NO_QUERY = (
    "Table 2 of its paper, which takes away the query's representation and all contextualisation with it, "
    "and compares what is left with response-only models. So nothing of the query is read: responses are "
    "encoded alone, and what only the query points to is not in view."
)


R2C_NO_QUERY = _without("r2c-no-query", "R2C, no query", query=False)
R2C_NO_REASONING = _without("r2c-no-reasoning", "R2C, no reasoning module", reasoning=False)
R2C_NO_VISION = _without("r2c-no-vision", "R2C, no vision representation", vision=False)
R2C_GLOVE = replace(
    R2C,
    name="r2c-glove",
    title="R2C, GloVe representations",
    small=replace(R2C.small, text="glove"),
    paper=replace(R2C.paper, words=GLOVE, text=_GLOVE),
    note="Table 2 of its paper: words by GloVe's vectors, whatever stands beside them.",
)
R2C_RELEASED = replace(
    R2C,
    name="r2c-released",
    title="R2C, as released",
    small=replace(R2C.small, build=partial(r2c_small, object_drop=0.1)),
    paper=replace(
        R2C.paper,
        build=partial(r2c_paper, object_drop=0.1),
        recipe=Recipe(patience=3),
        sight="resnet-masks:PLACE",
    ),
    note="As its authors' released code has it: a tenth of what is seen of an object is dropped, and with "
    "--regions resnet-masks:PLACE outlines are laid over what is seen. At its published size training ends "
    "after 3 epochs without a better one.",
)

ALL: tuple[Entry, ...] = (
    CHANCE,
    BERT,
    BERT_RESPONSE_ONLY,
    ESIM,
    LSTM,
    REVISITED_VQA,
    BOTTOM_UP,
    MLB,
    MUTAN,
    R2C,
    R2C_NO_QUERY,
    R2C_NO_REASONING,
    R2C_NO_VISION,
    R2C_GLOVE,
    R2C_RELEASED,
    *CROSS_MODAL,
    *PREMISE,
    *NAMING,
    *PAIRS,
    *GROUNDED,
    *PROGRAMMED,
    *MODULAR,
    *WRITING,
    *KNOWING,
    *ANSWERS,
)


def find(name: str) -> Entry:
    """The network of this name."""
    for entry in ALL:
        if entry.name == name:
            return entry
    known = [entry.name for entry in ALL]
    close = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.5)
    remedy = f"Did you mean {' or '.join(close)}?" if close else f"Choose one of {', '.join(known)}."
    raise UsageError(f"There is no network {name!r}. {remedy}")

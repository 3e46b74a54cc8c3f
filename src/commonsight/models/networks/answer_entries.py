"""Networks that name an answer of a vocabulary, and choose by it or by its vector: A-OKVQA's Table 3, a to o.

How they are trained is of appendix B: 500 epochs in batches of 128 at a rate of 0.01; 0.001 over a ResNet.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Literal

from commonsight.build.vocabulary import LARGE
from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Loss, Recipe
from commonsight.models.networks.chance import chance
from commonsight.models.networks.frequency import frequency
from commonsight.models.networks.vector_classifier import classifier_paper, classifier_small
from commonsight.models.networks.vector_matching import contrastive_paper, contrastive_small, zero_shot

SCHWENK = (
    "Schwenk et al. (2022). A Benchmark for Visual Question Answering using World Knowledge. ECCV. "
    "https://arxiv.org/abs/2206.01718"
)
CLIP, BERT_BASE, RESNET50, STATIC = 512, 768, 2048, 256
"""Numbers of a vector: ViT-B/32's, BERT's, a ResNet-50's, and the embedded encoder's."""
_CLIP, _BERT = "clip:PLACE", "bert:PLACE"
Inputs = Literal["question", "image", "both"]


def _paper(loss: Loss, rate: float = 0.01) -> Recipe:
    return Recipe(epochs=500, batch=128, rate=rate, decay=0.0, clip=None, plateau=None, loss=loss)


def _small(loss: Loss) -> Recipe:
    return Recipe(epochs=30, batch=32, rate=3e-3, decay=0.0, plateau=4, patience=8, loss=loss)


HEURISTIC = Entry(
    name="random",
    title="Random",
    citation=SCHWENK,
    reads="words",
    sees=False,
    query=False,
    names=True,
    vocabulary=LARGE,
    picks="scored",
    drawn=True,
    learns=False,
    small=Size(chance),
    paper=Size(chance),
    note="Row a of its Table 3: any of the choices, or of the vocabulary, drawn from the seed.",
)
WEIGHTED = replace(
    HEURISTIC,
    name="random-weighted",
    title="Random (weighted)",
    small=Size(frequency),
    paper=Size(frequency),
    note="Row b of its Table 3: drawn in proportion to how often an answer is right in training.",
)
MOST_COMMON = replace(
    WEIGHTED,
    name="most-common",
    title="Most Common",
    drawn=False,
    note="Row c of its Table 3: what is most often right in training.",
)


def _entry(name: str, title: str, inputs: Inputs, small: Size, paper: Size, note: str) -> Entry:
    return Entry(
        name=name,
        title=title,
        citation=SCHWENK,
        reads="wholes",
        sees=inputs != "question",
        looks="canvas",
        query=inputs != "image",
        names=True,
        vocabulary=LARGE,
        small=small,
        paper=paper,
        note=note,
    )


def _classifier(
    name: str,
    title: str,
    inputs: Inputs,
    text: str,
    dims: tuple[int, int],
    note: str,
    rate: float = 0.01,
    sight: str = "",
) -> Entry:
    question, picture = inputs != "image", inputs != "question"
    small = partial(classifier_small, question=question, picture=picture)
    paper = partial(classifier_paper, question=question, picture=picture, unit=name.startswith("clip"))
    made = _entry(
        name,
        title,
        inputs,
        Size(small, _small("any"), words=STATIC, text="static"),
        Size(paper, _paper("any", rate), words=dims[0], regions=dims[1], text=text, sight=sight),
        note + " --hidden N puts a layer of N units between vectors and answers.",
    )
    return replace(made, hidden=True)


def _contrastive(name: str, title: str, inputs: Inputs, note: str) -> Entry:
    question, picture = inputs != "image", inputs != "question"
    small = Size(
        partial(contrastive_small, question=question, picture=picture),
        _small("in-batch"),
        words=STATIC,
        text="static",
    )
    paper = Size(
        partial(contrastive_paper, question=question, picture=picture),
        _paper("in-batch"),
        words=CLIP,
        regions=CLIP,
        sight=_CLIP,
        text=_CLIP,
    )
    return replace(_entry(name, title, inputs, small, paper, note), picks="scored")


def _zero_shot(name: str, title: str, inputs: Inputs, note: str) -> Entry:
    built = partial(zero_shot, question=inputs != "image", picture=inputs != "question")
    small = Size(built, words=STATIC, regions=STATIC, text="static")
    paper = Size(built, words=CLIP, regions=CLIP, text=_CLIP, sight=_CLIP)
    return replace(_entry(name, title, inputs, small, paper, note), picks="scored", learns=False)


_SEEN = "As published it sees with {} (--regions {}:PLACE)."
ANSWERS: tuple[Entry, ...] = (
    HEURISTIC,
    WEIGHTED,
    MOST_COMMON,
    _classifier(
        "bert-classifier", "BERT (classifier)", "question", _BERT, (BERT_BASE, 0),
        "Row d of its Table 3.",
    ),
    _classifier(
        "clip-classifier-text", "CLIP (classifier), question", "question", _CLIP, (CLIP, CLIP),
        "Row e of its Table 3.",
    ),
    _zero_shot(
        "clip-zero-shot-text", "CLIP (zero-shot), question", "question", "Row f of its Table 3."
    ),
    _contrastive(
        "clip-contrastive-text", "CLIP (contrastive), question", "question", "Row g of its Table 3."
    ),
    _classifier(
        "resnet-classifier", "ResNet (classifier)", "image", "static", (STATIC, RESNET50),
        "Row i of its Table 3. " + _SEEN.format("ResNet-50", "resnet-pooled"), 0.001, "resnet-pooled:PLACE",
    ),
    _classifier(
        "clip-classifier-image", "CLIP (classifier), image", "image", "static", (STATIC, CLIP),
        "Row j of its Table 3. " + _SEEN.format("ViT-B/32", "clip"), sight=_CLIP,
    ),
    _zero_shot(
        "clip-zero-shot-image", "CLIP (zero-shot), image", "image",
        "Row k of its Table 3. " + _SEEN.format("ViT-B/32", "clip"),
    ),
    _contrastive(
        "clip-contrastive-image", "CLIP (contrastive), image", "image",
        "Row l of its Table 3. " + _SEEN.format("ViT-B/32", "clip"),
    ),
    _classifier(
        "clip-classifier", "CLIP (classifier)", "both", _CLIP, (CLIP, CLIP),
        "Row m of its Table 3. " + _SEEN.format("ViT-B/32", "clip"), sight=_CLIP,
    ),
    _zero_shot(
        "clip-zero-shot", "CLIP (zero-shot)", "both",
        "Row n of its Table 3. " + _SEEN.format("ViT-B/32", "clip"),
    ),
    _contrastive(
        "clip-contrastive", "CLIP (contrastive)", "both",
        "Row o of its Table 3. " + _SEEN.format("ViT-B/32", "clip"),
    ),
)  # fmt: skip

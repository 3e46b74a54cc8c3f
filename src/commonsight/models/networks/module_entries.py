"""Networks of modules and of attention that look at places and name their answer, as NLVR2's appendix D
compares them on NLVR (its Table 11).
"""

from __future__ import annotations

from msgspec import structs

from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.biatt import (
    biatt_objects_paper,
    biatt_objects_small,
    biatt_pointer_paper,
    biatt_pointer_small,
    cnn_biatt_paper,
    cnn_biatt_small,
)
from commonsight.models.networks.cmm import cmm_paper, cmm_small
from commonsight.models.networks.n2nmn.network import (
    cloning_large,
    cloning_paper,
    cloning_small,
    rl_large,
    rl_paper,
    rl_small,
    tune_large,
    tune_paper,
    tune_small,
)
from commonsight.models.networks.naming_entries import GLOVE, GROWTH, RESNET
from commonsight.models.networks.nmn_grammar.network import nmn_grammar_paper, nmn_grammar_small

ANDREAS = (
    "Andreas et al. (2016). Learning to Compose Neural Networks for Question Answering. NAACL. "
    "https://arxiv.org/abs/1601.01705"
)
HU = (
    "Hu et al. (2017). Learning to Reason: End-to-End Module Networks for Visual Question Answering. ICCV. "
    "https://arxiv.org/abs/1704.05526"
)
TAN = (
    "Tan and Bansal (2018). Object Ordering with Bidirectional Matchings for Visual Reasoning. NAACL. "
    "https://arxiv.org/abs/1804.06870"
)
YAO = (
    "Yao et al. (2018). Cascaded Mutual Modulation for Visual Reasoning. EMNLP. "
    "https://arxiv.org/abs/1809.01943"
)
WORDS = 300
VGG = 512
SMALL = Recipe(epochs=12, batch=32, rate=1e-3, decay=0.0, plateau=2, patience=4)
FINER = Recipe(epochs=12, batch=32, rate=3e-4, decay=0.0, plateau=2, patience=4)
GRAMMAR = Recipe(epochs=50, batch=32, rate=1e-3, decay=0.0, plateau=4, patience=12)
MODULES = Recipe(
    epochs=200, batch=64, rate=1e-3, decay=5e-6, clip=10.0, plateau=None, patience=30, growth=GROWTH
)
"""Batch, rate, decay and clipping of the authors' released settings for CLEVR; patience of NLVR2's appendix
E.5. Epochs are not told of."""
SEARCH = structs.replace(MODULES, rate=1e-4)
"""The same after cloning: a tenth of the rate."""
FROM_NOTHING = structs.replace(MODULES, decay=0.0)
"""The same without: no decay."""
PHOTOGRAPHS = structs.replace(MODULES, decay=0.0, clip=None)
"""Of the authors' released settings for VQA, which NLVR2's authors took for NLVR2 (appendix E.3)."""
SEARCH_PHOTOGRAPHS = structs.replace(SEARCH, decay=0.0)
"""The same after cloning. From nothing nothing is released for VQA: as for CLEVR, our choice."""
ATTENTION = Recipe(epochs=200, batch=64, rate=1e-4, decay=0.0, plateau=None, patience=30)
MUTUAL = Recipe(epochs=200, batch=128, rate=3.5e-4, decay=1e-5, clip=None, plateau=None, patience=30)
"""Batch, rate and decay of the authors' released settings for NLVR; the rest is our choice."""
_NOTE = (
    "As published it sees drawings with VGG-16's pool5 (--regions vgg:PLACE), "
    "and pairs of photographs with ResNet-152 (--size large --regions resnet-last:PLACE)."
)

N2NMN_CLONING = Entry(
    name="n2nmn-cloning",
    title="N2NMN-Cloning",
    citation=HU,
    reads="words",
    sees=True,
    looks="canvas",
    names=True,
    layouts="constituents",
    small=Size(cloning_small, SMALL, regions=48),
    paper=Size(cloning_paper, MODULES, words=WORDS, regions=VGG, sight="vgg:PLACE"),
    large=Size(
        cloning_large, PHOTOGRAPHS, words=GLOVE, regions=RESNET, text="glove:FILE", sight="resnet-last:PLACE"
    ),
    note="Layouts to learn from are made of the questions' words. " + _NOTE,
)

N2NMN_TUNE = Entry(
    name="n2nmn-tune",
    title="N2NMN-Tune",
    citation=HU,
    reads="words",
    sees=True,
    looks="canvas",
    names=True,
    begins="n2nmn-cloning",
    draws=True,
    small=Size(tune_small, FINER, regions=48),
    paper=Size(tune_paper, SEARCH, words=WORDS, regions=VGG, sight="vgg:PLACE"),
    large=Size(
        tune_large,
        SEARCH_PHOTOGRAPHS,
        words=GLOVE,
        regions=RESNET,
        text="glove:FILE",
        sight="resnet-last:PLACE",
    ),
    note="Policy search that begins with the weights of n2nmn-cloning (--weights). " + _NOTE,
)

N2NMN_RL = Entry(
    name="n2nmn-rl",
    title="N2NMN-RL",
    citation=HU,
    reads="words",
    sees=True,
    looks="canvas",
    names=True,
    draws=True,
    small=Size(rl_small, SMALL, regions=48),
    paper=Size(rl_paper, FROM_NOTHING, words=WORDS, regions=VGG, sight="vgg:PLACE"),
    large=Size(
        rl_large, FROM_NOTHING, words=GLOVE, regions=RESNET, text="glove:FILE", sight="resnet-last:PLACE"
    ),
    note="Policy search from nothing. " + _NOTE,
)

CNN_BIATT = Entry(
    name="cnn-biatt",
    title="CNN-BiATT",
    citation=TAN,
    reads="words",
    sees=True,
    looks="canvas",
    names=True,
    small=Size(cnn_biatt_small, SMALL),
    paper=Size(cnn_biatt_paper, ATTENTION, words=WORDS),
    note="Places are read by convolutions, three panels one by one. Sizes and recipe are our choice.",
)

BIATT_OBJECTS = Entry(
    name="biatt-objects",
    title="BiATT over objects",
    citation=TAN,
    reads="words",
    sees=True,
    objects="all",
    names=True,
    small=Size(biatt_objects_small, SMALL),
    paper=Size(biatt_objects_paper, ATTENTION, words=WORDS),
    note="Objects are read from left to right. Sizes and recipe are our choice.",
)

BIATT_POINTER = Entry(
    name="biatt-pointer",
    title="BiATT-Pointer",
    citation=TAN,
    reads="words",
    sees=True,
    objects="all",
    names=True,
    begins_like=("biatt-objects",),
    draws=True,
    small=Size(biatt_pointer_small, SMALL),
    paper=Size(biatt_pointer_paper, ATTENTION, words=WORDS),
    note="Objects are read in an order that a pointer network learns. Sizes and recipe are our choice.",
)

CMM = Entry(
    name="cmm",
    title="CMM",
    citation=YAO,
    reads="words",
    sees=True,
    looks="canvas",
    names=True,
    small=Size(cmm_small, SMALL),
    paper=Size(cmm_paper, MUTUAL, words=200),
    note="Normalised picture by picture, and not over a batch.",
)

NMN_GRAMMAR = Entry(
    name="nmn-grammar",
    title="NMN over a grammar's layouts",
    citation=ANDREAS,
    reads="words",
    sees=True,
    objects="all",
    names=True,
    layouts="grammar",
    small=Size(nmn_grammar_small, GRAMMAR),
    paper=Size(nmn_grammar_paper, ATTENTION),
    note="A network of our own, for drawings in three panels: layouts are read by a grammar of sentences "
    "about shapes; what functions and words do is learned. Sizes and recipe are our choice.",
)

MODULAR: tuple[Entry, ...] = (
    N2NMN_CLONING,
    N2NMN_TUNE,
    N2NMN_RL,
    CNN_BIATT,
    BIATT_OBJECTS,
    BIATT_POINTER,
    CMM,
    NMN_GRAMMAR,
)

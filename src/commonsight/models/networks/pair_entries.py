"""Networks that say whether a sentence is true of pictures: those of NLVR2 (section 6, appendix E).

They name any answer that training has, so that they can be asked other questions as well.
"""

from __future__ import annotations

from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.features.signs import Counting
from commonsight.models.networks.cnn_rnn import cnn_rnn_paper, cnn_rnn_small
from commonsight.models.networks.film import film_paper, film_small
from commonsight.models.networks.mac import mac_objects_paper, mac_objects_small, mac_paper, mac_small
from commonsight.models.networks.majority import majority
from commonsight.models.networks.maxent import maxent
from commonsight.models.networks.naming_entries import GLOVE, GROWTH, PLAIN, RESNET, SUHR
from commonsight.models.networks.text_only import text_only_paper, text_only_small
from commonsight.models.recipes import SMALL

PEREZ = (
    "Perez et al. (2018). FiLM: Visual Reasoning with a General Conditioning Layer. AAAI. "
    "https://arxiv.org/abs/1709.07871"
)
HUDSON = (
    "Hudson and Manning (2018). Compositional Attention Networks for Machine Reasoning. ICLR. "
    "https://arxiv.org/abs/1803.03067"
)
RESNET_CONV4 = 1024
RAW = 128
"""Channels of each of four convolutions over raw pixels (Perez et al., 2018), of a canvas of 224
by 224 (NLVR2, appendix E.3)."""
FILM = Recipe(
    epochs=80, batch=64, rate=3e-4, decay=1e-5, clip=None, plateau=None, patience=30, growth=GROWTH
)
"""Perez et al. (2018), patience of NLVR2 (appendix E.5)."""
MAXENT_RECIPE = Recipe(
    epochs=100, batch=64, rate=1e-4, decay=1e-5, clip=None, plateau=None, patience=10, growth=GROWTH
)
"""Epochs at most, as published (NLVR2, appendix E.5); patience is that of Text. Megam, which its authors
took, has other steps towards the same. A question has hundreds of signs, which all move at once: at ten
times this rate they overshoot."""
MAC_RECIPE = Recipe(
    epochs=25, batch=64, rate=1e-4, decay=0.0, clip=8.0, plateau=1, patience=5, ema=0.999
)
"""Hudson and Manning (2018); they halve the rate by the training loss, and tell no patience."""

MAJORITY = Entry(
    name="majority",
    title="Majority",
    citation=SUHR,
    reads="words",
    sees=False,
    query=False,
    names=True,
    learns=False,
    small=Size(majority),
    paper=Size(majority),
    note="Always the answer that training has most often.",
)

TEXT_ONLY = Entry(
    name="text-only",
    title="Text",
    citation=SUHR,
    reads="words",
    sees=False,
    names=True,
    small=Size(text_only_small, SMALL),
    paper=Size(text_only_paper, PLAIN, words=GLOVE, text="glove:FILE"),
)

CNN_RNN = Entry(
    name="cnn-rnn",
    title="CNN+RNN",
    citation=SUHR,
    reads="words",
    sees=True,
    looks="canvas",
    names=True,
    small=Size(cnn_rnn_small, SMALL),
    paper=Size(
        cnn_rnn_paper, PLAIN, words=GLOVE, regions=RESNET, text="glove:FILE", sight="resnet-each:PLACE"
    ),
    note="As published it sees with ResNet-152 (--regions resnet-each:PLACE).",
)

MAXENT = Entry(
    name="maxent",
    title="MaxEnt",
    citation=SUHR,
    reads="words",
    sees=False,
    names=True,
    counts=Counting(),
    small=Size(maxent, MAXENT_RECIPE),
    paper=Size(maxent, MAXENT_RECIPE),
    note="Numbers in the sentence, compared with how many objects of each kind the dataset knows of.",
)

FILM_NETWORK = Entry(
    name="film",
    title="FiLM",
    citation=PEREZ,
    reads="words",
    sees=True,
    looks="canvas",
    names=True,
    small=Size(film_small, SMALL, regions=32),
    paper=Size(
        film_paper,
        FILM,
        words=200,
        regions=RESNET_CONV4,
        canvas=(224, 224),
        stages=(RAW, RAW, RAW),
        raw=RAW,
        sight="resnet:PLACE",
    ),
    note="As published it sees photographs with ResNet-101 (--regions resnet:PLACE), drawings as pixels.",
)

MAC = Entry(
    name="mac",
    title="MAC",
    citation=HUDSON,
    reads="words",
    sees=True,
    looks="canvas",
    names=True,
    small=Size(mac_small, SMALL, regions=48),
    paper=Size(mac_paper, MAC_RECIPE, words=300, regions=RESNET_CONV4, sight="resnet:PLACE"),
    note="As published it sees with ResNet-101 (--regions resnet:PLACE).",
)

MAC_OBJECTS = Entry(
    name="mac-objects",
    title="MAC over objects",
    citation=HUDSON,
    reads="words",
    sees=True,
    objects="all",
    names=True,
    small=Size(mac_objects_small, SMALL),
    paper=Size(mac_objects_paper, MAC_RECIPE, words=300, regions=RESNET, sight="resnet:PLACE"),
    note="What its last step looks at is the object that its answer points to.",
)

PAIRS: tuple[Entry, ...] = (MAJORITY, TEXT_ONLY, CNN_RNN, MAXENT, FILM_NETWORK, MAC, MAC_OBJECTS)

"""Networks that learn from programs, the steps to the right answer."""

from __future__ import annotations

from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.naming_entries import GAO, GLOVE, RESNET
from commonsight.models.networks.nmn_cs.network import nmn_cs_paper, nmn_cs_small
from commonsight.models.networks.nmn_cs.truth import nmn_cs_gt_paper, nmn_cs_gt_small

PROGRAMS = Recipe(epochs=16, batch=32, rate=1e-3, decay=0.0, plateau=2, patience=5)
"""Weight decay keeps attention even, and what modules multiply small."""

NMN_CS = Entry(
    name="nmn-cs",
    title="NMN-CS",
    citation=GAO,
    reads="words",
    sees=True,
    objects="all",
    names=True,
    programs=True,
    small=Size(nmn_cs_small, PROGRAMS),
    paper=Size(nmn_cs_paper, Recipe(), words=GLOVE, regions=RESNET, text="glove:FILE", sight="resnet:PLACE"),
    note="Learns from programs to predict them, and answers without. Both stages are learned at once; the "
    "small one is also taught which words each call takes, and which objects it gives.",
)

NMN_CS_GT = Entry(
    name="nmn-cs-gt",
    title="NMN-CS-GT",
    citation=GAO,
    reads="words",
    sees=True,
    objects="all",
    query=False,
    names=True,
    programs=True,
    executes=True,
    small=Size(nmn_cs_gt_small, PROGRAMS),
    paper=Size(
        nmn_cs_gt_paper, Recipe(), words=GLOVE, regions=RESNET, text="glove:FILE", sight="resnet:PLACE"
    ),
    note="Given the true program, its words and the true objects of every step, also when it answers: what "
    "it gets right says how hard each function is by itself (`commonsight modules`).",
)

PROGRAMMED: tuple[Entry, ...] = (NMN_CS, NMN_CS_GT)

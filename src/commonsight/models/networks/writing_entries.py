"""Networks that write their answer."""

from __future__ import annotations

from commonsight.models.catalogue_entry import Entry, Size
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.clipcap import (
    clipcap_paper,
    clipcap_small,
    clipcap_transformer_paper,
    clipcap_transformer_small,
)
from commonsight.models.networks.gpv2 import gpv2_paper, gpv2_small
from commonsight.models.networks.published_eyes import OBJECTS
from commonsight.models.writing.style import Decoding, Writes, by_roles, plainly

BASE = (12, 768, 12)
"""Layers, width and heads of GPT-2 and of T5-base, which has as many layers twice."""
CLIP_VIT, CLIP_RN50X4, VINVL = 512, 640, 2048
"""Numbers that each of these keeps of a picture, or of an object."""
WRITING_SMALL = Recipe(
    epochs=20, batch=16, optimiser="adamw", rate=1e-3, decay=0.01, warm_up=0.1, plateau=None, patience=6
)
"""A language model that learns to write from nothing needs more steps than one that chooses."""
CLIPCAP_TUNING = Recipe(
    epochs=10, batch=16, optimiser="adamw", rate=2e-5, decay=0.0, clip=None, plateau=None
)
"""Ten epochs (A-OKVQA, appendix B.3), AdamW at ClipCap's rate, which is constant, and batches of 16, as
A-OKVQA's authors released it."""
GPV2_TUNING = Recipe(
    epochs=8, batch=60, optimiser="adamw", rate=3e-4, decay=1e-4, clip=None, warm_up=0.1, plateau=None
)
"""GPV-2's, as its authors released it; A-OKVQA trains with the same (appendix D)."""

CLIPCAP_WRITES = Writes(
    "gpt2",
    by_roles,
    answer=Decoding(beam=1, longest=67),
    rationale=Decoding(beam=5, longest=67, length=1.0),
    tells_choices=True,
    before=" ",
)
"""Answers by the likeliest token each time, rationales by a beam (A-OKVQA, appendices B.3 and C). That it is
of five, compares means over tokens, and writes 67 of them at most, is as released with ClipCap."""

CLIPCAP = Entry(
    name="clipcap",
    title="ClipCap",
    citation="Mokady et al. (2021). ClipCap: CLIP Prefix for Image Captioning. "
    "https://arxiv.org/abs/2111.09734",
    reads="pieces",
    sees=True,
    looks="canvas",
    writes=CLIPCAP_WRITES,
    small=Size(clipcap_small, WRITING_SMALL),
    paper=Size(
        clipcap_paper,
        CLIPCAP_TUNING,
        regions=CLIP_VIT,
        transformer=BASE,
        text="gpt2:PLACE",
        sight="clip:PLACE",
    ),
    note="As published it sees with CLIP ViT-B/32 (--regions clip:PLACE). GPT-2 is fine-tuned.",
)

CLIPCAP_TRANSFORMER = Entry(
    name="clipcap-transformer",
    title="ClipCap, transformer mapping",
    citation=CLIPCAP.citation,
    reads="pieces",
    sees=True,
    looks="canvas",
    writes=CLIPCAP_WRITES,
    small=Size(clipcap_transformer_small, WRITING_SMALL),
    paper=Size(
        clipcap_transformer_paper, CLIPCAP_TUNING, regions=CLIP_RN50X4, transformer=BASE,
        text="gpt2:PLACE", sight="clip:PLACE",
    ),
    note="As published it sees with CLIP RN50x4. GPT-2 is frozen; at the small size it begins from nothing, "
    "and learns with the rest.",
)

GPV2 = Entry(
    name="gpv-2",
    title="GPV-2",
    citation="Kamath et al. (2022). Webly Supervised Concept Expansion for General Purpose Vision Models. "
    "ECCV. https://arxiv.org/abs/2202.02317",
    reads="pieces",
    sees=True,
    objects="all",
    picks="scored",
    writes=Writes(
        "t5",
        plainly,
        answer=Decoding(beam=20, longest=10),
        rationale=Decoding(beam=20, longest=67),
        context="after",
        lower=True,
    ),
    small=Size(gpv2_small, WRITING_SMALL),
    paper=Size(
        gpv2_paper, GPV2_TUNING, regions=VINVL, transformer=BASE, text="t5:PLACE", sight=OBJECTS
    ),
    note="As published it sees VinVL's objects, 2,048 numbers each, and writes with T5-base.",
)

WRITING: tuple[Entry, ...] = (CLIPCAP, CLIPCAP_TRANSFORMER, GPV2)

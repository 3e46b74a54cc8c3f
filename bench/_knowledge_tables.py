"""A-OKVQA's tables, on a drawn world."""

from __future__ import annotations

from collections.abc import Mapping

from _choice_tables import begun, eyes, world
from _results import Shown
from _rows import COMMON, HALVES, LIMIT, Place, Row, Table


def knowledge_questions(place: Place) -> None:
    """A-OKVQA's questions about drawn scenes, with captions of all their pictures."""
    eyes(place)
    world(place, *QUESTIONS)
    place.prepare(CAPTIONS, "world", "describe", DATASET)


QUESTIONS, CAPTIONS = ("aokvqa", 5000, 15, "aokvqa"), "aokvqa-captions.jsonl"
DATASET, SPLIT = "aokvqa/aokvqa", "val"
SEEN = ("--regions", "seen:regions", "--epochs", "16")
READS, SEES = ("--text", "clip:clip"), ("--regions", "clip:clip")
AOKVQA_NETWORKS: Mapping[str, tuple[str, ...]] = {
    "random": (),
    "random-weighted": (),
    "most-common": (),
    "bert-classifier": (),
    "clip-classifier-text": READS,
    "clip-zero-shot-text": READS,
    "clip-contrastive-text": READS,
    "resnet-classifier": (),
    "clip-classifier-image": (*READS, *SEES),
    "clip-zero-shot-image": (*READS, *SEES),
    "clip-contrastive-image": (*READS, *SEES),
    "clip-classifier": (*READS, *SEES),
    "clip-zero-shot": (*READS, *SEES),
    "clip-contrastive": (*READS, *SEES),
    "clipcap": (*SEES, *HALVES, "--epochs", "8"),
    "pythia": SEEN,
    "vilbert": SEEN,
    "lxmert": SEEN,
    "krisp": (*SEEN, "--knowledge", "eyes/raw/knowledge/triples.tsv"),
    "gpv-2": (*SEEN, *HALVES),
}
"""Networks of Tables 3 and 5, and what each reads and sees by. Those over frozen vectors are trained for as
many epochs as the catalogue has: they are quick."""
TOLD = {"gpv-2-masked": "masked-rationale", "gpv-2-rationale": "rationale"}
"""GPV-2 is also told what people wrote, with the answer hidden and as it is (Table 5, rows h and i)."""
REASONED = "prompted-generated"
"""A language model that is told the rationales which ClipCap writes (Table 4, row b)."""


def encoders(place: Place, row: Row) -> tuple[str, ...]:
    """A row's own options, and what they name."""
    if row.network == REASONED:
        return generated(place)
    options = AOKVQA_NETWORKS.get(row.network, ())
    if "clip:clip" in options:
        clip(place)
    return (*begun(DATASET, "aokvqa")(place, row), *options)


def clip(place: Place) -> None:
    """A small CLIP that, like the encoder of objects, has learned from another world."""
    graphs = ("eyes/raw/scene_graphs.json", "--images", "eyes/raw/images", "--threads", "1")
    place.prepare("clip", "train-clip", *graphs)


def generated(place: Place) -> tuple[str, ...]:
    """Rationales that ClipCap writes; examples are shown without, as in the authors' published program."""
    clip(place)
    writes = ("--task", "rationale", *AOKVQA_NETWORKS["clipcap"], "--epochs", "3", "--limit", str(LIMIT))
    place.prepare("why", "train", "clipcap", DATASET, *writes, *COMMON)
    place.prepare("why-said", "predict", "why", DATASET, "--split", SPLIT, *COMMON)
    return ("--context", "why-said/contexts.jsonl", "--shots-context", "none")


PROMPTED = (
    "--prompt", "paper", "--nearest-choice", "glove-6b-50d", "--blind", "none", "--shots", "10",
    "--shots-from", DATASET, "--limit", "300",
)  # fmt: skip
AOKVQA = Table(
    Shown(
        "aokvqa",
        "drawn world, as A-OKVQA's Tables 3, 4 and 5",
        {"mc": "MC", "da": "DA"},
        (
            *AOKVQA_NETWORKS, *TOLD, "prompted", REASONED, "prompted-captions", "prompted-rationale",
            "prompted-masked",
        ),
    ),
    DATASET,
    knowledge_questions,
    ("--limit", str(LIMIT)),
    encoders,
    others={
        row: ("train", "gpv-2", DATASET, "--limit", str(LIMIT), *COMMON, *SEEN, *HALVES, "--context", context)
        for row, context in TOLD.items()
    },
    split=SPLIT,
    asked={
        "prompted": PROMPTED,
        REASONED: PROMPTED,
        "prompted-captions": (*PROMPTED, "--context", CAPTIONS),
        "prompted-rationale": (*PROMPTED, "--context", "rationale"),
        "prompted-masked": (*PROMPTED, "--context", "masked-rationale"),
    },
)

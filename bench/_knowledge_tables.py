"""A-OKVQA's tables, on a drawn world."""

from __future__ import annotations

from collections.abc import Mapping

from _choice_tables import begun, eyes, world
from _results import Shown
from _rows import COMMON, HALVES, LIMIT, Place, Row, Table
from _transfer import FOLDER, other_questions


def knowledge_questions(place: Place) -> None:
    """A-OKVQA's questions about drawn scenes, with captions of all their pictures."""
    eyes(place)
    world(place, *QUESTIONS)
    place.prepare(CAPTIONS, "world", "describe", DATASET)


QUESTIONS, CAPTIONS = ("aokvqa", 5000, 15, "aokvqa"), "aokvqa-captions.jsonl"
SHOWN_TO_CLIP = ("clip-world", 6000, 16, "aokvqa")
DATASET, SPLIT = "aokvqa/aokvqa", "val"
SEEN = ("--regions", "seen:regions", "--epochs", "16")
LIMITED = ("--limit", str(LIMIT))
OBJECTS = (*LIMITED, *COMMON, *SEEN)
READS, SEES = ("--text", "clip:clip"), ("--regions", "clip:clip")
AOKVQA_NETWORKS: Mapping[str, tuple[str, ...]] = {
    "random": (),
    "random-weighted": (),
    "most-common": (),
    "bert-classifier": (),
    "bert-classifier-hidden": (),
    "clip-classifier-text": READS,
    "clip-zero-shot-text": READS,
    "clip-contrastive-text": READS,
    "resnet-classifier": ("--epochs", "4"),
    "clip-classifier-image": (*READS, *SEES),
    "clip-zero-shot-image": (*READS, *SEES),
    "clip-contrastive-image": (*READS, *SEES),
    "clip-classifier": (*READS, *SEES),
    "clip-classifier-hidden": (*READS, *SEES),
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
HIDDEN = ("bert-classifier", "clip-classifier")
"""Classifiers that are also tried with a hidden layer, as long as a vector of CLIP's."""
TRANSFERRED, TUNED = "vilbert-vqa", "vilbert-vqa-tuned"
"""A ViLBERT that has learned from other questions is tried as it is (Table 5, rows b and c), and goes on."""
TOLD = {"gpv-2-masked": "masked-rationale", "gpv-2-rationale": "rationale"}
"""GPV-2 is also told what people wrote, with the answer hidden and as it is (Table 5, rows h and i)."""
WRITTEN = {
    "prompted-generated-captions": ("told", ("--task", "caption", "--captions", CAPTIONS)),
    "prompted-generated": ("why", ("--task", "rationale")),
}
"""A language model that is told the captions or the rationales which ClipCap writes (Table 4, rows a and b):
the folder of that ClipCap, and what it learns."""


def encoders(place: Place, row: Row) -> tuple[str, ...]:
    """A row's own options, and what they name."""
    if row.network in WRITTEN:
        return generated(place, *WRITTEN[row.network])
    if row.network == TRANSFERRED:
        other_questions(place)
        return ()
    options = AOKVQA_NETWORKS.get(row.network, ())
    if "clip:clip" in options:
        clip(place)
    return (*begun(DATASET, "aokvqa")(place, row), *options)


def clip(place: Place) -> None:
    """A small CLIP that, like the encoder of objects, has learned from another world: from captions of its
    pictures and from the reasons that its annotators gave, which have ten times as many words."""
    world(place, *SHOWN_TO_CLIP)
    place.prepare("clip", "train-clip", "clip-world/aokvqa", "--threads", "1")


def generated(place: Place, folder: str, learned: tuple[str, ...]) -> tuple[str, ...]:
    """Contexts that ClipCap writes; examples are shown without, as in the authors' published program."""
    clip(place)
    writes = (*learned, *AOKVQA_NETWORKS["clipcap"], "--epochs", "3", *LIMITED)
    place.prepare(folder, "train", "clipcap", DATASET, *writes, *COMMON)
    place.prepare(f"{folder}-said", "predict", folder, DATASET, "--split", SPLIT, *COMMON)
    return ("--context", f"{folder}-said/contexts.jsonl", "--shots-context", "none")


def prompted(dataset: str) -> tuple[str, ...]:
    """How the paper asks a language model, with examples of this dataset's training split."""
    asked = ("--prompt", "paper", "--nearest-choice", "glove-6b-50d", "--blind", "none")
    return (*asked, "--shots", "10", "--shots-from", dataset)


PROMPTED = (*prompted(DATASET), "--limit", "100")
AOKVQA = Table(
    Shown(
        "aokvqa",
        "drawn world, as A-OKVQA's Tables 3, 4 and 5",
        {"mc": "MC", "da": "DA"},
        (
            *AOKVQA_NETWORKS, TRANSFERRED, TUNED, *TOLD, "prompted", *WRITTEN, "prompted-captions",
            "prompted-rationale", "prompted-masked",
        ),
    ),
    DATASET,
    knowledge_questions,
    LIMITED,
    encoders,
    others={
        TRANSFERRED: ("train", "vilbert", FOLDER, *OBJECTS, "--epochs", "8"),
        TUNED: ("train", "vilbert", DATASET, *OBJECTS),
        **{
            f"{row}-hidden": ("train", row, DATASET, *LIMITED, *COMMON, "--hidden", "512") for row in HIDDEN
        },
        **{
            row: ("train", "gpv-2", DATASET, *OBJECTS, *HALVES, "--context", context)
            for row, context in TOLD.items()
        },
    },
    after={TUNED: TRANSFERRED},
    split=SPLIT,
    asked={
        "prompted": PROMPTED,
        **dict.fromkeys(WRITTEN, PROMPTED),
        "prompted-captions": (*PROMPTED, "--context", CAPTIONS),
        "prompted-rationale": (*PROMPTED, "--context", "rationale"),
        "prompted-masked": (*PROMPTED, "--context", "masked-rationale"),
    },
)

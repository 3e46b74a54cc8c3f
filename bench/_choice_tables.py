"""Tables of networks that choose among four: VCR's and PMR's, on drawn worlds."""

from __future__ import annotations

from collections.abc import Callable

from _results import Shown
from _rows import COMMON, HALVES, LIMIT, Place, Row, Table

EYES, WORLD, PREMISES = ("eyes", 6000, 11, "cric"), ("vcr", 10_000, 12, "vcr"), ("pmr", 10_000, 13, "pmr")
"""Folder, scenes, seed and kind: the encoder of objects learns from a world of its own."""
PRE_TRAINED = ("vl-bert", "uniter", "ernie-vil")


def world(place: Place, folder: str, scenes: int, seed: int, kind: str) -> None:
    """Draw one."""
    place.prepare(folder, "world", "make", "--scenes", str(scenes), "--seed", str(seed), "--kind", kind)


def eyes(place: Place) -> None:
    """An encoder of objects."""
    world(place, *EYES)
    seen = ("eyes/raw/scene_graphs.json", "--images", "eyes/raw/images", "--threads", "1")
    place.prepare("regions", "train-regions", *seen)


def matched(place: Place) -> None:
    """VCR's questions with wrong choices by Adversarial Matching."""
    eyes(place)
    world(place, *WORLD)
    raw = ("vcr/raw/vcr.jsonl", "--images", "vcr/raw/images", "--lambda-answer", "0.5")
    place.prepare("matched", "build", "match", *raw)


def premises(place: Place) -> None:
    """PMR's, whose wrong choices annotators write."""
    eyes(place)
    world(place, *PREMISES)


def begun(dataset: str, name: str) -> Callable[[Place, Row], tuple[str, ...]]:
    """BERT has read the training texts. Cross-modal transformers are made from it, as in their papers, and
    have had their own pre-training on texts and pictures; they learn to look last, so they take longer."""

    def of(place: Place, row: Row) -> tuple[str, ...]:
        network, text = row.network, ("--text", f"bert:text-{name}")
        if not network.startswith("bert") and network not in PRE_TRAINED:
            return ()
        place.prepare(f"text-{name}", "train-text", "bert", dataset, "--threads", "1", "--epochs", "3")
        if network not in PRE_TRAINED:
            return (*text, *HALVES)
        folder = f"pretrained-{name}-{network}"
        options = (*text, *HALVES, "--regions", "seen:regions", *COMMON, "--epochs", "4")
        place.prepare(folder, "pretrain", network, dataset, *options)
        return (*text, *HALVES, "--weights", folder, "--batch", "8", "--epochs", "12")

    return of


DRAWN = ("--regions", "seen:regions", "--epochs", "8", "--limit", str(LIMIT))
VCR = Table(
    Shown(
        "vcr",
        "drawn world, as VCR's Tables 1 and 2",
        {"q2a": "Q→A", "qa2r": "QA→R", "q2ar": "Q→AR"},
        (
            "lstm", "bert-response-only", "esim", "bert", "revisited-vqa", "bottom-up", "mlb", "mutan", "r2c",
            "r2c-no-query", "r2c-no-reasoning", "r2c-no-vision", "r2c-glove",
        ),
    ),
    "matched",
    matched,
    DRAWN,
    begun("matched", "vcr"),
)
PMR = Table(
    Shown(
        "pmr",
        "drawn world, as PMR's Table 2",
        {"accuracy": "accuracy"},
        ("bert-response-only", "bert", "vl-bert", "uniter", "ernie-vil"),
    ),
    "pmr/pmr",
    premises,
    DRAWN,
    begun("pmr/pmr", "pmr"),
)

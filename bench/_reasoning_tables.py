"""Tables of networks that reason: NLVR's on its real drawings, CRIC's on questions about drawn scenes."""

from __future__ import annotations

import tarfile

from _choice_tables import eyes, world
from _results import Shown, real_folder
from _rows import COMMON, Place, Table


def drawings(place: Place) -> None:
    """NLVR's drawings: trained on its development half alone, since its training half is not at hand."""
    data = real_folder() / "nlvr"
    if not (place.out / "nlvr-images" / "images").is_dir():
        for name in ("dev-images.tar", "test-images.tar"):
            with tarfile.open(data / name) as several:
                several.extractall(place.out / "nlvr-images", filter="data")
    native = (data / "dev.json", data / "test.json", "--images", "nlvr-images")
    place.prepare("nlvr", "convert", "nlvr", *native)
    place.prepare("drawings", "build", "drawings", "nlvr", "--hold-out", "dev")
    place.prepare("recoloured", "build", "drawings", "nlvr", "--hold-out", "dev", "--recolour")
    place.prepare("nlvr-dev", "convert", "nlvr", data / "dev.json", "--images", "nlvr-images")
    place.prepare("shapes", "train-regions", "nlvr-dev", "--epochs", "2", "--pixels", "32", "--threads", "1")


SHAPES = ("--regions", "seen:shapes")
"""Networks over objects see them by an encoder that has learned what shapes of the development half are."""
NLVR = Table(
    Shown(
        "nlvr",
        "real NLVR, trained on dev, tested on test",
        {"accuracy": "accuracy", "consistency": "consistency"},
        (
            "majority", "text-only", "image-only", "cnn-rnn", "maxent", "film", "mac", "n2nmn-cloning",
            "n2nmn-tune", "n2nmn-rl", "cnn-biatt", "cmm", "biatt-objects", "biatt-pointer",
            "biatt-objects-recoloured", "nmn-grammar", "nmn-grammar-recoloured",
            "symbolic-pixels", "symbolic-scenes",
        ),
    ),
    "drawings",
    drawings,
    ("--regions", "pixels:200x50", "--epochs", "8"),
    after={"n2nmn-tune": "n2nmn-cloning"},
    others={
        "biatt-objects": ("train", "biatt-objects", "drawings", *SHAPES, "--epochs", "8", *COMMON),
        "biatt-pointer": ("train", "biatt-pointer", "drawings", *SHAPES, "--epochs", "8", *COMMON),
        "biatt-objects-recoloured": (
            "train", "biatt-objects", "recoloured", *SHAPES, "--epochs", "8", *COMMON,
        ),
        "nmn-grammar": ("train", "nmn-grammar", "drawings", *SHAPES, *COMMON),
        "nmn-grammar-recoloured": (
            "train", "nmn-grammar", "recoloured", *SHAPES, "--epochs", "12", *COMMON,
        ),
        "symbolic-pixels": ("train-symbolic", "drawings", "--sight", "pixels"),
        "symbolic-scenes": ("train-symbolic", "drawings", "--sight", "scenes"),
    },
)  # fmt: skip


def compositional(place: Place) -> None:
    """Questions with programs, of scenes that the encoder of objects has not learned from."""
    eyes(place)
    world(place, "cric", 1500, 14, "cric")
    graphs = ("--scenes", "cric", "--knowledge", FACTS, "--images", "cric/raw/images")
    place.prepare("questions", "build", "questions", *graphs)


FACTS = "cric/raw/knowledge/triples.tsv"
SEEN, KNOWLEDGE = ("--regions", "seen:regions"), ("--knowledge", FACTS)
BESIDES = {"memory-vqa": KNOWLEDGE}
"""Memory-VQA is told what everybody knows. `memory-vqa-untold` is the same network with the same recipe that
reads none: Bottom-Up joins question and objects otherwise, and so cannot tell what facts are worth."""
CRIC = Table(
    Shown(
        "cric",
        "drawn world, as CRIC's Table 2",
        {
            "answer_kind=verify/answer": "verify Ans",
            "answer_kind=verify/grounding": "verify Grd",
            "answer_kind=recognize/answer": "recognize Ans",
            "answer_kind=recognize/grounding": "recognize Grd",
            "answer": "Ans",
            "grounding": "Grd",
            "final": "Final",
        },
        (
            "question-only", "image-only", "san", "bottom-up-named", "bottom-up-att", "mac-objects", "nmn-cs",
            "nmn-cs-gt", "memory-vqa", "memory-vqa-untold", "memory-vqa-att", "vilbert-named", "vilbert-att",
            "symbolic",
        ),
    ),
    "questions",
    compositional,
    SEEN,
    others={
        "image-only": ("train", "image-only", "questions", *COMMON, "--epochs", "4"),
        "memory-vqa-untold": ("train", "memory-vqa", "questions", *SEEN, *COMMON, *KNOWLEDGE, "--facts", "0"),
        "symbolic": ("train-symbolic", "questions", *SEEN, *KNOWLEDGE),
    },
    begin=lambda _, row: BESIDES.get(row.network.removesuffix("-att").removesuffix("-named"), ()),
)


def unheard(place: Place) -> None:
    """The same scenes, with questions in the test whose knowledge no training question speaks of."""
    compositional(place)
    graphs = ("--scenes", "cric", "--knowledge", FACTS, "--images", "cric/raw/images")
    place.prepare("questions-new", "build", "questions", *graphs, "--new-knowledge", "0.3")


NEW_FACTS = Table(
    Shown(
        "knowledge",
        "drawn world, knowledge of which no training question speaks",
        {
            "knowledge=new/answer": "new Ans",
            "knowledge=new/grounding": "new Grd",
            "knowledge=new/final": "new Final",
            "knowledge=known/answer": "known Ans",
            "knowledge=known/grounding": "known Grd",
            "knowledge=known/final": "known Final",
        },
        ("memory-vqa-untold", "memory-vqa", "memory-vqa-att-untold", "memory-vqa-att"),
    ),
    "questions-new",
    unheard,
    (*SEEN, *KNOWLEDGE),
    others={
        f"{network}-untold": ("train", network, "questions-new", *SEEN, *COMMON, *KNOWLEDGE, "--facts", "0")
        for network in ("memory-vqa", "memory-vqa-att")
    },
)
MODULES = Shown(
    "modules",
    "drawn world, as CRIC's Table 3",
    {
        "functions": "functions",
        "layouts": "layouts",
        "Find": "Find",
        "Relate": "Relate",
        "Find_Hypernym": "Find_Hypernym",
        "Find_KG": "Find_KG",
        "And": "And",
        "Recognition": "Recognition",
    },
    ("nmn-cs", "nmn-cs-gt"),
)
"""Rows of CRIC's whose parts are judged as well: predicted layouts, and modules that are given the truth."""

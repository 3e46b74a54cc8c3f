"""Training a small CLIP on captions and pictures: of scene graphs, or of a dataset.

    <out>/config.json, model.safetensors, tokenizer…   the model, as save_pretrained writes any
    <out>/training/                                    what it is trained on, checkpoints
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec import Struct, structs

from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.graph.captions import captions
from commonsight.graph.readers import open_scenes
from commonsight.models.engine import checkpoint
from commonsight.models.engine.loop import Training, Unwatched, Watch
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.state import State
from commonsight.models.engine.team import Team, refuse_several
from commonsight.models.features.index import digest_of, digest_of_all
from commonsight.models.keeping import Told
from commonsight.models.libraries import seeded
from commonsight.models.progress import silent
from commonsight.models.regions.learning import parted
from commonsight.models.wholes.clip_learning import (
    COMPARED,
    RECIPE,
    Captioned,
    LearningClip,
    PairSource,
    Shape,
    refuse_few,
    shown,
    told_apart,
    untrained_clip,
)
from commonsight.store.dataset import is_dataset, read_dataset, read_info
from commonsight.store.documents import read_document, write_document

TRAINING, ABOUT = "training", "clip.json"
CAPTIONS = 8
"""Captions that are made of a scene graph."""
_TESTS = "test"


class ClipPlan(NamedTuple):
    """What to learn from."""

    source: Path
    images: Path | None = None
    shape: Shape = Shape()
    captions: int = CAPTIONS
    epochs: int | None = None
    seed: int = 0
    device: str | None = None


class About(Struct, frozen=True):
    """What the weights depend on."""

    shape: Shape
    recipe: Recipe
    seed: int
    learned: str
    """What stands for its pictures and captions."""


class Clipped(NamedTuple):
    """What came of it."""

    state: State
    pictures: int
    captions: int
    judged: int
    compared: int
    """Captions that each held-out picture's own was told from, itself included."""


class _Parts(NamedTuple):
    learned: list[Captioned]
    judged: list[Captioned]


def train_clip(
    plan: ClipPlan, out: Path, *, told: Told = lambda _: silent, watch: Callable[[], Watch] = Unwatched
) -> Clipped:
    """Learn which caption is which picture's; a folder that was begun is gone on with."""
    refuse_several("train-clip")
    learned, judged = _captioned(plan)
    refuse_few(learned, judged, plan.source)
    recipe = RECIPE if plan.epochs is None else structs.replace(RECIPE, epochs=plan.epochs)
    with seeded(plan.seed):
        model, cut = untrained_clip([text for one in learned for text in one.captions], plan.shape)
    folder = plan.images or plan.source
    own, others = (
        PairSource(
            shown(some, folder, cut, plan.shape, progress=told("looking at pictures")),
            padding=cut.pad_token_id,
            seed=plan.seed,
        )
        for some in (learned, judged)
    )
    told_of = digest_of_all(digest_of((one.picture, *one.captions)) for one in learned)
    _begin(out / TRAINING, About(plan.shape, recipe, plan.seed, told_of))
    network = LearningClip(model)
    state = Training(
        network,
        own,
        told_apart(others),
        recipe,
        out / TRAINING,
        seed=plan.seed,
        watch=watch(),
        team=Team(plan.device),
    ).run()
    best = out / TRAINING / checkpoint.BEST
    checkpoint.restore(network, checkpoint.weights(best), best)
    _save(out, model, cut)
    texts = sum(len(one.captions) for one in learned)
    return Clipped(state, len(learned), texts, len(judged), min(COMPARED, len(judged)))


def _captioned(plan: ClipPlan) -> _Parts:
    if is_dataset(plan.source):
        return _of_dataset(plan)
    if plan.images is None:
        raise UsageError("--images is missing: where are the pictures of these scene graphs?")
    parts = parted(open_scenes(plan.source))
    return _Parts(
        *(
            [
                Captioned(scene.stored or scene.image, texts)
                for scene in part
                if (texts := captions(scene, plan.captions, seed=plan.seed))
            ]
            for part in parts
        )
    )


def _of_dataset(plan: ClipPlan) -> _Parts:
    """By its splits: tests are left alone, `val` or `dev` is judged by, and all others are learned from."""
    info = read_info(plan.source)
    assert info is not None  # it is a dataset
    parts = _Parts([], [])
    for split in info.splits:
        if not split.startswith(_TESTS):
            found = _of_items(read_dataset(plan.source, split=split), plan)
            (parts.judged if split in ("val", "dev") else parts.learned).extend(found)
    return parts


def _of_items(items: Iterable[Item], plan: ClipPlan) -> list[Captioned]:
    """What a picture's graph says of it, and what people gave as reasons: both tell what is to be seen."""
    found: dict[str, dict[str, None]] = {}
    for item in items:
        for scene in item.scenes[:1]:
            if scene.stored is None:
                continue
            texts = found.setdefault(scene.stored, {})
            texts.update(dict.fromkeys(captions(scene, plan.captions, seed=plan.seed)))
            if item.rationale_gold is None:  # else most of them are wrong
                texts.update(dict.fromkeys(text.with_names(scene.labels) for text in item.rationales))
    return [Captioned(picture, tuple(texts)) for picture, texts in found.items() if texts]


def _begin(folder: Path, about: About) -> None:
    remedy = "Give a folder that `commonsight train-clip` wrote."
    if not (folder / ABOUT).is_file():
        write_document(folder / ABOUT, about)
    elif read_document(folder / ABOUT, About, remedy=remedy) != about:
        raise UsageError(
            f"{folder.parent} holds a CLIP that was begun otherwise. Choose another folder, or go on with "
            "the same pictures and options."
        )


def _save(out: Path, model: object, cut: object) -> None:
    """As any CLIP is saved; its config comes last, by which a folder is known to hold a model."""
    with TemporaryDirectory(dir=out, prefix=".saving-") as beside:
        model.save_pretrained(beside)  # type: ignore[attr-defined]
        cut.save_pretrained(beside)  # type: ignore[attr-defined]
        for path in sorted(Path(beside).iterdir(), key=lambda one: one.name == "config.json"):
            path.replace(out / path.name)

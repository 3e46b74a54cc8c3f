"""Training a region encoder on scene graphs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from commonsight.errors import UsageError
from commonsight.graph.readers import open_scenes
from commonsight.models.engine.loop import Training, Unwatched, Watch
from commonsight.models.engine.state import State
from commonsight.models.engine.team import Team
from commonsight.models.keeping import Told
from commonsight.models.libraries import seeded
from commonsight.models.progress import silent
from commonsight.models.regions import learning
from commonsight.models.regions.learning import About, Looking, LookSource, looked_at, parted, targets_of
from commonsight.store.dataset import is_dataset


class LookingPlan(NamedTuple):
    """What to learn from."""

    scenes: Path
    images: Path | None
    dim: int = 128
    size: int = 64
    epochs: int | None = None
    seed: int = 0
    device: str | None = None
    without: tuple[str, ...] = learning.PLACES
    """Relations that are not learned."""


class Looked(NamedTuple):
    """What came of it."""

    state: State
    targets: int
    objects: int


def train_regions(
    plan: LookingPlan, out: Path, *, told: Told = lambda _: silent, watch: Callable[[], Watch] = Unwatched
) -> Looked:
    """Learn what objects are, are like and do; a folder that was begun is gone on with."""
    team = Team(plan.device)
    images = plan.images or (plan.scenes if is_dataset(plan.scenes) else None)
    if images is None:
        raise UsageError("--images is missing: where are the pictures of these scene graphs?")
    learned, judged = parted(open_scenes(plan.scenes, boxes_required=True))
    if not learned or not judged:
        raise UsageError(f"{plan.scenes}: at least ten scenes are needed, to learn from and to judge by.")
    cut = partial(looked_at, images=images, size=plan.size, without=frozenset(plan.without))
    own = cut(learned, progress=told("cutting out objects"))
    others = cut(judged, progress=told("cutting out others to judge by"))
    recipe = learning.RECIPE
    if plan.epochs is not None:
        recipe = structs.replace(recipe, epochs=plan.epochs)
    about = About(targets_of(own), plan.dim, plan.size, recipe=recipe, seed=plan.seed)
    with team.first_before_others():
        learning.ABOUT.begin(out, about, holds="an encoder", learned="scenes")
    with seeded(plan.seed):
        network = Looking(about)
    training = Training(
        network,
        LookSource(own, about.targets),
        learning.told_right(LookSource(others, about.targets)),
        recipe,
        out,
        seed=plan.seed,
        watch=watch() if team.first else Unwatched(),
        team=team,
    )
    return Looked(training.run(), len(about.targets), len(own.targets))

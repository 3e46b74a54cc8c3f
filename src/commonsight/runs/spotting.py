"""Training a detector on scene graphs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from commonsight.errors import UsageError
from commonsight.graph.readers import open_scenes
from commonsight.models.detection import learning
from commonsight.models.detection.export import exported
from commonsight.models.detection.learning import (
    About,
    Detecting,
    PictureSource,
    drawn,
    labels_of,
    well_found,
)
from commonsight.models.engine.loop import Training, Unwatched, Watch
from commonsight.models.engine.state import State
from commonsight.models.engine.team import Team
from commonsight.models.libraries import seeded
from commonsight.models.regions.learning import parted
from commonsight.store.atomic import new_file
from commonsight.store.dataset import is_dataset

FILE = "detector.onnx"


class SpottingPlan(NamedTuple):
    """What to learn from."""

    scenes: Path
    images: Path | None
    canvas: tuple[int, int] = learning.CANVAS
    epochs: int | None = None
    seed: int = 0
    device: str | None = None
    without: tuple[str, ...] = learning.WORN
    """Objects of these relations are not learned."""
    judged: int = learning.JUDGED
    """Scenes that weights are chosen by, at most."""


class Spotted(NamedTuple):
    """What came of it."""

    state: State
    labels: int
    pictures: int
    file: Path
    """The detector for whoever runs it."""


def train_detector(plan: SpottingPlan, out: Path, *, watch: Callable[[], Watch] = Unwatched) -> Spotted:
    """Learn to find objects; a folder that was begun is gone on with."""
    team = Team(plan.device)
    images = plan.images or (plan.scenes if is_dataset(plan.scenes) else None)
    if images is None:
        raise UsageError("--images is missing: where are the pictures of these scene graphs?")
    parts = parted(open_scenes(plan.scenes, boxes_required=True))
    learned = [drawn(scene, plan.without) for scene in parts.learned]
    judged = [drawn(scene, plan.without) for scene in parts.judged[: plan.judged]]
    if not learned or not judged:
        raise UsageError(f"{plan.scenes}: at least ten scenes are needed, to learn from and to judge by.")
    recipe = learning.with_epochs(learning.RECIPE, plan.epochs)
    about = About(labels_of(learned), plan.canvas, recipe=recipe, seed=plan.seed)
    with team.first_before_others():
        learning.ABOUT.begin(out, about, holds="a detector", learned="scenes")
    with seeded(plan.seed):
        network = Detecting(about)
    training = Training(
        network,
        PictureSource(learned, images, about.labels, about.canvas),
        well_found(PictureSource(judged, images, about.labels, about.canvas)),
        recipe,
        out,
        seed=plan.seed,
        watch=watch() if team.first else Unwatched(),
        team=team,
    )
    state = training.run()
    file = out / FILE
    if team.first:
        with new_file(file) as beside:
            beside.write_bytes(exported(learning.trained(out), about.labels, about.canvas))
    return Spotted(state, len(about.labels), len(learned), file)

"""Training a network on a dataset: one network for each task, as the VCR paper does.

    <out>/training.json      what is trained on what; a second `train` into the folder goes on with it
    <out>/<task>/            network.json, best.safetensors, checkpoints/, logs/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, structs

from commonsight import __version__
from commonsight.core.benchmark import Task
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.models import transformers_from
from commonsight.models.assembly import Assembled, assembled, parameters, size_of
from commonsight.models.blueprint import Blueprint, SizeName, save_blueprint
from commonsight.models.catalogue import find
from commonsight.models.catalogue_entry import Entry
from commonsight.models.engine.evaluate import accuracy
from commonsight.models.engine.logs import EventLog
from commonsight.models.engine.loop import EVERY, Training, Watch
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.state import State
from commonsight.models.engine.team import Team
from commonsight.models.features.examples import Example
from commonsight.models.features.source import refuse_unlabelled
from commonsight.models.features.vocabulary import Vocabularies, known_share, vocabularies
from commonsight.models.keeping import Told
from commonsight.models.progress import silent
from commonsight.runs.lessons import Lessons, examples, feature_folder, lessons
from commonsight.store.atomic import new_file
from commonsight.store.dataset import read_info

FILE = "training.json"
KNOWN = 0.05
"""A share of known validation words below which something must be wrong with the data."""


class TrainingPlan(Struct, frozen=True):
    """Everything that the trained weights depend on."""

    network: str
    dataset: str
    sources: dict[str, str]
    """The dataset's splits and their hashes."""
    tasks: tuple[str, ...]
    size: SizeName = "small"
    text: str = "learned"
    regions: str = "crops"
    recipe: Recipe = Recipe()
    seed: int = 0
    train: str = "train"
    validate: str = "val"
    only: str | None = None
    limit: int | None = None
    """So many items of the training split, the first ones."""
    commonsight: str = __version__


class Trained(NamedTuple):
    """One task's network."""

    task: str
    folder: Path
    state: State
    parameters: int


class Surroundings(NamedTuple):
    """What does not matter for the weights."""

    features: Path | None = None
    device: str | None = None
    every: float = EVERY
    told: Told = lambda _: silent
    watch: Callable[[Task, Path], Watch] | None = None


def planned(
    network: str, dataset: Path, *, recipe: Mapping[str, Any], tasks: tuple[str, ...] = (), **options: Any
) -> TrainingPlan:
    """The plan that a person's options make; what is not said is as the catalogue has it."""
    entry = find(network)
    size = size_of(entry, options.get("size", "small"))
    given = lessons(dataset, tasks, options.get("only"))
    info = read_info(dataset)
    assert info is not None  # `lessons` read it
    plan = TrainingPlan(
        network,
        str(dataset.resolve()),
        {},
        tuple(task.name for task in given.tasks),
        recipe=structs.replace(size.recipe, **recipe),
        **options,
    )
    missing = [split for split in (plan.train, plan.validate) if split not in info.splits]
    if missing:
        raise UsageError(
            f"{dataset}: there is no split '{missing[0]}'. It has: {', '.join(info.splits)}. "
            "Name others with --train-split and --val-split."
        )
    used = {split: info.splits[split].sha256 for split in (plan.train, plan.validate)}
    return structs.replace(plan, sources=used)


def train(plan: TrainingPlan, out: Path, around: Surroundings = Surroundings()) -> list[Trained]:  # noqa: B008
    """Train a network for each task of the plan; what was trained before is gone on with."""
    entry = find(plan.network)
    if not entry.learns:
        raise UsageError(f"{entry.title} has nothing to learn. Leave it to `commonsight predict`.")
    given = lessons(Path(plan.dataset), plan.tasks, plan.only)
    _begin(out, plan)
    items = {
        plan.train: given.items(plan.train)[: plan.limit],
        plan.validate: given.items(plan.validate),
    }
    return [_task(plan, entry, given, task, items, out / task.name, around) for task in given.tasks]


def _begin(out: Path, plan: TrainingPlan) -> None:
    path = out / FILE
    if path.is_file():
        before = read_training(out)
        differing = [
            name
            for name in plan.__struct_fields__
            if name != "commonsight" and getattr(before, name) != getattr(plan, name)
        ]
        if differing:
            raise UsageError(
                f"{out} holds a training that was begun otherwise ({', '.join(differing)}). "
                "Choose another folder, or go on with the same options."
            )
        return
    with new_file(path) as beside:
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n")


def read_training(folder: Path) -> TrainingPlan:
    """What a folder's networks were trained on."""
    path = folder / FILE
    remedy = "Give a folder that `commonsight train` wrote."
    if not path.is_file():
        raise InputError(f"{folder}: there is no training here (no {FILE}). {remedy}")
    try:
        return msgspec.json.decode(path.read_bytes(), type=TrainingPlan)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: this cannot be read ({error}). {remedy}") from error


def _task(
    plan: TrainingPlan,
    entry: Entry,
    given: Lessons,
    task: Task,
    items: Mapping[str, list[Item]],
    folder: Path,
    around: Surroundings,
) -> Trained:
    learned = examples(entry, map(task.ask, _askable(items[plan.train], given)))
    judged = examples(entry, map(task.ask, _askable(items[plan.validate], given)))
    refuse_unlabelled(learned, "train on")
    refuse_unlabelled(judged, "choose the best weights by")
    known = vocabularies(learned)
    _refuse_unknown(known, judged)
    built = assembled(
        Blueprint(plan.network, plan.size, plan.text, plan.regions, known), seed=plan.seed, examples=learned
    )
    _keep(folder, built)
    every = [item for several in items.values() for item in several]
    where = given.keeping(
        around.features or feature_folder(), every, (plan.train, plan.validate), told=around.told
    )
    together = [*learned, *judged]
    judge = accuracy(built.source(judged, where, together), 2 * plan.recipe.batch)
    team = Team(around.device)
    watch = EventLog(folder / "logs", None if around.watch is None else around.watch(task, folder))
    training = Training(
        built.network, built.source(learned, where, together), judge, plan.recipe, folder,
        seed=plan.seed, watch=watch, team=team, every=around.every,
    )  # fmt: skip
    try:
        return Trained(task.name, folder, training.run(), parameters(built.network))
    finally:
        watch.close()


def _askable(items: list[Item], given: Lessons) -> list[Item]:
    """Items with labels; those without cannot be learned from, nor asked about what builds on an answer."""
    return [item for item in items if given.benchmark.scoring.labelled(item)]


def _keep(folder: Path, built: Assembled) -> None:
    """Say what the weights will be of, before there are any."""
    names = {} if built.words is None else {"text": built.words.name}
    names |= {} if built.sight is None else {"regions": built.sight.name}
    if built.transformer is not None:
        names["text"] = built.transformer.name
        transformers_from.keep(folder, built.transformer)
    save_blueprint(folder, structs.replace(built.blueprint, names=names))


def _refuse_unknown(known: Vocabularies, judged: list[Example]) -> None:
    texts = (text.words for one in judged for text in (one.query, *one.responses))
    share = known_share(texts, known.words)
    if share < KNOWN:
        raise InputError(
            f"Only {100 * share:.1f} % of the words to choose the best weights by occur in the training "
            "split, so nothing learned there could help. Are the splits of one dataset, in one language?"
        )

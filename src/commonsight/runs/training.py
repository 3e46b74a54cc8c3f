"""Training a network on a dataset: one network for each task, as the VCR paper does.

    <out>/training.json      what is trained on what; a second `train` into the folder goes on with it
    <out>/<task>/            network.json, best.safetensors, checkpoints/, logs/

What has nothing to learn, such as always saying what is most common, is only network.json.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, structs

from commonsight import __version__
from commonsight.core.benchmark import Task
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.models import transformers_from
from commonsight.models.assembly import Assembled, parameters, size_of
from commonsight.models.blueprint import Blueprint, SizeName, is_blueprint, read_blueprint, save_blueprint
from commonsight.models.catalogue import find
from commonsight.models.catalogue_entry import Entry
from commonsight.models.engine.checkpoint import is_begun
from commonsight.models.engine.evaluate import accuracy
from commonsight.models.engine.logs import EventLog
from commonsight.models.engine.loop import EVERY, Judge, Training, Unwatched, Watch
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.state import State
from commonsight.models.engine.team import Team
from commonsight.models.eyes import reads_outlines
from commonsight.models.features.examples import Example
from commonsight.models.features.source import Source
from commonsight.models.features.vocabulary import Vocabularies, numbered, vocabularies
from commonsight.models.keeping import Told
from commonsight.models.progress import silent
from commonsight.models.writing.evaluating import judged
from commonsight.models.writing.examples import to_learn
from commonsight.runs.captions import captions_told, checked_captions
from commonsight.runs.contexts import checked_context, told_beside
from commonsight.runs.knowing import MOST, Known, checked, graph_told, hashes, known, with_graph
from commonsight.runs.labels import labelled
from commonsight.runs.layouts import layouts_told
from commonsight.runs.lessons import Lessons, examples, executable, lessons, set_aside_told
from commonsight.runs.starting import Start, beginning, hidden, starts, ways
from commonsight.runs.unknown_words import refuse_unknown
from commonsight.runs.vocabulary import answerable, checked_vocabulary, left_out, with_answers
from commonsight.store.dataset import read_info
from commonsight.store.documents import read_document, write_document

FILE = "training.json"
NOTHING_TO_LEARN = "there is nothing to learn"
"""Why the training of a network without weights has ended before it began."""
_OF_NO_MATTER = ("dataset", "start", "vocabulary", "context", "captions", "commonsight")
"""A dataset may move, and so may weights, vocabularies and contexts: they are known by their content."""


class TrainingPlan(Struct, frozen=True):
    """Everything that the trained weights depend on."""

    network: str
    benchmark: str
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
    start: str | None = None
    """Where weights to begin with were; without them everything begins from nothing."""
    weights: dict[str, str] = {}
    """The hashes of those, for each network."""
    knowledge: tuple[str, ...] = ()
    """Files of facts, for networks that read any; `sources` has their hashes."""
    facts: int = MOST
    """How many of them a question is given at most."""
    vocabulary: str | None = None
    """A file of answers to name; `sources` has its hash. Without one, as the network's rule has it."""
    hidden: int | None = None
    """How wide a hidden layer is put between vectors and answers, if one is."""
    context: str | None = None
    """What stands beside each question: an oracle's name, or a file; `sources` says which."""
    captions: tuple[str, ...] = ()
    """Files of captions, where those are learned; `sources` has their hashes."""
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
    said: Callable[[str], None] = lambda _: None
    """Told, in words, what was taken over where a network begins with weights, and how layouts were made."""
    watch: Callable[[Task], Watch] = lambda _: Unwatched()


class _Work(NamedTuple):
    """What all tasks share."""

    plan: TrainingPlan
    given: Lessons
    learned: list[Item]
    judged: list[Item]
    out: Path
    around: Surroundings
    team: Team
    starts: dict[str, Start]
    known: Known | None = None

    def source(self, built: Assembled, asked: list[Example], items: list[Item]) -> Source:
        """Questions about these items as a network reads them."""
        return built.source(asked, self.given.keeping(self.around.features, items, told=self.around.told))


class _Ready(NamedTuple):
    """One task's questions."""

    task: Task
    learned: list[Example]
    judged: list[Example]
    known: Vocabularies


def planned(
    network: str, dataset: Path, *, recipe: Mapping[str, Any], tasks: Sequence[str] = (), **options: Any
) -> TrainingPlan:
    """The plan that a person's options make; what is not said is as the catalogue has it."""
    entry = find(network)
    if not entry.learns and options.get("weights") is not None:
        raise UsageError(f"{entry.title} has no weights to begin with. Leave --weights out.")
    size = size_of(entry, options.get("size", "small"))
    given = lessons(dataset, tasks, options.get("only"), entry=entry)
    files = checked(entry, [Path(path).resolve() for path in options.get("knowledge", ())])
    options["context"] = checked_context(options.get("context"))
    options["captions"] = checked_captions([Path(path) for path in options.get("captions", ())], tasks)
    networks = options.pop("networks", None) or [task.name for task in given.tasks]
    told = options | _begun(entry, options, networks) | {"knowledge": tuple(map(str, files))}
    answers = options.get("vocabulary")
    named = checked_vocabulary(entry, None if answers is None else Path(answers))
    told |= {"vocabulary": None if answers is None else str(Path(answers).resolve())}
    info = read_info(dataset)
    assert info is not None  # `lessons` read it
    plan = TrainingPlan(
        network,
        given.benchmark.name,
        str(dataset.resolve()),
        {},
        tuple(task.name for task in given.tasks),
        recipe=structs.replace(size.recipe, **recipe),
        **told,
    )
    missing = [split for split in (plan.train, plan.validate) if split not in info.splits]
    if missing:
        raise UsageError(
            f"{dataset}: there is no split '{missing[0]}'. It has: {', '.join(info.splits)}. "
            "Name others with --train-split and --val-split."
        )
    used = {split: info.splits[split].sha256 for split in (plan.train, plan.validate)} | hashes(files) | named
    return structs.replace(plan, sources=used | told_beside(plan.context) | captions_told(plan.captions))


def _begun(entry: Entry, options: Mapping[str, Any], networks: Sequence[str]) -> dict[str, Any]:
    """What a network begins with, and so how it reads and sees."""
    start = None if options.get("weights") is None else str(Path(options["weights"]).resolve())
    begun = starts(start, networks)
    first = next(iter(begun.values()), None)
    text, regions = (_in_full(options.get(name)) for name in ("text", "regions"))
    read = ways(entry, options.get("size", "small"), first, text=text, regions=regions)
    told = {"text": read.text, "regions": read.regions, "hidden": hidden(entry, first, options.get("hidden"))}
    return told | {"start": start, "weights": {name: one.digest for name, one in begun.items()}}


def _in_full(way: str | None) -> str | None:
    """`seen:FOLDER` with the whole path, since training may go on, and be used, from anywhere."""
    if way is None:
        return None
    kind, _, place = way.partition(":")
    return f"{kind}:{Path(place).resolve()}" if place and Path(place).exists() else way


def train(plan: TrainingPlan, out: Path, around: Surroundings = Surroundings()) -> list[Trained]:  # noqa: B008
    """Train a network for each task of the plan; what was trained before is gone on with."""
    outlines, entry = reads_outlines(plan.regions), find(plan.network)
    given = lessons(
        Path(plan.dataset), plan.tasks, plan.only, outlines=outlines, entry=entry, context=plan.context,
        captions=plan.captions,
    )  # fmt: skip
    refuse_others(out, plan, read_training)
    learned, judged = given.items(plan.train)[: plan.limit], given.items(plan.validate)
    begun, facts = starts(plan.start, plan.tasks), known(entry, plan.knowledge, plan.facts)
    work = _Work(plan, given, learned, judged, out, around, Team(around.device), begun, facts)
    ready = [_ready(work, task) for task in given.tasks]  # what is wrong with the last is told at first
    return [_train(work, one) for one in ready]


def refuse_others(
    out: Path, plan: TrainingPlan, read: Callable[[Path], TrainingPlan], file: str = FILE
) -> None:
    """A folder goes on with what was begun in it, and with nothing else."""
    if not (out / file).is_file():
        return
    before, now = _options(read(out)), _options(plan)
    differing = [f"{name} was {before[name]}, now {now[name]}" for name in now if before[name] != now[name]]
    if differing:
        raise UsageError(
            f"{out} holds a training that was begun otherwise ({'; '.join(differing)}). "
            "Choose another folder, or go on with the same options."
        )


def _options(plan: TrainingPlan) -> dict[str, Any]:
    told = msgspec.to_builtins(plan)
    told |= {f"recipe {name}": value for name, value in told.pop("recipe").items()}
    return {name: value for name, value in told.items() if name not in _OF_NO_MATTER}


def read_training(folder: Path) -> TrainingPlan:
    """What a folder's networks were trained on."""
    remedy = "Give a folder that `commonsight train` wrote."
    if not (folder / FILE).is_file():
        raise InputError(f"{folder}: there is no training here (no {FILE}). {remedy}")
    return read_document(folder / FILE, TrainingPlan, remedy=remedy)


def _ready(work: _Work, task: Task) -> _Ready:
    entry = find(work.plan.network)
    learned, judged, aside = _asked(work, task, entry)
    words = vocabularies(learned, counting=entry.counts, programs=entry.programs)
    begun = work.starts.get(task.name)
    words = with_answers(words, entry, work.plan.vocabulary, work.learned)
    words = with_graph(entry, words, work.known, learned)
    words = words if begun is None else begun.known(words)
    if entry.counts is not None:
        refuse_signless(entry, words)
    refuse_unknown(entry, work.plan.text, words, judged)
    several = work.plan.recipe.loss != "one"
    asked, judged = (numbered(some, words.answers, several=several) for some in (learned, judged))
    learned = answerable(asked, work.plan.recipe.loss) if entry.names and entry.learns else asked
    told = (
        aside,
        left_out(len(asked), len(learned), len(words.answers)),
        None if entry.layouts is None else layouts_told(entry.layouts, learned),
        graph_told(words) if entry.graph else None,
    )
    for line in filter(None, told if work.team.first else ()):
        work.around.said(f"{task.name}: {line}")
    return _Ready(task, learned, judged, words)


class _Asked(NamedTuple):
    """What a network is given to learn and to be judged by, and what is told of programs set aside."""

    learned: list[Example]
    judged: list[Example]
    aside: str | None


def _asked(work: _Work, task: Task, entry: Entry) -> _Asked:
    learned = examples(entry, labelled(task, work.learned, "train on"), work.known)
    if entry.writes is not None:
        learned = [one for example in learned for one in to_learn(example)]
    if entry.programs:
        refuse_without_programs(entry, learned)
    judged = examples(entry, labelled(task, work.judged, "choose the best weights by"), work.known)
    aside = set_aside_told([*learned, *judged])
    return _Asked(executable(entry, learned), executable(entry, judged), aside)


def _train(work: _Work, ready: _Ready) -> Trained:
    plan, folder = work.plan, work.out / ready.task.name
    facts = "" if work.known is None else work.known.facts.name
    blueprint = Blueprint(
        plan.network,
        plan.size,
        plan.text,
        plan.regions,
        ready.known,
        knowledge=plan.knowledge,
        facts=facts,
        hidden=plan.hidden,
    )
    begun = work.starts.get(ready.task.name)
    built = beginning(begun, blueprint, seed=plan.seed, examples=ready.learned)
    if begun is not None and not is_begun(folder):
        _take(begun, built, ready.task.name, work)
    with work.team.first_before_others():
        train = work.source(built, ready.learned, work.learned)
        validate = work.source(built, ready.judged, work.judged)
        _keep(work, folder, built)
    judge = _judge(ready.task, built, validate, 2 * plan.recipe.batch)
    if not find(plan.network).learns:  # all that there is to know is in its blueprint
        state = State(best=judge(built.network, work.team), finished=NOTHING_TO_LEARN)
        return Trained(ready.task.name, folder, state, 0)
    log = EventLog(folder / "logs", work.around.watch(ready.task)) if work.team.first else None
    training = Training(
        built.network,
        train,
        judge,
        plan.recipe,
        folder,
        seed=plan.seed,
        watch=log or Unwatched(),
        team=work.team,
        every=work.around.every,
    )
    try:
        return Trained(ready.task.name, folder, training.run(), parameters(built.network))
    finally:
        if log is not None:
            log.close()


def _judge(task: Task, built: Assembled, validate: Source, size: int) -> Judge:
    """Whoever says how good a network is: by its scores, or by what it writes."""
    entry = find(built.blueprint.network)
    if entry.writes is None:
        return accuracy(validate, size, drawn=entry.drawn)
    assert built.transformer is not None  # it writes with that
    return judged(task.name, validate, size, entry.writes.decoding(task.name), built.transformer.tokenizer)


def _take(begun: Start, built: Assembled, name: str, work: _Work) -> None:
    told = begun.take(built)
    if work.team.first:
        work.around.said(f"{name}: {told}")


def _keep(work: _Work, folder: Path, built: Assembled) -> None:
    """Say what the weights will be of, before there are any; what was begun must be the same.

    Only now: whatever was wrong until here leaves a folder that can be begun with other options.
    """
    if not (work.out / FILE).is_file():
        write_document(work.out / FILE, work.plan)
    blueprint = structs.replace(built.blueprint, names=built.names)
    if is_blueprint(folder):
        if read_blueprint(folder) != blueprint:
            raise UsageError(
                f"{folder} holds a network that was begun with other words, or other encoders. "
                "Choose another folder."
            )
        return
    if built.transformer is not None:
        transformers_from.keep(folder, built.transformer)
    save_blueprint(folder, blueprint)


def refuse_signless(entry: Entry, known: Vocabularies) -> None:
    """Say so where a network that reads signs would have none."""
    if not known.signs.names:
        raise InputError(
            f"{entry.title} compares numbers in sentences with counts of objects, and the training split has "
            "too few of either. Give a dataset whose pictures come with objects, or choose another network."
        )


def refuse_without_programs(entry: Entry, learned: list[Example]) -> None:
    """A network that learns from programs needs some; of those that are set aside it learns the answers."""
    without = [one.item for one in learned if one.program is None]
    if len(without) == len(learned) or any(one.program is None and not one.set_aside for one in learned):
        raise InputError(
            f"{entry.title} learns from programs, and {len(without)} of {len(learned)} questions to train on "
            f"have none that can be read ({', '.join(without[:3])}). Train on a dataset with programs, such "
            "as `commonsight build questions` makes."
        )

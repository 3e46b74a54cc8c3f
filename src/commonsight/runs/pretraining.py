"""Pre-training a network that reads and sees together, on what a dataset says of its pictures.

A text is what an item asks together with its right choice, of every task that has choices: what is true of
the picture. `commonsight train --weights <out>` goes on from here to any task.

    <out>/pretraining.json   what is pre-trained on what; a second `pretrain` into the folder goes on with it
    <out>/network.json, transformer/, best.safetensors, checkpoints/, logs/
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs

from commonsight.errors import InputError, UsageError
from commonsight.models import transformers_from
from commonsight.models.assembly import Assembled
from commonsight.models.blueprint import Blueprint, is_blueprint, read_blueprint, save_blueprint
from commonsight.models.catalogue import find
from commonsight.models.catalogue_entry import Entry
from commonsight.models.engine.checkpoint import BEST, is_begun, restore, weights
from commonsight.models.engine.logs import EventLog
from commonsight.models.engine.loop import Training, Unwatched, Watch
from commonsight.models.engine.state import State
from commonsight.models.engine.team import Team
from commonsight.models.eyes import reads_outlines
from commonsight.models.features.batch import Batch
from commonsight.models.features.buckets import batches
from commonsight.models.features.examples import Example
from commonsight.models.features.source import Source
from commonsight.models.features.vocabulary import Vocabularies, vocabularies
from commonsight.models.libraries import seeded
from commonsight.models.pretraining.judging import HeldOut
from commonsight.models.pretraining.objective import Pretraining
from commonsight.models.pretraining.systems import SMALL, pretraining, read_objectives, system_of
from commonsight.models.states import CrossModal
from commonsight.runs.lessons import Lessons, answered, examples, lessons
from commonsight.runs.starting import Start, beginning, starts
from commonsight.runs.training import Surroundings, TrainingPlan, planned, refuse_others
from commonsight.runs.unknown_words import refuse_unknown
from commonsight.store.documents import read_document, write_document

FILE = "pretraining.json"
NETWORK = "pretraining"
"""What the one network is called where a training has a name for each."""


class PretrainingPlan(TrainingPlan, frozen=True):
    """Everything that the pre-trained weights depend on."""

    objectives: tuple[str, ...] = ()


class Loss(NamedTuple):
    """What an objective loses on texts that were held out."""

    before: float
    after: float
    """With the best weights."""


class Pretrained(NamedTuple):
    """What came of it."""

    state: State
    texts: int
    losses: dict[str, Loss]


class _Texts(NamedTuple):
    """Of one split."""

    asked: list[Example]
    """With all choices: whoever reads them later shall know the words of each."""
    true: list[Example]
    """With the right choice alone."""
    source: Callable[[Assembled], Source]


WatchOf = Callable[[HeldOut], Watch]


def pretraining_planned(
    network: str, dataset: Path, *, recipe: Mapping[str, Any], objectives: str | None = None, **options: Any
) -> PretrainingPlan:
    """The plan that a person's options make; what is not said is as the system's paper has it."""
    system = system_of(network, find(network).title)
    names = system.objectives if objectives is None else read_objectives(objectives)
    numbers = SMALL if options.get("size", "small") == "small" else system.paper
    told = structs.asdict(structs.replace(numbers, **recipe))
    plan = planned(network, dataset, recipe=told, networks=(NETWORK,), **options)
    return PretrainingPlan(**structs.asdict(plan), objectives=names)


def read_pretraining(folder: Path) -> PretrainingPlan:
    """What a folder's network was pre-trained on."""
    remedy = "Give a folder that `commonsight pretrain` wrote."
    if not (folder / FILE).is_file():
        raise InputError(f"{folder}: there is no pre-training here (no {FILE}). {remedy}")
    return read_document(folder / FILE, PretrainingPlan, remedy=remedy)


def pretrain(
    plan: PretrainingPlan,
    out: Path,
    around: Surroundings = Surroundings(),  # noqa: B008
    *,
    watch: WatchOf = lambda _: Unwatched(),
) -> Pretrained:
    """Pre-train the plan's network; a folder that was begun is gone on with."""
    given = lessons(Path(plan.dataset), plan.tasks, plan.only, outlines=reads_outlines(plan.regions))
    refuse_others(out, plan, read_pretraining, FILE)
    entry, team = find(plan.network), Team(around.device)
    learned = _texts(entry, given, around, plan.train, plan.limit)
    judged = _texts(entry, given, around, plan.validate)
    begun = starts(plan.start, (NETWORK,)).get(NETWORK)
    known = vocabularies(learned.asked)
    known = known if begun is None else begun.known(known)
    refuse_unknown(entry, plan.text, known, judged.asked)
    built = _built(plan, known, learned.asked, begun)
    if begun is not None and not is_begun(out):
        told = str(begun.take(built))
        if team.first:
            around.said(told)
    network = _with_objectives(plan, built)
    with team.first_before_others():
        sources = learned.source(built), judged.source(built)
        _keep(out, plan, built)
    judge = HeldOut(_held_out(sources[1], 2 * plan.recipe.batch, team))
    return _trained(plan, out, around, network, sources[0], judge, team, watch)


def _trained(
    plan: PretrainingPlan,
    out: Path,
    around: Surroundings,
    network: Pretraining,
    source: Source,
    judge: HeldOut,
    team: Team,
    watch: WatchOf,
) -> Pretrained:
    log = _log(out, judge, watch) if team.first else None
    training = Training(
        network,
        source,
        judge,
        plan.recipe,
        out,
        seed=plan.seed,
        watch=log or Unwatched(),
        team=team,
        every=around.every,
    )
    try:
        before = judge.losses(network, team)
        state = training.run()
    finally:
        if log is not None:
            log.close()
    restore(network, weights(out / BEST), out / BEST)
    after = judge.losses(network, team)
    return Pretrained(state, len(source), {name: Loss(before[name], after[name]) for name in before})


def _texts(
    entry: Entry, given: Lessons, around: Surroundings, split: str, limit: int | None = None
) -> _Texts:
    items = given.items(split)[:limit]
    asked = examples(entry, answered(given.tasks, items))
    if not asked:
        raise InputError(
            f"{given.dataset}: of no item in split {split} the right choice is known, so nothing there is "
            "known to be true of its picture. Choose a split that has labels."
        )
    true = [_true(one) for one in asked]
    where = given.keeping(around.features, items, told=around.told)
    return _Texts(asked, true, lambda built: built.source(true, where))


def _true(asked: Example) -> Example:
    """What is asked, with the right choice alone."""
    assert asked.gold is not None  # only such were asked for
    return structs.replace(asked, responses=(asked.responses[asked.gold],), gold=0)


def _built(
    plan: PretrainingPlan, known: Vocabularies, asked: Sequence[Example], begun: Start | None
) -> Assembled:
    blueprint = Blueprint(plan.network, plan.size, plan.text, plan.regions, known)
    return beginning(begun, blueprint, seed=plan.seed, examples=list(asked))


def _with_objectives(plan: PretrainingPlan, built: Assembled) -> Pretraining:
    network, made = built.network, built.transformer
    assert made is not None  # such networks read sub-words
    assert isinstance(network, CrossModal)
    one = system_of(plan.network, plan.network).one_a_step
    with seeded(plan.seed):
        return pretraining(
            network, made.tokenizer, len(built.blueprint.known.labels), plan.objectives, one_a_step=one
        )


def _keep(out: Path, plan: PretrainingPlan, built: Assembled) -> None:
    """Say what the weights will be of, before there are any; what was begun must be the same."""
    blueprint = structs.replace(built.blueprint, names=built.names)
    if is_blueprint(out):
        if not (out / FILE).is_file() or read_blueprint(out) != blueprint:
            raise UsageError(
                f"{out} holds a network that was begun otherwise, with other words or other encoders. "
                "Choose another folder."
            )
        return
    write_document(out / FILE, plan)
    assert built.transformer is not None
    transformers_from.keep(out, built.transformer)
    save_blueprint(out, blueprint)


def _held_out(source: Source, size: int, team: Team) -> Callable[[], Iterator[Batch]]:
    """This process's part of all batches, in the same order each time."""
    own = [team.share(numbers) for numbers in batches(source.lengths, size, seed=None)]

    def read() -> Iterator[Batch]:
        with closing(source.ahead([numbers for numbers in own if len(numbers)])) as stream:
            yield from stream

    return read


def _log(out: Path, judge: HeldOut, watch: WatchOf) -> EventLog:
    def losses() -> dict[str, float]:
        return {f"held-out/{name}": loss for name, loss in judge.last.items()}

    return EventLog(out / "logs", watch(judge), more=losses)

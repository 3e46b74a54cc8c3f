"""Trained networks answer a dataset: a run like any other, with what they looked at kept beside it.

    run.json, answers.jsonl, report.*   as of any run
    attention.safetensors               what the networks looked at: one tensor for each question and name
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from commonsight import __version__
from commonsight.core.benchmark import Task
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.models.assembly import Assembled, assembled
from commonsight.models.blueprint import read_blueprint
from commonsight.models.catalogue import find
from commonsight.models.engine.checkpoint import BEST, restore, weights
from commonsight.models.engine.evaluate import Predicted, predictions
from commonsight.models.engine.team import Team, refuse_several
from commonsight.models.eyes import reads_outlines
from commonsight.models.features.examples import Example
from commonsight.models.features.vocabulary import numbered
from commonsight.models.keeping import Told
from commonsight.models.progress import silent
from commonsight.models.writing.style import TOLD, Writes
from commonsight.runs.attention import ATTENTION, Looked, looked_at, save_attention, told_of
from commonsight.runs.choosing import Nearest, nearest
from commonsight.runs.contexts import checked_context, told_beside
from commonsight.runs.elsewhere import tried_elsewhere
from commonsight.runs.knowing import Known, known
from commonsight.runs.layouts import unread_told
from commonsight.runs.lessons import (
    Lessons,
    choosing,
    examples,
    expected,
    lessons,
    refuse_without,
    set_aside_told,
)
from commonsight.runs.put import Put, Voice, along, lines_of, put
from commonsight.runs.rationales import keep_contexts
from commonsight.runs.sessions import keep_session
from commonsight.runs.starting import refuse_other_encoders
from commonsight.runs.summary import RunReport
from commonsight.runs.tally import Tally
from commonsight.runs.training import TrainingPlan, read_training
from commonsight.runs.unknown_words import sampled, unknown_told
from commonsight.runs.writing import how_to_write, texts_of, told_of_writing
from commonsight.runs.written import batched, begin, check_hand_in, hand_in, reported
from commonsight.score.choices import LoadVectors
from commonsight.store.dataset import read_info, sha256
from commonsight.store.runs import RunInfo, RunLog

BATCH = 128
AT_ONCE = 256
"""Answers that are written together."""
NONE = "none"
"""As a context: none, whatever the network was trained with."""
LOOKED = 500
"""Items of which it is kept what a network looked at, unless a person says otherwise."""


class Asked(NamedTuple):
    """What is asked of trained networks."""

    dataset: Path
    split: str
    only: str | None = None
    regions: str | None = None
    """Where the region encoder lies now, if it has moved."""
    text: str | None = None
    attention: int = LOOKED
    native: Path | None = None
    """Where to write the answers as the benchmark's leaderboard wants them."""
    features: Path | None = None
    device: str | None = None
    told: Told = lambda _: silent
    knowledge: tuple[Path, ...] = ()
    """Where the files of facts lie now, if they have moved."""
    vectors: LoadVectors | None = None
    """Of words, to find the choice nearest to a named answer; by default what is installed."""
    context: str | None = None
    """What stands beside each question; by default what the network was trained with."""
    beam: int | None = None
    """How wide texts are looked for, and how long they may be; by default as the network has it."""
    longest: int | None = None
    said: Callable[[str], None] = lambda _: None
    """Told, in words, what people should know of the answers."""


class _Work(NamedTuple):
    """What all tasks share."""

    trained: Path
    plan: TrainingPlan
    given: Lessons
    items: list[Item]
    asked: Asked
    team: Team
    known: Known | None = None
    nearest: Nearest | None = None
    """How a choice is found for what is named, where the network does so."""
    naming: str | None = None
    """The task in which that is named."""
    scored: tuple[Task, ...] = ()
    """Tasks whose choices are scored by a network that learned to name or to write answers."""
    writes: Writes | None = None
    """How texts are written, where the network writes."""
    context: str | None = None
    """What is told beside the questions."""

    @property
    def picked(self) -> tuple[Task, ...]:
        """Tasks that are answered by the nearest choice."""
        return () if self.nearest is None else self.nearest.tasks

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Those that the networks are asked."""
        return (*self.given.tasks, *self.scored)

    @property
    def voice(self) -> Voice:
        """What decides how an answer is written down."""
        return Voice(self.plan.network, self.plan.seed, self.nearest)

    @property
    def shown(self) -> set[str]:
        """The items of which it is kept what was looked at."""
        return {item.id for item in self.items[: self.asked.attention]}


def predict(trained: Path, asked: Asked, out: Path) -> RunReport | None:
    """Answer every question of a split; the report, where the split has labels.

    A run that was stopped is gone on with: what has an answer is not answered twice.
    """
    refuse_several("predict")
    plan = read_training(trained)
    outlines, entry = reads_outlines(plan.regions), find(plan.network)
    context, elsewhere = checked_context(_context(plan, asked)), tried_elsewhere(trained, plan, asked.dataset)
    given = lessons(
        asked.dataset, plan.tasks, asked.only, outlines=outlines, entry=entry, context=context
    )
    how = how_to_write(entry, beam=asked.beam, longest=asked.longest)
    if elsewhere is not None:
        asked.said(f"{trained}: {elsewhere}")
    answers = set(TOLD).isdisjoint(plan.tasks)
    if asked.native is not None:
        if not answers:
            raise UsageError(f"--predictions: {plan.tasks[0]}s are no answers to hand in. Leave it out.")
        check_hand_in(given.benchmark, plan.tasks)
    facts = known(entry, map(str, asked.knowledge or plan.knowledge), plan.facts)
    items, team = given.items(asked.split), Team(asked.device)
    work = _Work(trained, plan, given, items, asked, team, facts, writes=how, context=context)
    networks = {task.name: _network(work, task) for task in given.tasks}
    work = _with_choices(work, networks, choosing(given, entry))
    _check_words(work, networks)
    begin(out, _info(work, networks))
    looked, told = _answered(out, work, networks)
    if looked:
        save_attention(out / ATTENTION, looked, told)
    if not answers:
        keep_contexts(out)
        return None
    report = reported(out, given.benchmark, work.items)
    if asked.native is not None:  # last: whatever is wrong with it, the scores are there
        hand_in(asked.native, out, given.benchmark, work.items)
    return report


def _check_words(work: _Work, networks: dict[str, Assembled]) -> None:
    """Before anything is answered: a network that knows none of the words could only guess."""
    entry = find(work.plan.network)
    for task in work.tasks:
        kept = networks[task.name].blueprint
        asks = (one.ask for one in put(task, sampled(work.items)))
        place = f"{work.asked.dataset}, split {work.asked.split}, task {task.name}"
        told = unknown_told(entry, kept.text, kept.known, examples(entry, asks, work.known), place=place)
        if told is not None:
            work.asked.said(told)


def _network(work: _Work, task: Task) -> Assembled:
    facts = "" if work.known is None else work.known.facts.name
    built = restored(work.trained / task.name, work.plan, work.asked, facts=facts)
    built.network.to(work.team.device)
    return built


def _context(plan: TrainingPlan, asked: Asked) -> str | None:
    """As it was trained, unless a person says otherwise."""
    if asked.context is None:
        return plan.context
    return None if asked.context == NONE else asked.context


def _with_choices(work: _Work, networks: dict[str, Assembled], tasks: tuple[Task, ...]) -> _Work:
    """Choices are put to the first of the networks that learned to answer in words; and one that writes does
    so too where it learned to pick, and picks what is nearest."""
    entry, first = find(work.plan.network), work.items[0]
    naming = next((task for task in work.given.tasks if expected(task, first) == "text"), None)
    if entry.picks == "scored":
        networks |= {} if naming is None else {task.name: networks[naming.name] for task in tasks}
        return work._replace(scored=tasks)
    own = () if entry.writes is None else work.given.tasks
    several = (*(task for task in own if expected(task, first) == "pick"), *tasks)
    if not several:
        return work
    learned = several[0] if naming is None or several[0].name in networks else naming
    return work._replace(
        nearest=_nearest(work, networks[learned.name], several),
        naming=None if naming is None else naming.name,
    )


def _nearest(work: _Work, built: Assembled, tasks: tuple[Task, ...]) -> Nearest:
    """By vectors of the choices' words, and of those that may be named or written."""
    known = built.blueprint.known
    return nearest(tasks, work.items, known.answers or known.words.names, work.asked.vectors)


def restored(folder: Path, plan: TrainingPlan, asked: Asked, *, facts: str = "") -> Assembled:
    """The trained network of one task, with its best weights, and the very encoders and facts that it was
    trained with."""
    kept = read_blueprint(folder)
    now = structs.replace(
        kept, regions=asked.regions or kept.regions, text=asked.text or kept.text, facts=facts
    )
    built = assembled(now, seed=plan.seed, folder=folder)
    refuse_other_encoders(folder, built, kept)
    if find(kept.network).learns:
        restore(built.network, weights(folder / BEST), folder / BEST)
    return built


def _info(work: _Work, networks: dict[str, Assembled]) -> RunInfo:
    entry, plan = find(work.plan.network), work.plan
    info = read_info(work.asked.dataset)
    assert info is not None  # it was read before
    return RunInfo(
        work.given.benchmark.name,
        entry.title,
        info.name,
        tuple(dict.fromkeys((*networks, *(task.name for task in work.picked)))),
        __version__,
        plan.seed,
        {
            "model": entry.title,
            "split": work.asked.split,
            "only": work.asked.only,
            "data": info.splits[work.asked.split].sha256,
            "network": plan.network,
            "size": plan.size,
            "trained_on": plan.sources,
            "weights": {task: sha256(work.trained / task / BEST) for task in plan.tasks if entry.learns},
            "drawn": info.drawn,
        }
        | ({} if work.given.benchmark.name == plan.benchmark else {"trained_for": plan.benchmark})
        | ({} if work.nearest is None else {"choices": work.nearest.told})
        | told_of_writing(work.writes, plan.tasks)
        | told_beside(work.context),
    )


class _Shown(NamedTuple):
    """What is kept for people to see, by name."""

    looked: dict[str, Looked]
    told: dict[str, str]
    """What the facts say that were looked at, and what places are of."""


def _answered(out: Path, work: _Work, networks: dict[str, Assembled]) -> _Shown:
    """Log what the networks say; what they looked at, of some items."""
    kept = _Shown({}, {})
    shown, began, notes = work.shown, time.monotonic(), list[str]()
    with RunLog(out) as log:
        done = log.done()
        tally = Tally(already=len(done))
        for task in work.tasks:
            asked, answers = _put_to(work, task), networks[task.name].blueprint.known.answers
            read = _read(work, networks[task.name], asked)
            notes += filter(None, (set_aside_told(read), unread_told(find(work.plan.network).layouts, read)))
            canvas = getattr(networks[task.name].sight, "canvas", None)
            wanted = [not done.issuperset(one.places()) or _is_shown(one, task, shown) for one in asked]
            for some in batched(_said(work, networks[task.name], asked, read, wanted, task), AT_ONCE):
                lines = (lines_of(work.voice, asked[said.number], said, answers) for said in some)
                new = [line for line in chain.from_iterable(lines) if (line.item, line.task) not in done]
                log.extend(new)
                tally.answered += len(new)
                for said in some:
                    if _is_shown(asked[said.number], task, shown):
                        kept.looked.update(looked_at(said, task.name))
                        kept.told.update(told_of(said, task.name, canvas))
    tally.seconds, tally.notes = time.monotonic() - began, tuple(dict.fromkeys(notes))
    keep_session(out, tally)
    return kept


def _is_shown(one: Put, task: Task, shown: set[str]) -> bool:
    return one.key == task.name and one.ask.item_id in shown


def _read(work: _Work, built: Assembled, asked: list[Put]) -> list[Example]:
    """The questions as the network is given them."""
    entry = find(built.blueprint.network)
    read = examples(entry, (one.ask for one in asked), work.known)
    if entry.executes:
        refuse_without(entry, read)
    return numbered(read, built.blueprint.known.answers)


def _said(
    work: _Work, built: Assembled, asked: list[Put], read: list[Example], wanted: list[bool], task: Task
) -> Iterator[Predicted]:
    """What the network says to each question that is wanted, and to others that are read with them."""
    where = work.given.keeping(work.asked.features, work.items, told=work.asked.told)
    told, total = work.asked.told(f"answering {task.name}"), sum(wanted)
    source, scored = built.source(read, where), find(built.blueprint.network).picks == "scored"
    if work.writes is None or (scored and asked[0].ask.expects != "text"):
        said = predictions(built.network, source, BATCH, team=work.team, wanted=wanted.__getitem__)
    else:
        how = work.writes.decoding(task.name)
        said = texts_of(built, source, BATCH, how, team=work.team, wanted=wanted)
    for done, one in enumerate(said, start=1):
        yield one
        told(min(done, total), total)


def _put_to(work: _Work, task: Task) -> list[Put]:
    """Every question of a task, with those that are answered along with it."""
    questions = list(put(task, work.items))
    if work.nearest is None or task.name != work.naming:
        return questions
    own = {other.name for other in work.given.tasks}
    others = tuple(other for other in work.picked if other.name not in own)
    return [along(one, item, others) for one, item in zip(questions, work.items, strict=True)]

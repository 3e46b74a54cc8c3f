"""Symbolic solvers: fitted on a split, and asked for a run like any other, programs and their steps with it.

    <out>/symbolic.json   what was fitted on what, and what was measured
    <out>/…               what the solver is loaded from
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from commonsight import __version__
from commonsight.core.benchmark import Ask, Benchmark, Task
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.graph.load import load_knowledge
from commonsight.models.progress import Progress, silent
from commonsight.models.symbolic.kinds import kind_for, kind_named
from commonsight.models.symbolic.solver import Fitting, Kind, Solved, Solver, Where
from commonsight.runs.labels import asked, labelled
from commonsight.runs.sessions import keep_session
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.runs.summary import RunReport
from commonsight.runs.tally import Tally
from commonsight.runs.written import batched, begin, check_hand_in, hand_in, reported
from commonsight.score.scoring import Scoring
from commonsight.store.atomic import new_file
from commonsight.store.dataset import is_dataset, read_info, sha256
from commonsight.store.documents import read_document, write_document
from commonsight.store.runs import AnswerLine, RunInfo, RunLog

if TYPE_CHECKING:  # torch, which not every kind needs
    from commonsight.models.engine.loop import Watch

FILE, BEGUN = "symbolic.json", "begun.json"
AT_ONCE = 64
"""Answers that are written together."""

Told = Callable[[str], Progress]


class About(Struct, frozen=True):
    """Everything that a fitted solver depends on, and what was measured."""

    kind: str
    benchmark: str
    tasks: tuple[str, ...]
    sight: str
    split: str
    data: str
    """The hash of the split that it was fitted on."""
    seed: int = 0
    folds: int = 0
    measured: dict[str, float] = {}
    files: dict[str, str] = {}
    """The hashes of what the solver is loaded from."""
    commonsight: str = __version__


class Begun(Struct, frozen=True):
    """What a solver that takes long is fitted on: only with the same is it gone on with."""

    kind: str
    splits: dict[str, str]
    """Their hashes, and those of the files of knowledge."""
    knowledge: dict[str, str]
    regions: str
    seed: int


class SymbolicPlan(NamedTuple):
    """What to fit, and on what."""

    dataset: Path
    sight: str | None = None
    split: str | None = None
    """To learn from: `train`, or `dev` where there is no such, unless a person names another."""
    judged: str = "val"
    """To choose by, for kinds that choose."""
    regions: Path | None = None
    knowledge: tuple[Path, ...] = ()
    folds: int = 5
    seed: int = 0


class Question(NamedTuple):
    """What a symbolic solver is asked."""

    dataset: Path
    split: str
    native: Path | None = None
    """Where to write the answers as the benchmark's leaderboard wants them."""
    told: Told = lambda _: silent
    regions: Path | None = None
    """Where the encoder of objects is now, if it has moved."""


def is_symbolic(folder: Path) -> bool:
    """Whether a folder holds a fitted symbolic solver."""
    return (folder / FILE).is_file()


def read_about(folder: Path) -> About:
    """What a fitted solver says of itself."""
    return read_document(folder / FILE, About, remedy="Train the solver again.")


def train_symbolic(
    plan: SymbolicPlan,
    out: Path,
    *,
    told: Told = lambda _: silent,
    watch: Callable[[str], Watch] | None = None,
) -> About:
    """Fit the solver that a dataset's questions are for; one folder holds one solver."""
    if is_symbolic(out):
        raise UsageError(f"{out} holds a symbolic solver already. Choose another folder.")
    split = plan.split or _learned_split(plan.dataset)
    benchmark, items = _opened(plan.dataset, split)
    kind, tasks = _kind(plan.dataset, benchmark, items)
    _check_needs(kind, plan)
    asks = [ask for task in tasks for ask in labelled(task, items, "learn from")]
    sight = plan.sight or kind.sights[0]
    if sight not in kind.sights:
        raise UsageError(f"--sight {sight}: {kind.name} sees by {' or '.join(kind.sights)}.")
    fitting = Fitting(
        Where(sight, plan.dataset, plan.regions),
        out,
        _judged(kind, tasks, plan),
        load_knowledge(plan.knowledge).knowledge if "knowledge" in kind.needs else None,
        watch,
        plan.folds,
        plan.seed,
        told("reading and executing"),
    )
    if kind.goes_on:
        _refuse_others(out, _begun(kind, plan, split))
    fitted = kind.fit(asks, fitting)
    out.mkdir(parents=True, exist_ok=True)
    for name, content in fitted.files.items():
        with new_file(out / name) as beside:
            beside.write_bytes(content)
    about = About(
        kind.name,
        benchmark.name,
        tuple(task.name for task in tasks),
        sight,
        split,
        _data(plan.dataset, split),
        plan.seed,
        plan.folds,
        fitted.measured,
        {name: sha256(out / name) for name in (*fitted.files, *fitted.kept)},
    )
    write_document(out / FILE, about)  # last: a folder that has it is whole
    return about


def _opened(dataset: Path, split: str) -> tuple[Benchmark[Scoring], list[Item]]:
    if not is_dataset(dataset):
        raise UsageError(f"{dataset} is not a dataset. Make one with `commonsight convert` or `build`.")
    benchmark = benchmark_of(Opening((dataset,)))
    items = list(Opening((dataset,), split=split).read())
    if not items:
        raise InputError(f"{dataset}: there is no item in split {split}.")
    return benchmark, items


def _kind(
    dataset: Path, benchmark: Benchmark[Scoring], items: list[Item]
) -> tuple[Kind, tuple[Task, ...]]:
    """The kind of solver for this dataset, and the tasks that it can answer."""
    found = [(task, kind_for([ask] if (ask := asked(task, items[0])) else [])) for task in benchmark.tasks]
    kind = next((kind for _, kind in found if kind is not None), None)
    if kind is None:
        raise UsageError(
            f"{dataset}: no symbolic solver is for the questions of {benchmark.name}. "
            "Train a network on it with `commonsight train`."
        )
    return kind, tuple(task for task, other in found if other is kind)


def _learned_split(dataset: Path) -> str:
    info = read_info(dataset) if is_dataset(dataset) else None
    return "dev" if info is not None and "train" not in info.splits else "train"


def _check_needs(kind: Kind, plan: SymbolicPlan) -> None:
    """What a kind needs is told before anything is read or trained."""
    if "regions" in kind.needs and plan.regions is None:
        raise UsageError(
            f"The solver '{kind.name}' sees with an encoder of objects. Train one with "
            "`commonsight train-regions`, and say where it is with --regions seen:FOLDER."
        )
    if "knowledge" in kind.needs and not plan.knowledge:
        raise UsageError(
            f"The solver '{kind.name}' knows what it is told. Say with --knowledge FILE what the questions "
            "were made with."
        )
    missing = next((path for path in plan.knowledge if not path.is_file()), None)
    if missing is not None:
        raise InputError(f"{missing}: there is no such file of knowledge. Say where it is with --knowledge.")
    for name, given in (("regions", plan.regions), ("knowledge", plan.knowledge)):
        if given and name not in kind.needs:
            raise UsageError(f"--{name}: the solver '{kind.name}' has no use for it. Leave it out.")


def _judged(kind: Kind, tasks: tuple[Task, ...], plan: SymbolicPlan) -> list[Ask]:
    if "judged" not in kind.needs:
        return []
    _, items = _opened(plan.dataset, plan.judged)
    return [ask for task in tasks for ask in labelled(task, items, "choose by")]


def _begun(kind: Kind, plan: SymbolicPlan, split: str) -> Begun:
    learned = {name: _data(plan.dataset, name) for name in (split, plan.judged)}
    known = {path.name: sha256(path) for path in plan.knowledge}
    return Begun(kind.name, learned, known, "" if plan.regions is None else str(plan.regions), plan.seed)


def _refuse_others(out: Path, begun: Begun) -> None:
    """A folder goes on with what was begun in it, and with nothing else."""
    if not (out / BEGUN).is_file():
        write_document(out / BEGUN, begun)
    elif read_document(out / BEGUN, Begun, remedy="Choose another folder.") != begun:
        raise UsageError(
            f"{out} holds a solver that was begun otherwise. Choose another folder, or go on with the same "
            "questions, knowledge, encoder and seed."
        )


def _data(dataset: Path, split: str) -> str:
    info = read_info(dataset)
    assert info is not None  # it was read before
    return info.splits[split].sha256


class _Asked(NamedTuple):
    """A question of one task."""

    task: str
    ask: Ask

    @property
    def place(self) -> tuple[str, str]:
        """Where its answer stands in a log."""
        return self.ask.item_id, self.task


def predict_symbolic(trained: Path, question: Question, out: Path) -> RunReport | None:
    """Answer every question of a split; a run that was stopped is gone on with."""
    about = read_about(trained)
    benchmark, items = _opened(question.dataset, question.split)
    if benchmark.name != about.benchmark:
        raise UsageError(
            f"{trained} was trained on {about.benchmark}, and this is {benchmark.name}. "
            "Give a dataset of the same benchmark."
        )
    if question.native is not None:
        check_hand_in(benchmark, about.tasks)
    where = Where(about.sight, question.dataset, question.regions)
    solver = kind_named(about.kind).load(trained, where)
    begin(out, _info(about, solver, question))
    tasks = [benchmark.task(name) for name in about.tasks]
    put = [_Asked(task.name, ask) for task in tasks for item in items if (ask := asked(task, item))]
    _answered(out, put, solver, question.told)
    report = reported(out, benchmark, items)
    if question.native is not None:  # last: whatever is wrong with it, the scores are there
        hand_in(question.native, out, benchmark, items)
    return report


def _info(about: About, solver: Solver, question: Question) -> RunInfo:
    info = read_info(question.dataset)
    assert info is not None  # it was read before
    return RunInfo(
        about.benchmark,
        solver.name,
        info.name,
        about.tasks,
        __version__,
        about.seed,
        {
            "model": solver.name,
            "split": question.split,
            "data": info.splits[question.split].sha256,
            "sight": about.sight,
            "trained_on": {about.split: about.data},
            "weights": dict(about.files),
            "drawn": info.drawn,
        },
    )


def _answered(out: Path, put: list[_Asked], solver: Solver, told: Told) -> None:
    began, progress = time.monotonic(), told("answering")
    with RunLog(out) as log:
        done = log.done()
        tally = Tally(already=len(done))
        wanted = [one for one in put if one.place not in done]
        unread = fruitless = 0
        for some in batched(_solved(wanted, solver), AT_ONCE):
            log.extend([_line(one, solved) for one, solved in some])
            fruitless += sum(solved.came_to_nothing for _, solved in some)
            unread += sum(solved.fell_back and not solved.came_to_nothing for _, solved in some)
            tally.answered += len(some)
            progress(tally.answered, len(wanted))
    tally.seconds = time.monotonic() - began
    tally.notes = _notes(tally.answered, unread, fruitless)
    keep_session(out, tally)


def _notes(answered: int, unread: int, fruitless: int) -> tuple[str, ...]:
    """Those that no program answers are told of beside the score, and why none does."""
    told = {
        "could not be read, and got the commonest answer of training": unread,
        "were read, but their programs came to nothing: they got training's commonest answer to questions "
        "that end alike": fruitless,
    }
    return tuple(f"{count:,} of {answered:,} questions {why}" for why, count in told.items() if count)


def _solved(wanted: list[_Asked], solver: Solver) -> Iterator[tuple[_Asked, Solved]]:
    return ((one, solver.solve(one.ask)) for one in wanted)


def _line(asked: _Asked, solved: Solved) -> AnswerLine:
    extra = {"program": solved.program, "trace": list(solved.trace), "fell_back": solved.fell_back}
    if solved.came_to_nothing:
        extra["came_to_nothing"] = True
    return AnswerLine(*asked.place, solved.answer, extra=extra)



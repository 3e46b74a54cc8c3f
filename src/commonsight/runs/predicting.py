"""Trained networks answer a dataset: a run like any other, with what they looked at kept beside it.

    run.json, answers.jsonl, report.*   as of any run
    attention.safetensors               what the networks looked at: one tensor for each question and name
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from msgspec import structs
from numpy.typing import NDArray
from safetensors.numpy import save_file

from commonsight import __version__
from commonsight.core.answer import Pick, Verdict
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.models.assembly import Assembled, assembled
from commonsight.models.blueprint import read_blueprint
from commonsight.models.catalogue import find
from commonsight.models.engine.checkpoint import BEST, restore, weights
from commonsight.models.engine.evaluate import Predicted, predictions
from commonsight.models.engine.team import Team
from commonsight.models.features.examples import Example
from commonsight.models.keeping import Told
from commonsight.models.progress import silent
from commonsight.runs.answers import PROBABILITIES, said_of
from commonsight.runs.finish import write_report
from commonsight.runs.lessons import Lessons, examples, feature_folder, lessons
from commonsight.runs.summary import RunReport, run_report
from commonsight.runs.training import TrainingPlan, read_training
from commonsight.runs.variants import Key
from commonsight.score.scoring import Said
from commonsight.store.atomic import new_file
from commonsight.store.dataset import read_info
from commonsight.store.runs import AnswerLine, RunInfo, RunLog, create_run, is_run, read_answers, read_run

T = TypeVar("T")
Halves = NDArray[np.float16]

ATTENTION = "attention.safetensors"
BATCH = 128
AT_ONCE = 256
"""Answers that are written together."""
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
    features: Path | None = None
    device: str | None = None
    told: Told = lambda _: silent


class _Put(NamedTuple):
    """A question, under the name that it is logged by."""

    key: str
    ask: Ask


class _Said(NamedTuple):
    """A question and what a network says to it."""

    put: _Put
    predicted: Predicted


def predict(trained: Path, asked: Asked, out: Path) -> RunReport | None:
    """Answer every question of a split; the report, where the split has labels.

    A run that was stopped is gone on with: what has an answer is not answered twice.
    """
    plan = read_training(trained)
    given = lessons(asked.dataset, plan.tasks, asked.only)
    _refuse_foreign(given, plan, trained)
    items = given.items(asked.split)
    networks = {task.name: _network(trained / task.name, plan, asked) for task in given.tasks}
    _begin(out, _info(given, plan, asked))
    shown = {item.id for item in items[: asked.attention]}
    looked: dict[str, Halves] = {}
    with RunLog(out) as log:
        done = log.done()
        for task in given.tasks:
            said = _said(networks[task.name], task, given, items, asked)
            for some in batched(said, AT_ONCE):
                new = [one for one in some if (one.put.ask.item_id, one.put.key) not in done]
                log.extend([_line(one) for one in new])
                for one in some:
                    if one.put.ask.item_id in shown and one.put.key == task.name:
                        looked |= _looked(one)
    if looked:
        with new_file(out / ATTENTION) as beside:
            save_file(looked, beside)
    return _reported(out, given, items)


def _begin(out: Path, info: RunInfo) -> None:
    if not is_run(out):
        create_run(out, info)
    elif read_run(out) != info:
        raise UsageError(f"{out} holds another run already. Choose another folder.")


def _refuse_foreign(given: Lessons, plan: TrainingPlan, trained: Path) -> None:
    known = read_info(Path(plan.dataset)) if (Path(plan.dataset) / "dataset.json").is_file() else None
    if known is not None and known.benchmark != given.benchmark.name:
        raise UsageError(
            f"{trained} was trained on {known.benchmark}, and this is {given.benchmark.name}. "
            "Give a dataset of the same benchmark."
        )


def _network(folder: Path, plan: TrainingPlan, asked: Asked) -> Assembled:
    blueprint = read_blueprint(folder)
    blueprint = structs.replace(
        blueprint, regions=asked.regions or blueprint.regions, text=asked.text or blueprint.text
    )
    built = assembled(blueprint, seed=plan.seed, folder=folder)
    restore(built.network, weights(folder / BEST), folder / BEST)
    return built


def _info(given: Lessons, plan: TrainingPlan, asked: Asked) -> RunInfo:
    entry = find(plan.network)
    info = read_info(asked.dataset)
    assert info is not None
    return RunInfo(
        given.benchmark.name,
        entry.title,
        info.name,
        tuple(task.name for task in given.tasks),
        __version__,
        plan.seed,
        {"model": entry.title, "split": asked.split, "network": plan.network, "size": plan.size,
         "trained_on": plan.sources, "drawn": info.drawn},
    )  # fmt: skip


def _said(
    built: Assembled, task: Task, given: Lessons, items: list[Item], asked: Asked
) -> Iterator[_Said]:
    """What the network says to each question; a rationale is asked for every answer given."""
    put = list(_put(task, items))
    read = examples(find(built.blueprint.network), (one.ask for one in put))
    numbered = {id(example): one for example, one in zip(read, put, strict=True)}
    where = given.keeping(asked.features or feature_folder(), items, (asked.split,), told=asked.told)
    source = built.source(read, where)
    told = asked.told(f"answering {task.name}")
    for done, said in enumerate(predictions(built.network, source, BATCH, team=Team(asked.device)), start=1):
        yield _Said(numbered[id(said.example)], said)
        told(done, len(read))


def _put(task: Task, items: Iterable[Item]) -> Iterator[_Put]:
    for item in items:
        gold = item.gold.index if isinstance(item.gold, Pick) else None
        if task.given is None:
            yield _Put(task.name, task.ask(item))
            continue
        for place in range(len(item.choices)):
            key = task.name if place == gold else str(Key(task.name, given=place))
            yield _Put(key, task.given(item, place))


def _line(said: _Said) -> AnswerLine:
    chances = said.predicted.chances
    best = int(np.argmax(chances))
    if said.put.ask.expects == "verdict":
        return AnswerLine(said.put.ask.item_id, said.put.key, Verdict(bool(best)))
    return AnswerLine(
        said.put.ask.item_id, said.put.key, Pick(best), extra={PROBABILITIES: list(chances)}
    )


def _looked(said: _Said) -> dict[str, Halves]:
    """What was looked at, without padding, in half the room."""
    example = said.predicted.example
    longest = max(len(text.words) for text in example.responses)
    return {
        f"{example.item}/{said.put.key}/{name}": np.ascontiguousarray(
            shares[:, :longest, :places].astype(np.float16)
        )
        for name, shares in said.predicted.attention.items()
        if (places := _places(example, name)) is not None
    }


def _places(example: Example, name: str) -> int | None:
    """How many places can be looked at; None for attention of another kind than words at words or objects."""
    return {"query": len(example.query.words), "objects": len(example.objects)}.get(name)


def batched(several: Iterable[T], size: int) -> Iterator[list[T]]:
    """So many at a time, and in the end what is left."""
    stream = iter(several)
    while some := list(islice(stream, size)):
        yield some


def _reported(out: Path, given: Lessons, items: list[Item]) -> RunReport | None:
    if not any(given.benchmark.scoring.labelled(item) for item in items):
        return None
    report = run_report(out, given.benchmark, items)
    write_report(out, report)
    return report


def hand_in(path: Path, out: Path, dataset: Path, split: str, only: str | None = None) -> None:
    """The run's answers as the benchmark's leaderboard wants them."""
    given = lessons(dataset, (), only)
    if given.benchmark.scoring.hand_in is None:
        raise UsageError(f"--predictions: {given.benchmark.name} has no leaderboard's format. Leave it out.")
    said = said_of(read_answers(out))
    answered = (Said(item, *said[item.id]) for item in given.items(split) if item.id in said)
    with new_file(path) as beside, beside.open("w", encoding="utf-8") as stream:
        stream.writelines(given.benchmark.scoring.hand_in(answered))

"""A run is planned and begun: options become a plan, and the plan a folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from commonsight import __version__
from commonsight.core.benchmark import Benchmark, Task
from commonsight.core.prompt import Prompt
from commonsight.errors import UsageError
from commonsight.runs.contexts import NONE, check_context
from commonsight.runs.plan import Plan, Server, kept
from commonsight.runs.prompts import prompt_for, prompts_named
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.score.scoring import Scoring
from commonsight.store.dataset import is_dataset, read_info
from commonsight.store.runs import RunInfo, create_run
from commonsight.text.vectors import INSTALLED

_PLAIN_NAME = re.compile(r"[^A-Za-z0-9.]+")
_PATHS = ("images", "shots_from", "context", "shots_context", "nearest_choice")


def planned(paths: Sequence[Path], options: Mapping[str, Any]) -> Plan:
    """The plan that the command line's options make; paths in full, since a run may be resumed anywhere."""
    told = dict(options)
    own, regions, reasoning = (told.pop(name, None) for name in ("prompt", "regions", "reasoning"))
    for name in _PATHS:
        if name in told and Path(told[name]).exists():
            told[name] = str(Path(told[name]).resolve())
    for name in ("task", "without"):
        if name in told:
            told[name] = tuple(part.strip() for part in told[name].split(",") if part.strip())
    names = told.pop("task", ())
    opening = Opening(tuple(paths), told.get("benchmark"), told.get("split"))
    benchmark = benchmark_of(opening)
    tasks = tasks_named(names, benchmark)
    written = {} if own is None else prompts_named(own, benchmark)
    weighed = told.get("score_by", "text") != "text"
    prompts = {
        task.name: prompt_for(task, written, regions=regions, reasoning=reasoning, weighed=weighed)
        for task in tasks
    }
    _check(told, tasks)
    _check_prompts(told, tasks, prompts)
    return Plan(
        paths=tuple(str(path.resolve()) for path in paths),
        tasks=tuple(task.name for task in tasks),
        prompts=prompts,
        **told,
    )


def tasks_named(names: Sequence[str], benchmark: Benchmark[Scoring]) -> tuple[Task, ...]:
    """These tasks of the benchmark; all of them where none is named."""
    known = {task.name: task for task in benchmark.tasks}
    for name in names:
        if name not in known:
            raise UsageError(f"--task {name}: {benchmark.name} has no such task. It has: {', '.join(known)}.")
    return tuple(known[name] for name in names) or benchmark.tasks


def _check(told: Mapping[str, Any], tasks: Sequence[Task]) -> None:
    """Refuse options that would have no effect: a person who gives one expects something of it."""
    if told.get("shots_from") and not told.get("shots"):
        raise UsageError("--shots-from without --shots: how many examples? A-OKVQA's prompted row has ten.")
    if told.get("given", "gold") != "gold" and not any(task.given for task in tasks):
        raise UsageError(f"--given {told['given']}: none of the tasks builds on an answer. Leave it out.")
    if told.get("shots_context") and not (told.get("shots") and told.get("context")):
        raise UsageError("--shots-context is for --shots and --context together. Leave it out, or give both.")
    if told.get("context"):
        check_context(told["context"])
    if told.get("shots_context"):
        check_context(told["shots_context"], "--shots-context", (NONE,))


def _check_prompts(told: Mapping[str, Any], tasks: Sequence[Task], prompts: Mapping[str, Prompt]) -> None:
    """Refuse what these prompts leave no room for, and see that words can be brought to a choice."""
    weighed = told.get("score_by", "text") != "text"
    if weighed and any(prompt.reasoning != "none" for prompt in prompts.values()):
        raise UsageError(f"--score-by {told['score_by']}: what is weighed has no reasons. Ask for none.")
    for prompt in prompts.values():
        if prompt.form == "text" and prompt.reasoning != "none":
            raise UsageError(f"--reasoning: {prompt.name} is a text to go on with and asks for no reasons.")
    worded = [prompts[task.name] for task in tasks if prompts[task.name].in_words]
    vectors = told.get("nearest_choice")
    if vectors and not worded:
        raise UsageError("--nearest-choice: no prompt asks for an answer in words. Leave it out.")
    if not worded:
        return
    name = worded[0].name
    if not vectors:
        raise UsageError(
            f"{name} asks for words, not for a choice: which word vectors shall find the nearest one? Give "
            f"--nearest-choice with a GloVe text file, or with {INSTALLED} where that package is installed."
        )
    if vectors != INSTALLED and not Path(vectors).is_file():
        raise UsageError(f"--nearest-choice {vectors}: there is no such file. Give one, or {INSTALLED}.")
    for option in ("circular", "choices_only"):
        if told.get(option):
            raise UsageError(f"--{option.replace('_', '-')}: {name} shows no choices. Leave it out.")
    if weighed:
        raise UsageError(f"--score-by {told['score_by']}: {name} asks for words. Score by text.")


def begin(folder: Path, plan: Plan, server: Server, answerer: str) -> None:
    """Write down what is going to be asked of whom."""
    benchmark = benchmark_of(plan.opening)
    options = kept(plan, server)
    data = named(map(Path, plan.paths))
    create_run(folder, RunInfo(benchmark.name, answerer, data, plan.tasks, __version__, plan.seed, options))


def named(paths: Iterable[Path]) -> str:
    """What data is called: a dataset's own name, or the files'."""
    names = [info.name if is_dataset(path) and (info := read_info(path)) else path.name for path in paths]
    return ", ".join(dict.fromkeys(names))


def free_folder(below: Path, paths: Sequence[Path], model: str) -> Path:
    """A folder for a run that nobody has named: after data and model, with a number where it is taken."""
    stem = _PLAIN_NAME.sub("-", f"{named(paths)}-{model.partition(':')[2]}").strip("-.").lower() or "run"
    folder, number = below / stem, 2
    while folder.exists():
        folder, number = below / f"{stem}-{number}", number + 1
    return folder

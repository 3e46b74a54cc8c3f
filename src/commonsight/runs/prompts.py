"""Which prompt a task is asked with: the benchmark's, another of it by name, or a person's own from a file.

A prompt file is TOML, a table for each task:

    [q2a]
    name = "mine.q2a@1"
    template = '''
    {{ listed_objects }}Question: {{ texts.question }}
    {{ listed_choices }}
    {{ instruction }}'''
    regions = "both"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import structs

from commonsight.core.benchmark import Benchmark, Task
from commonsight.core.prompt import Prompt, Reasoning, Shown, plain_prompt
from commonsight.errors import InputError, InvalidRecords, Problem, UsageError
from commonsight.score.scoring import Scoring
from commonsight.store.jsonfiles import read_bytes

PLAIN = plain_prompt("plain@1", "Look at the picture and answer.")
_NAME = re.compile(r"^[\w.-]+@\d+$")


def read_prompts(path: Path, tasks: Iterable[Task]) -> dict[str, Prompt]:
    """The prompts of a file, by task; every problem of the file at once."""
    known = [task.name for task in tasks]
    problems: list[Problem] = []
    found: dict[str, Prompt] = {}
    for task, table in _tables(path).items():
        if task not in known:
            remedy = f"Name a task of the benchmark: {', '.join(known)}."
            problems.append(Problem(path, f"there is no task '{task}'", remedy, field=task))
            continue
        try:
            prompt = msgspec.convert(table, Prompt)
        except msgspec.ValidationError as error:
            remedy = f"A prompt has: {', '.join(Prompt.__struct_fields__)}."
            problems.append(Problem(path, str(error), remedy, field=task))
            continue
        if not _NAME.match(prompt.name):
            message = f"'{prompt.name}' has no version"
            problems.append(Problem(path, message, "Write it as mine.q2a@1.", field=f"{task}.name"))
        if prompt.examples_as and prompt.examples_as not in known:
            message, remedy = f"there is no task '{prompt.examples_as}'", f"Name one of: {', '.join(known)}."
            problems.append(Problem(path, message, remedy, field=f"{task}.examples_as"))
        found[task] = prompt
    if problems:
        raise InvalidRecords(problems)
    return found


def prompts_named(given: str, benchmark: Benchmark[Scoring]) -> Mapping[str, Prompt]:
    """The benchmark's prompts of this name, or those of a file."""
    if given in benchmark.prompts:
        return benchmark.prompts[given]
    if not Path(given).is_file():
        names = ", ".join(benchmark.prompts)
        there = f"; {benchmark.name} has: {names}" if names else ""
        raise UsageError(f"--prompt {given}: there is no such file or prompt. Give a TOML file{there}.")
    return read_prompts(Path(given), benchmark.tasks)


def _tables(path: Path) -> dict[str, object]:
    content = read_bytes(path)
    assert content is not None  # `read_bytes` raises here
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: the text is not UTF-8. Save the file as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: this is no TOML ({error}). Mend the file.") from error


def prompt_for(
    task: Task,
    own: Mapping[str, Prompt],
    *,
    regions: Shown | None = None,
    reasoning: Reasoning | None = None,
    weighed: bool = False,
) -> Prompt:
    """The prompt of a task. Whatever is asked for otherwise (regions, reasoning, words) is in its name."""
    prompt = own.get(task.name) or task.prompt or PLAIN
    marks = []
    if regions is not None and regions != prompt.regions:
        prompt = structs.replace(prompt, regions=regions)
        marks.append(f"regions={regions}")
    if reasoning is not None and reasoning != prompt.reasoning:
        prompt = structs.replace(prompt, reasoning=reasoning)
        marks.append(f"reasoning={reasoning}")
    if weighed:  # it then asks for the words of a choice, not for its letter
        marks.append("weighed")
    return structs.replace(prompt, name=f"{prompt.name}+{'+'.join(marks)}") if marks else prompt

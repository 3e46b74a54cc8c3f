"""Replies from Inspect's logs: `.json` as it is, `.eval` by Inspect itself, which knows how it is packed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from commonsight.errors import InvalidRecords, Problem, UsageError, fail
from commonsight.runs.exports.replies import Collected, Place, Replies
from commonsight.runs.variants import Key
from commonsight.store.jsonfiles import json_problem, read_bytes
from commonsight.vlm.client import Finish, Reply

FINISHES: dict[str, Finish] = {
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "filtered",
}
"""Why Inspect says a reply ended, where it did not end on its own."""
ATTACHED = "attachment://"
"""Inspect keeps long texts apart and writes this before the key of one."""


class _Usage(Struct, frozen=True):
    input_tokens: int | None = None
    output_tokens: int | None = None


class _Choice(Struct, frozen=True):
    stop_reason: str = "stop"


class _Output(Struct, frozen=True):
    choices: list[_Choice] = []
    completion: str = ""
    usage: _Usage | None = None
    time: float | None = None


class _Error(Struct, frozen=True):
    message: str


class _Sample(Struct, frozen=True):
    id: int | str
    epoch: int = 1
    output: _Output = _Output()
    metadata: dict[str, Any] = {}
    attachments: dict[str, str] = {}
    error: _Error | None = None


class _Eval(Struct, frozen=True):
    task: str
    model: str


class _Log(Struct, frozen=True):
    eval: _Eval
    samples: list[_Sample] | None = None


def read_inspect(path: Path) -> Replies:
    """The replies of a log."""
    log = _json_log(path) if path.suffix == ".json" else _packed_log(path)
    if not log.samples:
        remedy = "Run Inspect without --no-log-samples."
        fail(Problem(path, "the log holds no samples", remedy, field="samples"))
    return Replies(log.eval.model, list(_collected(path, log.samples)))


def _json_log(path: Path) -> _Log:
    content = read_bytes(path)
    assert content is not None  # `read_bytes` raises here
    try:  # not msgspec: Inspect writes NaN for what is left unscored
        return msgspec.convert(json.loads(content), _Log)
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError):
            message = f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
            remedy = "Was the file copied in full?"
            raise InvalidRecords([Problem(path, message, remedy, error.lineno)]) from error
        raise InvalidRecords([json_problem(path, error, content, None)]) from error


def _packed_log(path: Path) -> _Log:
    if not path.is_file():
        fail(Problem(path, "there is no such log", "Check the path."))
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise UsageError(
            f"{path}: logs of this kind are read by Inspect, which is not installed. Install inspect-ai, "
            "or turn the log into JSON: inspect log convert --to json --output-dir json LOG."
        ) from error
    try:
        log = read_eval_log(str(path), resolve_attachments=True)
        return msgspec.convert(log, _Log, from_attributes=True)
    except Exception as error:  # whatever is wrong with the file, Inspect's own errors have no common root
        message = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InvalidRecords([Problem(path, f"Inspect cannot read this log ({message})",
                                      "Was it copied in full?")]) from error  # fmt: skip


def _collected(path: Path, samples: list[_Sample]) -> Iterator[Collected]:
    place = Place(path)
    for sample in samples:
        item, task = sample.metadata.get("item"), sample.metadata.get("task")
        if not isinstance(item, str) or not isinstance(task, str):
            message = f"sample {sample.id} does not say which item and task it is"
            fail(place.problem(message, "Give a log of a task that `commonsight export` wrote.", "metadata"))
        key = Key(task, epoch=max(0, sample.epoch - 1))
        if sample.error is not None or not sample.output.choices:
            why = "Inspect got no reply" if sample.error is None else sample.error.message
            yield Collected(item, key, None, why, place)
            continue
        yield Collected(item, key, _reply(sample), "", place)


def _reply(sample: _Sample) -> Reply:
    output = sample.output
    text = output.completion
    if text.startswith(ATTACHED):
        text = sample.attachments.get(text.removeprefix(ATTACHED), text)
    usage = output.usage or _Usage()
    finish = FINISHES.get(output.choices[0].stop_reason, "stop")
    return Reply(text, finish, usage.input_tokens, usage.output_tokens, output.time)

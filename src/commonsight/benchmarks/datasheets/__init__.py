"""Answers to the datasheet's open questions: published ones for each benchmark, or a user's own.

`<benchmark>.toml` tells what a benchmark's authors published about it, in our words and with the section of
their paper; its key `published` says where the answers come from. Such answers are about the published
benchmark, so they never belong to other files in its format; those get a user's own, by `read_answers`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from commonsight.errors import InvalidRecords, Problem, UsageError, fail
from commonsight.store.datasheet import QUESTIONS
from commonsight.store.jsonfiles import json_problem, read_bytes

_TOML_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_TOML_END = " (at end of document)"


def published(name: str) -> dict[str, str]:
    """What its authors published about the benchmark of this name; empty if we hold no answers."""
    resource = files(__name__).joinpath(f"{name}.toml")
    if not resource.is_file():
        return {}
    return tomllib.loads(resource.read_text("utf-8"))


def read_answers(path: Path) -> dict[str, str]:
    """A user's own answers by the question's key, from a TOML or JSON file; an empty one stays open."""
    read = {".toml": _toml, ".json": _json}.get(path.suffix.lower())
    if read is None:
        raise UsageError(f"{path}: answers are read from TOML or JSON. Let the name end in .toml or .json.")
    answers = read(path, _text(path))
    problems = list(_problems(path, answers))
    if problems:
        raise InvalidRecords(problems)
    return answers


def _text(path: Path) -> str:
    content = read_bytes(path) or b""
    try:
        return content.decode("utf-8-sig")  # some editors put a mark in front
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        fail(Problem(path, "the text is not UTF-8", "Save the file as UTF-8.", line))


def _toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        fail(Problem(path, "brackets are nested too deeply", 'Write key = "answer", one key a line.'))
    except ValueError as error:  # tomllib's own, and Python's for a number with too many digits
        fail(_toml_problem(path, str(error), text))


def _toml_problem(path: Path, message: str, text: str) -> Problem:
    line = None
    if at := _TOML_LINE.search(message):
        line, message = int(at.group(1)), message[: at.start()]
    elif message.endswith(_TOML_END):
        line, message = text.count("\n") + 1, message.removesuffix(_TOML_END)
    said = message[:1].lower() + message[1:]
    remedy = 'Write key = "answer", or key = """answer""" over several lines.'
    return Problem(path, f"this is not TOML: {said}", remedy, line)


def _json(path: Path, text: str) -> dict[str, Any]:
    content = text.encode("utf-8")
    try:
        answers = msgspec.json.decode(content)
    except (msgspec.MsgspecError, RecursionError) as error:
        fail(json_problem(path, error, content, None))
    if not isinstance(answers, dict):
        fail(Problem(path, f"this is {_kind(answers)}, not an object", 'Write {"key": "answer"}.'))
    if all(isinstance(answer, str) for answer in answers.values()):
        _refuse_doubled(path, text)
    return answers


def _refuse_doubled(path: Path, text: str) -> None:
    """JSON lets a key stand twice and keeps the last; TOML does not."""
    counts = Counter(key for key, _ in json.loads(text, object_pairs_hook=list))
    doubled = [key for key, count in counts.items() if count > 1]
    if doubled:
        message, remedy = "the key stands more than once", "Give each question one answer."
        raise InvalidRecords([Problem(path, message, remedy, field=key) for key in doubled])


def _problems(path: Path, answers: dict[str, Any]) -> Iterator[Problem]:
    known = [question.key for question in QUESTIONS]
    for key, answer in answers.items():
        if key not in known:
            remedy = f"Choose one of: {', '.join(known)}."
            yield Problem(path, "the datasheet has no such question", remedy, field=key)
        elif not isinstance(answer, str):
            message = f"the answer is {_kind(answer)}, not text"
            yield Problem(path, message, "Write it in quotation marks.", field=key)


def _kind(value: object) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text"}
    kinds |= {list: "a list", dict: "a table", type(None): "null"}
    return kinds.get(type(value), "a date or time")  # TOML's remaining kinds

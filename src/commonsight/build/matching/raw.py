"""Raw annotations, read with the place of every fault.

Two layouts, one JSON object a line. About images: {id, group, objects, question, answer} and, if there are,
rationale, image and split. For any other text task: {context, response, group} and, if there is one, id.
Texts are token lists with tags (`[[0], "is", "late"]`) or strings in bracket notation (`[person1] is late`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType, structs

from commonsight.build.matching.values import Annotation, normalised
from commonsight.core.text import TaggedText, Token
from commonsight.errors import InvalidRecords, Problem
from commonsight.store.jsonfiles import Record, read_lines
from commonsight.store.paths import is_split_name

Layout = Literal["image", "text"]
RawText = str | tuple[Token, ...]

LEAST = 4
"""Different responses that there must be: a right choice and three wrong ones."""

NATIVE = (
    "img_id", "metadata_fn", "question_number", "interesting_scores", "answer_likelihood",
    "question_orig", "answer_orig", "rationale_orig",
)  # fmt: skip
"""Fields of VCR's own records that an annotation may state; they are handed on as they are."""
RENAMED = {"likelihood": "answer_likelihood", "interesting": "interesting_scores"}
RESERVED = frozenset((
    "annot_id", "img_fn", "movie", "premise", "answer_choices", "answer_label", "rationale_choices",
    "rationale_label", "answer_match_iter", "answer_sources", "rationale_match_iter", "rationale_sources",
    "match_fold", "match_index", "matching", "context_orig", "response_orig",
))  # fmt: skip
"""What matching itself writes: an annotation that brings one of these was matched before."""


class ImageRecord(Struct, omit_defaults=True):
    """A line about an image."""

    id: str | int
    group: str | int
    objects: tuple[str, ...]
    question: RawText
    answer: RawText
    rationale: RawText | None = None
    image: str | None = None
    split: str | None = None
    img_id: str | UnsetType = UNSET
    metadata_fn: str | UnsetType = UNSET
    question_number: int | UnsetType = UNSET
    interesting_scores: list[int] | UnsetType = UNSET
    interesting: list[int] | UnsetType = UNSET
    answer_likelihood: str | UnsetType = UNSET
    likelihood: str | UnsetType = UNSET
    question_orig: str | list[str] | UnsetType = UNSET
    answer_orig: str | list[str] | UnsetType = UNSET
    rationale_orig: str | list[str] | UnsetType = UNSET


class TextRecord(Struct, omit_defaults=True):
    """A line of any other text task."""

    context: str
    response: str
    group: str | int
    id: str | int | None = None
    split: str | None = None


def read_raw(path: Path, layout: Layout = "image") -> list[Annotation]:
    """All annotations of a file. Whatever is wrong with it is told at once, each with its line."""
    problems: list[Problem] = []
    read = [*_images(path, problems)] if layout == "image" else [*_texts(path, problems)]
    lines: dict[str, int] = {}
    for entry in read:
        problems += _faults(path, entry, lines)
        lines.setdefault(entry.annotation.id, entry.line)
    if not problems:
        problems += _faults_of_all(path, [entry.annotation for entry in read])
    if problems:
        raise InvalidRecords(sorted(problems, key=lambda problem: problem.line or 0))
    return [entry.annotation for entry in read]


class _Entry(NamedTuple):
    annotation: Annotation
    line: int
    names: dict[str, str]
    """What the file calls the annotation's fields."""
    strings: dict[str, str]
    """Texts that were written as strings, by what the file calls them."""


def _images(path: Path, problems: list[Problem]) -> Iterator[_Entry]:
    for record in read_lines(path, ImageRecord, problems.append):
        value = record.value
        given = {"question": value.question, "answer": value.answer, "rationale": value.rationale}
        strings = {name: text for name, text in given.items() if isinstance(text, str)}
        texts = {name: _text(text, value.objects) for name, text in given.items() if text is not None}
        annotation = Annotation(
            str(value.id),
            str(value.group),
            value.objects,
            image=value.image,
            split=value.split,
            extra=_extra(record, strings),
            **texts,
        )
        yield _Entry(annotation, record.line, {name: name for name in given}, strings)


def _texts(path: Path, problems: list[Problem]) -> Iterator[_Entry]:
    names = {"question": "context", "answer": "response"}
    for record in read_lines(path, TextRecord, problems.append):
        value = record.value
        annotation = Annotation(
            f"line-{record.line}" if value.id is None else str(value.id),
            str(value.group),
            (),
            _text(value.context, ()),
            _text(value.response, ()),
            split=value.split,
            extra={**record.unknown, "context_orig": value.context, "response_orig": value.response},
        )
        yield _Entry(annotation, record.line, names, {})


def _text(text: RawText, objects: Sequence[str]) -> TaggedText:
    return TaggedText.parse(text, objects) if isinstance(text, str) else TaggedText(text)


def _extra(record: Record[ImageRecord], strings: dict[str, str]) -> dict[str, Any]:
    """Everything else that the line says, native fields by their native names."""
    value = structs.asdict(record.value)
    kept = {f"{name}_orig": text for name, text in strings.items()}
    kept |= {ours: value[name] for name, ours in RENAMED.items() if value[name] is not UNSET}
    kept |= {name: value[name] for name in NATIVE if value[name] is not UNSET}
    return {**kept, **record.unknown}


def _faults(path: Path, entry: _Entry, lines: dict[str, int]) -> Iterator[Problem]:
    annotation, line = entry.annotation, entry.line

    def problem(field: str, message: str, remedy: str) -> Problem:
        return Problem(path, message, remedy, line, annotation.id or None, field)

    for field in ("id", "group"):
        if not getattr(annotation, field).strip():
            yield problem(field, f"the {field} is empty", f"Give every annotation its {field}.")
    if annotation.id in lines:
        before = lines[annotation.id]
        yield problem("id", f"line {before} has this id too", "Give every annotation an id of its own.")
    if annotation.split is not None and not is_split_name(annotation.split):
        message = f"'{annotation.split}' cannot be a split's name"
        yield problem("split", message, "Use letters, digits, _ and -.")
    for field in sorted(RESERVED & (annotation.extra.keys() - {"context_orig", "response_orig"})):
        yield problem(field, "matching writes this field itself", "Remove it, or give it another name.")
    for name, told in entry.names.items():
        text = getattr(annotation, name)
        if text is None:
            continue
        if not normalised(text):
            yield problem(told, "the text is empty", "Write it, or leave the annotation out.")
        beyond = _beyond(text, entry.strings.get(name), annotation.objects)
        if beyond is not None:
            yield problem(told, f"the tag {beyond} points to no object", _known(annotation.objects))


_TAG = re.compile(r"\[\s*[A-Za-z][A-Za-z ]*?\s*\d+\s*(?:,\s*[A-Za-z][A-Za-z ]*?\s*\d+\s*)*\]")


def _beyond(text: TaggedText, written: str | None, objects: Sequence[str]) -> str | None:
    """The first tag that points to no object, as it is written."""
    for token in text.tokens:
        if isinstance(token, tuple) and (not token or any(not 0 <= i < len(objects) for i in token)):
            return str(list(token))
    for tag in _TAG.findall(written or ""):
        if not [*TaggedText.parse(tag, objects).references()]:
            return str(tag)
    return None


def _known(objects: Sequence[str]) -> str:
    if not objects:
        return "The annotation lists no objects."
    named = ", ".join(f"[{label}{place + 1}]" for place, label in enumerate(objects[:3]))
    return f"Token lists count its objects from [0] to [{len(objects) - 1}], strings from one: {named} …"


def _faults_of_all(path: Path, annotations: Sequence[Annotation]) -> Iterator[Problem]:
    """What is wrong with the annotations taken together."""
    if len(annotations) < LEAST:
        message = f"{len(annotations)} annotations are too few to match"
        yield Problem(path, message, f"Give at least {LEAST}, so that three others can lend a wrong choice.")
        return
    with_why = [annotation for annotation in annotations if annotation.rationale is not None]
    if with_why and len(with_why) < len(annotations):
        bare = next(annotation for annotation in annotations if annotation.rationale is None)
        message = f"there is none, and {len(with_why)} other annotations have one"
        yield Problem(path, message, "Give all a rationale, or none.", record=bare.id, field="rationale")
        return
    parts = {"responses": [annotation.answer for annotation in annotations]}
    if with_why:
        parts["rationales"] = [annotation.rationale for annotation in with_why if annotation.rationale]
    for name, texts in parts.items():
        different = len({normalised(text) for text in texts})
        if different < LEAST:
            said = "all read alike" if different == 1 else f"read like only {different} different ones"
            message = f"the {len(texts)} {name} {said}"
            yield Problem(path, message, f"There must be {LEAST} different ones for a choice of four.")

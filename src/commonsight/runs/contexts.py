"""A text that stands beside a question: a caption from a file, or what people wrote as reasons.

With people's own rationales a score is an oracle's, as in A-OKVQA's Tables 4 and 5: it tells how much of a
question is knowledge. The paper used one of the three and does not say which; its authors' code for prompts
takes the first. Masked rationales hide the ground-truth answer where they name it, so that reading it off
does not count as knowing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import DecodeError, Struct, ValidationError, json, structs

from commonsight.core.answer import FreeText, Grounded, Pick
from commonsight.core.benchmark import Ask
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, InvalidRecords, UsageError
from commonsight.store.atomic import new_file
from commonsight.store.dataset import sha256
from commonsight.store.jsonfiles import json_problem, read_bytes, read_lines

CONTEXT = "context"
MASK = "[answer]"
"""What stands for a hidden answer (A-OKVQA, section 5.4 and appendix D)."""
NONE = "none"
"""Where examples are shown without a context although questions have one."""

ContextOf = Callable[[Item], str]
"""The context of an item; an `InputError` where it has none."""


class ContextLine(Struct):
    """One line of a file of contexts."""

    item: str
    context: str


def read_contexts(path: Path) -> dict[str, str]:
    """JSON lines `{"item", "context"}`: captions, or rationales that a model made."""
    found: dict[str, str] = {}
    for record in read_lines(path, ContextLine):
        if record.value.item in found:
            raise InputError(f"{path}:{record.line}: item {record.value.item} is given twice. Keep one line.")
        found[record.value.item] = record.value.context
    return found


def from_file(path: Path, remedy: str = "Add a line for it.") -> ContextOf:
    """What such a file tells of an item."""
    found = read_contexts(path)

    def context(item: Item) -> str:
        if item.id not in found:
            raise InputError(f"{path}: there is no context for item {item.id}. {remedy}")
        return found[item.id]

    return context


class Caption(Struct):
    """What one person wrote about one picture."""

    image_id: int
    caption: str


class Captions(Struct):
    """COCO's `captions_{split}.json`, as far as it matters here."""

    annotations: tuple[Caption, ...]


def from_captions(path: Path, remedy: str = "Give the captions of its split.") -> ContextOf:
    """COCO's captions, of which a picture has several: the last one, as A-OKVQA's authors took it."""
    found = read_captions(path)

    def context(item: Item) -> str:
        image = picture_of(item)
        if image not in found:
            raise InputError(f"{path}: there is no caption for picture {image} of item {item.id}. {remedy}")
        return found[image][-1]

    return context


def read_captions(path: Path) -> dict[str, list[str]]:
    """All of them, by picture."""
    content = read_bytes(path)
    assert content is not None  # `read_bytes` raises here
    try:
        told = json.decode(content, type=Captions)
    except (ValidationError, DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidRecords([json_problem(path, error, content, None)]) from error
    found: dict[str, list[str]] = {}
    for one in told.annotations:
        found.setdefault(str(one.image_id), []).append(one.caption.strip())
    return found


def picture_of(item: Item) -> str:
    """What its picture is called in such a file."""
    return item.groups.get("image", "")


def from_rationales(item: Item) -> str:
    """All reasons that people gave, one after the other."""
    return " ".join(_sentence(reason) for reason in _reasons(item))


def from_masked_rationales(item: Item) -> str:
    """The same with the ground-truth answer hidden wherever they name it."""
    return _masked(from_rationales(item), item)


def from_rationale(item: Item) -> str:
    """The first reason that people gave, as it is written (A-OKVQA's Tables 4 and 5 use one of them)."""
    return _reasons(item)[0]


def from_masked_rationale(item: Item) -> str:
    """The same with the ground-truth answer hidden wherever it names it."""
    return _masked(from_rationale(item), item)


ORACLES: dict[str, ContextOf] = {
    "rationale": from_rationale,
    "masked-rationale": from_masked_rationale,
    "rationales": from_rationales,
    "masked-rationales": from_masked_rationales,
}
"""Contexts that come from the items themselves, by the name that people call them by."""


def context_named(name: str, remedy: str | None = None) -> ContextOf:
    """An oracle, or what a file tells: COCO's captions where it is one JSON object, else lines.

    `remedy` is what to do where an item is not in the file.
    """
    if name in ORACLES:
        return ORACLES[name]
    read = from_captions if Path(name).suffix == ".json" else from_file
    return read(Path(name)) if remedy is None else read(Path(name), remedy)


def check_context(named: str, option: str = "--context", others: Sequence[str] = ()) -> None:
    """Refuse what is neither an oracle, nor a file, nor one of `others`."""
    if named not in (*ORACLES, *others) and not Path(named).is_file():
        names = " or ".join((*ORACLES, *others))
        raise UsageError(f"{option} {named}: there is no such file. Give one, or write {names}.")


def checked_context(named: str | None) -> str | None:
    """What a person gave, the whole path where it is a file, since it may be used from anywhere."""
    if named is None:
        return None
    check_context(named)
    return named if named in ORACLES else str(Path(named).resolve())


def told_beside(named: str | None) -> dict[str, str]:
    """For provenance: an oracle's name, or what is in the file."""
    return {} if named is None else {"context": named if named in ORACLES else sha256(Path(named))}


def write_contexts(path: Path, contexts: Iterable[ContextLine]) -> int:
    """A file that `from_file` reads; how many lines it has."""
    count = 0
    with new_file(path) as beside, beside.open("wb") as stream:
        for line in contexts:
            stream.write(json.encode(line) + b"\n")
            count += 1
    return count


def _reasons(item: Item) -> list[str]:
    if not item.rationales:
        raise InputError(f"Item {item.id} has no rationales. Use a split that has them.")
    return [text.bracketed(item.labels) for text in item.rationales]


def _masked(context: str, item: Item) -> str:
    """In one pass, longest first, so that no part of an answer stays and no mask is masked again."""
    answers = sorted(_truths(item), key=len, reverse=True)
    if not answers:
        return context
    named = "|".join(map(re.escape, answers))
    return re.sub(rf"(?<!\w)(?:{named})(?!\w)", MASK, context, flags=re.IGNORECASE)


def _truths(item: Item) -> set[str]:
    """The right choice, and what most people answered.

    The paper hides "the ground-truth answer", and the same network then answers both ways: the one is what
    its picks are scored by, the other what it learns to write (appendix D). What fewer people said stays.
    """
    found = {answer for answer, _ in Counter(item.direct_answers).most_common(1)}
    match item.gold:
        case Pick(index):
            found.add(item.choices[index].bracketed(item.labels))
        case FreeText(text) | Grounded(text, _):
            found.add(text)
    return {answer.strip() for answer in found if answer.strip()}


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def with_context(ask: Ask, context: str, *, after: bool = False) -> Ask:
    """The question with its context before it, or after."""
    told = {CONTEXT: TaggedText.plain(context)}
    return structs.replace(ask, texts={**ask.texts, **told} if after else {**told, **ask.texts})

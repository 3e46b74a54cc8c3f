"""A text that stands before a question: a caption from a file, or what people wrote as reasons.

With people's own rationales a score is an oracle's, as in A-OKVQA's Tables 3 and 4: it tells how much of a
question is knowledge. Masked rationales hide the answer where they name it, so that reading it off does not
count as knowing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from commonsight.core.answer import FreeText, Grounded, Pick
from commonsight.core.benchmark import Ask
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, UsageError
from commonsight.store.atomic import new_file
from commonsight.store.dataset import sha256
from commonsight.store.jsonfiles import read_lines

CONTEXT = "context"
MASK = "[answer]"
"""What stands for a hidden answer (A-OKVQA, appendix C)."""
ContextOf = Callable[[Item], str]
"""The context of an item; an `InputError` where it has none."""


class ContextLine(Struct):
    """One line of a file of contexts."""

    item: str
    context: str


def from_file(path: Path) -> ContextOf:
    """JSON lines `{"item", "context"}`: captions, or rationales that a model made."""
    found: dict[str, str] = {}
    for record in read_lines(path, ContextLine):
        if record.value.item in found:
            raise InputError(f"{path}:{record.line}: item {record.value.item} is given twice. Keep one line.")
        found[record.value.item] = record.value.context

    def context(item: Item) -> str:
        if item.id not in found:
            raise InputError(f"{path}: there is no context for item {item.id}. Add a line for it.")
        return found[item.id]

    return context


def from_rationales(item: Item, most: int | None = None) -> str:
    """All reasons that people gave, one after the other; or only so many, the first ones."""
    if not item.rationales:
        raise InputError(f"Item {item.id} has no rationales. Use a split that has them.")
    return " ".join(_sentence(text.bracketed(item.labels)) for text in item.rationales[:most])


def from_masked_rationales(item: Item, most: int | None = None) -> str:
    """The same with every answer in them hidden: the right choice and all direct answers."""
    context = from_rationales(item, most)
    for answer in sorted(_answers(item), key=len, reverse=True):
        context = re.sub(rf"(?<!\w){re.escape(answer)}(?!\w)", MASK, context, flags=re.IGNORECASE)
    return context


ORACLES: Mapping[str, ContextOf] = {
    "rationales": from_rationales,
    "masked-rationales": from_masked_rationales,
    "rationale": partial(from_rationales, most=1),
    "masked-rationale": partial(from_masked_rationales, most=1),
}
"""What people wrote, by name: all of it, or the first alone, as GPV-2 was given (A-OKVQA, section 5.4)."""


def context_of(named: str) -> ContextOf:
    """An oracle's, or that of a file."""
    return ORACLES[named] if named in ORACLES else from_file(Path(named))


def check_context(named: str) -> None:
    """Refuse what is neither."""
    if named not in ORACLES and not Path(named).is_file():
        raise UsageError(
            f"--context {named}: there is no such file. Give one, or write {' or '.join(ORACLES)}."
        )


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
            stream.write(msgspec.json.encode(line) + b"\n")
            count += 1
    return count


def _answers(item: Item) -> set[str]:
    found = set(item.direct_answers)
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

"""A VLMEvalKit TSV as a dataset of ours: the same items if we exported it, else any set of questions.

A set that is not ours becomes a dataset of no benchmark, which can be shown, validated and audited.
"""

from __future__ import annotations

import ast
import base64
import binascii
import string
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from commonsight.core.answer import FreeText, Given, Pick
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InvalidRecords, Problem, fail
from commonsight.runs.exports.for_vlmevalkit import ITEM
from commonsight.runs.exports.info import is_export, read_items
from commonsight.runs.exports.tables import Row, read_table
from commonsight.store.native import split_from_name
from commonsight.store.paths import below, is_split_name

NEEDED = ("index", "question")
GROUPS = ("category", "l2-category")
LONGEST_INDEX = 64
"""An `image` of at most so many letters is the index of the row that shows it (VLMEvalKit's guide)."""


def exported_items(path: Path) -> list[Item] | None:
    """The items of a table that we exported, in its order; None if it is not ours, or lies elsewhere now."""
    if not is_export(path.parent):
        return None
    wanted = {row.cells[ITEM]: row.line for row in read_table(path, NEEDED) if ITEM in row.cells}
    if not wanted:
        return None
    known = {item.id: item for item in read_items(path.parent) if item.id in wanted}
    for name, line in wanted.items():
        if name not in known:
            remedy = "Keep the table in the folder that it was exported to."
            fail(Problem(path, f"items.jsonl beside it has no item {name}", remedy, line, field=ITEM))
    return [known[name] for name in wanted]


def without_pictures(item: Item) -> Item:
    """The item as it is before its pictures are stored anywhere."""
    return structs.replace(item, scenes=tuple(structs.replace(s, stored=None) for s in item.scenes))


class _Shown(NamedTuple):
    """A row's pictures: files, or the index of the row that has them."""

    files: tuple[str, ...]
    same_as: str | None = None


def foreign_items(path: Path, pictures: Path, split: str | None = None) -> Iterator[Item]:
    """The items of any VLMEvalKit table; its pictures are unpacked into a folder of ours first."""
    rows: list[tuple[Row, _Shown]] = []
    shown: dict[str, _Shown] = {}
    for row in read_table(path, NEEDED):
        index = row.cells["index"]
        if index in shown:
            message = f"index {index} is used twice"
            fail(Problem(path, message, "Give every row its own.", row.line, field="index"))
        shown[index] = _unpacked(path, row, pictures, len(rows))
        kept = {name: cell for name, cell in row.cells.items() if name != "image"}
        rows.append((Row(row.line, kept), shown[index]))
    for row, found in rows:
        if found.same_as is not None:
            target = shown.get(found.same_as)
            if target is None or target.same_as is not None:
                message = f"it is the picture of row {found.same_as}, which has none"
                fail(Problem(path, message, "Restore the picture.", row.line, field="image"))
            found = target
        yield _item(path, row, found.files, split)


def _unpacked(path: Path, row: Row, folder: Path, number: int) -> _Shown:
    cell = row.cells.get("image", "")
    if not cell:
        return _Shown(tuple(_named(path, row)))
    if len(cell) <= LONGEST_INDEX and not cell.startswith("["):
        return _Shown((), cell)
    names = []
    for place, text in enumerate(_several(path, row, "image")):
        try:
            content = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            problem = Problem(path, f"this is no base64 ({error})", "Restore it.", row.line, field="image")
            raise InvalidRecords([problem]) from error
        names.append(f"unpacked/{number}-{place}")
        (folder / "unpacked").mkdir(exist_ok=True)
        (folder / names[-1]).write_bytes(content)
    return _Shown(tuple(names))


def _named(path: Path, row: Row) -> Iterator[str]:
    """Pictures by path, below the table's own folder."""
    for name in _several(path, row, "image_path"):
        if not below(path.parent, name).is_file():
            remedy = "Put it below the table's folder, or write it into the table."
            fail(Problem(path, f"the picture {name} is missing", remedy, row.line, field="image_path"))
        yield name


def _several(path: Path, row: Row, column: str) -> list[str]:
    """One value, or a Python list of them."""
    cell = row.cells.get(column, "")
    if not cell.startswith("["):
        return [cell] if cell else []
    try:
        values = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        problem = Problem(path, "this is no list", "Write ['…', '…'].", row.line, field=column)
        raise InvalidRecords([problem]) from error
    return [str(value) for value in values]


def _item(path: Path, row: Row, files: tuple[str, ...], split: str | None) -> Item:
    cells = row.cells
    name = split or cells.get("split") or split_from_name(path.name) or "test"
    if not is_split_name(name):
        message = f"'{name}' cannot be a split's name"
        fail(Problem(path, message, "Name it with --split.", row.line, field="split"))
    choices = []
    for letter in string.ascii_uppercase:
        if not cells.get(letter, "").strip():
            break
        choices.append(cells[letter].strip())
    texts = {role: TaggedText.plain(cells[role]) for role in ("hint", "question") if cells.get(role)}
    return Item(
        cells["index"],
        name,
        tuple(Scene(file, stored=file) for file in files),
        texts,
        tuple(TaggedText.plain(choice) for choice in choices),
        _gold(path, row, len(choices)),
        groups={group: cells[group] for group in GROUPS if cells.get(group)},
    )


def _gold(path: Path, row: Row, choices: int) -> Given | None:
    answer = row.cells.get("answer", "").strip()
    if not answer:
        return None
    if not choices:
        return FreeText(answer)
    letters = string.ascii_uppercase[:choices]
    if len(answer) != 1 or answer not in letters:
        remedy = f"Write the letter of the right choice, {letters[0]} to {letters[-1]}."
        fail(Problem(path, f"the answer '{answer}' is no choice", remedy, row.line, field="answer"))
    return Pick(letters.index(answer))

"""For VLMEvalKit: one TSV a task, with the columns that its guide to datasets names.

Picks are written as its multiple-choice sets are, with a column for each choice; VLMEvalKit puts its own
words around them and can score them. All else is written as an open question, in the words of our prompt,
which VLMEvalKit asks and leaves to others to score.
"""

from __future__ import annotations

import base64
import csv
from pathlib import Path
from typing import IO

from commonsight.errors import UsageError
from commonsight.runs.exports.info import ExportInfo, exported_name
from commonsight.runs.exports.samples import Sample
from commonsight.vlm.client import Picture
from commonsight.vlm.render import LETTERS, instruction

ITEM, TASK = "commonsight_item", "commonsight_task"
"""Columns of our own: whose reply a prediction is. VLMEvalKit keeps columns that it does not know."""
COLUMNS = ("index", "image", "image_path", "question", "hint", *LETTERS[:4], "answer", "category", "split")

MISSING = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
     "NA", "NULL", "NaN", "None", "n/a", "nan", "null")
)  # fmt: skip
"""What pandas, with which VLMEvalKit reads, takes for an empty cell: the choice "None" would vanish."""


class TsvWriter:
    """Writes a TSV for each task."""

    def __init__(self, folder: Path, benchmark: str) -> None:
        self._folder, self._benchmark = folder, benchmark
        self._tables: dict[str, _Table] = {}

    def add(self, sample: Sample) -> None:
        """Write one row."""
        name = sample.task.name
        if name not in self._tables:
            path = self._folder / f"{exported_name(self._benchmark, name)}.tsv"
            self._tables[name] = _Table(path, len(sample.choices))
        self._tables[name].add(sample)

    def finish(self, info: ExportInfo) -> None:
        """Nothing: VLMEvalKit opens the tables as they are."""

    def close(self) -> None:
        """Close the files."""
        for table in self._tables.values():
            table.close()


class _Table:
    """One TSV while it is written."""

    def __init__(self, path: Path, choices: int) -> None:
        self._letters = LETTERS[:choices]
        self._file: IO[str] = path.open("w", encoding="utf-8", newline="")
        self._rows = csv.writer(self._file, delimiter="\t", lineterminator="\n")
        named = [name for name in COLUMNS if name not in LETTERS]
        at = named.index("answer")
        self._columns = [*named[:at], *self._letters, *named[at:], ITEM, TASK]
        self._rows.writerow(self._columns)
        self._index = 0
        self._shown: dict[tuple[str, ...], int] = {}

    def add(self, sample: Sample) -> None:
        """Write one row, its pictures by reference to an earlier row that shows the same."""
        if not sample.request.pictures:
            raise UsageError(
                "VLMEvalKit leaves out questions without a picture. Leave out --no-images."
            )
        if len(sample.choices) > len(self._letters):
            raise UsageError(
                f"Item {sample.item.id} has {len(sample.choices)} choices, the ones before it had "
                f"{len(self._letters)}. Export sets whose items have equally many."
            )
        cells = {
            "index": str(self._index),
            "image": self._image(sample.request.pictures),
            "image_path": _names(sample.request.pictures, self._index),
            "question": question_of(sample),
            "hint": sample.system if sample.ask.expects == "pick" else "",
            **{letter: kept(text) for letter, text in zip(self._letters, sample.choices, strict=False)},
            "answer": kept(sample.target),
            "category": _category(sample),
            "split": sample.item.split,
            ITEM: sample.item.id,
            TASK: sample.task.name,
        }
        self._rows.writerow([cells.get(column, "") for column in self._columns])
        self._index += 1

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _image(self, pictures: tuple[Picture, ...]) -> str:
        key = tuple(picture.digest for picture in pictures)
        if key in self._shown:
            return str(self._shown[key])
        self._shown[key] = self._index
        return listed([base64.b64encode(picture.data).decode() for picture in pictures])


def listed(values: list[str]) -> str:
    """One value as it is, several as a Python list: so VLMEvalKit tells them apart."""
    return values[0] if len(values) == 1 else repr(values)


def _names(pictures: tuple[Picture, ...], index: int) -> str:
    """What VLMEvalKit shall call the files that it unpacks: one name each, and none twice."""
    names = [f"{index}_{place}.jpg" for place in range(len(pictures))]
    return listed(names)


def question_of(sample: Sample) -> str:
    """The prompt; for picks without choices and instruction, which VLMEvalKit adds in its own words."""
    if sample.ask.expects != "pick":  # there VLMEvalKit has no hint to put before it
        return "\n\n".join(filter(None, (sample.system, sample.text)))
    letters = zip(LETTERS, sample.choices, strict=False)
    choices = "\n".join(f"{letter}. {text}" for letter, text in letters)
    told = instruction(sample.ask.expects, sample.prompt.reasoning)
    return sample.text.replace(choices, "").strip().removesuffix(told).strip()


def kept(text: str) -> str:
    """The text, with a blank before it where pandas would take it for an empty cell."""
    return f" {text}" if text and text in MISSING else text


def _category(sample: Sample) -> str:
    """The first of the item's groups that is no picture: what VLMEvalKit breaks its scores down by."""
    groups = sample.item.groups
    return groups.get("category") or groups.get("question_type") or sample.task.name

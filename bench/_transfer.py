"""Other questions about other drawn scenes, laid out like VQA v2 and OK-VQA: to begin with, or to be tried.

They are those that `build questions` writes for CRIC, answered in words alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _reasoning_tables import compositional
from _rows import Place
from commonsight.benchmarks.okvqa import OkvqaRecord
from commonsight.build.vocabulary import right_answer
from commonsight.store.dataset import read_dataset

FOLDER = "vqa"
"""The dataset's."""
_IMAGES = "cric/raw/images"


def other_questions(place: Place) -> None:
    """The dataset `vqa`, with the objects of its scenes."""
    compositional(place)
    native = [_native(place.out, split) for split in ("train", "val")]
    found = ("--images", _IMAGES, "--objects", _IMAGES)
    place.prepare(FOLDER, "convert", "okvqa", *native, *found)


def _native(out: Path, split: str) -> Path:
    """A split's records, with one answer each."""
    path = out / "vqa-native" / f"{split}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(list(_records(out / "questions", split))), encoding="utf-8")
    return path


def _records(dataset: Path, split: str) -> Iterator[dict[str, Any]]:
    for number, item in enumerate(read_dataset(dataset, split=split)):
        image, answer = item.scenes[0].image, right_answer(item)
        assert answer is not None  # every generated question has one
        question = item.texts["question"].with_names(item.labels)
        record = OkvqaRecord(question, number, image.removesuffix(".jpg"), {answer: 1.0})
        yield {name: getattr(record, name) for name in record.__struct_fields__}

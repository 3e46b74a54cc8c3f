"""OK-VQA's soft scores become answers, and scores again."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from commonsight.benchmarks.okvqa import OKVQA, OkvqaRecord, from_item, to_item
from commonsight.core.answer import FreeText
from commonsight.core.benchmark import Source
from commonsight.score.scoring import LoggedAnswer, gather_gold, measure
from commonsight.store.native import FieldError, read_native

SOURCE = Source("train.json", "train")


def test_an_answer_is_there_once_for_every_third_of_its_score() -> None:
    label = {"pony tail": 1.0, "": 0.667, "braid": 0.667, "bun": 0.3, "hat": 0.1}
    item = to_item(OkvqaRecord("What hair?", 5, "COCO_1", label), {"class": 4}, SOURCE)
    assert item.direct_answers == ("pony tail",) * 3 + ("braid",) * 2 + ("bun",)
    (task,) = OKVQA.tasks
    ask = task.ask(item)
    assert ask.gold == FreeText("pony tail")
    assert ask.answers == item.direct_answers
    assert from_item(item) == {
        "sent": "What hair?", "question_id": 5, "img_id": "COCO_1", "label": label, "class": 4
    }  # fmt: skip


def test_answers_score_what_the_file_gives_them(fixtures_dir: Path) -> None:
    items = list(read_native(OKVQA.native, [fixtures_dir / "okvqa" / "val.json"]))
    said = ("fruit", "lion", "milk", "11", "garden")
    answers = [LoggedAnswer(item.id, "da", FreeText(text)) for item, text in zip(items, said, strict=True)]
    outcome = measure(OKVQA.scoring, gather_gold(OKVQA.scoring, items), OKVQA.scoring.from_answers(answers))
    assert outcome.metrics["da"].values.tolist() == pytest.approx([2 / 3, 1, 0, 1, 2 / 3])


def test_questions_without_answers_are_read() -> None:
    item = to_item(OkvqaRecord("What hair?", 5, "COCO_1"), {}, SOURCE)
    assert not OKVQA.scoring.labelled(item)
    assert OKVQA.tasks[0].ask(item).gold is None
    assert "label" not in from_item(item)


def test_a_score_above_one_is_refused() -> None:
    record = structs.replace(OkvqaRecord("What?", 5, "COCO_1"), label={"cup": 1.5})
    with pytest.raises(FieldError, match=r"'cup' has a score of 1\.5"):
        to_item(record, {}, SOURCE)

"""Generated questions laid out like OK-VQA, for a network to learn from before it sees others."""

from __future__ import annotations

from pathlib import Path

import _transfer
from commonsight.benchmarks.okvqa import OKVQA
from commonsight.core.answer import Answer, Grounded, Verdict
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.store.dataset import write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.native import read_native

CUP = Region("cup", Box(0, 0, 9, 9), id=3)


def asked(item: str, question: str, gold: Answer) -> Item:
    scenes = (Scene("film/7.jpg", (CUP,), width=10, height=10),)
    return Item(item, "val", scenes, {"question": TaggedText.plain(question)}, gold=gold)


def test_questions_keep_their_words_their_picture_and_the_right_answer(tmp_path: Path) -> None:
    items = [
        asked("1-4", "What is on the table?", Grounded("cup", 3)),
        asked("2-8", "Is there a cup?", Verdict(True)),
    ]
    info = DatasetInfo("questions", "cric", "1", Made("test", "0"), {})
    write_dataset(tmp_path / "questions", items, info)
    native = _transfer._native(tmp_path, "val")
    found = list(read_native(OKVQA.native, [native]))
    questions = [one.texts["question"].bracketed(()) for one in found]
    assert questions == ["What is on the table?", "Is there a cup?"]
    assert [one.direct_answers for one in found] == [("cup",) * 3, ("True",) * 3]  # as many as count fully
    assert {one.scenes[0].image for one in found} == {"film/7.jpg"}
    assert len({one.id for one in found}) == 2

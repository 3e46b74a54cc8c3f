"""Captions that are learned: where they come from, and what is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commonsight.core.answer import FreeText
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.runs.captions import captioning, captions_in, captions_told
from commonsight.runs.contexts import from_captions


def item(name: str, image: str) -> Item:
    return Item(name, "train", (), {"question": TaggedText.plain("What?")}, groups={"image": image})


def coco(path: Path, *captions: tuple[int, str]) -> Path:
    annotations = [{"image_id": image, "caption": caption} for image, caption in captions]
    path.write_text(json.dumps({"annotations": annotations}))
    return path


def test_all_captions_of_a_picture_are_learned_whatever_file_has_them(tmp_path: Path) -> None:
    train = coco(tmp_path / "train.json", (7, "A cat. "), (8, "A dog."), (7, "A cat sleeps."))
    val = tmp_path / "val.jsonl"
    val.write_text('{"item": "q9", "context": "A hen."}\n')
    found = captions_in([train, val])
    assert found(item("q1", "7")) == ("A cat.", "A cat sleeps.")
    assert found(item("q9", "9")) == ("A hen.",)
    assert from_captions(train)(item("q1", "7")) == "A cat sleeps."  # told to others, the last one
    with pytest.raises(InputError, match=r"there is no caption for item q2\. Give a file that has it too"):
        found(item("q2", "2"))
    assert list(captions_told([str(train), str(val)])) == ["captions 1", "captions 2"]


def test_a_caption_is_asked_for_without_the_question() -> None:
    ask = captioning(lambda _: ("A cat.", "A cat sleeps.")).ask(item("q1", "7"))
    assert (ask.texts, ask.expects, ask.choices) == ({}, "text", ())
    assert ask.gold == FreeText("A cat.")
    assert ask.answers == ("A cat.", "A cat sleeps.")
    assert captioning().ask(item("q1", "7")).gold is None

"""The page for people: all that they need is on it, and nothing on it can run or load."""

from __future__ import annotations

import html.parser
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from commonsight.build.questions.review import write_review
from commonsight.core.answer import Grounded
from commonsight.core.item import Item
from commonsight.core.program import Program, Step
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText

EVIL = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> & \u2028 \u003c'


def item(text: str = "What is red?", label: str = "cup", image: str = "1.png", **scene: Any) -> Item:
    regions = (Region(label, Box(1, 2, 30, 40), attributes=("red",), id=7), Region("table", id=8))
    steps = (
        Step("Initial", output=(7, 8), inputs=()),
        Step("Find", ("object", "red"), (7,), (0,)),
        Step("Recognition", ("object",), (label,), (1,)),
    )
    return Item(
        "1-0", "train", (Scene(image, regions, **scene),), {"question": TaggedText.plain(text)},
        gold=Grounded(label, 7), target=(7,), program=Program(steps),
        groups={"image": "1", "question_type": "QueryAtt"},
        extra={"sub_graph": {"knowledge_items": [[label, "UsedFor", "drinking"]]}},
    )  # fmt: skip


class _Page(html.parser.HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def data(self) -> Any:
        return next(json.loads(text) for text in self.texts if text.startswith('{"name"'))


def page(folder: Path, *items: Item, images: Path | None = None) -> _Page:
    path = folder / "review.html"
    write_review(path, items, "asked", images)
    return _Page(path.read_text("utf-8"))


def test_a_question_with_all_that_is_needed_to_judge_it(tmp_path: Path) -> None:
    data = page(tmp_path, item(width=64, height=48)).data
    (asked,) = data["questions"]
    assert (asked["question"], asked["answer"], asked["target"]) == ("What is red?", "cup", [7])
    assert [step["function"] for step in asked["steps"]] == ["Initial", "Find", "Recognition"]
    assert [step["output"] for step in asked["steps"]] == [[7, 8], [7], ["cup"]]
    assert asked["sub_graph"]["knowledge_items"] == [["cup", "UsedFor", "drinking"]]
    shown = data["pictures"]["1.png"]
    assert (shown["width"], shown["height"], shown["pixels"]) == (64, 48, None)
    assert [entry["box"] for entry in shown["objects"]] == [[1, 2, 30, 40], None]


def test_pictures_are_put_in_once_and_give_the_size(tmp_path: Path) -> None:
    Image.new("RGB", (50, 60)).save(tmp_path / "1.png")
    found = page(tmp_path, item(), item("Which thing is red?"), images=tmp_path)
    assert list(found.data["pictures"]) == ["1.png"]
    shown = found.data["pictures"]["1.png"]
    assert shown["pixels"].startswith("data:image/png;base64,")
    assert (shown["width"], shown["height"]) == (50, 60)
    assert len(found.data["questions"]) == 2


def test_without_a_size_the_boxes_give_one(tmp_path: Path) -> None:
    shown = page(tmp_path, item(image="1.svg"), images=tmp_path).data["pictures"]["1.svg"]
    assert (shown["width"], shown["height"], shown["pixels"]) == (30, 40, None)


@pytest.mark.parametrize("where", ["text", "label", "image"])
def test_words_of_a_scene_never_become_markup(tmp_path: Path, where: str) -> None:
    plain, evil = page(tmp_path, item()), page(tmp_path, item(**{where: EVIL}))
    assert [tag for tag, _ in evil.tags] == [tag for tag, _ in plain.tags]
    assert EVIL in json.dumps(evil.data, ensure_ascii=False).replace('\\"', '"')


def test_the_page_needs_nothing_from_anywhere(tmp_path: Path) -> None:
    found = page(tmp_path, item())
    policy = next(attrs["content"] for tag, attrs in found.tags if attrs.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert not any(attrs.get("src") or attrs.get("href") for _, attrs in found.tags)
    script = found.texts[-2] if found.texts[-1].isspace() else found.texts[-1]
    assert all(risky not in "".join(found.texts) for risky in ("innerHTML", "eval(", "document.write"))
    assert script

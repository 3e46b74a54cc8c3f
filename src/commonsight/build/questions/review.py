"""A page for people to read questions on and to judge them: one file that needs nothing from anywhere.

All data travel as JSON, and the page's script puts them in as text, never as markup. A page like this is
opened with a double click, so it must not be able to load or run anything that a scene graph smuggled in.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from commonsight.core.answer import Grounded
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.graph.programs import inputs_of
from commonsight.store.atomic import new_file
from commonsight.store.paths import below
from commonsight.store.pictures import picture_size

TEMPLATE = "review.html"
MARK = "{{DATA}}"
KINDS = {
    ".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png", ".gif": "gif", ".webp": "webp", ".bmp": "bmp",
}  # fmt: skip
"""Pictures that go into the page, by their endings."""
BLANK = (640, 480)
"""The size of a picture of which nothing is known."""


class _Picture(Struct):
    """What is drawn beside a question."""

    width: float
    height: float
    pixels: str | None
    objects: list[dict[str, Any]]


def write_review(path: Path, items: Sequence[Item], name: str, images: Path | None = None) -> None:
    """Write the page of these questions; pictures are put in if their folder is given."""
    pictures = {item.scenes[0].image: item.scenes[0] for item in items}
    data = {
        "name": name,
        "pictures": {image: _picture(scene, images) for image, scene in pictures.items()},
        "questions": list(map(_question, items)),
    }
    with new_file(path) as part:
        part.write_text(_template().replace(MARK, harmless(data)), encoding="utf-8")


def harmless(data: Any) -> str:
    """JSON in which nothing can end the element that it stands in."""
    text = msgspec.json.encode(data).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _template() -> str:
    return resources.files("commonsight.build.questions").joinpath(TEMPLATE).read_text("utf-8")


def _picture(scene: Scene, images: Path | None) -> _Picture:
    pixels, size = _pixels(scene, images)
    corners = [region.box for region in scene.regions if region.box is not None]
    width = scene.width or size[0] or max((box.right for box in corners), default=BLANK[0])
    height = scene.height or size[1] or max((box.bottom for box in corners), default=BLANK[1])
    return _Picture(
        width, height, pixels,
        [
            {"id": region.id, "label": region.label, "attributes": region.attributes, "box": region.box}
            for region in scene.regions
        ],
    )  # fmt: skip


def _pixels(scene: Scene, images: Path | None) -> tuple[str | None, tuple[int, int]]:
    """The picture as a data address, and its size; no picture is no fault here."""
    if images is None:
        return None, (0, 0)
    path = below(images, scene.image)
    kind = KINDS.get(path.suffix.lower())
    if kind is None or not path.is_file():
        return None, (0, 0)
    size = picture_size(path)
    return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}", size


def _question(item: Item) -> dict[str, Any]:
    assert isinstance(item.gold, Grounded)
    assert item.program is not None
    steps = item.program.steps
    return {
        "id": item.id,
        "split": item.split,
        "type": item.groups["question_type"],
        "image": item.scenes[0].image,
        "question": item.texts["question"].tokens[0],
        "answer": item.gold.text,
        "target": item.target or (),
        "steps": [
            {
                "function": step.function,
                "words": step.text_input or (),
                "inputs": inputs_of(step, number),
                "output": step.output or (),
            }
            for number, step in enumerate(steps)
        ],
        "sub_graph": item.extra.get("sub_graph", {}),
        "wrong": item.extra.get("wrong_part"),
    }

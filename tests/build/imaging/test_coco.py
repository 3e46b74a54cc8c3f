"""COCO's labels, by place and by number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commonsight.build.imaging.coco import BY_ID, NAMES, SAME, coco_name


def test_there_are_eighty() -> None:
    assert len(NAMES) == len(set(NAMES)) == len(BY_ID) == 80


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (1, "person"),
        (13, "stop sign"),
        (14, "parking meter"),
        (44, "bottle"),
        (67, "dining table"),
        (90, "toothbrush"),
    ],
)
def test_numbers_have_gaps(number: int, name: str) -> None:
    assert BY_ID[number] == name


@pytest.mark.real_data
def test_they_are_vcrs(data_dir: Path) -> None:
    classes = json.loads((data_dir / "vcr" / "cocoontology.json").read_text())
    written = [one["name"] for _, one in sorted(classes.items(), key=lambda pair: int(pair[0]))]
    assert [coco_name(name) for name in written] == list(NAMES)  # VCR writes them in one word


def test_other_words_become_cocos() -> None:
    assert [coco_name(name) for name in ("Sofa", "tvmonitor", " Cell  Phone ", "Dining_table", "Ball")] == [
        "couch", "tv", "cell phone", "dining table", "Ball"
    ]  # fmt: skip
    assert set(SAME.values()) <= set(NAMES)

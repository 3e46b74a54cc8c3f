"""Shapes are recovered from pixels exactly: scattered, touching, stacked, at the walls."""

from __future__ import annotations

import io
import tarfile
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
import pytest
from drawn_shapes import drawn, save
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from commonsight.benchmarks.nlvr import NlvrRecord, to_item
from commonsight.core.benchmark import Source
from commonsight.errors import InputError
from commonsight.graph.shapes.values import COLOURS, KINDS, SIZES, Shape, Tableau, tableau, tableau_of
from commonsight.models.symbolic.sight import see, see_file


def listed(shown: Tableau) -> list[list[Shape]]:
    return [sorted(panel.shapes) for panel in shown.panels]


def assert_seen(shown: Tableau) -> None:
    found = see(np.asarray(drawn(shown)))
    assert listed(found.shapes) == listed(shown)
    assert found.unexplained == 0


@pytest.mark.parametrize(("kind", "colour", "size"), product(KINDS, COLOURS, SIZES))
def test_one_shape_alone_and_in_a_corner(kind: str, colour: str, size: int) -> None:
    alone, corner = Shape(kind, colour, size, 33, 41), Shape(kind, colour, size, 100 - size, 100 - size)
    assert_seen(tableau([[alone], [], [corner]]))


@pytest.mark.parametrize("colour", COLOURS)
def test_towers_of_one_colour_with_and_without_a_gap(colour: str) -> None:
    apart = [Shape("square", colour, 20, 40, 80 - 21 * level) for level in range(4)]
    close = [Shape("square", colour, 20, 40, 80 - 20 * level) for level in range(4)]
    assert_seen(tableau([apart, close, []]))


def test_shapes_of_one_colour_that_touch() -> None:
    beside = [Shape("square", "black", 30, 10, 10), Shape("circle", "black", 30, 40, 10)]
    under = [Shape("triangle", "blue", 20, 0, 0), Shape("square", "blue", 20, 0, 20)]
    several = [Shape("circle", "yellow", 10, 10 * n, 50) for n in range(10)]
    assert_seen(tableau([beside, under, several]))


def test_empty_boxes_show_nothing() -> None:
    assert_seen(tableau([[], [], []]))


@st.composite
def crowded(draw: st.DrawFn) -> Tableau:
    """Shapes whose squares do not overlap; they may touch."""
    boxes: list[list[Shape]] = []
    for _ in range(3):
        box: list[Shape] = []
        for _ in range(draw(st.integers(0, 8))):
            size = draw(st.sampled_from(SIZES))
            one = Shape(
                draw(st.sampled_from(KINDS)),
                draw(st.sampled_from(COLOURS)),
                size,
                draw(st.integers(0, 100 - size)),
                draw(st.integers(0, 100 - size)),
            )
            if all(_apart(one, other) for other in box):
                box.append(one)
        boxes.append(box)
    return tableau(boxes)


def _apart(one: Shape, other: Shape) -> bool:
    across = max(one.left, other.left) >= min(one.right, other.right)
    return across or max(one.top, other.top) >= min(one.bottom, other.bottom)


@given(crowded())
@settings(max_examples=40)
def test_any_boxes_are_seen(shown: Tableau) -> None:
    assert_seen(shown)


def test_what_is_no_shape_is_left_over_and_told() -> None:
    picture = drawn(tableau([[Shape("square", "blue", 20, 60, 60)], [], []]))
    picture.paste((0, 0, 0), (5, 5, 9, 40))  # a bar
    found = see(np.asarray(picture))
    assert listed(found.shapes)[0] == [Shape("square", "blue", 20, 60, 60)]
    assert found.unexplained == 4 * 35


def test_a_picture_that_cannot_be_seen_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such picture"):
        see_file(tmp_path / "none.png")
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"not a picture")
    with pytest.raises(InputError, match=r"broken\.png: this is no picture that can be read"):
        see_file(broken)
    small = tmp_path / "small.png"
    Image.new("RGB", (30, 20)).save(small)
    with pytest.raises(InputError, match="is 30 x 20 pixels, not the 400 x 100"):
        see_file(small)
    shown = tableau([[Shape("circle", "blue", 10, 3, 4)], [], []])
    assert listed(see_file(save(shown, tmp_path / "fine.png")).shapes) == listed(shown)


@pytest.mark.real_data
def test_real_drawings_are_seen_exactly(data_dir: Path) -> None:
    lines = (data_dir / "nlvr" / "dev.json").read_bytes().splitlines()[:40]
    scenes = {}
    for line in lines:
        record = msgspec.json.decode(line, type=NlvrRecord)
        for scene in to_item(record, {}, Source("dev.json", "dev")).scenes[:2]:
            scenes[scene.image] = scene
    seen = 0
    with tarfile.open(data_dir / "nlvr" / "dev-images.tar") as archive:
        for member in archive:
            if member.name in scenes:
                file = archive.extractfile(member)
                assert file is not None
                picture = np.asarray(Image.open(io.BytesIO(file.read())).convert("RGB"))
                assert listed(see(picture).shapes) == listed(tableau_of(scenes[member.name])), member.name
                seen += 1
    assert seen == len(scenes) == 80

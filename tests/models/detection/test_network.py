"""The small detector's own equations, and that it learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.errors import InputError
from commonsight.models.detection import learning
from commonsight.models.detection.learning import About, Detecting, PictureSource, drawn, labels_of, mirrored
from commonsight.models.detection.network import (
    Found,
    Known,
    SmallDetector,
    Widths,
    alike,
    losses,
    owners,
    places,
)
from commonsight.models.engine.team import Team

SMALL = (8, 8, 16, 16, 8)


def test_places_are_in_the_middle_of_their_squares() -> None:
    assert places(1, 2, torch.device("cpu")).tolist() == [[4.0, 4.0], [12.0, 4.0]]


def test_a_place_answers_for_the_smallest_of_several_objects() -> None:
    middles = places(8, 8, torch.device("cpu"))
    boxes = torch.tensor(
        [[[0.0, 0.0, 64.0, 64.0], [34.0, 26.0, 54.0, 46.0], [17.0, 1.0, 18.0, 2.0], [0, 0, 9, 9]]]
    )
    owner = owners(Known(boxes, torch.tensor([[2, 1, 0, -1]])), middles)[0].reshape(8, 8)
    assert owner[3:5, 4:6].tolist() == [[1, 1], [1, 1]]  # the second lies within the first, and is smaller
    assert owner[3:5, 3].tolist() == [0, 0]
    assert owner[0, 2] == 2  # too small for the middle of any place, it has the nearest one
    assert owner[0, 0] == -1  # padding has none


def test_boxes_are_alike_as_the_paper_says() -> None:
    one = torch.tensor([0.0, 0.0, 2.0, 2.0])
    assert alike(one, one).item() == pytest.approx(1.0)
    assert alike(one, torch.tensor([1.0, 0.0, 3.0, 2.0])).item() == pytest.approx(1 / 3)
    # Apart by one: nothing shared, and a quarter of the hull is neither.
    assert alike(one, torch.tensor([3.0, 0.0, 5.0, 2.0])).item() == pytest.approx(-2 / 10)


def test_a_right_answer_costs_nothing_and_a_picture_without_objects_can_be_learned_from() -> None:
    middles = places(4, 4, torch.device("cpu"))
    known = Known(torch.tensor([[[4.0, 4.0, 28.0, 28.0]], [[0.0, 0.0, 0.0, 0.0]]]), torch.tensor([[1], [-1]]))
    owner = owners(known, middles)
    logits = torch.full((2, 16, 3), -30.0)
    logits[0, owner[0] == 0, 1] = 30.0
    boxes = known.boxes[:, :1].expand(-1, 16, -1)
    cost = losses(Found(logits, boxes), known, middles)
    assert cost[0].item() == pytest.approx(0.0, abs=1e-4)
    assert cost[1].item() == pytest.approx(0.0, abs=1e-4)
    assert losses(Found(-logits, boxes + 9), known, middles).min() > 1


def test_boxes_lie_around_their_place() -> None:
    network = SmallDetector(3, Widths(*SMALL)).eval()
    with torch.inference_mode():
        found = network(torch.rand(2, 3, 64, 96))
    middles = places(8, 12, torch.device("cpu"))
    assert found.logits.shape == (2, 96, 3)
    assert (found.boxes[..., :2] < middles).all()
    assert (found.boxes[..., 2:] > middles).all()
    assert found.logits.sigmoid().max() < 0.5  # nothing is likely before it has learned


def test_a_mirrored_picture_has_mirrored_boxes() -> None:
    pixels = torch.arange(12.0).reshape(1, 1, 2, 6).expand(2, 3, 2, 6)
    known = Known(torch.tensor([[[1.0, 0.0, 3.0, 2.0]]] * 2), torch.zeros(2, 1, dtype=torch.long))
    turned, boxes = mirrored(pixels, known, torch.tensor([True, False]))
    assert boxes.boxes[:, 0].tolist() == [[3.0, 0.0, 5.0, 2.0], [1.0, 0.0, 3.0, 2.0]]
    assert turned[0, 0, 0].tolist() == [5, 4, 3, 2, 1, 0]
    assert turned[1, 0, 0].tolist() == [0, 1, 2, 3, 4, 5]


def scene(name: str, place: int) -> Scene:
    """A red square and a blue one, and what the red one wears."""
    left = 8.0 * place
    regions = (
        Region("red", Box(left, 4.0, left + 20, 24.0)), Region("blue", Box(left, 36.0, left + 20, 56.0)),
        Region("hat", Box(left, 4.0, left + 20, 8.0)), Region("ghost"),
        Region("flat", Box(3.0, 3.0, 3.0, 9.0)),
    )  # fmt: skip
    return Scene(name, regions, (Relation(0, "wearing", 2),), width=96, height=64)


def picture(folder: Path, name: str, place: int, scale: int = 1) -> None:
    made = Image.new("RGB", (96, 64), (90, 120, 90))
    made.paste((220, 30, 30), (8 * place, 4, 8 * place + 20, 24))
    made.paste((30, 30, 220), (8 * place, 36, 8 * place + 20, 56))
    made.resize((96 * scale, 64 * scale)).save(folder / name)


def test_what_is_worn_or_has_no_area_is_left_out() -> None:
    assert drawn(scene("a.png", 1)).labels == ("red", "blue")
    assert drawn(scene("a.png", 1), without=()).labels == ("red", "blue", "hat")


def test_labels_with_too_few_objects_are_not_learned() -> None:
    scenes = [drawn(scene("a.png", 1))] * 3
    assert labels_of(scenes, at_least=3) == ("blue", "red")
    with pytest.raises(InputError, match="No label has at least 4 objects"):
        labels_of(scenes, at_least=4)


def test_boxes_follow_the_picture_onto_its_canvas(tmp_path: Path) -> None:
    picture(tmp_path, "a.png", 2, scale=2)  # twice as large as its scene says
    source = PictureSource([drawn(scene("a.png", 2))], tmp_path, ("red",), (48, 64))
    batch = source.batch(np.array([0]))
    assert batch.canvas is not None
    assert batch.boxes is not None
    assert batch.canvas.shape == (1, 3, 64, 48)
    assert batch.boxes[0].tolist() == [[8.0, 18.0, 18.0, 28.0]]
    left, top, right, bottom = (int(side) for side in batch.boxes[0, 0])
    inside = batch.canvas[0, :, top + 1 : bottom - 1, left + 1 : right - 1].float().mean(dim=(1, 2))
    assert inside.tolist() == pytest.approx([220, 30, 30], abs=3)


def test_it_learns_a_few_pictures_by_heart_and_is_judged_so(tmp_path: Path) -> None:
    for place in range(8):
        picture(tmp_path, f"{place}.png", place)
    scenes = [drawn(scene(f"{place}.png", place)) for place in range(8)]
    about = About(("red", "blue"), (96, 64), SMALL)
    source = PictureSource(scenes, tmp_path, about.labels, about.canvas)
    judge = learning.well_found(source)
    torch.manual_seed(0)
    network = Detecting(about)
    assert judge(network, Team("cpu")) < 0.2
    optimiser = torch.optim.AdamW(network.parameters(), 8e-3)
    batch = source.batch(np.arange(8))
    for _ in range(60):
        optimiser.zero_grad()
        network(batch, generator=torch.Generator().manual_seed(1)).extra.mean().backward()
        optimiser.step()
    assert judge(network, Team("cpu")) > 0.9


@pytest.mark.parametrize(
    "given",
    [
        '{"labels": []}',
        '{"labels": ["a"], "canvas": [30, 32]}',
        '{"labels": ["a"], "widths": [1, 8, 8, 8, 8]}',
    ],
)
def test_a_file_of_impossible_sizes_is_refused(tmp_path: Path, given: str) -> None:
    (tmp_path / learning.ABOUT.name).write_text(given)
    with pytest.raises(InputError, match="no detector tells"):
        learning.ABOUT.read(tmp_path)

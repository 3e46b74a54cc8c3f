"""An encoder of objects that learns from scene graphs: what it is taught, and what is kept of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec import structs
from PIL import Image

from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.errors import InputError
from commonsight.models.engine import checkpoint
from commonsight.models.engine.team import Team
from commonsight.models.features.batch import Seen
from commonsight.models.regions import learning
from commonsight.models.regions.frozen import KeptRegions
from commonsight.models.regions.learning import (
    LENGTH,
    About,
    LearnedLooks,
    LookBatch,
    Looked,
    Looking,
    LookSource,
    looked_at,
    parted,
    targets_of,
    told_right,
)
from commonsight.models.regions.small import SmallRegions

RED, BLUE = (200, 0, 0), (0, 0, 200)
ABOUT = About(("person", "cup", "is red"), dim=16, size=32, widths=(8, 16))


def scene(folder: Path, name: str = "a.png", **told: object) -> Scene:
    """A red person on the left holds a blue cup on the right; something without a box is there, too."""
    image = Image.new("RGB", (40, 20), RED)
    image.paste(BLUE, (20, 0, 40, 20))
    image.save(folder / name)
    regions = (
        Region("person", Box(0, 0, 20, 20), attributes=("red",)),
        Region("idea"),
        Region("cup", Box(20, 0, 40, 20)),
    )
    return Scene(name, regions, (Relation(0, "holds", 2),), **told)  # type: ignore[arg-type]


def test_objects_are_taught_what_holds_of_them(tmp_path: Path) -> None:
    found = looked_at([scene(tmp_path)], tmp_path, size=8)
    assert found.pixels.shape == (3, 3, 8, 8)  # the whole picture, and two objects with boxes
    assert found.targets == [
        {"image", "shows person", "shows idea", "shows cup"},
        {"person", "is red", "holds something", "holds cup"},
        {"cup", "something holds"},
    ]
    middle = [tuple(int(value) for value in crop[:, 4, 4]) for crop in found.pixels[1:]]
    assert middle == [RED, BLUE]


def test_relations_of_place_are_not_taught_unless_wanted(tmp_path: Path) -> None:
    """No look tells who stands to the left of whom."""
    one = scene(tmp_path)
    beside = structs.replace(one, relations=(*one.relations, Relation(0, "left of", 2)))
    assert looked_at([beside], tmp_path, size=8).targets == looked_at([one], tmp_path, size=8).targets
    _, person, cup = looked_at([beside], tmp_path, size=8, without={"holds"}).targets
    assert {"left of something", "left of cup"} < person
    assert cup == {"cup", "something left of"}


def test_boxes_are_measured_as_the_scene_says(tmp_path: Path) -> None:
    """Where it says so; the file may be a smaller copy."""
    one = scene(tmp_path, width=80, height=40)
    crops = looked_at([one], tmp_path, size=8).pixels
    assert tuple(crops[2][:, 4, 4].tolist()) == RED  # 20 to 40 of 80 is still on the left


def test_boxes_that_are_no_numbers_are_left_out(tmp_path: Path) -> None:
    plain = scene(tmp_path)
    odd = Scene("a.png", (Region("cup", Box(0.0, 0.0, float("nan"), 5.0)), *plain.regions))
    assert len(looked_at([odd], tmp_path, size=8).targets) == 3


def test_what_is_rare_is_not_taught() -> None:
    several = [frozenset(("a", "b"))] * 3 + [frozenset(("c", "b"))] * 2
    looked = Looked(np.zeros((5, 3, 8, 8), np.uint8), several)
    assert targets_of(looked, 2) == ("b", "a", "c")
    assert targets_of(looked, 3) == ("b", "a")
    with pytest.raises(InputError, match=r"Nothing holds of at least 20 objects.*Give more scenes"):
        targets_of(looked)


def test_no_scene_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no scene to learn from"):
        looked_at([], tmp_path)


def test_a_picture_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.png: the picture is missing"):
        looked_at([Scene("gone.png", (Region("cup", Box(0, 0, 1, 1)),))], tmp_path)


def source() -> LookSource:
    pixels = np.random.default_rng(0).integers(0, 256, (6, 3, 32, 32), np.uint8)
    holds = [frozenset(("person", "is red")), frozenset(("cup",)), frozenset(("unheard of",))] * 2
    return LookSource(Looked(pixels, holds), ABOUT.targets)


def test_batches_say_what_holds() -> None:
    (batch,) = source().ahead([np.array([0, 2, 4])])
    assert isinstance(batch, LookBatch)
    assert batch.targets is not None
    assert batch.targets.tolist() == [[1, 0, 1], [0, 0, 0], [0, 1, 0]]
    moved = batch.to("cpu")
    assert isinstance(moved, LookBatch)
    assert moved.targets is not None


def test_the_loss_is_one_of_yes_and_no_for_each_target() -> None:
    network = Looking(ABOUT)
    with torch.no_grad():
        network.tell.weight.zero_()
        network.tell.bias.copy_(torch.tensor([50.0, 0.0, -50.0]))
    (batch,) = source().ahead([np.array([0, 1])])
    scores = network(batch)
    half = np.log(2)
    assert scores.extra.tolist() == pytest.approx([half + 50, 50 + half])
    assert scores.logits.shape == (2, 1)  # nothing to choose from


def test_it_is_judged_by_what_it_holds_likeliest() -> None:
    network = Looking(ABOUT)
    with torch.no_grad():
        network.tell.weight.zero_()
        network.tell.bias.copy_(torch.tensor([2.0, 1.0, 0.0]))
    # Of a red person's two targets the likeliest two have one; the cup's one is not the likeliest.
    assert told_right(source())(network, Team("cpu")) == pytest.approx(2 / 6)
    assert network.training


def kept(folder: Path, about: About = ABOUT) -> Path:
    torch.manual_seed(0)
    learning.ABOUT.save(folder, about)
    checkpoint.save_best(folder, Looking(about).state_dict())
    return folder


def test_what_was_learned_gives_crops_vectors(tmp_path: Path) -> None:
    encoder = LearnedLooks(kept(tmp_path / "one"))
    crops = np.random.default_rng(1).integers(0, 256, (5, 3, 32, 32), np.uint8)
    vectors = encoder.encode(crops)
    assert vectors.shape == (5, encoder.dim) == (5, len(ABOUT.targets))
    assert np.allclose(vectors[2:3], encoder.encode(crops[2:3]), atol=1e-5)
    assert (vectors > 0).all()
    assert (np.linalg.norm(vectors, axis=1) <= LENGTH + 1e-5).all()
    (tmp_path / "one").rename(tmp_path / "moved")
    assert LearnedLooks(tmp_path / "moved").name == encoder.name  # known by its weights
    other = About(ABOUT.targets, dim=16, size=32, widths=(8, 8))
    assert LearnedLooks(kept(tmp_path / "other", other)).name != encoder.name


def test_weights_that_are_not_there_or_of_another_are_told(tmp_path: Path) -> None:
    learning.ABOUT.save(tmp_path, ABOUT)
    with pytest.raises(InputError, match=r"best\.safetensors: there are no weights here"):
        LearnedLooks(tmp_path)
    checkpoint.save_best(tmp_path, Looking(About(("a",), dim=16, size=32, widths=(8, 16))).state_dict())
    with pytest.raises(InputError, match=r"tell\.weight is \(1, 16\) and should be \(3, 16\)"):
        LearnedLooks(tmp_path)


@pytest.mark.parametrize("size", [8, 9, 31, 33, 50, 64, 100])
def test_any_size_of_crop_can_be_read(size: int) -> None:
    network = SmallRegions(4, size=size, widths=(8, 8, 8))
    assert network.vectors(torch.zeros(2, 3, size, size, dtype=torch.uint8)).shape == (2, 4)


def test_padding_has_no_vector_and_wrong_features_are_told() -> None:
    mask = torch.tensor([[True, True], [True, False]])
    seen = Seen(mask, torch.zeros(2, 2, 4), torch.zeros(2, 2, dtype=torch.long))
    crops, frozen = SmallRegions(4, size=8, widths=(8,)), KeptRegions(3)
    with pytest.raises(InputError, match=r"reads crops of 3 x 8 x 8 pixels.*Give a dataset with pictures"):
        crops(seen)
    with pytest.raises(InputError, match="reads 3 numbers for each object, and the batch has none such"):
        frozen(seen)
    both = {
        crops: torch.randint(0, 256, (2, 2, 3, 8, 8), dtype=torch.uint8),
        frozen: torch.rand(2, 2, 3, dtype=torch.float16) + 1,
    }
    for network, features in both.items():
        vectors = network(Seen(mask, seen.boxes, seen.classes, features=features))
        assert vectors.dtype == torch.float32
        assert not vectors[1, 1].any()
        assert vectors[0].any()


def test_scenes_are_parted_by_their_split_or_every_tenth_is_held_out() -> None:
    splits = ("train", "val", "test", "train", "dev", "test1", None)
    marked = [Scene(str(number), extra={"split": split}) for number, split in enumerate(splits)]
    learned, judged = parted(marked)
    assert [one.image for one in learned] == ["0", "3", "6"]
    assert [one.image for one in judged] == ["1", "4"]
    learned, judged = parted(Scene(str(number)) for number in range(25))
    assert [one.image for one in judged] == ["9", "19"]
    assert len(learned) == 23

"""The network that tells interesting pictures, trained to the end on a few."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec import structs
from PIL import Image

from commonsight.build.imaging.interest.lessons import Rated
from commonsight.build.imaging.sightings import Sighting
from commonsight.errors import InputError, UsageError
from commonsight.models import interest
from commonsight.models.interest import InterestSource, Picture, begun
from commonsight.models.regions.resnet import Shape
from commonsight.runs.interest import InterestPlan, judgements, train_interest

SMALLEST = Shape(4, (4, 4, 8, 8), (1, 1, 1, 1), "basic")


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Rated]:
    """Bright pictures with many people are interesting."""
    folder, seen, right = tmp_path_factory.mktemp("pictures"), [], []
    for number in range(20):
        yes = number % 2 == 0
        Image.new("RGB", (30, 20), (200,) * 3 if yes else (20,) * 3).save(folder / f"{number}.png")
        counts = {"person": 5 if yes else 1, "cup": number % 3}
        seen.append(Sighting(f"{number}.png", None, counts))
        right.append(yes)
    return folder, Rated(seen, right)


def test_counts_stand_beside_the_picture(lessons: tuple[Path, Rated]) -> None:
    folder, _ = lessons
    about, network = begun(["person", "cup"], None, shape=SMALLEST, side=32)
    assert network.tell.in_features == 8 + 512
    network.eval()
    chances = [
        interest.chances(network, InterestSource([Picture("0.png", {"person": count})], folder, about))[0]
        for count in (0, 9)
    ]
    assert chances[0] != chances[1]
    alone_about, alone = begun([], None, shape=SMALLEST, side=32)
    assert alone.tell.in_features == 8
    source = InterestSource([Picture("0.png", {"person": 3}), Picture("1.png", {})], folder, alone_about)
    assert interest.chances(alone, source).shape == (2,)


def test_gradients_reach_every_weight(lessons: tuple[Path, Rated]) -> None:
    folder, _ = lessons
    about, network = begun(["person", "cup"], None, shape=SMALLEST, side=32)
    pictures = [Picture("0.png", {"person": 1}, True), Picture("1.png", {"cup": 2})]
    batch = InterestSource(pictures, folder, about).batch(np.arange(2))
    network.train()
    torch.nn.functional.cross_entropy(network(batch).logits, batch.gold).backward()
    assert all(value.grad is not None for value in network.parameters())


def test_it_learns_is_kept_and_chooses(lessons: tuple[Path, Rated], tmp_path: Path) -> None:
    folder, rated = lessons
    learned = train_interest(rated, tmp_path / "net", InterestPlan(folder, epochs=3))
    assert (learned.rated, learned.interesting) == (20, 10)
    assert learned.average > 0.6
    judged = list(judgements(rated.seen, tmp_path / "net", folder))
    assert [one.seen for one in judged] == rated.seen
    assert all(one.enough == (one.chance >= learned.chosen.threshold) for one in judged)
    again = train_interest(rated, tmp_path / "net", InterestPlan(folder, epochs=3))  # nothing is left to do
    assert again == learned
    with pytest.raises(UsageError, match="begun otherwise"):
        train_interest(rated, tmp_path / "net", InterestPlan(folder, counts=False, epochs=3))


def test_too_few_are_refused(lessons: tuple[Path, Rated], tmp_path: Path) -> None:
    folder, rated = lessons
    with pytest.raises(UsageError, match="Two interesting pictures and two others"):
        train_interest(Rated(rated.seen[:3], [True, False, False]), tmp_path, InterestPlan(folder))


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no network here"):
        interest.trained(tmp_path)
    (tmp_path / interest.ABOUT.name).write_text('{"labels": [], "built": {"hidden_sizes": "x"}}')
    with pytest.raises(InputError, match="learn-interest"):
        interest.trained(tmp_path)
    about, _ = begun([], None, shape=SMALLEST)
    interest.ABOUT.save(
        tmp_path, structs.replace(about, built=structs.replace(about.built, embedding_size=-1))
    )
    with pytest.raises(InputError, match="no network can be built by this"):
        interest.trained(tmp_path)

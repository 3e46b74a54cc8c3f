"""A small CLIP learns which caption is which picture's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from commonsight.errors import InputError, UsageError
from commonsight.models.engine.team import Team
from commonsight.models.libraries import seeded
from commonsight.models.wholes.clip_learning import (
    Captioned,
    LearningClip,
    PairSource,
    Shape,
    refuse_few,
    shown,
    told_apart,
    untrained_clip,
)

TINY = Shape(dim=16, width=32, heads=2, text_layers=1, picture_layers=1, pixels=16, patch=8)
COLOURS = ("red", "lime", "blue", "yellow", "white", "black", "cyan", "magenta")
SEVERAL = [Captioned(f"{name}.png", (f"a {name} wall", f"all is {name}")) for name in COLOURS]


def source(folder: Path) -> tuple[LearningClip, PairSource]:
    for name in COLOURS:
        Image.new("RGB", (20, 30), name).save(folder / f"{name}.png")
    with seeded(0):
        model, cut = untrained_clip([text for one in SEVERAL for text in one.captions], TINY)
    given = shown(SEVERAL, folder, cut, TINY)
    assert given.pixels.shape == (8, 3, 16, 16)
    return LearningClip(model), PairSource(given, padding=cut.pad_token_id, seed=0)


def test_captions_and_pictures_find_each_other(tmp_path: Path) -> None:
    network, pairs = source(tmp_path)
    judge = told_apart(pairs)
    before = judge(network, Team("cpu"))
    adam = torch.optim.Adam(network.parameters(), lr=3e-3)
    network.train()
    for step in range(80):
        batch = pairs.batch(np.random.default_rng(step).permutation(8))
        scores = network(batch)
        loss = torch.nn.functional.cross_entropy(scores.logits, batch.gold) + scores.extra.mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
    assert before < 0.6
    assert judge(network, Team("cpu")) == 1.0


def test_a_batch_is_the_same_whenever_it_is_made(tmp_path: Path) -> None:
    _, pairs = source(tmp_path)
    one, same, other = (pairs.batch(np.array(order)) for order in ((0, 1, 2), (0, 1, 2), (2, 1, 0)))
    assert one.ids is not None
    assert same.ids is not None
    assert other.ids is not None
    assert torch.equal(one.ids, same.ids)
    drawn = {tuple(pairs.batch(np.array((0, place))).ids[0].tolist()) for place in range(1, 8)}  # type: ignore[index]
    assert len(drawn) == 2  # either caption of the first picture
    assert one.choices.all()
    assert one.gold.tolist() == [0, 1, 2]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(UsageError, match="Pictures of 96 pixels cannot be cut into squares of 10"):
        Shape(patch=10)
    with pytest.raises(InputError, match="8 captioned pictures to learn from and 1 to judge by are too few"):
        refuse_few(SEVERAL, SEVERAL[:1], Path("scenes"))

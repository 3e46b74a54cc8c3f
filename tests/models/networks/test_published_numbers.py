"""Networks as published: their sizes, built without room for their numbers, and how they are trained."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
import torch

from commonsight.models.assembly import size_of
from commonsight.models.blueprint import SizeName
from commonsight.models.catalogue import find
from commonsight.models.describing import ANSWERS, outlined

R2CS: dict[str, Any] = {"epochs": 20, "batch": 96, "rate": 2e-4, "decay": 1e-4, "clip": 1.0, "patience": None}
"""CRIC tells no recipe for most of its networks: they have R2C's."""
CLEVR: dict[str, Any] = {
    "batch": 64, "rate": 1e-3, "decay": 5e-6, "clip": 10.0, "patience": 30, "growth": 1.01
}  # fmt: skip


class Published(NamedTuple):
    """What a network has as published."""

    name: str
    shapes: dict[str, tuple[int, ...]]
    recipe: dict[str, Any]
    text: str = "glove:FILE"
    size: SizeName = "paper"


PUBLISHED = (
    Published(
        "san",
        {
            "ask.lstm.weight_ih_l0": (4 * 512, 300),  # 1,024 of both directions
            "see.weight": (1024, 2048),
            "stacks.0.meet.weight": (512, 2 * 1024),
            "stacks.1.look.weight": (1, 512),  # two looks
            "answer.weight": (2, 1024),
        },
        R2CS,
    ),
    Published(
        "bottom-up-named",
        {
            "ask.gru.weight_ih_l0": (3 * 512, 300),
            "look.meet.gate.weight": (512, 2048 + 512),
            "think.value.weight": (512, 512),
            "answer.weight": (2, 512),
        },
        R2CS,
    ),
    Published(
        "memory-vqa",
        {
            "memorise.gru.weight_ih_l0": (3 * 512, 300),
            "relation.weight": (11, 512),
            "see.found.weight": (512, 2048),
            "answer.layers.0.weight": (1024, 512),
        },
        R2CS,
    ),
    Published(
        "vilbert-named",
        {
            "inputs.location.weight": (1024, 5),
            "layers.5.intermediate.dense.weight": (1024, 1024),
            "connections.5.text.attention.query.weight": (1024, 768),  # six connections
            "answer.layers.0.weight": (2048, 1024),
        },
        {"epochs": 20, "batch": 256, "rate": 4e-5, "warm_up": 0.1, "optimiser": "adamw"},
        "bert:PLACE",
    ),
    Published(
        "question-only", {"read.lstm.weight_ih_l0": (4 * 512, 300), "answer.weight": (2, 1024)}, R2CS
    ),
    Published(
        "cmm",
        {
            "read.lstm.weight_hh_l0": (4 * 128, 128),
            "blocks.2.around.weight": (128, 128, 3, 3),  # three steps
            "said.weight": (512, 256),
            "answer.layers.0.weight": (1024, 512),
        },
        {"batch": 128, "rate": 3.5e-4, "decay": 1e-5, "clip": None},
        "learned",
    ),
    Published(
        "n2nmn-cloning",
        {
            "policy.read.lstm.weight_ih_l1": (4 * 512, 512),  # two layers
            "policy.embed.weight": (15, 300),
            "toolbox.find.image.weight": (250, 512),  # VGG's pool5
            "toolbox.transform.around.weight": (250, 25),
            "toolbox.count.judge.features.weight": (2, 10 * 15 + 2),
        },
        CLEVR,
        "learned",
    ),
    Published("n2nmn-tune", {"toolbox.find.image.weight": (250, 512)}, CLEVR | {"rate": 1e-4}, "learned"),
    Published("n2nmn-rl", {"toolbox.find.image.weight": (250, 512)}, CLEVR | {"decay": 0.0}, "learned"),
    Published(
        "n2nmn-cloning",
        {
            "policy.read.lstm.weight_ih_l1": (4 * 1000, 1000),
            "policy.embed.weight": (15, 300),
            "toolbox.find.image.weight": (1024, 2048),  # ResNet-152's res5c
            "toolbox.count.judge.features.weight": (2, 14 * 14 + 2),
        },
        CLEVR | {"decay": 0.0, "clip": None},
        size="large",
    ),
    Published(
        "n2nmn-tune",
        {"toolbox.find.image.weight": (1024, 2048)},
        CLEVR | {"rate": 1e-4, "decay": 0.0},
        size="large",
    ),
    Published(
        "nmn-cs",
        {
            "predictor.read_both.lstm.weight_ih_l0": (4 * 512, 300),
            "functions.Find.see.weight": (512, 2048 + 6),
            "functions.And.first.weight": (512, 1),
            "functions.Recognition.tell.weight": (2, 512),
            "functions.Verify.tell.weight": (2, 8),
        },
        R2CS,
    ),
)


@pytest.mark.parametrize("published", PUBLISHED, ids=[f"{one.name}-{one.size}" for one in PUBLISHED])
def test_published_numbers_are_as_told(published: Published) -> None:
    entry = find(published.name)
    size = size_of(entry, published.size)
    network = outlined(entry, size, ANSWERS)
    weights = network.state_dict()
    assert all(weight.device == torch.device("meta") for weight in weights.values())
    assert {name: tuple(weights[name].shape) for name in published.shapes} == published.shapes
    assert {name: getattr(size.recipe, name) for name in published.recipe} == published.recipe
    assert size.text == published.text


def test_published_looks_and_steps_are_no_more() -> None:
    for name, beyond in (("san", "stacks.2"), ("cmm", "blocks.3"), ("vilbert-named", "connections.6")):
        entry = find(name)
        weights = outlined(entry, entry.paper, ANSWERS).state_dict()
        assert not any(one.startswith(beyond) for one in weights)


def test_nmn_cs_as_published_is_taught_neither_words_nor_objects() -> None:
    network: Any = outlined(find("nmn-cs"), find("nmn-cs").paper, ANSWERS)
    assert (network.wording, network.finding) == (0.0, 0.0)
    small: Any = outlined(find("nmn-cs"), find("nmn-cs").small, ANSWERS)
    assert (small.wording, small.finding) == (1.0, 1.0)

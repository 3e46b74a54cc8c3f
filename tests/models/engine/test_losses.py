"""What training lowers, against sums that are done by hand."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Generator, Tensor

from commonsight.models.engine.losses import loss
from commonsight.models.engine.recipe import Loss
from commonsight.models.features.batch import Batch

LOGITS = torch.tensor([[2.0, 0.0, -1.0], [0.5, 1.5, 0.0]])
PEOPLE = torch.tensor([[6.0, 1.0, 0.0], [0.0, 0.0, 10.0]])


def batch(people: Tensor | None = PEOPLE) -> Batch:
    return Batch(torch.ones(2, 3, dtype=torch.bool), torch.tensor([0, 2]), people=people)


def binary(logit: float, wanted: float) -> float:
    chance = 1 / (1 + math.exp(-logit))
    return -wanted * math.log(chance) - (1 - wanted) * math.log(1 - chance)


@pytest.mark.parametrize(
    ("kind", "wanted", "over"),
    [
        ("any", ((1, 1, 0), (0, 0, 1)), 3),
        ("agreed", ((1, 1 / 3, 0), (0, 0, 1)), 1),
    ],
)
def test_each_answer_is_judged_for_itself(
    kind: Loss, wanted: tuple[tuple[float, ...], ...], over: int
) -> None:
    pairs = zip(LOGITS.flatten().tolist(), (one for row in wanted for one in row), strict=True)
    assert loss(kind, LOGITS, batch()).item() == pytest.approx(sum(binary(*pair) for pair in pairs) / over)


def test_one_answer_is_right() -> None:
    chances = LOGITS.softmax(dim=1)
    wanted = -math.log(chances[0, 0]) - math.log(chances[1, 2])
    assert loss("one", LOGITS, batch(None)).item() == pytest.approx(wanted)


def test_what_people_gave_is_shared_out() -> None:
    chances = LOGITS.softmax(dim=1)
    wanted = -0.75 * math.log(chances[0, 0]) - 0.25 * math.log(chances[0, 1]) - math.log(chances[1, 2])
    assert loss("shared", LOGITS, batch()).item() == pytest.approx(wanted)


def test_a_question_whose_answers_have_no_name_teaches_nothing() -> None:
    logits = LOGITS.clone().requires_grad_()
    found = loss("shared", logits, batch(torch.zeros(2, 3)))
    (slope,) = torch.autograd.grad(found, logits)
    assert (found.item(), slope.abs().sum().item()) == (0, 0)


def test_within_a_batch_an_answer_is_told_from_the_others_questions() -> None:
    certain = torch.tensor([[6.0, 0.0, 0.0], [0.0, 0.0, 10.0]])  # nothing to draw: answers 0 and 2
    chances = LOGITS[:, [0, 2]].softmax(dim=1)
    wanted = -math.log(chances[0, 0]) - math.log(chances[1, 1])
    assert loss("in-batch", LOGITS, batch(certain)).item() == pytest.approx(wanted)


def test_of_several_answers_one_is_drawn_however_many_gave_it() -> None:
    sums = [
        round(loss("in-batch", LOGITS, batch(), Generator().manual_seed(seed)).item(), 4)
        for seed in range(60)
    ]
    again = [
        round(loss("in-batch", LOGITS, batch(), Generator().manual_seed(seed)).item(), 4)
        for seed in range(60)
    ]
    assert sums == again
    assert len(set(sums)) == 2  # answer 0, which six people gave, or answer 1, which one did
    assert all(15 < sums.count(one) < 45 for one in set(sums))


def test_who_learns_from_people_needs_them() -> None:
    with pytest.raises(ValueError, match="needs answers that people gave"):
        loss("any", LOGITS, batch(None))

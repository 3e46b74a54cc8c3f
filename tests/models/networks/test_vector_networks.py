"""Heuristics, classifiers and matching by vectors: their own equations."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from making import ANSWERS, WHOLE_TEXT, batch_for, drawn, scores_of, tiny_network
from torch import Tensor

from commonsight.errors import UsageError
from commonsight.models.canvas.frozen import KeptMaps
from commonsight.models.canvas.pixels import PixelMaps
from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch, Wholes
from commonsight.models.networks.frequency import Frequency
from commonsight.models.networks.vector_classifier import VectorClassifier, classifier_paper
from commonsight.models.networks.vector_matching import contrastive_paper, zero_shot
from commonsight.models.parts import Parts


def choosing(places: list[list[int]]) -> Batch:
    there = torch.tensor(places)
    return Batch(torch.ones_like(there, dtype=torch.bool), torch.zeros(len(there)).long(), places=there)


def test_answers_count_as_often_as_they_are_right_in_training() -> None:
    network = Frequency((6, 0, 3, 1))
    naming = Batch(torch.ones(2, 4, dtype=torch.bool), torch.tensor([0, 1]))
    shares = scores_of(network, naming).logits.softmax(dim=1)
    torch.testing.assert_close(shares, torch.tensor([[0.6, 0.0, 0.3, 0.1]] * 2))


def test_of_choices_only_those_that_are_known_count_if_any_is() -> None:
    batch = choosing([[2, 3, -1, 1], [-1, 1, -1, -1]])
    shares = scores_of(Frequency((6, 0, 3, 1)), batch).logits.softmax(dim=1)
    torch.testing.assert_close(shares[0], torch.tensor([0.75, 0.25, 0.0, 0.0]))
    torch.testing.assert_close(shares[1], torch.full((4,), 0.25))


def vectors(*rows: list[float]) -> Tensor:
    return torch.tensor(rows)


def test_zero_shot_adds_both_at_length_one_and_takes_the_nearest() -> None:
    network = zero_shot(Parts(2, canvas=KeptMaps(2), wholes=2))
    answers = vectors([1.0, 0.0], [0.0, 5.0], [3.0, 3.0])
    batch = Batch(
        torch.ones(1, 3, dtype=torch.bool),
        torch.tensor([0]),
        canvas=vectors([0.0, 7.0]),
        wholes=Wholes(vectors([2.0, 0.0]), answers=answers),
    )
    diagonal = scores_of(network, batch).logits
    assert diagonal.argmax().item() == 2
    torch.testing.assert_close(diagonal[0, 2] * 0.07, torch.tensor(1.0))
    torch.testing.assert_close(diagonal[0, 0] * 0.07, torch.tensor(0.5**0.5))
    chosen = replace(batch, wholes=Wholes(vectors([2.0, 0.0]), choices=answers[None, [0, 2, 1]]))
    torch.testing.assert_close(scores_of(network, chosen).logits, diagonal[:, [0, 2, 1]])


def test_a_classifier_is_one_layer_over_both_vectors_and_may_have_another_between() -> None:
    given = vectors([0.5, -2.0]), vectors([3.0, 4.0])
    batch = Batch(
        torch.ones(1, 3, dtype=torch.bool), torch.tensor([0]), canvas=given[1], wholes=Wholes(given[0])
    )
    parts = Parts(2, canvas=KeptMaps(2), wholes=2, answers=3)
    assert classifier_paper(parts).hidden is None  # as released
    plain = VectorClassifier(classifier_paper(parts).reads, answers=3, hidden=None, dropout=0.0)
    joined = torch.cat(given, dim=1)
    torch.testing.assert_close(scores_of(plain, batch).logits, plain.answer(joined))
    deep = VectorClassifier(plain.reads, answers=3, hidden=5, dropout=0.0)
    assert deep.hidden is not None
    assert (deep.hidden.in_features, deep.hidden.out_features, deep.answer.in_features) == (4, 5, 5)
    torch.testing.assert_close(scores_of(deep, batch).logits, deep.answer(deep.hidden(joined).relu()))


def test_zero_shot_needs_one_space() -> None:
    for canvas in (KeptMaps(3), PixelMaps(2)):
        with pytest.raises(UsageError, match="must be in one space already"):
            zero_shot(Parts(2, canvas=canvas, wholes=2))


def test_the_published_projection_is_as_long_as_texts_and_compared_by_cosine() -> None:
    network = contrastive_paper(Parts(2, canvas=KeptMaps(512), wholes=512, answers=9))
    assert (network.project.in_features, network.project.out_features, network.scale) == (1024, 512, 1.0)


@pytest.mark.parametrize("name", ["clip-contrastive", "clip-zero-shot-text", "clip-contrastive-text"])
def test_a_choice_scores_as_the_same_answer_does(name: str) -> None:
    entry = find(name)
    network = tiny_network(entry)
    batch = batch_for(entry, drawn(4))
    named = scores_of(network, batch).logits
    assert batch.wholes is not None
    assert batch.wholes.answers is not None
    given = batch.wholes.answers[None, [3, 1]].expand(4, -1, -1)
    chosen = replace(
        batch,
        choices=torch.ones(4, 2, dtype=torch.bool),
        wholes=Wholes(batch.wholes.question, choices=given),
    )
    torch.testing.assert_close(scores_of(network, chosen).logits, named[:, [3, 1]])
    assert named.shape == (4, len(ANSWERS))
    assert batch.wholes.question.shape == (4, WHOLE_TEXT)


@pytest.mark.parametrize(
    ("name", "rate", "loss"),
    [
        ("bert-classifier", 0.01, "any"),
        ("clip-classifier", 0.01, "any"),
        ("resnet-classifier", 0.001, "any"),
        ("clip-contrastive", 0.01, "in-batch"),
    ],
)
def test_published_numbers_are_those_of_appendix_b(name: str, rate: float, loss: str) -> None:
    recipe = find(name).paper.recipe
    assert (recipe.epochs, recipe.batch, recipe.rate, recipe.loss) == (500, 128, rate, loss)
    assert (recipe.optimiser, recipe.decay, recipe.clip, recipe.plateau) == ("adam", 0.0, None, None)

"""Which words of a question each call takes, and what is lost by attending to others."""

from __future__ import annotations

import math

import pytest
import torch
from making import batch_for, drawn, tiny_network, tiny_parts, training_loss

from commonsight.core.program import Program, Step
from commonsight.models.catalogue import find
from commonsight.models.networks.nmn_cs.network import NMNCS
from commonsight.models.programs.layouts import laid_out
from commonsight.models.programs.predictor import LayoutPredictor, Told, padded_calls
from commonsight.models.programs.wording import spoken, spoken_by_call
from commonsight.models.words import LearnedVectors

ASKED = ("what", "color", "is", "the", "red", "thing", "used", "for", "eating", "?")
PROGRAM = Program((
    Step("Initial", None, None, ()),
    Step("Find", ("object", "red"), None, (0,)),
    Step("Find_KG", ("BLANK", "UsedFor", "eating"), None, (1,)),
    Step("Recognition", ("color",), None, (2,)),
))


@pytest.mark.parametrize(
    ("step", "places"),
    [
        (PROGRAM.steps[1], (4,)),
        (PROGRAM.steps[2], (6, 7, 8)),
        (PROGRAM.steps[3], (1,)),
        (PROGRAM.steps[0], (10,)),
        (Step("Find", ("zebra",), None, (0,)), (10,)),
        (Step("Find", ("Red Thing",), None, (0,)), (4, 5)),
    ],
)
def test_words_of_a_step_are_found_in_the_question(step: Step, places: tuple[int, ...]) -> None:
    assert spoken(step, ASKED) == places


def test_nothing_is_asked_of_calls_that_are_not_there() -> None:
    found = spoken_by_call((PROGRAM, None), (ASKED, ("why", "?")), torch.zeros(2, 6, 11))
    assert found[0, :4].sum(dim=1).tolist() == [1, 1, 3, 1]
    assert not found[0, 4:].any()
    assert not found[1].any()


def test_attention_on_other_words_is_lost() -> None:
    predictor = LayoutPredictor(LearnedVectors(5, 4), hidden=4, dropout=0.0)
    calls = padded_calls([[laid.call for laid in laid_out(PROGRAM)]], torch.device("cpu"))
    own = spoken_by_call((PROGRAM,), (ASKED,), torch.zeros(1, 4, 11))
    nothing = torch.zeros(1, 4, 1)

    def lost(weights: torch.Tensor) -> float:
        told = Told(calls, nothing, weights, nothing)
        return float(predictor.wording_loss(told, own, torch.tensor([True])))

    assert lost(own / own.sum(dim=2, keepdim=True)) == pytest.approx(0.0, abs=1e-6)
    even = torch.full((1, 4, 11), 1 / 11)
    assert lost(even) == pytest.approx(4 * math.log(11) - math.log(3), abs=1e-4)


def test_the_small_network_is_taught_words_and_the_published_one_is_not() -> None:
    entry = find("nmn-cs")
    batch, network = batch_for(entry, drawn(8)), tiny_network(entry)
    assert batch.programs
    assert isinstance(network, NMNCS)
    taught = training_loss(network, batch)
    network.wording = 0.0
    assert training_loss(network, batch) < taught
    assert entry.paper.build(tiny_parts(entry)).wording == 0.0

"""Networks that read and see, as the catalogue has them."""

from __future__ import annotations

import pytest
import torch
import toy_pairs as toy

from commonsight.models.catalogue_entry import Entry
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.cross_modal_entries import CROSS_MODAL, ERNIE_VIL, UNITER, VL_BERT
from commonsight.models.networks.premise_entries import BERT_NO_PREMISE, BERT_PREMISE, ERNIE_VIL_NO_PREMISE
from commonsight.models.states import CrossModal

every = pytest.mark.parametrize("entry", CROSS_MODAL, ids=[entry.name for entry in CROSS_MODAL])


@every
def test_each_has_three_sizes_that_can_be_built(entry: Entry) -> None:
    assert entry.large is not None
    for size in (entry.paper, entry.large):
        assert size.regions == 2048
        with torch.device("meta"):
            network = size.build(toy.paper_parts(*size.transformer))
        assert isinstance(network, CrossModal)
        assert network.text_dim == size.transformer[1]
    assert isinstance(toy.tiny(entry.small.build), CrossModal)
    assert entry.small.transformer[0] >= 2  # as many layers of text as there are connections
    assert entry.objects == "all"


def test_recipes_are_the_published_ones() -> None:
    def told(recipe: Recipe) -> tuple[object, ...]:
        return recipe.batch, recipe.optimiser, recipe.rate, recipe.warm_up_steps, recipe.epochs, recipe.steps

    assert told(UNITER.paper.recipe) == (16, "adamw", 3e-5, 1084, 20, None)
    assert told(ERNIE_VIL.paper.recipe)[:4] == (4, "adamw", 2e-5, 8000)
    assert ERNIE_VIL.paper.recipe.steps == 22_500
    step = 4 * 4 * 4  # a device's questions, devices, added up
    assert told(VL_BERT.paper.recipe) == (step, "sgd", pytest.approx(step * 7e-5), 1000, 20, None)
    assert VL_BERT.paper.recipe.batch // VL_BERT.paper.recipe.accumulate == 4
    assert all(entry.large is not None and entry.large.recipe == entry.paper.recipe for entry in CROSS_MODAL)


def test_bert_is_trained_as_on_premises() -> None:
    """PMR's Table 6; of decay it says nothing."""
    recipe = BERT_PREMISE.paper.recipe
    assert (recipe.batch, recipe.rate, recipe.optimiser) == (16, 5e-5, "adam")
    assert (recipe.warm_up_steps, recipe.epochs, recipe.steps, recipe.decay) == (500, 10, None, 0.0)
    assert BERT_PREMISE.paper.transformer == (12, 768, 12)
    assert BERT_NO_PREMISE.paper == BERT_PREMISE.paper
    assert (BERT_PREMISE.query, BERT_NO_PREMISE.query) == (True, False)


def test_without_a_premise_everything_else_is_as_with_it() -> None:
    assert not ERNIE_VIL_NO_PREMISE.query
    for size in ("small", "paper", "large"):
        assert getattr(ERNIE_VIL_NO_PREMISE, size) == getattr(ERNIE_VIL, size)
        assert getattr(ERNIE_VIL, size) is not None
    assert ERNIE_VIL_NO_PREMISE.objects == ERNIE_VIL.objects


@every
def test_names_and_sources_are_given(entry: Entry) -> None:
    assert entry.name == entry.title.lower()
    assert "https://arxiv.org/abs/" in entry.citation

"""Networks that read and see, as the catalogue has them."""

from __future__ import annotations

import pytest
import torch
import toy_pairs as toy

from commonsight.models.catalogue_entry import Entry
from commonsight.models.engine.recipe import Recipe
from commonsight.models.networks.cross_modal_entries import CROSS_MODAL, ERNIE_VIL, UNITER, VL_BERT
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


@every
def test_names_and_sources_are_given(entry: Entry) -> None:
    assert entry.name == entry.title.lower()
    assert "https://arxiv.org/abs/" in entry.citation

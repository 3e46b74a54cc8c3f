"""Networks that point: what they are taught, which facts they keep, where they look."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from making import batch_for, drawn, scores_of, tiny_network
from torch.nn.functional import cross_entropy

from commonsight.graph.knowledge import RELATIONS
from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch
from commonsight.models.networks.memory_vqa import MemoryVQA

PAIRS = (
    ("bottom-up-named", "bottom-up-att"),
    ("memory-vqa", "memory-vqa-att"),
    ("vilbert-named", "vilbert-att"),
)


@pytest.mark.parametrize(("plain", "taught"), PAIRS)
def test_teaching_adds_a_loss_and_changes_nothing_else(plain: str, taught: str) -> None:
    batch = batch_for(find(taught), drawn(12))
    one, other = (scores_of(tiny_network(find(name)), batch) for name in (plain, taught))
    torch.testing.assert_close(one.logits, other.logits)
    assert batch.targets is not None
    added = (other.extra - one.extra).expand(12)
    looked = other.attention["glimpses"][:, 0, -1]  # (batch, object)
    for row, targets in enumerate(batch.targets):
        wanted = looked[row][targets]
        loss = -wanted.log().mean() if len(wanted) else torch.zeros(())
        torch.testing.assert_close(added[row], loss)
    assert (added == 0).any()
    assert (added > 0).any()


def memory() -> Any:
    network = tiny_network(find("memory-vqa")).eval()
    assert isinstance(network, MemoryVQA)
    return network


def told(network: Any, relation: int) -> None:
    """Make it sure that this relation is asked for."""
    torch.nn.init.zeros_(network.relation.weight)
    torch.nn.init.zeros_(network.relation.bias)
    with torch.no_grad():
        network.relation.bias[relation] = 5.0


def known(batch: Batch) -> Any:
    assert batch.facts is not None
    return batch.facts


def test_only_facts_of_the_relation_are_looked_at() -> None:
    network, batch = memory(), batch_for(find("memory-vqa"), drawn(16, facts=8))
    told(network, 1)
    facts, looked = known(batch), scores_of(network, batch).attention["facts"][:, 0, 0]
    fitting = facts.mask & (facts.relations == 1)
    some = fitting.any(dim=1)
    assert some.any()
    assert not looked[some].masked_select(~fitting[some]).any()
    torch.testing.assert_close(looked.sum(dim=1), torch.ones(16))
    # Where none is of that relation, all are looked at.
    assert (looked[~some] > 0).eq(facts.mask[~some]).all()


def test_facts_that_are_not_kept_change_nothing() -> None:
    network, batch = memory(), batch_for(find("memory-vqa"), drawn(16, facts=8))
    told(network, 1)
    facts = known(batch)
    fitting = facts.mask & (facts.relations == 1)
    kept = torch.where(fitting.any(dim=1, keepdim=True), fitting, facts.mask)
    read = torch.isin(torch.arange(facts.words.ids.shape[1]), facts.which[kept])
    assert not read.all()
    ids = torch.where(read[:, None], facts.words.ids, torch.ones_like(facts.words.ids))
    changed = replace(batch, facts=replace(facts, words=replace(facts.words, ids=ids)))
    torch.testing.assert_close(scores_of(network, changed).logits, scores_of(network, batch).logits)


def test_the_relation_is_learned_from_programs() -> None:
    network, batch = memory(), batch_for(find("memory-vqa"), drawn(16))
    facts = known(batch)
    assert (facts.sought.sum(dim=1) == 1).all()
    scores = torch.zeros(16, len(RELATIONS))
    told(network, 2)
    scores[:, 2] = 5.0
    loss = cross_entropy(scores, facts.sought.long().argmax(dim=1), reduction="none")
    torch.testing.assert_close(scores_of(network, batch).extra, loss)
    silent = replace(batch, facts=replace(facts, sought=torch.zeros_like(facts.sought)))
    assert not scores_of(network, silent).extra.any()


def test_without_any_fact_there_is_an_answer() -> None:
    batch = batch_for(find("memory-vqa"), drawn(4))
    facts = known(batch)
    ignorant = replace(batch, facts=replace(facts, mask=torch.zeros_like(facts.mask)))
    scores = scores_of(memory(), ignorant)
    assert scores.logits.isfinite().all()
    assert not scores.attention["facts"].any()


def test_a_second_look_knows_what_the_first_saw() -> None:
    network: Any = tiny_network(find("san")).eval()
    batch = batch_for(find("san"), drawn(6))
    before = scores_of(network, batch).attention["glimpses"]
    assert before.shape[:3] == (6, 1, 2)
    torch.nn.init.zeros_(network.stacks[0].look.weight)  # looks everywhere alike
    after = scores_of(network, batch).attention["glimpses"]
    there = batch.seen
    assert there is not None
    torch.testing.assert_close(after[:, 0, 0], there.mask / there.mask.sum(dim=1, keepdim=True))
    assert not torch.allclose(after[:, 0, 1], before[:, 0, 1])

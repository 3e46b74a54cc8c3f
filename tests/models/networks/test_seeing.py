"""Networks that look at objects with a query: by hand, one question at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from making import DIM, batch_for, drawn, scores_of, tiny_network, tiny_parts
from torch import Tensor, nn

from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch, Words
from commonsight.models.layers.fusion import MLB, MUTAN
from commonsight.models.network import Scores
from commonsight.models.networks.bottom_up import BottomUp, bottom_up_paper
from commonsight.models.networks.fused import FusedAttention
from commonsight.models.networks.mlb import mlb_paper
from commonsight.models.networks.mutan import mutan_paper
from commonsight.models.networks.revisited_vqa import RevisitedVQA, revisited_vqa_paper

LOOKING = ("bottom-up", "mlb", "mutan")


def case(name: str) -> tuple[nn.Module, Batch, Scores]:
    entry = find(name)
    network = tiny_network(entry, seed=3)
    batch = batch_for(entry, [*drawn(3), *drawn(1, objects=6)])
    return network, batch, scores_of(network, batch)


def words_of(network: nn.Module, text: Words | None, row: int, choice: int) -> Tensor:
    """Vectors of one text without padding: (word, dim)."""
    assert text is not None
    table: nn.Embedding = network.words.table
    return table(text.ids[row, choice, : int(text.lengths[row, choice])])


def ended(gru: nn.Module, words: Tensor) -> Tensor:
    """What torch's own GRU ends with."""
    last: Tensor = gru.gru(words[None])[1][0, 0]
    return last


def objects_of(network: nn.Module, batch: Batch, row: int) -> Tensor:
    """Vectors of the objects that are there: (object, dim)."""
    assert batch.seen is not None
    vectors: Tensor = network.regions(batch.seen)[row][batch.seen.mask[row]]
    return vectors


@pytest.mark.parametrize("name", LOOKING)
def test_attention_is_shares_over_the_objects_that_are_there(name: str) -> None:
    _, batch, scores = case(name)
    assert batch.seen is not None
    weights = scores.attention["glimpses"]
    glimpses = 1 if name == "bottom-up" else 2
    assert weights.shape == (4, 4, glimpses, batch.seen.mask.shape[1])
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(4, 4, glimpses))
    there = batch.seen.mask[:, None, None].expand_as(weights)
    assert not weights[~there].any()
    assert (weights[there] > 0).all()
    assert torch.equal(weights[:, 0], weights[:, 3])  # the query alone looks


def test_bottom_up_by_its_equations() -> None:
    network, batch, scores = case("bottom-up")
    assert isinstance(network, BottomUp)
    for row in range(4):
        asked = ended(network.ask, words_of(network, batch.query, row, 0))
        objects = objects_of(network, batch, row)
        met = torch.stack([network.meet(seen, asked) for seen in objects])
        weights = (met @ network.look.weight[0]).softmax(dim=0)
        answer = network.answer(network.asked(asked) * network.saw(weights @ objects))
        for choice in range(4):
            said = ended(network.respond, words_of(network, batch.responses, row, choice))
            torch.testing.assert_close(scores.logits[row, choice], answer @ said)
        torch.testing.assert_close(scores.attention["glimpses"][row, 0, 0, : len(objects)], weights)


@pytest.mark.parametrize(("name", "fusion"), [("mlb", MLB), ("mutan", MUTAN)])
def test_fusion_looks_and_joins(name: str, fusion: type[nn.Module]) -> None:
    network, batch, scores = case(name)
    assert isinstance(network, FusedAttention)
    assert isinstance(network.look, fusion)
    assert isinstance(network.join, fusion)
    for row in range(4):
        asked = ended(network.ask, words_of(network, batch.query, row, 0))
        objects = objects_of(network, batch, row)
        looked = torch.stack([network.look(asked, seen) for seen in objects])  # (object, glimpse)
        saw = [share.softmax(dim=0) @ objects for share in looked.T]
        answer = network.join(asked, torch.cat(saw))
        for choice in range(4):
            said = ended(network.respond, words_of(network, batch.responses, row, choice))
            torch.testing.assert_close(scores.logits[row, choice], answer @ said)


def test_revisited_vqa_by_hand() -> None:
    network, batch, scores = case("revisited-vqa")
    assert isinstance(network, RevisitedVQA)
    for row in range(4):
        query = words_of(network, batch.query, row, 0).mean(dim=0)
        picture = objects_of(network, batch, row)[0]
        for choice in range(4):
            response = words_of(network, batch.responses, row, choice).mean(dim=0)
            joined = torch.cat((query, response, picture))
            hidden = (network.hidden.weight @ joined + network.hidden.bias).relu()
            torch.testing.assert_close(scores.logits[row, choice], network.score.weight[0] @ hidden)


def test_revisited_vqa_sees_the_whole_picture_and_nothing_else() -> None:
    network, batch, scores = case("revisited-vqa")
    assert batch.seen is not None
    assert batch.seen.features is not None
    others, whole = batch.seen.features.clone(), batch.seen.features.clone()
    others[:, 1:], whole[:, 0] = 7, 7
    blind = scores_of(network, replace(batch, seen=replace(batch.seen, features=others)))
    assert torch.equal(blind.logits, scores.logits)
    seeing = scores_of(network, replace(batch, seen=replace(batch.seen, features=whole)))
    assert not torch.allclose(seeing.logits, scores.logits)


def test_published_sizes_of_bottom_up_and_revisited_vqa() -> None:
    bottom_up = bottom_up_paper(tiny_parts(find("bottom-up")))
    assert bottom_up.ask.gru.hidden_size == bottom_up.respond.gru.hidden_size == 512
    assert bottom_up.meet.value.weight.shape == (512, DIM + 512)
    assert bottom_up.answer.value.weight.shape == (512, 512)
    revisited = revisited_vqa_paper(tiny_parts(find("revisited-vqa")))
    assert revisited.hidden.weight.shape == (8192, 3 * DIM)
    assert revisited.dropout == 0.5


def test_published_sizes_of_mlb_and_mutan() -> None:
    with torch.device("meta"):  # shapes only
        mlb, mutan = mlb_paper(tiny_parts(find("mlb"))), mutan_paper(tiny_parts(find("mutan")))
    for network in (mlb, mutan):
        assert network.ask.gru.hidden_size == network.respond.gru.hidden_size == 2400
        assert network.ask.dropout == 0.25
        assert network.dropout == 0.5
        assert network.look.out.bias is None
    assert mlb.look.out.weight.shape == (2, 1200)
    assert mlb.join.second.weight.shape == (1200, 2 * DIM)
    assert mlb.join.out.weight.shape == (2400, 1200)
    assert mutan.look.core().shape == (310, 310, 510)
    assert mutan.join.core().shape == (310, 620, 510)
    assert mutan.look.rank == mutan.join.rank == 5

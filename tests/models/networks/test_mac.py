"""MAC over a canvas and over objects, one question at a time; and how its last look is taught."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from making import batch_for, drawn, scores_of, tiny_network, tiny_parts
from torch import Tensor
from torch.nn.functional import elu

from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch
from commonsight.models.networks.mac import MAC, CanvasKnowledge, mac_objects_small, mac_paper, mac_small
from commonsight.models.networks.mac import mac_objects_paper as over_objects


def case(name: str) -> tuple[Any, Batch]:
    entry = find(name)
    network = tiny_network(entry, seed=3)
    assert isinstance(network, MAC)
    return network, batch_for(entry, [*drawn(3), *drawn(1, objects=6)])


def by_hand(network: Any, batch: Batch, row: int, places: Tensor) -> Tensor:
    """The scores of one question: (answer). Places are those that are there, (place, dim)."""
    assert batch.query is not None
    length = int(batch.query.lengths[row, 0])
    read, (last, _) = network.ask.lstm(network.words.table(batch.query.ids[row, 0, :length])[None])
    words, query = read[0], last[:, 0].flatten()
    control, memory = network.first_control, network.first_memory
    for asked in network.asked:
        joined = network.control.join(control, asked(query))
        control = (words @ (joined * network.control.attend.weight[0])).softmax(dim=0) @ words
        met = network.read.remember(memory) * (places @ network.read.know.weight.T)
        inside = torch.cat((met, places), dim=1) @ network.read.join.weight.T
        shares = (control * inside @ network.read.attend.weight[0]).softmax(dim=0)
        memory = network.write.join(shares @ places, memory)
    return network.answer(torch.cat((query, memory)))


def test_over_a_canvas() -> None:
    network, batch = case("mac")
    found = scores_of(network, batch)
    knowledge = network.knowledge
    with torch.no_grad():
        for row in range(4):
            maps = knowledge.canvas(batch.canvas[row : row + 1])
            maps = elu(knowledge.second(elu(knowledge.first(maps))))
            places = maps[0].permute(1, 2, 0).flatten(0, 1)  # row by row from the top left
            torch.testing.assert_close(
                found.logits[row], by_hand(network, batch, row, places), rtol=1e-4, atol=1e-4
            )
    assert found.attention["places"].shape == (4, 1, 4, len(places))


def test_over_objects() -> None:
    network, batch = case("mac-objects")
    found = scores_of(network, batch)
    knowledge = network.knowledge
    assert batch.seen is not None
    with torch.no_grad():
        vectors = knowledge.regions(batch.seen)
        for row in range(4):
            there = batch.seen.mask[row]
            joined = torch.cat((vectors[row, there], batch.seen.boxes[row, there]), dim=1)
            places = elu(knowledge.first.weight @ joined.T + knowledge.first.bias[:, None]).T
            places = elu(knowledge.second(places))
            torch.testing.assert_close(
                found.logits[row], by_hand(network, batch, row, places), rtol=1e-4, atol=1e-4
            )
    looks = found.attention["glimpses"]
    assert looks.shape == (4, 1, 4, batch.seen.mask.shape[1])
    assert not looks.masked_select(~batch.seen.mask[:, None, None]).any()
    torch.testing.assert_close(looks.sum(dim=-1), torch.ones(4, 1, 4))


def test_the_last_look_may_be_taught() -> None:
    entry = find("mac-objects")
    plain, batch = case("mac-objects")
    taught = mac_objects_small(tiny_parts(entry, seed=3), attention_weight=0.5)
    taught.load_state_dict(plain.state_dict())
    assert scores_of(plain, batch).extra.item() == 0
    assert batch.targets is not None
    targets = torch.zeros_like(batch.targets)
    targets[0, 1] = targets[3, 2] = targets[3, 5] = True
    scores = scores_of(taught, replace(batch, targets=targets))
    last = scores.attention["glimpses"][:, 0, -1]
    expected = -0.5 * torch.stack((last[0, 1].log(), (last[3, 2] + last[3, 5]).log()))
    torch.testing.assert_close(scores.extra[[0, 3]], expected)
    assert not scores.extra[[1, 2]].any()  # nothing to point to
    torch.testing.assert_close(scores.logits, scores_of(plain, batch).logits)


def test_teaching_moves_the_last_look_to_the_targets() -> None:
    entry = find("mac-objects")
    network = mac_objects_small(tiny_parts(entry), attention_weight=1.0)
    batch = batch_for(entry, drawn(16))
    assert batch.targets is not None
    pointing = batch.targets.any(dim=1)
    assert pointing.any()
    assert not pointing.all()
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(60):
        optimiser.zero_grad()
        network.eval()(batch).extra.mean().backward()
        optimiser.step()
    last = scores_of(network, batch).attention["glimpses"][:, 0, -1]
    assert ((last * batch.targets).sum(dim=1)[pointing] > 0.8).all()


def test_only_looks_at_objects_can_be_taught() -> None:
    parts = tiny_parts(find("mac"))
    assert parts.words is not None
    assert parts.canvas is not None
    knowledge = CanvasKnowledge(parts.canvas, 8, dropout=0.0)
    with pytest.raises(ValueError, match="targets are objects"):
        MAC(parts.words, knowledge, answers=2, dim=8, steps=1, dropout=0.0, attention_weight=1.0)


def test_what_is_forgotten_is_the_same_at_every_step() -> None:
    """Variational: a number of the memory that is dropped once is 0 after every step."""
    network, batch = case("mac")
    network.train().dropout = 0.5
    network.knowledge.dropout = network.ask.dropout = network.answer.dropout = 0.0
    seen: list[Tensor] = []
    network.read.register_forward_pre_hook(lambda _, given: seen.append(given[0].detach()))
    network(batch, generator=torch.Generator().manual_seed(0))
    gone = [memory == 0 for memory in seen[1:]]  # the first is what it begins with
    assert gone[0].any()
    assert not gone[0].all()
    assert all(torch.equal(one, gone[0]) for one in gone)


def test_published_sizes() -> None:
    network = mac_paper(tiny_parts(find("mac")))
    assert (len(network.asked), network.read.know.in_features, network.dropout) == (12, 512, 0.15)
    assert network.ask.lstm.hidden_size == 256  # both directions together are 512
    assert network.write.keep is network.write.alike is None
    assert len(over_objects(tiny_parts(find("mac-objects"))).asked) == 12
    assert len(mac_small(tiny_parts(find("mac"))).asked) == 4
    recipe = find("mac").paper.recipe
    assert (recipe.batch, recipe.rate, recipe.clip, recipe.ema) == (64, 1e-4, 8.0, 0.999)

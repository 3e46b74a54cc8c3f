"""The order of objects by hand: all orders can be pointed to, as likely as they are, and search finds one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest
import torch
from making import batch_for, drawn, scores_of, tiny_network
from torch import Generator, Tensor

from commonsight.models.catalogue import find
from commonsight.models.layers.searching import search_loss
from commonsight.models.libraries import seeded
from commonsight.models.networks.biatt import BiATTObjects
from commonsight.models.networks.ordering import ObjectPointer, Ordered

THINGS, WORDS, OBJECTS = 4, 3, 3


def some(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=Generator().manual_seed(seed))


def pointer() -> ObjectPointer:
    with seeded(3):
        made = ObjectPointer(THINGS, WORDS, 6, dropout=0.0)
        torch.nn.init.normal_(made.to_things.weigh.weight, std=2.0)  # of some opinion
    return made


def ordered(made: ObjectPointer, count: int, *, padding: int = 0, **how: object) -> Ordered:
    """The same question so often, with room for more objects."""
    things = torch.cat((some(1, OBJECTS, THINGS), torch.zeros(1, padding, THINGS)), dim=1)
    mask = torch.tensor([[True, True, False]])
    words = some(1, 3, WORDS, seed=1)
    found: Ordered = made(
        things.expand(count, -1, -1),
        torch.full((count,), OBJECTS),
        words.expand(count, -1, -1),
        mask.expand(count, -1),
        **how,
    )
    return found


def test_orders_are_drawn_as_likely_as_they_are() -> None:
    made, count = pointer(), 6000
    found = ordered(made, count, sampled=True, generator=Generator().manual_seed(1))
    orders = [tuple(one) for one in found.places.tolist()]
    chances = dict(zip(orders, found.log_chance.exp().tolist(), strict=True))
    assert set(orders) == set(permutations(range(OBJECTS)))
    assert sum(chances.values()) == pytest.approx(1.0, abs=1e-5)
    counted = Counter(orders)
    for order, chance in chances.items():
        deviation = (count * chance * (1 - chance)) ** 0.5
        assert abs(counted[order] - count * chance) < 4 * deviation + 1


def test_without_chance_the_likeliest_object_comes_next() -> None:
    made = pointer()
    greedy = ordered(made, 1, sampled=False)
    first = int(greedy.places[0, 0])
    drawn_ = ordered(made, 3000, sampled=True, generator=Generator().manual_seed(1))
    assert Counter(drawn_.places[:, 0].tolist()).most_common(1)[0][0] == first


def test_padding_stays_last_and_changes_nothing() -> None:
    made = pointer()
    short, long = (ordered(made, 1, sampled=False, padding=padding) for padding in (0, 2))
    assert long.places.tolist() == [[*short.places[0].tolist(), 3, 4]]
    for part in ("log_chance", "entropy", "read"):
        torch.testing.assert_close(getattr(long, part), getattr(short, part))


def test_what_is_said_changes_the_order() -> None:
    made, things = pointer(), some(1, OBJECTS, THINGS)
    mask, there = torch.ones(1, 3, dtype=torch.bool), torch.tensor([OBJECTS])
    chances = [
        made(things, there, some(1, 3, WORDS, seed=seed), mask, sampled=False).log_chance for seed in (1, 2)
    ]
    assert not torch.allclose(*chances)


def test_search_finds_the_order_that_loses_least() -> None:
    made, wanted, chance = pointer(), [2, 0, 1], Generator().manual_seed(0)
    assert ordered(made, 1, sampled=False).places.tolist() != [wanted]
    optimiser = torch.optim.Adam(made.parameters(), lr=0.02)
    for _ in range(80):
        found = ordered(made, 32, sampled=True, generator=chance)
        lost = (found.places != torch.tensor(wanted)).any(dim=1).float()
        optimiser.zero_grad()
        expected = torch.full_like(lost, float(lost.mean()))
        search_loss(lost, expected, found.log_chance, found.entropy, weight=0.0).mean().backward()
        optimiser.step()
    assert ordered(made, 1, sampled=False).places.tolist() == [wanted]


def test_drawing_needs_a_generator() -> None:
    with pytest.raises(ValueError, match="drawn from a generator"):
        ordered(pointer(), 1, sampled=True)


# In the network


def test_objects_are_read_in_the_order_that_is_pointed_to() -> None:
    entry = find("biatt-pointer")
    network, batch = tiny_network(entry), batch_for(entry, drawn(4, objects=6))
    assert isinstance(network, BiATTObjects)
    assert network.pointer is not None
    read: list[Tensor] = []
    network.see.register_forward_pre_hook(lambda _, given: read.append(given[0]))
    told: list[tuple[Tensor, Tensor]] = []
    network.pointer.register_forward_hook(lambda _, given, found: told.append((given[0], found.places)))
    scores_of(network, batch)
    (things, places), (found,) = told[0], read
    assert any(row != sorted(row) for row in places.tolist())
    for row, order in enumerate(places.tolist()):
        torch.testing.assert_close(found[row], things[row][order])


def test_in_which_order_objects_are_given_is_of_no_matter() -> None:
    entry = find("biatt-pointer")
    network, batch = tiny_network(entry), batch_for(entry, drawn(1, objects=6, seed=4))
    seen = batch.seen
    assert seen is not None
    assert seen.features is not None
    order = torch.arange(seen.mask.shape[1] - 1, -1, -1)
    turned = replace(
        seen, boxes=seen.boxes[:, order], classes=seen.classes[:, order], features=seen.features[:, order]
    )
    one, other = scores_of(network, batch), scores_of(network, replace(batch, seen=turned))
    torch.testing.assert_close(other.logits, one.logits)
    torch.testing.assert_close(other.attention["glimpses"][..., order], one.attention["glimpses"])

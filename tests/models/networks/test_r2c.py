"""R2C: the published sizes, what each word sees, and what is left when something is taken away."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from making import KNOWN, batch_for, drawn, scores_of, tiny_network
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch, Seen
from commonsight.models.network import Scores
from commonsight.models.networks.r2c import R2C, ObjectVectors, pointed, r2c_paper
from commonsight.models.parts import Parts
from commonsight.models.regions.frozen import KeptRegions
from commonsight.models.words import GivenVectors

ENTRY = find("r2c")


def paper(**taken: bool) -> R2C:
    """With the published numbers, and without any memory."""
    with torch.device("meta"):
        return r2c_paper(Parts(82, words=GivenVectors(768), regions=KeptRegions(2048)), **taken)


def small() -> R2C:
    network = tiny_network(ENTRY)
    assert isinstance(network, R2C)
    return network


def the_batch() -> Batch:
    return batch_for(ENTRY, [*drawn(3), *drawn(1, words=(9, 9), choices=5, objects=6)])


def objects_of(network: R2C) -> ObjectVectors:
    assert network.objects is not None
    return network.objects


def shape(weight: Tensor) -> tuple[int, ...]:
    return tuple(weight.shape)


def test_the_sizes_are_those_of_appendix_e() -> None:
    network = paper()
    objects = objects_of(network)
    assert shape(objects.project.weight) == (512, 2176)  # 2048 of ResNet50 and 128 of the label
    assert shape(objects.labels.weight) == (82, 128)
    assert shape(objects.tell.weight) == (82, 2048)  # the look alone tells the label
    ground, reason = network.ground.lstm, network.reason
    assert (ground.input_size, ground.hidden_size, ground.num_layers) == (1280, 256, 1)
    assert ground.bidirectional
    assert reason is not None
    assert (reason.lstm.input_size, reason.lstm.hidden_size, reason.lstm.num_layers) == (1536, 256, 2)
    assert reason.lstm.bidirectional
    assert shape(network.pool.weight) == (1024, 1536)  # reasoning, grounded answer, attended query
    assert shape(network.score.weight) == (1, 1024)
    assert network.ground.dropout == reason.dropout == 0.3
    assert network.to_query is not None
    assert network.to_objects is not None
    assert shape(network.to_query.weight) == (512, 512)
    assert shape(network.to_objects.weight) == (512, 512)


def test_it_is_trained_as_appendix_e_says() -> None:
    recipe = ENTRY.paper.recipe
    assert (recipe.optimiser, recipe.rate, recipe.decay, recipe.batch) == ("adam", 2e-4, 1e-4, 96)
    assert (recipe.clip, recipe.lower, recipe.plateau, recipe.epochs) == (1.0, 0.5, 2, 20)


def test_without_the_query_nothing_of_it_is_read() -> None:
    network = paper(query=False)
    assert network.to_query is None
    assert network.reason is not None
    assert network.reason.lstm.input_size == 1024
    assert shape(network.pool.weight) == (1024, 1024)
    tiny, batch = tiny_network(find("r2c-no-query")), the_batch()
    assert torch.equal(scores_of(tiny, batch).logits, scores_of(tiny, replace(batch, query=None)).logits)
    assert list(scores_of(tiny, batch).attention) == ["objects"]


def test_without_reasoning_what_was_attended_is_pooled_as_it_is() -> None:
    network = paper(reasoning=False)
    assert network.reason is None
    assert shape(network.pool.weight) == (1024, 1536)  # grounded answer, attended query, attended objects
    scores = scores_of(tiny_network(find("r2c-no-reasoning")), the_batch())
    assert list(scores.attention) == ["query", "objects"]


def test_without_vision_pictures_are_not_looked_at() -> None:
    network = paper(vision=False)
    assert network.objects is None
    assert network.to_objects is None
    assert network.ground.lstm.input_size == 768
    assert shape(network.pool.weight) == (1024, 1536)
    entry = find("r2c-no-vision")
    tiny, batch = tiny_network(entry), the_batch()
    scores = scores_of(tiny, batch)
    assert torch.equal(scores.logits, scores_of(tiny, replace(batch, seen=None)).logits)
    assert scores.extra.item() == 0.0
    assert not entry.sees


def test_each_word_is_read_beside_the_object_it_points_to() -> None:
    objects = torch.arange(2 * 3 * 2).reshape(2, 3, 2).float()  # (batch, object, dim)
    places = torch.tensor([[[0, 2], [1, 1]], [[0, 0], [2, 1]]])  # (batch, choice, word)
    found = pointed(objects, places)
    assert found.shape == (2, 2, 2, 2)
    for row in range(2):
        for choice in range(2):
            for word in range(2):
                place = int(places[row, choice, word])
                assert torch.equal(found[row, choice, word], objects[row, place])


def test_pointing_elsewhere_changes_a_score() -> None:
    network, batch = small(), the_batch()
    assert batch.responses is not None
    elsewhere = batch.responses.objects.clone()
    elsewhere[0, 1, 0] = (elsewhere[0, 1, 0] + 1) % 2
    other = replace(batch, responses=replace(batch.responses, objects=elsewhere))
    differs = scores_of(network, batch).logits != scores_of(network, other).logits
    assert differs.nonzero().tolist() == [[0, 1]]


def _attention(scores: Scores, batch: Batch) -> dict[str, tuple[Tensor, Tensor]]:
    assert batch.query is not None
    assert batch.seen is not None
    looked_at = {"query": batch.query.mask, "objects": batch.seen.mask[:, None]}
    return {name: (scores.attention[name], mask[:, :, None]) for name, mask in looked_at.items()}


def test_what_a_word_looks_at_are_shares_of_what_is_there() -> None:
    batch = the_batch()
    assert batch.responses is not None
    for name, (weights, there) in _attention(scores_of(small(), batch), batch).items():
        assert weights.shape[:3] == batch.responses.ids.shape, name
        torch.testing.assert_close(weights.sum(dim=-1), torch.ones(weights.shape[:-1]))
        assert not weights.masked_select(~there).any(), name


def _told(network: R2C, batch: Batch) -> Tensor:
    assert batch.seen is not None
    return objects_of(network)(batch.seen, None).loss


def test_the_object_loss_is_each_questions_own() -> None:
    network, batch = small().eval(), the_batch()
    seen = batch.seen
    assert seen is not None
    together = _told(network, batch)
    assert together.shape == (4,)
    for row in range(4):  # whoever is read beside it, and however many objects they have
        count = int(seen.mask[row].sum())
        assert seen.features is not None
        own = Seen(
            seen.mask[row : row + 1, :count], seen.boxes[row : row + 1, :count],
            seen.classes[row : row + 1, :count], features=seen.features[row : row + 1, :count],
        )  # fmt: skip
        looks = objects_of(network).regions(own)[0]  # (object, dim)
        wanted = cross_entropy(objects_of(network).tell(looks), own.classes[0])
        torch.testing.assert_close(together[row], wanted)
    assert torch.equal(scores_of(network, batch).extra, together)


def test_the_object_loss_teaches_looks_and_not_labels() -> None:
    network, batch = small(), the_batch()
    _told(network, batch).sum().backward()
    objects = objects_of(network)
    assert objects.labels.weight.grad is None
    assert isinstance(objects.regions, nn.Module)
    assert all(one.grad is not None and one.grad.any() for one in objects.regions.parameters())


@pytest.mark.parametrize("weight", [0.0, 2.0])
def test_the_object_loss_is_weighed(weight: float) -> None:
    network, batch = small(), the_batch()
    plain = scores_of(network, batch).extra
    network.object_loss = weight
    torch.testing.assert_close(scores_of(network, batch).extra, weight * plain)


def test_an_objects_label_is_seen_beside_its_look() -> None:
    network, batch = small(), the_batch()
    assert batch.seen is not None
    renamed = batch.seen.classes.clone()
    renamed[2, 1] = renamed[2, 1] % (len(KNOWN.labels) - 1) + 1
    other = replace(batch, seen=replace(batch.seen, classes=renamed))
    differs = (scores_of(network, batch).logits != scores_of(network, other).logits).any(dim=1)
    assert differs.tolist() == [False, False, True, False]

"""GPV-2's own equations: where objects are, that they have no position, and what T5 makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from making import batch_for, drawn, scores_of, tiny_network
from safetensors.torch import save_file

from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch
from commonsight.models.networks.gpv2 import Gpv2, placed
from commonsight.models.networks.loading import load_released

ENTRY = find("gpv-2")


def gpv2(seed: int = 0) -> Gpv2:
    network = tiny_network(ENTRY, seed=seed)
    assert isinstance(network, Gpv2)
    return network.eval()


def test_a_place_is_middle_size_and_area() -> None:
    box = torch.tensor([[0.2, 0.4, 0.6, 0.5]])
    torch.testing.assert_close(placed(box), torch.tensor([[0.4, 0.45, 0.4, 0.1, 0.04]]))


def test_without_objects_it_reads_as_t5_does() -> None:
    """Its encoder, given words alone, is the library's own."""
    network, batch = gpv2(), batch_for(ENTRY, drawn(3))
    assert batch.texts is not None
    words = network.language.get_input_embeddings()(batch.texts.asked)
    with torch.no_grad():
        own = network._read(words, batch.texts.asked_mask, words.shape[1])
        theirs = network.language.encoder(
            inputs_embeds=words, attention_mask=batch.texts.asked_mask.long()
        ).last_hidden_state
    there = batch.texts.asked_mask
    torch.testing.assert_close(own[there], theirs[there], rtol=1e-4, atol=1e-5)


def test_a_text_is_as_likely_as_t5s_own_loss_says() -> None:
    network, batch = gpv2(), batch_for(ENTRY, drawn(2))
    assert batch.texts is not None
    assert batch.seen is not None
    found = scores_of(network, batch).logits
    words = network.language.get_input_embeddings()(batch.texts.asked)
    with torch.no_grad():
        there = torch.cat((batch.texts.asked_mask, batch.seen.mask), dim=1)
        read = network._read(
            torch.cat((words, network._objects(batch.seen)), dim=1), there, words.shape[1]
        )
        for row in range(2):
            said = batch.texts.said[row, 1, batch.texts.said_mask[row, 1]]
            lost = network.language(
                encoder_outputs=(read[row : row + 1],),
                attention_mask=there[row : row + 1].long(),
                labels=said[None],
            ).loss
            torch.testing.assert_close(found[row, 1], -lost * len(said), rtol=1e-4, atol=1e-4)


def test_texts_may_be_compared_by_the_mean_over_their_tokens() -> None:
    network, batch = gpv2(), batch_for(ENTRY, drawn(3))
    assert batch.texts is not None
    sums = scores_of(network, batch)
    network.by_length = True
    means = scores_of(network, batch)
    torch.testing.assert_close(means.logits * batch.texts.said_mask.sum(dim=-1), sums.logits)
    right = means.logits.gather(1, batch.gold[:, None]).squeeze(1)
    torch.testing.assert_close(means.extra, -right)  # the loss is the mean either way
    torch.testing.assert_close(sums.extra, -right)


def test_the_order_of_objects_is_of_no_matter_but_for_the_first() -> None:
    network, batch = gpv2(), batch_for(ENTRY, [one for one in drawn(12) if len(one.objects) == 4])
    before = scores_of(network, batch).logits
    turned = scores_of(network, _objects(batch, [0, 3, 1, 2])).logits
    torch.testing.assert_close(turned, before, rtol=1e-4, atol=1e-5)
    assert not torch.allclose(scores_of(network, _objects(batch, [1, 0, 2, 3])).logits, before, atol=1e-4)


def _objects(batch: Batch, order: list[int]) -> Batch:
    seen = batch.seen
    assert seen is not None
    assert seen.features is not None
    moved = replace(
        seen,
        mask=seen.mask[:, order],
        boxes=seen.boxes[:, order],
        classes=seen.classes[:, order],
        features=seen.features[:, order],
    )
    return replace(batch, seen=moved)


def test_weights_that_the_authors_released_are_taken_over(tmp_path: Path) -> None:
    network, fresh = gpv2(seed=1), gpv2()
    names = (("language.", "model."), ("joiner.", "image_joiner."), ("whole", "query_embedding"))
    released = {}
    for name, weight in network.state_dict().items():
        for own, theirs in names:
            if name.startswith(own):
                released[name.replace(own, theirs, 1)] = weight.clone().contiguous()
    save_file(released, tmp_path / "gpv2.safetensors")
    taken = load_released(fresh, tmp_path / "gpv2.safetensors")
    assert not taken.misfits
    assert not taken.unused
    assert all(name.startswith("regions.") for name in taken.missing)
    torch.testing.assert_close(fresh.joiner.state_dict(), network.joiner.state_dict())
    torch.testing.assert_close(fresh.whole, network.whole)

"""VL-BERT and UNITER on drawn questions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch
import toy_pairs as toy

from commonsight.errors import InputError
from commonsight.models.libraries import libraries, seeded
from commonsight.models.networks import uniter, vl_bert
from commonsight.models.networks.uniter import uniter_base, uniter_large, uniter_small
from commonsight.models.networks.vl_bert import geometry, vl_bert_base, vl_bert_large, vl_bert_small
from commonsight.models.parts import Parts
from commonsight.models.states import CrossModal

both = pytest.mark.parametrize("build", [vl_bert_small, uniter_small], ids=["vl-bert", "uniter"])


@pytest.fixture(autouse=True)
def _one_thread_and_one_seed() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with seeded(0):
        yield
    torch.set_num_threads(before)


@both
@pytest.mark.parametrize("check", [toy.check_shapes, toy.check_padding, toy.check_order, toy.check_gradients])
def test_it_keeps_to_what_networks_are(build: Any, check: Any) -> None:
    network = toy.tiny(build)
    assert isinstance(network, CrossModal)
    check(network)


@both
def test_a_seed_repeats_a_step(build: Any) -> None:
    toy.check_same_seed(toy.tiny(build))


@both
def test_it_learns_a_few_questions_by_heart(build: Any) -> None:
    network, batch = toy.tiny(build, dropout=0.0), toy.batch_of(toy.drawn(32))
    losses = toy.trained(network, batch, steps=50, rate=4e-3)
    assert losses[0] > 1.2
    assert toy.share_right(network, batch) >= 0.9


@both
def test_the_order_of_objects_does_not_matter(build: Any) -> None:
    network, batch = toy.tiny(build), toy.batch_of(toy.drawn(6, objects=3))
    order = torch.tensor([0, 3, 1, 2])  # the whole picture stays first
    moved = torch.argsort(order)[batch.pieces.objects]
    seen = {name: getattr(batch.seen, name)[:, order] for name in ("mask", "boxes", "classes", "features")}
    other = replace(
        batch, seen=replace(batch.seen, **seen), pieces=replace(batch.pieces, objects=moved)
    )
    scores, again = toy.scores_of(network, batch), toy.scores_of(network, other)
    assert torch.allclose(scores.logits, again.logits, atol=1e-5)
    assert torch.allclose(scores.attention["objects"][..., order], again.attention["objects"], atol=1e-5)


@both
def test_it_sees(build: Any) -> None:
    network, batch = toy.tiny(build), toy.batch_of(toy.drawn(4))
    darker = replace(batch, seen=replace(batch.seen, features=batch.seen.features // 4))
    apart = toy.scores_of(network, batch).logits - toy.scores_of(network, darker).logits
    assert apart.abs().max() > 1e-4


def test_only_words_of_vl_bert_show_what_they_point_to() -> None:
    batch = toy.batch_of(toy.drawn(6))
    other = replace(batch, pieces=replace(batch.pieces, objects=torch.zeros_like(batch.pieces.objects)))
    for build, shows in ((vl_bert_small, True), (uniter_small, False)):
        network = toy.tiny(build)
        first, second = toy.scores_of(network, batch).logits, toy.scores_of(network, other).logits
        assert torch.allclose(first, second, atol=1e-6) is not shows


def test_vl_bert_of_the_papers_size_begins_as_a_bert_that_sees_nothing() -> None:
    batch = toy.batch_of(toy.drawn(4))
    network = toy.tiny(vl_bert_base, dropout=0.0)
    darker = replace(batch, seen=replace(batch.seen, features=batch.seen.features // 4))
    assert torch.equal(toy.scores_of(network, batch).logits, toy.scores_of(network, darker).logits)
    toy.trained(network, batch, steps=3, rate=1e-2)
    assert not torch.equal(toy.scores_of(network, batch).logits, toy.scores_of(network, darker).logits)


def test_vl_bert_of_the_papers_size_learns_what_it_sees_from_the_second_step_on() -> None:
    """At first only how loud it is: the released settings begin both norms of what is seen at 0."""
    network, batch = toy.tiny(vl_bert_base, dropout=0.0), toy.batch_of(toy.drawn(4))
    norms = (network.inputs.text_norm.weight, network.inputs.object_norm.weight)
    assert not any(norm.any() for norm in norms)
    for sees in (False, True):
        network.zero_grad()
        toy.loss_of(network, batch).backward()
        assert all(norm.grad.any() for norm in norms)
        seen = [network.inputs.visual.weight, *network.regions.parameters()]
        assert [bool(each.grad.any()) for each in seen] == [sees] * len(seen)
        with torch.no_grad():
            for norm in norms:
                norm -= 0.1 * norm.grad


def test_uniter_reads_text_as_its_bert_does() -> None:
    batch = toy.batch_of(toy.drawn(3))
    network = toy.tiny(uniter_small).eval()
    plain = network.inputs.embeddings(batch.pieces.ids.flatten(0, 1))
    laid = network.inputs(batch.pieces, batch.seen, network.regions(batch.seen), generator=None)
    assert torch.allclose(laid.text.flatten(0, 1), plain, atol=1e-6)


def test_geometry_is_sines_and_cosines_of_centre_and_size() -> None:
    box = torch.tensor([0.1, 0.2, 0.5, 0.4])
    expected = []
    for value in (30.0, 30.0, 40.0, 20.0):  # in percent: centre, width and height
        turns = [value / 1000 ** (wave / 3) for wave in range(3)]
        expected += [math.sin(turn) for turn in turns] + [math.cos(turn) for turn in turns]
    assert torch.allclose(geometry(box, 3), torch.tensor(expected), atol=1e-5)


def test_location_has_seven_numbers() -> None:
    found = uniter.location(torch.tensor([0.1, 0.2, 0.5, 0.4]))
    assert torch.allclose(found, torch.tensor([0.1, 0.2, 0.5, 0.4, 0.4, 0.2, 0.08]))


@pytest.mark.parametrize(
    ("build", "size", "expected"),
    [
        (vl_bert_base, (12, 768, 12), 112.6),
        (vl_bert_large, (24, 1024, 16), 339.3),
        (uniter_base, (12, 768, 12), 112.3),
        (uniter_large, (24, 1024, 16), 339.4),
    ],
)
def test_published_sizes(build: Any, size: tuple[int, int, int], expected: float) -> None:
    with torch.device("meta"):
        network = build(toy.paper_parts(*size))
    assert toy.millions(network) == pytest.approx(expected, abs=0.1)
    assert len(network.encoder.layer) == size[0]
    if "vl_bert" in build.__name__:
        assert network.inputs.visual.weight.shape == (size[1], 4096)


def test_a_text_as_long_as_can_be_still_leaves_objects_a_position() -> None:
    batch = toy.batch_of(toy.drawn(2))
    again = toy.LONGEST // batch.pieces.ids.shape[2] + 1
    names = ("ids", "segments", "mask", "objects", "asked", "said")
    longer = {name: getattr(batch.pieces, name).repeat(1, 1, again)[..., : toy.LONGEST] for name in names}
    longer["mask"] = torch.ones_like(longer["mask"])
    full = replace(batch, pieces=replace(batch.pieces, **longer))
    assert toy.scores_of(toy.tiny(vl_bert_small), full).logits.isfinite().all()


def test_what_is_missing_is_said() -> None:
    bert = toy.bert()
    with pytest.raises(InputError, match=r"VL-BERT looks at pictures, and there are none"):
        vl_bert_small(Parts(4, transformer=bert))
    with pytest.raises(InputError, match=r"UNITER is built on a BERT, and this is none\. Give a BERT"):
        uniter_small(Parts(4, regions=toy.Unseen(4)))
    transformers = libraries().transformers
    other = transformers.RobertaModel(
        transformers.RobertaConfig(
            vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8
        )
    )
    with pytest.raises(InputError, match=r"VL-BERT is built on a BERT, and this is roberta"):
        vl_bert.vl_bert_small(Parts(4, transformer=other, regions=toy.Unseen(4)))
    batch = toy.batch_of(toy.drawn(2))
    with pytest.raises(InputError, match="the batch has no objects"):
        toy.tiny(uniter_small).eval()(replace(batch, seen=None))

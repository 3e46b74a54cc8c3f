"""Networks for questions that need knowledge: their own equations, and released weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from making import ANSWERS, GRAPH, batch_for, drawn, scores_of, tiny_network
from safetensors.torch import save_file
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits

from commonsight.errors import InputError
from commonsight.models.catalogue import find
from commonsight.models.describing import answer_weights
from commonsight.models.engine.losses import loss
from commonsight.models.features.batch import Batch, Pieces, Seen
from commonsight.models.layers.normed import NormedReLU
from commonsight.models.layers.relational import Edges, Relational
from commonsight.models.libraries import libraries, seeded
from commonsight.models.networks.krisp import Krisp
from commonsight.models.networks.loading import load_released
from commonsight.models.networks.lxmert import Lxmert
from commonsight.models.networks.pythia import Pythia
from commonsight.models.networks.rare import begun_rare
from commonsight.models.regions.frozen import KeptRegions
from commonsight.models.untrained import Shape, encoder

WIDTH, SEEN, WORDS, LAYERS = 32, 12, 50, (2, 1, 2)


# Pythia


def test_normed_layers_have_a_direction_and_a_length() -> None:
    layer = NormedReLU(4, 3)
    given = torch.randn(5, 4)
    plain = torch.nn.functional.linear(given, layer.direction, layer.bias).relu()
    torch.testing.assert_close(layer(given), plain)  # it begins as any layer does
    with torch.no_grad():
        layer.direction.mul_(7.0)
    torch.testing.assert_close(layer(given), plain)  # how long the direction is does not matter
    with torch.no_grad():
        layer.bias.zero_()
        before = layer(given)
        layer.length.mul_(2.0)
    torch.testing.assert_close(layer(given), 2 * before)


def test_pythia_is_its_equations() -> None:
    """Two glimpses at the words, one at the objects by a product, another product, and two heads that add."""
    entry = find("pythia")
    network, batch = tiny_network(entry).eval(), batch_for(entry, drawn(3))
    assert isinstance(network, Pythia)
    assert batch.query is not None
    assert batch.seen is not None
    found = scores_of(network, batch).logits
    with torch.no_grad():
        words, objects = network.words(batch.query)[:, 0], network.regions(batch.seen)
        steps = network.ask.read(words, batch.query.lengths[:, 0], generator=None).steps
        for row in range(3):
            said = steps[row, batch.query.mask[row, 0]]  # (word, hidden)
            weighed = network.ask.weigh(network.ask.inner(said).clamp(min=0)).softmax(dim=0)
            assert weighed.shape[1] == 2
            asked = torch.cat([weight @ said for weight in weighed.T])
            seen = objects[row, batch.seen.mask[row]]  # (object, seen)
            met = network.meet.seen(seen) * network.meet.asked(asked)
            looked = network.look(met)[:, 0].softmax(dim=0) @ seen
            both = network.join.seen(looked) * network.join.asked(asked)
            wanted = network.by_wide(network.wide(both)) + network.by_narrow(network.narrow(both))
            torch.testing.assert_close(found[row], wanted, rtol=1e-4, atol=1e-5)


def test_answers_begin_unlikely() -> None:
    layer = nn.Linear(3, 100)
    begun_rare(layer)
    torch.testing.assert_close(layer.bias.exp(), torch.full((100,), 0.01))


# LXMERT


def theirs() -> Any:
    transformers = libraries().transformers
    language, relating, crossing = LAYERS
    with seeded(3):
        return transformers.LxmertForQuestionAnswering(
            transformers.LxmertConfig(
                vocab_size=WORDS,
                hidden_size=WIDTH,
                num_attention_heads=2,
                intermediate_size=4 * WIDTH,
                max_position_embeddings=20,
                num_qa_labels=7,
                l_layers=language,
                r_layers=relating,
                x_layers=crossing,
                visual_feat_dim=SEEN,
                initializer_range=0.3,
            )
        ).eval()


def ours(*, layers: int = LAYERS[0]) -> Lxmert:
    language, relating, crossing = LAYERS
    return Lxmert(
        encoder(Shape(layers, WIDTH, 2, WORDS, 20)),
        KeptRegions(SEEN),
        answers=7,
        language=language,
        relating=relating,
        crossing=crossing,
        drop=0.1,
    ).eval()


def shown() -> Batch:
    """Three questions of unlike length about pictures of one, two and three objects."""
    chance = torch.Generator().manual_seed(0)
    lengths, counts = torch.tensor([5, 3, 6]), torch.tensor([2, 3, 1])
    text, there = torch.arange(6) < lengths[:, None], torch.arange(3) < counts[:, None]
    ids = torch.randint(5, WORDS, (3, 6), generator=chance).masked_fill(~text, 0)
    pieces = Pieces(ids[:, None], torch.zeros(3, 1, 6).long(), text[:, None], torch.zeros(3, 1, 6).long())
    boxes = torch.rand(3, 3, 4, generator=chance)
    features = torch.randn(3, 3, SEEN, generator=chance)
    seen = Seen(there, boxes, torch.zeros(3, 3).long(), features=features)
    return Batch(torch.ones(3, 7, dtype=torch.bool), torch.tensor([0, 1, 2]), pieces=pieces, seen=seen)


@pytest.mark.parametrize("layers", [2, 4], ids=["as deep", "a deeper BERT"])
def test_lxmert_says_what_the_released_one_says(layers: int, tmp_path: Path) -> None:
    """With its weights: the same scores, as the transformers library computes them."""
    released, network, batch = theirs(), ours(layers=layers), shown()
    file = tmp_path / "lxmert.safetensors"
    save_file({name: each.clone() for name, each in released.state_dict().items()}, file)
    taken = load_released(network, file)
    assert not (*taken.missing, *taken.misfits, *taken.partly)
    last = f"lxmert.encoder.x_layers.{LAYERS[2] - 1}.visn_"
    assert all(name.startswith(last) for name in taken.unused)  # nobody looks at objects after it
    pieces, seen = batch.pieces, batch.seen
    assert pieces is not None
    assert seen is not None
    with torch.no_grad():
        wanted = released(
            input_ids=pieces.ids[:, 0],
            attention_mask=pieces.mask[:, 0].long(),
            token_type_ids=pieces.segments[:, 0],
            visual_feats=seen.features,
            visual_pos=seen.boxes,
            visual_attention_mask=seen.mask.long(),
        ).question_answering_score
    torch.testing.assert_close(scores_of(network, batch).logits, wanted, atol=1e-4, rtol=1e-4)


def test_which_answers_released_weights_score_nobody_tells(tmp_path: Path) -> None:
    released, network = theirs(), ours()
    file = tmp_path / "lxmert.safetensors"
    save_file({name: each.clone() for name, each in released.state_dict().items()}, file)
    before = network.named.weight.clone()
    entry = find("lxmert")
    taken = load_released(network, file, unwanted=answer_weights(entry, entry.small))
    assert set(taken.anew) == {"named.weight", "named.bias"}
    assert torch.equal(network.named.weight, before)
    assert "2 begun anew, for other answers (" in str(taken)


def test_a_bert_with_too_few_layers_is_refused() -> None:
    with pytest.raises(InputError, match=r"LXMERT reads with 2 layers, and this BERT has 1\. Give"):
        ours(layers=1)


# KRISP


def test_messages_are_means_for_each_relation() -> None:
    """By hand: node 2 hears 0 and 1 by the first relation, and 0 by the second."""
    edges = Edges([(0, 0, 2), (1, 0, 2), (0, 1, 2)], 2, both_ways=False)
    layer = Relational((3,), 4, 2)
    given = torch.randn(1, 3, 3)
    own, (first, second) = layer.own(given), layer.heard
    wanted = own.clone()
    wanted[0, 2] += first @ (given[0, 0] + given[0, 1]) / 2 + second @ given[0, 0]
    torch.testing.assert_close(layer(edges, given), wanted)


def test_relations_begin_like_matrices_of_their_own() -> None:
    with seeded(0):
        layer = Relational((60,), 40, 22)
    torch.testing.assert_close(layer.heard.std(), torch.tensor((2 / 100) ** 0.5), rtol=0.02, atol=0.0)


def test_facts_told_both_ways_have_weights_for_either() -> None:
    edges = Edges([(0, 1, 2)], 2, both_ways=True)
    layer = Relational((3,), 4, edges.relations)
    given = torch.randn(1, 3, 3)
    wanted = layer.own(given).clone()
    wanted[0, 2] += layer.heard[1] @ given[0, 0]
    wanted[0, 0] += layer.heard[3] @ given[0, 2]
    torch.testing.assert_close(layer(edges, given), wanted)


def test_inputs_beside_each_other_are_as_one() -> None:
    edges, layer = Edges([(0, 0, 1), (2, 0, 1)], 1, both_ways=True), Relational((2, 1, 3), 4, 2)
    parts = torch.randn(1, 3, 2), torch.randn(5, 3, 1), torch.randn(5, 1, 3)
    whole = torch.cat([part.expand(5, 3, -1) for part in parts], dim=2)
    one = Relational((6,), 4, 2)
    one.load_state_dict(layer.state_dict())
    torch.testing.assert_close(layer(edges, *parts), one(edges, whole))


def krisp() -> tuple[Krisp, Batch]:
    entry = find("krisp")
    network = tiny_network(entry).eval()
    assert isinstance(network, Krisp)
    return network, batch_for(entry, drawn(6))


def test_an_answer_scores_as_high_as_the_better_of_both_says() -> None:
    network, batch = krisp()
    scores = scores_of(network, batch)
    implicit, symbolic = scores.parts
    assert torch.equal(scores.logits, torch.maximum(implicit, symbolic))
    assert network.symbols.named.tolist() == [0, 1, 2, 3, 4]  # all of them are nodes
    assert (implicit != symbolic).all()


def test_what_is_no_node_is_named_by_the_transformer_alone() -> None:
    network, batch = krisp()
    network.symbols.named, network.symbols.places = torch.tensor([3]), torch.tensor([7])
    implicit, symbolic = network(batch).parts
    assert torch.equal(symbolic[:, [0, 1, 2, 4]], implicit[:, [0, 1, 2, 4]])
    assert (symbolic[:, 3] != implicit[:, 3]).all()
    symbolic[:, [0, 1, 2, 4]].sum().backward()
    assert all(weight.grad is None or not weight.grad.any() for weight in network.parameters())


def test_both_are_learned_each_for_itself() -> None:
    network, batch = krisp()
    people = torch.randint(0, 4, (6, len(ANSWERS)), generator=torch.Generator().manual_seed(0)).float()
    batch = replace(batch, people=people)
    scores, agreed = network(batch), people.div(3).clamp(max=1)
    wanted = sum(
        binary_cross_entropy_with_logits(part, agreed, reduction="sum") for part in scores.parts
    )
    found = sum(loss("agreed", part, batch) for part in scores.parts)
    torch.testing.assert_close(found, wanted)


def test_what_is_said_and_seen_is_marked() -> None:
    _, batch = krisp()
    entry, examples = find("krisp"), drawn(6)
    marks = batch.marks
    assert marks is not None
    for row, example in enumerate(examples):
        said = {GRAPH.nodes[place] for place in marks[row, :, 0].nonzero().flatten().tolist()}
        seen = {GRAPH.nodes[place] for place in marks[row, :, 1].nonzero().flatten().tolist()}
        assert said == set(example.query.words) & set(GRAPH.nodes)
        assert seen == {one.label for one in example.objects[1:]}
    network = tiny_network(entry)
    blank = replace(batch, marks=torch.zeros_like(marks))
    (first, other), (same, changed) = (scores_of(network, one).parts for one in (batch, blank))
    assert torch.equal(first, same)  # the transformer does not see them
    assert not torch.allclose(other, changed)


def test_only_what_names_answers_has_their_number() -> None:
    wanted = {
        "pythia": {"by_wide.weight", "by_wide.bias", "by_narrow.weight"},
        "lxmert": {"named.weight", "named.bias"},
        "vilbert": {"named.weight", "named.bias"},
        "krisp": {"answer.weight", "answer.bias"},
        "r2c": set(),
    }
    for name, weights in wanted.items():
        entry = find(name)
        assert answer_weights(entry, entry.small) == weights, name

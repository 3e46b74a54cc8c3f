"""ClipCap's own equations: its mappings, what GPT-2 reads, and what stays as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from making import batch_for, drawn, letters, scores_of, tiny_network, tiny_parts
from safetensors.torch import save_file

from commonsight.models.canvas.frozen import KeptMaps
from commonsight.models.catalogue import find
from commonsight.models.networks.clipcap import (
    ClipCap,
    MappingLayer,
    PerceptronMapping,
    TransformerMapping,
    clipcap_paper,
    clipcap_transformer_paper,
)
from commonsight.models.networks.loading import load_released

ENTRY, TURNED = find("clipcap"), find("clipcap-transformer")


def clipcap() -> ClipCap:
    network = tiny_network(ENTRY)
    assert isinstance(network, ClipCap)
    return network.eval()


def test_the_perceptron_is_as_published() -> None:
    mapping = clipcap_paper(tiny_parts(ENTRY)).mapping
    assert isinstance(mapping, PerceptronMapping)
    first, between, last = mapping.model
    assert mapping.places == 10
    assert isinstance(between, torch.nn.Tanh)
    assert (first.out_features, last.out_features) == (10 * 32 // 2, 10 * 32)
    seen = torch.randn(3, first.in_features)
    torch.testing.assert_close(mapping(seen), last(first(seen).tanh()).reshape(3, 10, 32))


def test_the_transformer_is_as_published_and_the_language_model_frozen() -> None:
    network = clipcap_transformer_paper(tiny_parts(TURNED))
    mapping = network.mapping
    assert isinstance(mapping, TransformerMapping)
    assert (mapping.places, len(mapping.layers), mapping.layers[0].heads) == (40, 8, 8)
    assert not any(weight.requires_grad for weight in network.language.parameters())
    assert all(weight.requires_grad for weight in mapping.parameters())
    network.train()
    assert mapping.training
    assert not network.language.training  # so that nothing of it is dropped


def by_hand(values: torch.Tensor) -> torch.Tensor:
    """A norm that has learned nothing."""
    around = values - values.mean(1, keepdim=True)
    return around / (around.square().mean(1, keepdim=True) + 1e-5).sqrt()


def test_a_layer_of_the_mapping_is_the_equation_of_the_released_one() -> None:
    """Head by head and place by place: norms in front, keys and contents of one layer, twice the width."""
    torch.manual_seed(0)
    width, heads, places = 6, 2, 3
    layer, given = MappingLayer(width, heads).double(), torch.randn(2, places, width, dtype=torch.double)
    found = layer(given)
    size = width // heads
    for row, values in enumerate(given):
        normed = by_hand(values)
        asked, both = normed @ layer.to_queries.weight.T, normed @ layer.to_keys_values.weight.T
        keys, contents = both[:, :width], both[:, width:]
        seen = torch.zeros_like(values)
        for head in range(heads):
            part = slice(head * size, (head + 1) * size)
            for place in range(places):
                alike = (keys[:, part] @ asked[place, part] / size**0.5).exp()
                seen[place, part] = (alike / alike.sum()) @ contents[:, part]
        values = values + seen @ layer.project.weight.T + layer.project.bias
        normed = by_hand(values)
        inner = (normed @ layer.fc1.weight.T + layer.fc1.bias).clamp(min=0)
        assert inner.shape == (places, 2 * width)
        torch.testing.assert_close(found[row], values + inner @ layer.fc2.weight.T + layer.fc2.bias)


def test_the_length_of_a_picture_is_of_no_matter_to_the_transformer() -> None:
    mapping, seen = TransformerMapping(6, 8, 3, layers=2, heads=2), torch.randn(2, 6)
    torch.testing.assert_close(mapping(seen), mapping(5 * seen))
    assert not torch.allclose(mapping(seen), mapping(-seen))


def test_a_text_is_as_likely_as_the_language_model_says_behind_prefix_and_question() -> None:
    """Against one pass over everything, without memory and without padding."""
    network, examples = clipcap(), drawn(3)
    batch = batch_for(ENTRY, examples)
    assert batch.texts is not None
    assert batch.canvas is not None
    found = scores_of(network, batch).logits
    with torch.no_grad():
        prefix = network.mapping(network.canvas(batch.canvas).mean(dim=(2, 3)))
        for row in range(3):
            asked = batch.texts.asked[row, batch.texts.asked_mask[row]]
            for choice in range(4):
                said = batch.texts.said[row, choice, batch.texts.said_mask[row, choice]]
                assert said[-1] == letters().eos_token_id
                words = network.language.get_input_embeddings()(torch.cat((asked, said)))
                values = torch.cat((prefix[row], words))[None]
                logs = network.language(inputs_embeds=values).logits[0].log_softmax(dim=-1)
                wanted = logs[-len(said) - 1 : -1].gather(1, said[:, None]).sum()
                torch.testing.assert_close(found[row, choice], wanted, rtol=1e-4, atol=1e-4)


def test_a_vector_of_the_whole_picture_is_enough() -> None:
    """As CLIP gives it."""
    parts = tiny_parts(ENTRY)._replace(canvas=KeptMaps(6))
    network, batch = clipcap_paper(parts), batch_for(ENTRY, drawn(3))
    one, other = (scores_of(network, replace(batch, canvas=torch.randn(3, 6))).logits for _ in range(2))
    assert one.shape == (3, 4)
    assert not torch.allclose(one, other)


def test_weights_that_the_authors_released_are_taken_over(tmp_path: Path) -> None:
    """By the names of their programs."""
    for entry, pattern in ((ENTRY, "clip_project."), (TURNED, "clip_project.")):
        network, fresh = tiny_network(entry, seed=1), tiny_network(entry)
        released = {}
        for name, weight in network.state_dict().items():
            theirs = name.replace("language.", "gpt.").replace("mapping.", pattern)
            if ".layers." in theirs and theirs.startswith(pattern):
                theirs = theirs.replace(f"{pattern}layers.", f"{pattern}transformer.layers.")
                theirs = theirs.replace(".to_", ".attn.to_").replace(".project", ".attn.project")
                theirs = theirs.replace(".fc", ".mlp.fc")
            if not name.startswith("canvas."):
                released[theirs] = weight.clone().contiguous()
        file = tmp_path / f"{entry.name}.safetensors"
        save_file(released, file)
        taken = load_released(fresh, file)
        assert not taken.misfits
        assert not taken.unused
        assert all(name.startswith("canvas.") for name in taken.missing)
        torch.testing.assert_close(fresh.mapping.state_dict(), network.mapping.state_dict())
        torch.testing.assert_close(fresh.language.state_dict(), network.language.state_dict())

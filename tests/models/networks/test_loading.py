"""Released weights, as small models with released names that the tests write."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import toy_pairs as toy
from safetensors.torch import save_file
from torch import Tensor

from commonsight.errors import InputError
from commonsight.models.libraries import libraries
from commonsight.models.networks.loading import load_released
from commonsight.models.networks.two_stream import ernie_vil_small
from commonsight.models.networks.uniter import uniter_small
from commonsight.models.networks.vl_bert import vl_bert_small
from commonsight.models.pretraining.systems import vl_bert_pretraining

Name = Callable[[str], str | None]
"""Our name of a weight to the released one; None where it is not released."""


def _vl_bert(name: str) -> str | None:
    for ours, theirs in (
        ("inputs.embeddings.LayerNorm.", "vlbert.embedding_LayerNorm."),
        ("inputs.embeddings.", "vlbert."),
        ("inputs.image.", "object_linguistic_embeddings."),
        ("inputs.end.", "vlbert.end_embedding."),
        ("inputs.visual.", "image_feature_extractor.obj_downsample.1."),
        ("inputs.text_norm.", "vlbert.visual_ln_text."),
        ("inputs.object_norm.", "vlbert.visual_ln_object."),
        ("encoder.", "vlbert.encoder."),
        ("pooler.", "vlbert.pooler."),
    ):
        if name.startswith(ours):
            return "module." + theirs + name.removeprefix(ours)
    return None


def _uniter(name: str) -> str | None:
    for ours, theirs in (
        ("inputs.embeddings.", "embeddings."),
        ("inputs.appearance_norm.", "img_embeddings.img_layer_norm."),
        ("inputs.appearance.", "img_embeddings.img_linear."),
        ("inputs.location_norm.", "img_embeddings.pos_layer_norm."),
        ("inputs.location.", "img_embeddings.pos_linear."),
        ("inputs.object_norm.", "img_embeddings.LayerNorm."),
        ("encoder.", "encoder."),
        ("pooler.", "pooler."),
    ):
        if name.startswith(ours):
            return "uniter." + theirs + name.removeprefix(ours)
    return None


def _ernie_vil(name: str) -> str | None:
    """Written from the released program's names, part by part."""
    tables = {"word_embeddings": "word_embedding", "position_embeddings": "pos_embedding",
              "token_type_embeddings": "sent_embedding"}  # fmt: skip
    plain = {"inputs.appearance": "image_emb", "inputs.location": "image_loc", "text_pool": "pooled_fc_text",
             "region_pool": "pooled_fc_image", "embeddings.LayerNorm": "pre_encoder",
             "inputs.norm": "vl_pre_encoder"}  # fmt: skip
    module, _, kind = name.rpartition(".")
    norm = module.endswith(("LayerNorm", ".norm"))
    ending = f"_layer_norm_{'scale' if kind == 'weight' else 'bias'}" if norm else f".{kind[0]}_0"
    if module.removeprefix("embeddings.") in tables:
        return tables[module.removeprefix("embeddings.")]
    if module in plain:
        return plain[module] + ending
    alone = re.fullmatch(r"(encoder\.layer|layers)\.(\d+)\.(.+)", module)
    if alone:
        stream = "layer" if alone[1] == "encoder.layer" else "vlayer"
        return f"encoder_{stream}_{alone[2]}_{_part(alone[3].replace('attention.self', 'attention'))}{ending}"
    between = re.fullmatch(r"connections\.(\d+)\.(text|objects)\.(.+)", module)
    if between:
        inside = between[3].replace("wide", "intermediate")
        inside = inside.replace("output", "attention.output").replace("narrow", "output")
        return f"encoder_colayer_{between[1]}_{'vl_' * (between[2] == 'objects')}{_part(inside)}{ending}"
    return None


def _part(inside: str) -> str:
    return {
        "attention.query": "multi_head_att_query_fc",
        "attention.key": "multi_head_att_key_fc",
        "attention.value": "multi_head_att_value_fc",
        "attention.output.dense": "multi_head_att_output_fc",
        "attention.output.LayerNorm": "post_att",
        "intermediate.dense": "ffn_fc_0",
        "output.dense": "ffn_fc_1",
        "output.LayerNorm": "post_ffn",
    }[inside]


def _vilbert(name: str) -> str | None:
    """Written from the released program's names; its pictures are 1, its texts 2."""
    plain = {"inputs.appearance": "v_embeddings.image_embeddings", "inputs.norm": "v_embeddings.LayerNorm",
             "inputs.location": "v_embeddings.image_location_embeddings", "text_pool": "t_pooler.dense",
             "region_pool": "v_pooler.dense"}  # fmt: skip
    module, _, kind = name.rpartition(".")
    if module in plain:
        return f"bert.{plain[module]}.{kind}"
    if name.startswith(("embeddings.", "encoder.")):
        return f"bert.{name}"
    if name.startswith("layers."):
        return f"bert.encoder.v_{name.replace('layers.', 'layer.', 1)}"
    between = re.fullmatch(r"connections\.(\d+)\.(text|objects)\.(.+)", name)
    if between is None:
        return None
    number, stream, inside = between.groups()
    own, other = ("2", "1") if stream == "text" else ("1", "2")
    inside = re.sub(r"attention\.query", f"biattention.query{own}", inside)
    inside = re.sub(r"attention\.(key|value)", rf"biattention.\g<1>{other}", inside)
    inside = re.sub(r"^output\.(dense|LayerNorm)", rf"biOutput.\g<1>{own}", inside)
    letter = stream[0].replace("o", "v")
    inside = re.sub(r"^wide", f"{letter}_intermediate", re.sub(r"^narrow", f"{letter}_output", inside))
    return f"bert.encoder.c_layer.{number}.{inside}"


def _released(network: Any, name: Name, path: Path) -> dict[str, Tensor]:
    """Its weights as others would have written them."""
    out = {}
    for ours, weight in network.state_dict().items():
        theirs = name(ours)
        if theirs is not None:
            turned = theirs.endswith(".w_0")
            out[theirs] = (weight.T if turned else weight).contiguous().clone()
    save_file(out, path)
    return out


@pytest.mark.parametrize(
    ("build", "name", "left"),
    [
        (vl_bert_small, _vl_bert, {"head.weight"}),
        (uniter_small, _uniter, {"inputs.response.weight", *(f"head.{part}" for part in
                                 ("0.weight", "0.bias", "2.weight", "2.bias", "3.weight"))}),
        (ernie_vil_small, _ernie_vil, {"head.weight"}),
        (ernie_vil_small, _vilbert, {"head.weight"}),
    ],
    ids=["vl-bert", "uniter", "ernie-vil", "vilbert"],
)  # fmt: skip
def test_what_was_released_is_taken_over(build: Any, name: Name, left: set[str], tmp_path: Path) -> None:
    source, network = toy.tiny(build, seed=1), toy.tiny(build, seed=2)
    given = _released(source, name, tmp_path / "released.safetensors")
    report = load_released(network, tmp_path / "released.safetensors")
    assert len(report.loaded) == len(given)
    assert report.partly == report.misfits == report.unused == ()
    eyes = {each for each in network.state_dict() if each.startswith("regions.")}
    assert set(report.missing) == left | eyes
    for each in report.loaded:
        assert torch.equal(network.state_dict()[each], source.state_dict()[each]), each


@pytest.mark.parametrize("build", [vl_bert_small, uniter_small, ernie_vil_small])
@pytest.mark.parametrize("around", ["", "bert.", "module.bert."])
def test_a_plain_bert_begins_any_of_them(build: Any, around: str, tmp_path: Path) -> None:
    bert, network = toy.bert(), toy.tiny(build)
    weights = {}
    for name, weight in bert.state_dict().items():
        old = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
        weights[around + (old if around else name)] = weight.clone()
    weights["cls.predictions.bias"] = torch.zeros(3)
    save_file(weights, tmp_path / "bert.safetensors")
    report = load_released(network, tmp_path / "bert.safetensors")
    pooled = 2 if build is ernie_vil_small else 0  # it pools in its own way
    assert len(report.unused) == 1 + pooled
    assert len(report.loaded) + len(report.partly) == len(bert.state_dict()) - pooled
    query = "encoder.layer.1.attention.self.query.weight"
    assert torch.equal(network.state_dict()[query], bert.state_dict()[query])
    assert torch.equal(network.words.weight, bert.embeddings.word_embeddings.weight)


def test_segments_are_shared_as_far_as_both_have_them(tmp_path: Path) -> None:
    bert, network = toy.bert(), toy.tiny(vl_bert_small)
    before = network.inputs.embeddings.token_type_embeddings.weight[2].clone()
    save_file({name: each.clone() for name, each in bert.state_dict().items()}, tmp_path / "b.safetensors")
    report = load_released(network, tmp_path / "b.safetensors")
    assert [str(each) for each in report.partly] == [
        "inputs.embeddings.token_type_embeddings.weight is (2, 32) where (3, 32) is wanted"
    ]
    table = network.inputs.embeddings.token_type_embeddings.weight
    assert torch.equal(table[:2], bert.embeddings.token_type_embeddings.weight)
    assert torch.equal(table[2], before)


def test_weights_of_another_shape_stay_and_are_told(tmp_path: Path) -> None:
    network, source = toy.tiny(uniter_small, seed=1), toy.tiny(uniter_small, seed=2)
    given = _released(source, _uniter, tmp_path / "a.safetensors")
    given["uniter.img_embeddings.img_linear.weight"] = torch.zeros(toy.WIDTH, 2048)
    given["uniter.embeddings.token_type_embeddings.weight"] = torch.zeros(2, 7)
    given["uniter.encoder.layer.9.output.dense.weight"] = torch.zeros(2, 2)
    given["itm_output.weight"] = torch.zeros(2, 2)
    save_file(given, tmp_path / "a.safetensors")
    before = network.inputs.appearance.weight.clone()
    report = load_released(network, tmp_path / "a.safetensors")
    assert torch.equal(network.inputs.appearance.weight, before)
    assert sorted(each.found for each in report.misfits) == [(2, 7), (32, 2048)]
    assert set(report.unused) == {"uniter.encoder.layer.9.output.dense.weight", "itm_output.weight"}
    assert "2 of another shape (" in str(report)
    assert "2 in the file without use (" in str(report)
    assert str(report).startswith(f"{len(report.loaded)} of {len(network.state_dict())} weights taken over; ")


def test_half_precision_is_taken_in_full(tmp_path: Path) -> None:
    network = toy.tiny(uniter_small)
    save_file({"pooler.dense.bias": torch.full((toy.WIDTH,), 0.5).half()}, tmp_path / "h.safetensors")
    load_released(network, tmp_path / "h.safetensors")
    assert network.pooler.dense.bias.dtype == torch.float32
    assert network.pooler.dense.bias.eq(0.5).all()


def test_what_was_pre_trained_here_is_taken_over(tmp_path: Path) -> None:
    trained = vl_bert_pretraining(toy.tiny(vl_bert_small, seed=1), toy.TOKENS, len(toy.LABELS))
    save_file(dict(trained.state_dict()), tmp_path / "own.safetensors")
    network = toy.tiny(vl_bert_small, seed=2)
    report = load_released(network, tmp_path / "own.safetensors")
    assert report.missing == report.misfits == ()
    assert all(name.startswith("objectives.") for name in report.unused)
    batch = toy.batch_of(toy.drawn(3))
    assert torch.equal(toy.scores_of(network, batch).logits, toy.scores_of(trained.network, batch).logits)


def test_other_sizes_and_other_models_are_refused(tmp_path: Path) -> None:
    transformers = libraries().transformers
    wider = transformers.BertModel(
        transformers.BertConfig(
            vocab_size=9, hidden_size=8, num_hidden_layers=2, num_attention_heads=1, intermediate_size=16
        )
    )
    save_file({name: each.clone() for name, each in wider.state_dict().items()}, tmp_path / "w.safetensors")
    with pytest.raises(InputError, match=r"w\.safetensors: 39 weights have the right name and none has"):
        load_released(toy.tiny(uniter_small), tmp_path / "w.safetensors")
    save_file({"conv1.weight": torch.zeros(3)}, tmp_path / "c.safetensors")
    with pytest.raises(InputError, match=r"none of its 1 weights has a name .* \(conv1\.weight\)"):
        load_released(toy.tiny(uniter_small), tmp_path / "c.safetensors")
    (tmp_path / "b.safetensors").write_bytes(b"not tensors at all")
    with pytest.raises(InputError, match="this cannot be read as safetensors"):
        load_released(toy.tiny(uniter_small), tmp_path / "b.safetensors")
    with pytest.raises(InputError, match="there is no such file"):
        load_released(toy.tiny(uniter_small), tmp_path / "none.safetensors")


@pytest.mark.parametrize("ending", ["bin", "pth", "pt", "ckpt", "model"])
def test_pickles_are_refused_and_the_message_says_how_to_convert(ending: str, tmp_path: Path) -> None:
    source = toy.tiny(uniter_small, seed=1)
    path = tmp_path / f"released.{ending}"
    torch.save({"state_dict": source.state_dict()}, path)
    with pytest.raises(InputError, match=r"only \.safetensors is read") as told:
        load_released(toy.tiny(uniter_small), path)
    command = re.search(r'python -c "(.+)" (\S+) (\S+)$', str(told.value))
    assert command is not None
    if ending == "bin":  # one is enough: the command is the same for all
        subprocess.run([sys.executable, "-c", *command.groups()], cwd=tmp_path, check=True, timeout=120)
        report = load_released(toy.tiny(uniter_small), tmp_path / "released.safetensors")
        assert report.missing == report.misfits == report.unused == ()

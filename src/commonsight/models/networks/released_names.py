"""What released weights are called, and what the same weights are called here.

Known are plain BERT's names, those of VL-BERT, UNITER, ViLBERT, ERNIE-ViL, LXMERT, ClipCap and GPV-2, with
whatever stood around them in their authors' programs, and our own with or without the pre-training around
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Renamed(NamedTuple):
    """A weight's name here."""

    name: str
    turned: bool = False
    """Whether it is written the other way round there, inputs first."""


_AROUND = re.compile(r"^(?:module\.|network\.)*(?:(?:bert|uniter|vlbert|lxmert)\.(?:_module\.)?)?")
_OLD = (("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias"))
"""As the first releases of BERT had it."""

_EMBEDDINGS = ("inputs.embeddings", "embeddings", "transformer.embeddings")
"""Where one stream, two streams and a BERT that reads alone have a BERT's."""

_PLAIN = (
    (r"embeddings\.(.+)", [f"{place}.{{0}}" for place in _EMBEDDINGS]),
    (r"encoder\.(layer\..+)", ["encoder.{0}", "transformer.encoder.{0}"]),
    (r"pooler\.(.+)", ["pooler.{0}", "transformer.pooler.{0}"]),
)
_VL_BERT = (
    (r"((?:word|position|token_type)_embeddings\.weight)", ["inputs.embeddings.{0}"]),
    (r"embedding_LayerNorm\.(.+)", ["inputs.embeddings.LayerNorm.{0}"]),
    (r"object_linguistic_embeddings\.(.+)", ["inputs.image.{0}"]),
    (r"end_embedding\.(.+)", ["inputs.end.{0}"]),
    (r"image_feature_extractor\.obj_downsample\.1\.(.+)", ["inputs.visual.{0}"]),
    (r"visual_ln_(text|object)\.(.+)", ["inputs.{0}_norm.{1}"]),
)
_UNITER = (
    (r"img_embeddings\.img_linear\.(.+)", ["inputs.appearance.{0}"]),
    (r"img_embeddings\.img_layer_norm\.(.+)", ["inputs.appearance_norm.{0}"]),
    (r"img_embeddings\.pos_linear\.(.+)", ["inputs.location.{0}"]),
    (r"img_embeddings\.pos_layer_norm\.(.+)", ["inputs.location_norm.{0}"]),
    (r"img_embeddings\.LayerNorm\.(.+)", ["inputs.object_norm.{0}"]),
)
_BETWEEN_THEM = r"encoder\.c_layer\.(\d+)\."
_VILBERT = (
    (r"v_embeddings\.image_embeddings\.(.+)", ["inputs.appearance.{0}"]),
    (r"v_embeddings\.image_location_embeddings\.(.+)", ["inputs.location.{0}"]),
    (r"v_embeddings\.LayerNorm\.(.+)", ["inputs.norm.{0}"]),
    (r"encoder\.v_layer\.(.+)", ["layers.{0}"]),
    (_BETWEEN_THEM + r"biattention\.query1\.(.+)", ["connections.{0}.objects.attention.query.{1}"]),
    (_BETWEEN_THEM + r"biattention\.query2\.(.+)", ["connections.{0}.text.attention.query.{1}"]),
    (_BETWEEN_THEM + r"biattention\.(key|value)1\.(.+)", ["connections.{0}.text.attention.{1}.{2}"]),
    (_BETWEEN_THEM + r"biattention\.(key|value)2\.(.+)", ["connections.{0}.objects.attention.{1}.{2}"]),
    (_BETWEEN_THEM + r"biOutput\.(dense|LayerNorm)1\.(.+)", ["connections.{0}.objects.output.{1}.{2}"]),
    (_BETWEEN_THEM + r"biOutput\.(dense|LayerNorm)2\.(.+)", ["connections.{0}.text.output.{1}.{2}"]),
    (_BETWEEN_THEM + r"v_intermediate\.(.+)", ["connections.{0}.objects.wide.{1}"]),
    (_BETWEEN_THEM + r"t_intermediate\.(.+)", ["connections.{0}.text.wide.{1}"]),
    (_BETWEEN_THEM + r"v_output\.(.+)", ["connections.{0}.objects.narrow.{1}"]),
    (_BETWEEN_THEM + r"t_output\.(.+)", ["connections.{0}.text.narrow.{1}"]),
    (r"v_pooler\.dense\.(.+)", ["region_pool.{0}"]),
    (r"t_pooler\.dense\.(.+)", ["text_pool.{0}"]),
)
"""Its first stream is that of pictures, its second that of texts; keys and values are of the other one than
the queries that they meet."""
_CLIPCAP = (
    (r"gpt\.(.+)", ["language.{0}"]),
    (r"clip_project\.transformer\.layers\.(\d+)\.(?:attn\.|mlp\.)?(.+)", ["mapping.layers.{0}.{1}"]),
    (r"clip_project\.(.+)", ["mapping.{0}"]),
)
_GPV2 = (
    (r"model\.(.+)", ["language.{0}"]),
    (r"image_joiner\.(.+)", ["joiner.{0}"]),
    (r"query_embedding", ["whole"]),
)
_CROSSING = r"encoder\.x_layers\.(\d+)\."
_STREAMS = (("lang", "text"), ("visn", "objects"))
_LXMERT = (
    (r"encoder\.visn_fc\.visn_fc\.(.+)", ["inputs.appearance.{0}"]),
    (r"encoder\.visn_fc\.visn_layer_norm\.(.+)", ["inputs.appearance_norm.{0}"]),
    (r"encoder\.visn_fc\.box_fc\.(.+)", ["inputs.location.{0}"]),
    (r"encoder\.visn_fc\.box_layer_norm\.(.+)", ["inputs.location_norm.{0}"]),
    (r"encoder\.r_layers\.(.+)", ["relating.{0}"]),
    (_CROSSING + r"visual_attention\.att\.(.+)", ["crossing.{0}.attention.{1}"]),
    (_CROSSING + r"visual_attention\.output\.(.+)", ["crossing.{0}.output.{1}"]),
    *((_CROSSING + rf"{their}_self_att\.(.+)", [f"crossing.{{0}}.{our}.attention.{{1}}"])
      for their, our in _STREAMS),
    *((_CROSSING + rf"{their}_inter\.(.+)", [f"crossing.{{0}}.{our}.intermediate.{{1}}"])
      for their, our in _STREAMS),
    *((_CROSSING + rf"{their}_output\.(.+)", [f"crossing.{{0}}.{our}.output.{{1}}"])
      for their, our in _STREAMS),
    (r"(?:answer_head\.)?logit_fc\.([02])\.(.+)", ["answer.{0}.{1}"]),
    (r"(?:answer_head\.)?logit_fc\.3\.(.+)", ["named.{0}"]),
)  # fmt: skip
"""The same in the authors' program and in the transformers library."""
_NAMED = (*_PLAIN, *_VL_BERT, *_UNITER, *_VILBERT, *_LXMERT, *_CLIPCAP, *_GPV2)
_RULES = tuple((re.compile(pattern), names) for pattern, names in _NAMED)


def renamed(name: str) -> Iterator[Renamed]:
    """What it may be called here, the likeliest first."""
    yield Renamed(name)
    bare = _AROUND.sub("", name)
    for old, new in _OLD:
        bare = bare.replace(old, new)
    yield Renamed(bare)
    for pattern, names in _RULES:
        match = pattern.fullmatch(bare)
        if match is not None:
            yield from (Renamed(each.format(*match.groups())) for each in names)
    yield from _ernie_vil(bare)


_TABLES = {
    "word_embedding": "word_embeddings",
    "pos_embedding": "position_embeddings",
    "sent_embedding": "token_type_embeddings",
}
_LINEAR = {
    "image_emb": "inputs.appearance",
    "image_loc": "inputs.location",
    "pooled_fc_text": "text_pool",
    "pooled_fc_image": "region_pool",
}
_NORMS = {"pre_encoder": "embeddings.LayerNorm", "vl_pre_encoder": "inputs.norm"}
_ALONE = {
    "multi_head_att_query_fc": "attention.self.query",
    "multi_head_att_key_fc": "attention.self.key",
    "multi_head_att_value_fc": "attention.self.value",
    "multi_head_att_output_fc": "attention.output.dense",
    "post_att": "attention.output.LayerNorm",
    "ffn_fc_0": "intermediate.dense",
    "ffn_fc_1": "output.dense",
    "post_ffn": "output.LayerNorm",
}
_BETWEEN = {
    "multi_head_att_query_fc": "attention.query",
    "multi_head_att_key_fc": "attention.key",
    "multi_head_att_value_fc": "attention.value",
    "multi_head_att_output_fc": "output.dense",
    "post_att": "output.LayerNorm",
    "ffn_fc_0": "wide.dense",
    "ffn_fc_1": "narrow.dense",
    "post_ffn": "narrow.LayerNorm",
}
_WEIGHT = re.compile(r"(.+?)(?:\.(w|b)_0|_layer_norm_(scale|bias))")
_LAYER = re.compile(r"encoder_(v|co)?layer_(\d+)_(vl_)?(.+)")


def _ernie_vil(name: str) -> Iterator[Renamed]:
    """PaddlePaddle's names, whose matrices have inputs first."""
    if name in _TABLES:
        yield Renamed(f"embeddings.{_TABLES[name]}.weight")
    found = _WEIGHT.fullmatch(name)
    if found is None:
        return
    part, linear, norm = found.groups()
    kind = "weight" if linear == "w" or norm == "scale" else "bias"
    place = _LINEAR.get(part) or _NORMS.get(part) or _layer(part)
    if place is not None:
        yield Renamed(f"{place}.{kind}", turned=linear == "w")


def _layer(part: str) -> str | None:
    found = _LAYER.fullmatch(part)
    if found is None:
        return None
    stream, number, other, inside = found.groups()
    names = _BETWEEN if stream == "co" else _ALONE
    if inside not in names:
        return None
    if stream == "co":
        return f"connections.{number}.{'objects' if other else 'text'}.{names[inside]}"
    return f"{'layers' if stream == 'v' else 'encoder.layer'}.{number}.{names[inside]}"

"""Any encoder of the transformers library scores pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from making import LONGEST, batch_for, drawn, scores_of, tiny_network

from commonsight.models.catalogue import find
from commonsight.models.libraries import libraries, seeded
from commonsight.models.networks.bert import Bert, bert_paper
from commonsight.models.parts import Parts

ENTRY = find("bert")
SMALL: dict[str, Any] = {
    "vocab_size": 200,
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
}


def roberta() -> Any:
    """Knows one segment only."""
    transformers = libraries().transformers
    config = transformers.RobertaConfig(
        **SMALL, max_position_embeddings=LONGEST + 2, type_vocab_size=1, pad_token_id=0
    )
    return transformers.RobertaModel(config)


def distilbert() -> Any:
    """Knows no segments and pools nothing."""
    transformers = libraries().transformers
    config = transformers.DistilBertConfig(vocab_size=200, dim=32, n_layers=1, n_heads=2, hidden_dim=32)
    return transformers.DistilBertModel(config)


def unpooled() -> Any:
    transformers = libraries().transformers
    return transformers.BertModel(transformers.BertConfig(**SMALL), add_pooling_layer=False)


@pytest.mark.parametrize("make", [roberta, distilbert, unpooled])
def test_encoders_of_other_kinds_are_taken(make: Any) -> None:
    with seeded(0):
        network = Bert(make(), dropout=0.1).eval()
    scores = scores_of(network, batch_for(ENTRY, drawn(3)))
    assert scores.logits.shape == (3, 4)
    assert scores.logits.isfinite().all()
    assert scores.logits.std() > 0


def test_scores_are_the_transformers_own_of_each_pair() -> None:
    network, batch = tiny_network(ENTRY), batch_for(ENTRY, drawn(3))
    assert isinstance(network, Bert)
    assert batch.pieces is not None
    logits = scores_of(network, batch).logits
    for row in range(3):
        for choice in range(4):
            there = batch.pieces.mask[row, choice]
            said = network.transformer(
                input_ids=batch.pieces.ids[row, choice][there][None],
                token_type_ids=batch.pieces.segments[row, choice][there][None],
            )
            expected = (network.score.weight @ said.pooler_output[0]).squeeze()
            torch.testing.assert_close(logits[row, choice], expected)


def test_segments_matter() -> None:
    network, batch = tiny_network(ENTRY), batch_for(ENTRY, drawn(3))
    assert batch.pieces is not None
    flat = replace(batch, pieces=replace(batch.pieces, segments=torch.zeros_like(batch.pieces.segments)))
    assert not torch.allclose(scores_of(network, flat).logits, scores_of(network, batch).logits)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(ValueError, match="needs a transformer, and there is none"):
        bert_paper(Parts(7))
    with pytest.raises(ValueError, match="needs texts in sub-words, and there is none"):
        tiny_network(ENTRY)(replace(batch_for(ENTRY, drawn(2)), pieces=None))

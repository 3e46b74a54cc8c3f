"""Whole texts: encoders, what is kept of them, and questions as vectors."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from making import NAMING, DrawnWholes, drawn, given_to
from msgspec import structs
from numpy.typing import NDArray

from commonsight.errors import InputError, UsageError
from commonsight.models.catalogue import find
from commonsight.models.features.wholes import WholeReading, asked, kept_wholes, texts_of
from commonsight.models.untrained import TINY, untrained
from commonsight.models.whole_texts import whole_texts
from commonsight.models.wholes.bert import BertWholes
from commonsight.models.wholes.static import StaticWholes
from commonsight.text.encoders import HashedEncoder


class Counted:
    """An encoder that counts what it is asked."""

    name, dim = "counted", 4

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[Any]:
        self.asked += texts
        return np.array([[len(text), ord((text or " ")[0]), 1, 2] for text in texts], np.float32)


@given(texts=st.lists(st.text(max_size=12), unique=True, min_size=1, max_size=20))
def test_every_text_finds_its_own_vector(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    path, encoder = tmp_path_factory.mktemp("kept") / "wholes.safetensors", Counted()
    encoder_free = [text for text in texts if ord((text or " ")[0]) < 2000]  # what 16 bits hold exactly
    if not encoder_free:
        return
    kept = kept_wholes(path, encoder_free, encoder, at_once=3)
    for text in encoder_free:
        assert kept.of(text)[0] == len(text)
        assert kept.of(text)[1] == ord((text or " ")[0])
    again = pickle.loads(pickle.dumps(kept_wholes(path, encoder_free, encoder)))
    assert (len(again), encoder.asked) == (len(encoder_free), encoder_free)  # encoded once


def test_a_text_that_was_not_kept_is_an_error_and_another_encoder_is_refused(tmp_path: Path) -> None:
    kept = kept_wholes(tmp_path / "w.safetensors", ["here"], Counted())
    with pytest.raises(InputError, match="there is no vector of 'elsewhere'"):
        kept.of("elsewhere")
    with pytest.raises(InputError, match="this was made by counted, not by static"):
        kept_wholes(tmp_path / "w.safetensors", ["here"], StaticWholes(HashedEncoder()))


def test_questions_choices_and_answers_are_vectors() -> None:
    examples = list(given_to(find("clip-contrastive"), drawn(3)))
    batch = WholeReading(NAMING, DrawnWholes(), answers=True).batch(examples)
    assert batch.wholes is not None
    assert batch.wholes.answers is not None
    assert (batch.wholes.choices, tuple(batch.wholes.answers.shape)) == (None, (5, DrawnWholes.dim))
    own = torch.tensor(DrawnWholes().of(asked(examples[1])), dtype=torch.float32)
    torch.testing.assert_close(batch.wholes.question[1], own)
    chosen = [
        structs.replace(one, choices=texts, places=(0, -1)[: len(texts)])
        for one, texts in zip(examples, (("red", "sea"), ("red",), ("cup",)), strict=True)
    ]
    batch = WholeReading(NAMING, DrawnWholes()).batch(chosen)
    assert batch.wholes is not None
    assert batch.wholes.choices is not None
    assert batch.choices.tolist() == [[True, True], [True, False], [True, False]]
    assert not batch.wholes.choices[1, 1].any()
    assert batch.places is not None
    assert batch.places.tolist() == [[0, -1], [0, -1], [0, -1]]
    assert set(texts_of(chosen, ("yes",))) == {"yes", "red", "sea", "cup", *map(asked, chosen)}


def test_bert_is_the_mean_over_its_pieces(tmp_path: Path) -> None:
    import transformers

    folder = untrained(tmp_path / "bert", ["a red cup on the table"], TINY, seed=1)
    found = BertWholes.load(str(folder))
    vectors = found.encode(["a red cup", "table"])
    model = transformers.AutoModel.from_pretrained(folder).eval()
    cut = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        alone = model(**cut("table", return_tensors="pt")).last_hidden_state.mean(dim=1)
    np.testing.assert_allclose(vectors[1], alone[0].numpy(), atol=1e-5)
    assert vectors.shape == (2, found.dim)


@pytest.mark.parametrize("way", ["learned", "clip", "bert:", "glove"])
def test_a_way_that_reads_no_whole_texts_is_refused(way: str) -> None:
    with pytest.raises(UsageError, match="Choose one of: static, bert:PLACE, clip:PLACE"):
        whole_texts(way)

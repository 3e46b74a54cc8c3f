"""Kept text vectors: each text is encoded once, found by its words, and gone on with where it stopped."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from commonsight.errors import InputError, InvalidRecords
from commonsight.models.features.examples import Example, Spoken
from commonsight.models.features.files import open_file
from commonsight.models.features.index import digest_of
from commonsight.models.features.reading import WordReading
from commonsight.models.features.texts import KIND, TextVectors, kept_texts
from commonsight.models.features.vocabulary import vocabularies
from commonsight.models.progress import Progress, silent
from commonsight.models.text import Encoded, Pair, WordEncoder

DIM = 4


def _example(item: str, query: str, *responses: str) -> Example:
    def spoken(text: str) -> Spoken:
        words = tuple(text.split(" ")) if text else ()
        return Spoken(words, (0,) * len(words))

    return Example(item, "t", None, (1, 1), spoken(query), tuple(map(spoken, responses)), (), ())


EXAMPLES = [
    _example("1", "why is she here", "she is late", "she sings", "for the soup", "no"),
    _example("2", "why is she here", "she is late", "nobody knows why she is here or there"),
    _example("3", "who", "she is late", "why is she here", "who"),
]


class Spelled:
    """A word's vector tells the word, its place, and for pairs the length of the text beside it."""

    dim = DIM

    def __init__(self, paired: bool) -> None:
        self.paired, self.name = paired, f"spelled-{paired}"
        self.asked: list[Pair] = []

    def encode(self, pairs: Sequence[Pair], *, progress: Progress = silent) -> list[Encoded]:
        self.asked += pairs
        progress(len(pairs), len(pairs))
        return [
            Encoded(self.text(query, response), self.text(response, query, second=True))
            for query, response in pairs
        ]

    def text(self, words: Sequence[str], other: Sequence[str], second: bool = False) -> NDArray[np.float32]:
        beside = len(other) if self.paired else 0
        rows = [(len(word), place, beside, second and self.paired) for place, word in enumerate(words)]
        return np.array(rows, np.float32).reshape(-1, DIM)


@pytest.mark.parametrize("paired", [False, True])
def test_every_word_has_the_vector_that_its_encoder_gave(tmp_path: Path, paired: bool) -> None:
    encoder: WordEncoder = Spelled(paired)
    kept = kept_texts(tmp_path / "a.safetensors", EXAMPLES, encoder)
    assert (kept.dim, kept.name, kept.paired) == (DIM, encoder.name, paired)
    for example in EXAMPLES:
        found = kept.of(example)
        pairs = [Pair(example.query.words, response.words) for response in example.responses]
        assert len(found) == len(pairs)
        for (query, response), wanted in zip(found, Spelled(paired).encode(pairs), strict=True):
            np.testing.assert_array_equal(query, wanted.query)
            np.testing.assert_array_equal(response, wanted.response)


def test_each_text_is_encoded_once(tmp_path: Path) -> None:
    alone, both = Spelled(False), Spelled(True)
    assert len(kept_texts(tmp_path / "a", EXAMPLES, alone)) == len(alone.asked) == 7
    assert len(kept_texts(tmp_path / "b", EXAMPLES, both)) == len(both.asked) == 8
    assert len({pair for pair in alone.asked if not pair.response}) == 7
    kept_texts(tmp_path / "a", EXAMPLES, alone)
    assert len(alone.asked) == 7  # found, and not made anew


def test_they_become_a_batch(tmp_path: Path) -> None:
    kept = kept_texts(tmp_path / "a", EXAMPLES, Spelled(True))
    batch = WordReading(vocabularies(EXAMPLES), kept).batch(EXAMPLES)
    assert batch.query is not None
    assert batch.query.vectors is not None
    assert batch.query.vectors.shape == (3, 4, 4, DIM)
    assert batch.query.vectors[0, 1, 3].tolist() == [4, 3, 2, 0]


def test_another_process_opens_it_anew(tmp_path: Path) -> None:
    kept = kept_texts(tmp_path / "a", EXAMPLES, Spelled(True))
    sent = pickle.dumps(kept)
    assert len(sent) < 500
    np.testing.assert_array_equal(pickle.loads(sent).of(EXAMPLES[0])[2][1], kept.of(EXAMPLES[0])[2][1])


def test_a_text_that_is_not_there_is_told(tmp_path: Path) -> None:
    kept = kept_texts(tmp_path / "a", EXAMPLES, Spelled(False))
    with pytest.raises(InputError, match=r"what item 9 says in task t \('she left'\).*Remove the file"):
        kept.of(_example("9", "who", "she left"))


def test_vectors_of_another_encoder_are_told(tmp_path: Path) -> None:
    kept_texts(tmp_path / "a", EXAMPLES, Spelled(False))
    with pytest.raises(InvalidRecords, match="this was made by spelled-False, not by spelled-True"):
        kept_texts(tmp_path / "a", EXAMPLES, Spelled(True))


def test_odd_texts_are_texts(tmp_path: Path) -> None:
    odd = [_example("1", "\ud800 x", "a\u0000b", "", "a b"), _example("2", "", "\U0001f600", "a", "b")]
    for paired in (False, True):
        kept = kept_texts(tmp_path / f"{paired}", odd, Spelled(paired))
        assert [len(query) for query, _ in kept.of(odd[0])] == [2, 2, 2]
        assert [len(response) for _, response in kept.of(odd[0])] == [1, 0, 2]
        assert [len(query) for query, _ in kept.of(odd[1])] == [0, 0, 0]


def test_no_examples(tmp_path: Path) -> None:
    assert len(kept_texts(tmp_path / "a", [], Spelled(False))) == 0


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=3), min_size=1, max_size=4))
def test_names_of_other_parts_are_other_names(parts: list[list[str]]) -> None:
    names = {tuple(map(str, part)): digest_of(part) for part in parts}
    assert len(set(names.values())) == len(names)
    assert digest_of(["ab"]) != digest_of(["a", "b"])


# --- stopped and gone on with ------------------------------------------------------------------------------


class KilledError(Exception):
    pass


class Mortal(Spelled):
    """Stops when it has encoded so many."""

    def __init__(self, paired: bool, until: int) -> None:
        super().__init__(paired)
        self.until = until

    def encode(self, pairs: Sequence[Pair], *, progress: Progress = silent) -> list[Encoded]:
        if len(self.asked) >= self.until:
            raise KilledError
        return super().encode(pairs, progress=progress)


@pytest.mark.parametrize("until", range(0, 8, 2))
def test_a_stopped_encoding_goes_on(tmp_path: Path, until: int) -> None:
    kept_texts(tmp_path / "whole", EXAMPLES, Spelled(True), at_once=2)
    with pytest.raises(KilledError):
        kept_texts(tmp_path / "a", EXAMPLES, Mortal(True, until), at_once=2)
    assert not (tmp_path / "a").exists()
    steps: list[tuple[int, int]] = []
    second = Spelled(True)
    kept_texts(
        tmp_path / "a", EXAMPLES, second, at_once=2, progress=lambda done, total: steps.append((done, total))
    )
    assert len(second.asked) == 8 - until
    assert steps == [(done, 8) for done in range(until + 2, 9, 2)] + [(8, 8)]
    assert (tmp_path / "a").read_bytes() == (tmp_path / "whole").read_bytes()


# --- damage ------------------------------------------------------------------------------------------------


def _altered(path: Path, name: str, place: int, value: int) -> None:
    arrays = {key: array.copy() for key, array in load_file(path).items()}
    arrays[name][place] = value
    save_file(arrays, path, open_file(path, KIND).told)


@pytest.mark.parametrize(
    ("name", "place", "value", "said"),
    [
        ("starts", 0, 1, "its index tells of"),
        ("starts", -1, 99, "its index tells of 99 rows"),
        ("starts", 1, 77, "lies from row|words has"),
        ("starts", 4, 0, "lies from row|words has"),
        ("blocks", 2, -3, "its index names block -3"),
        ("blocks", 2, 8, "its index names block 8"),
    ],
)
def test_an_altered_index_is_told(tmp_path: Path, name: str, place: int, value: int, said: str) -> None:
    path = tmp_path / "a"
    kept_texts(path, EXAMPLES, Spelled(True))
    _altered(path, name, place, value)
    with pytest.raises(InvalidRecords, match=said):
        [TextVectors.open(path).of(example) for example in EXAMPLES]


def test_an_index_of_unequal_arrays_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a"
    kept_texts(path, EXAMPLES, Spelled(True))
    arrays = load_file(path)
    save_file({**arrays, "keys": arrays["keys"][1:]}, path, {"kind": KIND})
    with pytest.raises(InvalidRecords, match="arrays of different lengths"):
        TextVectors.open(path)
    save_file({**arrays, "rows": arrays["rows"][None]}, path, {"kind": KIND})
    with pytest.raises(InvalidRecords, match=r"vectors are of the shape .* not \(word, dim\)"):
        TextVectors.open(path)
